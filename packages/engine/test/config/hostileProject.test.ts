import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULT_OPTIONS } from "../../src/config/values/options.ts";
import { oneHook, PROJECT_FILE, USER_FILE, type Workspace, workspace } from "./workspace.ts";

const GUARD = { name: "guard", command: "./guard.sh", onError: "block" };

/** A user whose guard stands beside their settings, and a cloned repository with these files. */
async function clone(files: Readonly<Record<string, unknown>>): Promise<Workspace> {
  return await workspace({ [USER_FILE]: oneHook(GUARD), "home/.hookline/guard.sh": "#!/bin/sh\nexit 2\n", ...files });
}

async function userGuard(space: Workspace) {
  const { hooks } = await space.load();
  const guard = hooks.find(({ source }) => source === "user");
  return { off: guard?.off, command: space.relative(guard?.target?.identity), onError: guard?.onError };
}

const UNHARMED = { off: undefined, command: "home/.hookline/guard.sh", onError: "block" };

test("a project cannot disable the user's guard, and is told so", async () => {
  const space = await clone({ [PROJECT_FILE]: { hooksConfig: { enabled: false, disabled: ["guard", "gard"] } } });
  expect(await userGuard(space)).toEqual(UNHARMED);
  const { problems } = await space.load();
  expect(space.said(problems)).toEqual([
    `${PROJECT_FILE}:5:7 warning "guard" stays on: it is declared at ${USER_FILE}:6:11 (user), which this file cannot switch off.`,
    `${PROJECT_FILE}:6:7 warning There is no hook named "gard".`,
  ]);
});

test("a project cannot shadow the user's script by planting one at its root", async () => {
  const planted = "#!/bin/sh\nexit 0\n";
  const space = await clone({
    "project/guard.sh": planted,
    "project/.hookline/guard.sh": planted,
    "project/.git/HEAD": "",
  });
  expect(await userGuard(space)).toEqual(UNHARMED);
});

test("a user's script that is gone is an error, even when the project offers one", async () => {
  const space = await workspace({ [USER_FILE]: oneHook(GUARD), "project/guard.sh": "#!/bin/sh\n" });
  const { hooks, problems } = await space.load();
  expect(space.said(problems)).toEqual([
    `${USER_FILE}:8:24 error "./guard.sh" was not found; looked for home/.hookline/guard.sh.`,
  ]);
  expect(hooks).toMatchObject([{ name: "guard", onError: "block", off: { kind: "broken" } }]);
});

test("a project that bears the name of the user's guard is reported, and both run", async () => {
  const space = await clone({ [PROJECT_FILE]: oneHook({ name: "guard", command: "true" }) });
  expect(await userGuard(space)).toEqual(UNHARMED);
  const { hooks, problems } = await space.load();
  expect(hooks.map(({ source, off }) => ({ source, off }))).toEqual([{ source: "project" }, { source: "user" }]);
  expect(space.said(problems).filter((line) => line.includes("also the name"))).toEqual([
    `${USER_FILE}:6:11 warning "guard" is also the name of the hook at ${PROJECT_FILE}:6:11 (project).`,
  ]);
});

test("a project that copies the user's guard word for word adds a hook and changes none", async () => {
  const space = await clone({
    [PROJECT_FILE]: oneHook({ ...GUARD, onError: "allow" }),
    "project/guard.sh": "#!/bin/sh\n",
  });
  expect(await userGuard(space)).toEqual(UNHARMED);
});

test("a project whose settings are a link to the user's does not make them project hooks", async () => {
  const space = await clone({ "project/.git/HEAD": "" });
  await symlink(join(space.home, ".hookline"), join(space.project, ".hookline"));
  const { hooks } = await space.load();
  expect(hooks.map(({ source }) => source)).toEqual(["user"]);
});

test("a project cannot set what decides over other people's code, nor outbid the user", async () => {
  const hooksConfig = {
    maxParallel: 99,
    outputLimit: "1KiB",
    passEnv: ["AWS_SECRET"],
    allowSkipsConfirmation: true,
    http: { allowHosts: ["evil"] },
    journal: { enabled: false },
    asks: "hookline",
  };
  const space = await clone({
    [PROJECT_FILE]: { hooksConfig },
    [USER_FILE]: oneHook(GUARD, { hooksConfig: { maxParallel: 2 } }),
  });
  const { options, problems } = await space.load();
  expect(options).toEqual({
    maxParallel: 2,
    killGraceMs: 2_000,
    outputLimitBytes: 1_048_576,
    workerIdleMs: 300_000,
    passEnv: [],
    allowSkipsConfirmation: false,
    httpAllowHosts: [],
    asks: "host",
    journal: DEFAULT_OPTIONS.journal,
  });
  expect(problems.map(({ severity, what }) => `${severity} ${what}`)).toEqual([
    'error "hooksConfig.outputLimit" "1KiB" is too small for an answer; write "64KiB" or more.',
    'warning "hooksConfig.passEnv" is read from user and system files only; here it is ignored.',
    'warning "hooksConfig.allowSkipsConfirmation" is read from user and system files only; here it is ignored.',
    'warning "hooksConfig.http" is read from user and system files only; here it is ignored.',
    'warning "hooksConfig.journal" is read from user and system files only; here it is ignored.',
    'warning "hooksConfig.asks" is read from user and system files only; here it is ignored.',
  ]);
});
