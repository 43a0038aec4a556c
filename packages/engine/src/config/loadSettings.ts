import { resolve } from "node:path";
import type { EventCatalog } from "../events/eventSpec.ts";
import { abilitiesAllowed, oneAbilityPerName, unknownServers } from "./abilities.ts";
import { type ApprovalLayer, mergeApprovals, readApprovals } from "./approvals.ts";
import { type DeclaredAbility, declareAbility } from "./declareAbility.ts";
import { declareHook } from "./declareHook.ts";
import { DescriptorWait } from "./descriptorWait.ts";
import { mergeOptions, type OptionLayer, readOptions, unreadOptions } from "./engineOptions.ts";
import { extensionFiles } from "./extensionFiles.ts";
import { geminiCliHome, homeFolder, refuseHomeInProject } from "./homeFolder.ts";
import {
  type Extension,
  type HookDeclaration,
  type KindSpec,
  type LayerStatus,
  type LoadedSettings,
  type Lookup,
  type Problem,
  TRUST_LEVEL,
} from "./hookDeclaration.ts";
import { readJsonSettings } from "./jsonSettings.ts";
import { sharedNames } from "./names.ts";
import { outerHooks } from "./outerHooks.ts";
import { parseJson } from "./parseJson.ts";
import { parseYaml } from "./parseYaml.ts";
import { doubt } from "./problem.ts";
import { findProjectRoot } from "./projectRoot.ts";
import type { RawHook } from "./rawHook.ts";
import { readSwitches } from "./readSwitches.ts";
import type { ServerDeclaration } from "./serverDeclaration.ts";
import { asOptionsAllow, declareServers, oneServerPerName } from "./servers.ts";
import { type SettingsFile, SYSTEM_FILE, settingsFiles } from "./settingsFiles.ts";
import { givenSettings, readSettingsText } from "./settingsText.ts";
import { mapInSlices, mapInTurn } from "./slices.ts";
import { applySwitches, type Switch } from "./switches.ts";
import { placeVariables } from "./variables.ts";
import { readYamlHook } from "./yamlHook.ts";

export interface LoadOptions {
  readonly workingDir: string;
  readonly homeDir?: string;
  readonly systemFile?: string;
  /** Default: every folder in `~/.hookline/extensions` and `~/.gemini/extensions`. */
  readonly extensions?: readonly Extension[];
  readonly catalog: EventCatalog;
  readonly kinds: readonly KindSpec[];
  /** Where programs are looked for; default: this process's PATH. */
  readonly path?: string;
}

/** Reads every layer. Bad content never throws: one bad entry disables only itself, and everything wrong is a problem. */
export async function loadSettings(options: LoadOptions): Promise<LoadedSettings> {
  const { workingDir, homeDir = homeFolder(), systemFile = SYSTEM_FILE, extensions } = options;
  const { root, outer } = findProjectRoot(workingDir, homeDir);
  refuseHomeInProject(homeDir, root);
  const gemini = geminiCliHome(homeDir, root);
  const places = await settingsFiles({
    root,
    homeDir: resolve(homeDir),
    geminiHome: gemini.folder,
    systemFile: resolve(systemFile),
    extensions,
  });
  const layers = await readByTrust(places.files, { ...options, root });
  const others = [
    ...gemini.problems,
    ...places.problems,
    ...(await outerHooks(outer, { homeDir, catalog: options.catalog })),
  ];
  const read = places.files.filter(({ given }) => given === undefined);
  const watch = [...read.map(({ file }) => file), ...places.folders];
  return asKindsSay(combine(root, layers, others, watch), options.kinds);
}

export interface DefinitionOptions extends Pick<LoadOptions, "workingDir" | "catalog" | "kinds"> {
  readonly extensions: readonly Extension[];
}

