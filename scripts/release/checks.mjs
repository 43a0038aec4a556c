// Checks that only read files. Each returns what is wrong, as sentences; an empty list means that all is well.
import { dependenciesOf } from "./workspaces.mjs";

/** One version for all packages; they name each other by exactly that version. */
export function versionFaults(packages, lock) {
  const [first] = packages;
  const { version } = first.manifest;
  const names = new Set(packages.map(({ manifest }) => manifest.name));
  const ofPackages = packages.flatMap((one) => {
    const { manifest } = one;
    const other =
      manifest.version === version
        ? []
        : [`${manifest.name} has version ${manifest.version}, ${first.manifest.name} has ${version}.`];
    const internal = Object.entries(dependenciesOf(one)).filter(([name]) => names.has(name));
    const loose = internal.filter(([, range]) => range !== version);
    return [
      ...other,
      ...loose.map(([name, range]) => `${manifest.name} depends on ${name} "${range}", not on "${version}".`),
    ];
  });
  return [...ofPackages, ...lockFaults(lock, { names, version })];
}

/** The lock file is for every registry: it names packages and checksums, and no host. */
function lockFaults({ packages }, { names, version }) {
  const locked = Object.values(packages).filter(({ name }) => names.has(name));
  const behind = locked.filter((one) => one.version !== version);
  const hosts = Object.values(packages).filter(({ resolved }) => /^\w+:\/\//.test(resolved ?? ""));
  return [
    ...behind.map(({ name, version: old }) => `package-lock.json has ${name} ${old}.`),
    ...(hosts.length > 0 ? [`package-lock.json names the address of ${hosts.length} packages.`] : []),
  ];
}

const HEADING = /^## (.+)$/m;
const DATED = /^(\S+) \((\d{4}-\d{2}-\d{2})\)$/;

/** The newest section is this version's, with a date, and nothing waits above it. */
export function changelogFaults(text, version) {
  const sections = text.split(/^(?=## )/m).slice(1);
  const unreleased = sections.find((section) => HEADING.exec(section)?.[1] === "Unreleased");
  const [newest = ""] = sections.filter((section) => section !== unreleased);
  const [, name, date] = DATED.exec(HEADING.exec(newest)?.[1] ?? "") ?? [];
  return [
    ...(name === version ? [] : [`The newest section is not "## ${version} (YYYY-MM-DD)".`]),
    ...(date === undefined || isDay(date) ? [] : [`${date} is not a day.`]),
    ...(bodyOf(newest) === "" ? [`The section ${version} is empty.`] : []),
    ...(unreleased !== undefined && bodyOf(unreleased) !== "" ? ['There are entries under "Unreleased".'] : []),
  ];
}

function bodyOf(section) {
  return section.replace(HEADING, "").trim();
}

function isDay(date) {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}
