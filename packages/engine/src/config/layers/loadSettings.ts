import { resolve } from "node:path";
import type { EventCatalog } from "../../events/eventSpec.ts";
import { type DeclarationContext, type DeclarationKind, type Declared, declaredOf } from "../hooks/declarationKind.ts";
import { declareHook } from "../hooks/declareHook.ts";
import type { HookDeclaration, KindSpec, Lookup, OtherDeclaration } from "../hooks/hookDeclaration.ts";
import { sharedNames } from "../hooks/names.ts";
import type { RawHook } from "../hooks/rawHook.ts";
import { readYamlHook } from "../hooks/yamlHook.ts";
import { TRUST_LEVEL } from "../values/configSource.ts";
import { parseJson } from "../values/parseJson.ts";
import { parseYaml } from "../values/parseYaml.ts";
import { doubt, type Problem } from "../values/problem.ts";
import { mapInSlices, mapInTurn } from "../values/slices.ts";
import { extensionPlaces, placeVariables } from "../values/variables.ts";
import { type ApprovalLayer, mergeApprovals, readApprovals } from "./approvals.ts";
import { DescriptorWait } from "./descriptorWait.ts";
import { mergeOptions, type OptionLayer, readOptions, unreadOptions } from "./engineOptions.ts";
import { extensionFiles } from "./extensionFiles.ts";
import { geminiCliHome, homeFolder, refuseHomeInProject } from "./homeFolder.ts";
import { readJsonSettings } from "./jsonSettings.ts";
import type { Extension, LayerStatus, LoadedSettings } from "./loadedSettings.ts";
import { outerHooks } from "./outerHooks.ts";
import { findProjectRoot } from "./projectRoot.ts";
import { readSwitches } from "./readSwitches.ts";
import { type SettingsFile, SYSTEM_FILE, settingsFiles } from "./settingsFiles.ts";
import { givenSettings, readSettingsText } from "./settingsText.ts";
import { applySwitches, type Switch } from "./switches.ts";

export interface LoadOptions {
  readonly workingDir: string;
  readonly homeDir?: string;
  readonly systemFile?: string;
  /** Default: every folder in `~/.hookline/extensions` and `~/.gemini/extensions`. */
  readonly extensions?: readonly Extension[];
  readonly catalog: EventCatalog;
  readonly kinds: readonly KindSpec[];
  /** Kinds other than hooks that the files may declare; default none. */
  readonly declares?: readonly DeclarationKind[];
  /** Where to look for programs; default: this process's PATH. */
  readonly path?: string;
}

/** Reads every layer. Bad content never throws: a bad entry disables only itself, and every mistake becomes a problem. */
export async function loadSettings(options: LoadOptions): Promise<LoadedSettings> {
  const { workingDir, homeDir = homeFolder(), systemFile = SYSTEM_FILE, extensions, catalog, declares = [] } = options;
  const { root, outer } = findProjectRoot(workingDir, homeDir);
  refuseHomeInProject(homeDir, root);
  const gemini = geminiCliHome(homeDir, root);
  const places = await settingsFiles({
    root,
    homeDir: resolve(homeDir),
    geminiHome: gemini.folder,
    systemFile: resolve(systemFile),
    extensions,
    declares,
  });
  const reading = { ...options, root, declares };
  const layers = await readByTrust(places.files, reading);
  const others = [...gemini.problems, ...places.problems, ...(await outerHooks(outer, { homeDir, catalog, declares }))];
  const read = places.files.filter(({ given }) => given === undefined);
  const watch = [...read.map(({ file }) => file), ...places.folders];
  return applyKindRules(combine(reading, layers, others, watch), options.kinds);
}

export interface DefinitionOptions extends Pick<LoadOptions, "workingDir" | "catalog" | "kinds"> {
  readonly extensions: readonly Extension[];
}

/** The same for hooks passed in by the program, in the form of a settings file; they count as project hooks. */
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
  const reading = { ...options, root: workingDir, declares: [] };
  const layers = await readByTrust([own, ...extensionFiles(extensions)], reading);
  return applyKindRules(combine(reading, layers, [], []), options.kinds);
}

/** Applies the rules of each hook kind to the merged options: problems, and files to watch. */
function applyKindRules(loaded: LoadedSettings, kinds: readonly KindSpec[]): LoadedSettings {
  const active = loaded.hooks.filter(({ off }) => off === undefined);
  const kindOf = ({ type }: HookDeclaration) => kinds.find((kind) => kind.type === type);
  const unmet = active.flatMap((hook) =>
    (kindOf(hook)?.unmet?.(hook, loaded.options) ?? []).map((finding) => doubt({ where: hook.place, ...finding })),
  );
  const kept = active.flatMap((hook) => (kindOf(hook)?.keepsFiles ? (hook.target?.files ?? []) : []));
  return { ...loaded, problems: [...loaded.problems, ...unmet], watch: [...loaded.watch, ...kept] };
}