/** The same for hooks that a program brings itself, in the form of a settings file; they count as project hooks. */
export async function loadDefinitions(hooks: unknown, options: DefinitionOptions): Promise<LoadedSettings> {
  const { workingDir, extensions } = options;
  const own: SettingsFile = {
    file: "config.getHooks()",
    source: "project",
    family: "hookline",
    form: "json",
    dirs: [workingDir],
    given: { hooks },
  };
  const layers = await readByTrust([own, ...extensionFiles(extensions)], { ...options, root: workingDir });
  return asKindsSay(combine(workingDir, layers, [], []), options.kinds);
}

/** What the kinds of the hooks have to add, once all layers together say what a hook or a server may do. */
function asKindsSay(loaded: LoadedSettings, kinds: readonly KindSpec[]): LoadedSettings {
  const active = loaded.hooks.filter(({ off }) => off === undefined);
  const kindOf = ({ type }: HookDeclaration) => kinds.find((kind) => kind.type === type);
  const unmet = active.flatMap((hook) =>
    (kindOf(hook)?.unmet?.(hook, loaded.options) ?? []).map((finding) => doubt({ where: hook.place, ...finding })),
  );
  const kept = active.flatMap((hook) => (kindOf(hook)?.keepsFiles ? (hook.target?.files ?? []) : []));
  const { servers, problems } = asOptionsAllow(loaded.servers, loaded.options, kinds);
  const { abilities, problems: forbidden } = abilitiesAllowed(loaded.abilities, loaded.options, kinds);
  return {
    ...loaded,
    servers,
    abilities,
    problems: [...loaded.problems, ...unmet, ...problems, ...forbidden],
    watch: [...loaded.watch, ...kept],
  };
}

/** Puts the layers together: switches act across them, options and names meet. */
function combine(
  projectRoot: string,
  layers: readonly Layer[],
  otherProblems: readonly Problem[],
  watch: readonly string[],
): LoadedSettings {
  const declared = layers.flatMap(({ hooks }) => hooks);
  const { hooks, problems: idle } = applySwitches(
    declared,
    layers.flatMap(({ switches }) => switches),
  );
  const { servers, problems: shadowed } = oneServerPerName(layers.flatMap((layer) => layer.servers));
  const declaredAbilities = layers.flatMap((layer) => layer.abilities);
  const { abilities, problems: namesakes } = oneAbilityPerName(declaredAbilities);
  const unserved = unknownServers(declaredAbilities, servers);
  const set = layers.map((layer) => layer.options);
  const inFiles = layers.flatMap(({ problems }) => problems);
  return {
    projectRoot,
    hooks,
    servers,
    abilities,
    options: mergeOptions(set),
    approvals: mergeApprovals(layers.map((layer) => layer.approvals)),
    optionsWithoutProject: mergeOptions(set.filter(({ source }) => source !== "project")),
    problems: [...inFiles, ...sharedNames(hooks), ...idle, ...shadowed, ...namesakes, ...unserved, ...otherProblems],
    layers: layers.map(({ status }) => status),
    unread: [...layers.flatMap(unreadGuards), ...otherProblems.filter(({ code }) => code === "CONFIG_UNREADABLE")],
    watch,
  };
}

/** What keeps a whole file from being read, where that file may declare guards. */
function unreadGuards({ status, isAbility, problems }: Layer): readonly Problem[] {
  return status.state === "broken" && !isAbility ? problems : [];
}

interface Layer {
  readonly status: LayerStatus;
  readonly hooks: readonly HookDeclaration[];
  readonly servers: readonly ServerDeclaration[];
  readonly abilities: readonly DeclaredAbility[];
  readonly switches: readonly Switch[];
  readonly options: OptionLayer;
  readonly approvals: ApprovalLayer;
  readonly problems: readonly Problem[];
  readonly isAbility: boolean;
}

interface Reading extends Pick<LoadOptions, "catalog" | "kinds" | "path" | "workingDir" | "homeDir"> {
  readonly root: string;
}

