import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { DeclarationKind } from "../../../src/config/hooks/declarationKind.ts";
import type { OtherDeclaration } from "../../../src/config/hooks/hookDeclaration.ts";
import type { TrustPolicy } from "../../../src/config/trust/trustGate.ts";
import { TrustStore } from "../../../src/config/trust/trustStore.ts";
import { entryNamed, plain } from "../../../src/config/values/located.ts";
import { doubt, fault } from "../../../src/config/values/problem.ts";
import { SettingsConfig } from "../../../src/hooks/config.ts";
import { temporaryFolder } from "../../support/system.ts";

interface Robot extends OtherDeclaration {
  readonly kind: "robot";
}

/** A kind that nothing in the engine knows: a YAML file per robot, which names the script that it runs. */
const ROBOTS: DeclarationKind<Robot> = {
  kind: "robot",
  words: { one: "a robot", word: "robot", many: "robots" },
  from: { folder: ".system/robots" },
  outside: "The robot declared here, outside the project root, is not loaded.",
  read: (node, { file, source, family, lookup }) => {
    const script = node.kind === "map" ? entryNamed(node, "script") : undefined;
    const name = script && plain(script.value);
    const common = { kind: "robot", source, family, place: node.place, type: "script", env: {}, passEnv: [] } as const;
    if (typeof name !== "string") {
      const problem = fault({ code: "CONFIG_INVALID", where: node.place, what: "This robot has no script." });
      const broken: Robot = { ...common, name: file, definition: ["robots"], off: { kind: "broken", problem } };
      return { declared: [broken], problems: [problem] };
    }
    const path = join(lookup.dirs[0] ?? "", name);
    const target = { fields: { path }, identity: path, files: [path], uncovered: [] };
    const tool = { server: "factory", name: "weld", guardedAs: [name] };
    return { declared: [{ ...common, name, definition: ["robots", name], target, tool }], problems: [] };
  },
  combine: (declared) => ({
    declared,
    problems:
      declared.length > 2 ? declared.slice(2).map(({ place: where }) => doubt({ where, what: "Too many." })) : [],
  }),
};
/** Another one, below a key of settings files. */
const TOYS: DeclarationKind = {
  ...ROBOTS,
  kind: "toy",
  words: { one: "a toy", word: "toy", many: "toys" },
  from: { settings: "toys" },
  outside: "Toys declared here, outside the project root, are not loaded.",
  read: (node, { source, family }) => ({
    declared: (node.kind === "map" ? node.entries : []).map(({ key: name, keyPlace: place }) => {
      const target = { fields: {}, identity: name, files: [], uncovered: [] };
      return {
        kind: "toy",
        name,
        source,
        family,
        place,
        type: "toy",
        env: {},
        passEnv: [],
        target,
        definition: ["toys", name],
      };
    }),
    problems: [],
  }),
};

function project() {
  const [dir, homeDir] = [temporaryFolder(), temporaryFolder()];
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  write(".git/HEAD", "");
  write("weld.sh", "echo weld\n");
  write(".system/robots/a.yaml", "script: weld.sh\n");
  const open = (trust?: TrustPolicy, workingDir = dir, starts: readonly DeclarationKind[] = [ROBOTS, TOYS]) => {
    const places = { workingDir, homeDir, systemFile: join(homeDir, "none") };
    const given = trust === undefined ? {} : { trust };
    return new SettingsConfig({ ...places, ...given, declares: [ROBOTS, TOYS], starts });
  };
  const start = async (...given: Parameters<typeof open>) => {
    const system = open(...given).getHookSystem();
    if (!system) throw new Error("hooks are on");
    onTestFinished(() => system.dispose());
    await system.initialize();
    return system;
  };
  return { dir, write, open, start, store: new TrustStore(homeDir) };
}

test("a kind that a program makes up is read, listed with its faults, and watched", async () => {
  const { open, write, dir } = project();
  write(".system/robots/b.yaml", "legs: 2\n");
  write(".hookline/settings.json", '{ "toys": { "ball": {} } }');
  const { others, problems, watch } = await open().loadSettings();
  expect(others.map(({ kind, name, off }) => [kind, name, off?.kind])).toEqual([
    ["robot", "weld.sh", undefined],
    ["robot", join(dir, ".system/robots/b.yaml"), "broken"],
    ["toy", "ball", undefined],
  ]);
  expect(problems).toMatchObject([{ where: { line: 1, column: 1 }, what: "This robot has no script." }]);
  expect(watch).toContain(join(dir, ".system/robots"));
});

test("it needs trust, is called by its own words, and is handed out once trusted", async () => {
  const { start, store, dir } = project();
  await expect(start()).rejects.toMatchObject({
    code: "TRUST_REQUIRED",
    what: expect.stringMatching(/^This project declares a robot that is not trusted:\n {2}weld\.sh \(robot\) at /),
  });
  const without = await start("skip");
  expect(without.getDeclared(ROBOTS)).toEqual([]);
  expect(without.getStatus().untrustedOthers).toEqual([{ kind: "robot", name: "weld.sh" }]);
  const system = await start(() => true);
  expect(system.getDeclared(ROBOTS)).toMatchObject([{ kind: "robot", name: "weld.sh" }]);
  expect(Object.values(store.read(dir).hooks)).toMatchObject([{ kind: "robot", name: "weld.sh" }]);
  expect((await start()).getDeclared(ROBOTS)).toHaveLength(1);
});

test("it is refused when its script was changed, and protected from the agent", async () => {
  const { start, write, dir } = project();
  const system = await start("all");
  const [robot] = system.getDeclared(ROBOTS);
  if (!robot) throw new Error("the robot is trusted");
  expect(await system.getRefusal(robot)).toBeUndefined();
  expect(system.whyProtected(join(dir, "weld.sh"))).toBeDefined();
  write("weld.sh", "echo something else\n");
  expect(await system.getRefusal(robot)).toMatch(/^was changed after it was trusted/);
});

test("a guard on it is asked about the tool that does its work", async () => {
  const { start } = project();
  const system = await start("all");
  expect(system.getGuardedNames({ server_name: "factory", tool_name: "weld" })).toEqual(["weld.sh"]);
  expect(system.getGuardedNames({ server_name: "factory", tool_name: "paint" })).toEqual([]);
});

test("a program that does not start it is not asked about it, and is given none", async () => {
  const { start, dir } = project();
  expect((await start(undefined, dir, [TOYS])).getDeclared(ROBOTS)).toEqual([]);
});

test("the rows judge their declarations together, and what stands further out is said not to be loaded", async () => {
  const { open, write, dir } = project();
  for (const name of ["b", "c"]) write(`.system/robots/${name}.yaml`, `script: ${name}.sh\n`);
  expect((await open().loadSettings()).problems).toMatchObject([{ severity: "warning", what: "Too many." }]);
  write(".hookline/settings.json", '{ "toys": { "ball": {} }, "toyss": {} }');
  expect((await open().loadSettings()).problems.map(({ what }) => what)).toContain(
    '"toyss" is not read. Did you mean "toys"?',
  );
  write("sub/.hookline/settings.json", "{}");
  const outside = await open(undefined, join(dir, "sub")).loadSettings();
  expect(outside.others).toEqual([]);
  expect(outside.problems.map(({ what }) => what)).toEqual([
    TOYS.outside,
    ROBOTS.outside,
    ROBOTS.outside,
    ROBOTS.outside,
  ]);
});