/** Combines the layers: applies switches, merges options, checks names. */
function combine(
  { root: projectRoot, kinds, declares }: Reading,
  layers: readonly Layer[],
  otherProblems: readonly Problem[],
  watch: readonly string[],
): LoadedSettings {
  const declared = layers.flatMap(({ hooks }) => hooks);
  const { hooks, problems: idle } = applySwitches(
    declared,
    layers.flatMap(({ switches }) => switches),
  );
  const set = layers.map((layer) => layer.options);
  const options = mergeOptions(set);
  const others = combineOthers(declares, { options, kinds, others: layers.flatMap((layer) => layer.others) });
  const inFiles = layers.flatMap(({ problems }) => problems);
  return {
    projectRoot,
    hooks,
    others: others.declared,
    options,
    approvals: mergeApprovals(layers.map((layer) => layer.approvals)),
    optionsWithoutProject: mergeOptions(set.filter(({ source }) => source !== "project")),
    problems: [...inFiles, ...sharedNames(hooks), ...idle, ...others.problems, ...otherProblems],
    layers: layers.map(({ status }) => status),
    unread: [...layers.flatMap(unreadGuards), ...otherProblems.filter(({ code }) => code === "CONFIG_UNREADABLE")],
    watch,
  };
}

function combineOthers(declares: readonly DeclarationKind[], context: DeclarationContext): Declared<OtherDeclaration> {
  const combined = declares.map((kind) => {
    const declared = declaredOf(kind, context.others);
    if (declared.length === 0 || !kind.combine) return { declared, problems: [] };
    return kind.combine(declared, context);
  });
  return {
    declared: combined.flatMap(({ declared }) => declared),
    problems: combined.flatMap(({ problems }) => problems),
  };
}

/** Problems that keep a whole file from being read, if that file may declare guards. */
function unreadGuards({ status, mayGuard, problems }: Layer): readonly Problem[] {
  return status.state === "broken" && mayGuard ? problems : [];
}

interface Layer {
  readonly status: LayerStatus;
  readonly hooks: readonly HookDeclaration[];
  readonly others: readonly OtherDeclaration[];
  readonly switches: readonly Switch[];
  readonly options: OptionLayer;
  readonly approvals: ApprovalLayer;
  readonly problems: readonly Problem[];
  /** Whether such a file can declare hooks. */
  readonly mayGuard: boolean;
}

interface Reading extends Pick<LoadOptions, "catalog" | "kinds" | "path" | "workingDir" | "homeDir"> {
  readonly root: string;
  readonly declares: readonly DeclarationKind[];
}

/** Reads the most trusted files first, so that later ones cannot exhaust resources before them; returns the layers in file order. */
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
    others: [],
    switches: [],
    options,
    approvals: { source, approvals: {} },
    problems,
    mayGuard: place.kind === undefined,
  };
}

async function readText(place: SettingsFile, text: string, reading: Reading): Promise<Layer> {
  const { catalog, kinds, declares } = reading;
  const { file, source, family, form } = place;
  const lookup = lookupFor(place, reading);
  const origin = { file, source, family, kinds, lookup };
  const parsed = form === "json" ? parseJson(file, text) : parseYaml(file, text, place.kind?.words.word);
  if (parsed.kind === "broken") return nothing(place, "broken", [parsed.problem]);
  if (place.kind) {
    const { declared: others, problems } = place.kind.read(parsed.root, origin);
    return { ...nothing(place, "loaded", [...parsed.problems, ...problems].toSorted(byPlace)), others };
  }
  const raw =
    form === "json" ? readJsonSettings(parsed.root, catalog, declares) : asSettings(readYamlHook(parsed.root, catalog));
  // A list, a text or null: what it was to declare cannot be known.
  if (parsed.root.kind !== "map") return nothing(place, "broken", raw.problems);
  const switches = readSwitches(raw, { source, family });
  const set = readOptions(raw.hooksConfig, { source, family });
  const approvals = readApprovals(raw.approvals, { source, family });
  const declaredOrNot = await mapInSlices(raw.hooks, (hook) => {
    const event = catalog[hook.eventName];
    return event && declareHook(hook, { source, family, event, kinds, lookup });
  });
  const declared = declaredOrNot.flatMap((one) => one ?? []);
  const others = raw.others.map(({ kind, value }) => kind.read(value, origin));
  return {
    status: { source, file, state: "loaded", hooks: declared.length },
    hooks: declared.map(({ hook }) => hook),
    others: others.flatMap((one) => one.declared),
    switches: switches.switches,
    options: set.layer,
    approvals: approvals.layer,
    mayGuard: true,
    problems: [
      ...parsed.problems,
      ...raw.problems,
      ...switches.problems,
      ...set.problems,
      ...approvals.problems,
      ...declared.flatMap(({ problems }) => problems),
      ...others.flatMap(({ problems }) => problems),
    ].toSorted(byPlace),
  };
}

/** A project's `$HOME` stays unexpanded: people on other machines read its commands. */
function lookupFor({ source, dirs, extensionPath }: SettingsFile, reading: Reading): Lookup {
  const { root, workingDir, homeDir = homeFolder(), path = process.env.PATH ?? "" } = reading;
  const own = source === "project" ? {} : { HOME: homeDir };
  const extension = extensionPath === undefined ? {} : extensionPlaces(extensionPath, workingDir);
  const variables = { ...placeVariables(root, workingDir), ...own, ...extension };
  return { dirs, path, variables, ...(source === "project" ? { project: root } : {}) };
}

function byPlace({ where: a }: Problem, { where: b }: Problem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

function asSettings({ hook, problems }: { hook?: RawHook; problems: readonly Problem[] }) {
  return { hooks: hook === undefined ? [] : [hook], hooksConfig: [], tools: [], others: [], approvals: [], problems };
}