/** The most trusted files first, so that what comes after them cannot keep them from being read; the layers are in the order of the files. */
async function readByTrust(files: readonly SettingsFile[], reading: Reading): Promise<readonly Layer[]> {
  const byTrust = files.toSorted((a, b) => TRUST_LEVEL[b.source] - TRUST_LEVEL[a.source]);
  const wait = new DescriptorWait();
  const read = await mapInTurn(byTrust, (file) => readLayer(file, reading, wait));
  const layers = new Map(byTrust.map((file, index) => [file, read[index]]));
  return files.flatMap((file) => layers.get(file) ?? []);
}

async function readLayer(place: SettingsFile, reading: Reading, wait: DescriptorWait): Promise<Layer> {
  const read =
    place.given === undefined ? await readSettingsText(place.file, wait) : givenSettings(place.given, place.file);
  if (read.kind === "absent") return nothing(place, "absent", []);
  if (read.kind === "broken") return nothing(place, "broken", [read.problem]);
  return readText(place, read.text, reading);
}

function nothing(place: SettingsFile, state: LayerStatus["state"], problems: readonly Problem[]): Layer {
  const { source, file } = place;
  const status = { source, file, state, hooks: 0 };
  const options = state === "broken" ? unreadOptions(place) : { source, options: {} };
  return {
    status,
    hooks: [],
    servers: [],
    abilities: [],
    switches: [],
    options,
    approvals: { source, approvals: {} },
    problems,
    isAbility: place.form === "ability",
  };
}

async function readText(place: SettingsFile, text: string, reading: Reading): Promise<Layer> {
  const { catalog, kinds } = reading;
  const { file, source, family, form } = place;
  const lookup = lookupFor(place, reading);
  const parsed =
    form === "json" ? parseJson(file, text) : parseYaml(file, text, form === "ability" ? "ability" : "hook");
  if (parsed.kind === "broken") return nothing(place, "broken", [parsed.problem]);
  if (form === "ability") {
    const declared = declareAbility(parsed.root, { file, kinds, lookup });
    const problems = [...parsed.problems, ...declared.problems].toSorted(byPlace);
    return { ...nothing(place, "loaded", problems), abilities: [declared] };
  }
  const raw = form === "json" ? readJsonSettings(parsed.root, catalog) : asSettings(readYamlHook(parsed.root, catalog));
  const switches = readSwitches(raw, { source, family });
  const set = readOptions(raw.hooksConfig, { source, family });
  const approvals = readApprovals(raw.approvals, { source, family });
  const declaredOrNot = await mapInSlices(raw.hooks, (hook) => {
    const event = catalog[hook.eventName];
    return event && declareHook(hook, { source, family, event, kinds, lookup });
  });
  const declared = declaredOrNot.flatMap((one) => one ?? []);
  const servers = declareServers(raw.servers, { source, family, kinds, lookup });
  return {
    status: { source, file, state: "loaded", hooks: declared.length },
    hooks: declared.map(({ hook }) => hook),
    servers: servers.servers,
    abilities: [],
    switches: switches.switches,
    options: set.layer,
    approvals: approvals.layer,
    isAbility: false,
    problems: [
      ...parsed.problems,
      ...raw.problems,
      ...switches.problems,
      ...set.problems,
      ...approvals.problems,
      ...declared.flatMap(({ problems }) => problems),
      ...servers.problems,
    ].toSorted(byPlace),
  };
}

/** A project's `$HOME` is not filled in: its commands are to be read by people on other machines. */
function lookupFor({ source, dirs, extensionPath }: SettingsFile, reading: Reading): Lookup {
  const { root, workingDir, homeDir = homeFolder(), path = process.env.PATH ?? "" } = reading;
  const own = source === "project" ? {} : { HOME: homeDir };
  const extension = extensionPath === undefined ? {} : { extensionPath };
  const variables = { ...placeVariables(root, workingDir), ...own, ...extension };
  return { dirs, path, variables, ...(source === "project" ? { project: root } : {}) };
}

function byPlace({ where: a }: Problem, { where: b }: Problem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

function asSettings({ hook, problems }: { hook?: RawHook; problems: readonly Problem[] }) {
  return { hooks: hook === undefined ? [] : [hook], hooksConfig: [], tools: [], servers: [], approvals: [], problems };
}
