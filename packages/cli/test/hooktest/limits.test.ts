import { expect, test } from "vitest";
import { pathFault, variableFault } from "../../src/hooktest/limits.ts";

test.each(["a.txt", "src/a..b/c.ts", ".env", ".system/down/staging", "...", "ünd so.txt"])("%j is a path", (path) => {
  expect(pathFault(path)).toBeUndefined();
});

test.each(["", " ", "/etc/passwd", "../a", "a/../../b", "..", "a/", "a\0b", "node_modules/x/index.js", ".git/config"])(
  "%j is refused",
  (path) => {
    expect(pathFault(path)).toEqual(expect.any(String));
  },
);

test.each(["CI", "LEVEL", "API_TOKEN", "my_var", "NODEJS_LEVEL", "PATHS", "LDAP_HOST"])("%s may be set", (name) => {
  expect(variableFault(name)).toBeUndefined();
});

test.each([
  "PATH",
  "HOME",
  "BASH_ENV",
  "ENV",
  "LD_PRELOAD",
  "DYLD_INSERT_LIBRARIES",
  "NODE_OPTIONS",
  "node_options",
  "PYTHONPATH",
  "PYTHONSTARTUP",
  "PERL5OPT",
  "RUBYOPT",
  "GIT_SSH_COMMAND",
  "npm_config_script_shell",
  "HOOKLINE_PROJECT_DIR",
  "A=B",
  "1A",
  "",
])("%j may not be set", (name) => {
  expect(variableFault(name)).toEqual(expect.any(String));
});
