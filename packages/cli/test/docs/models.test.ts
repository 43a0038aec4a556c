import { expect, test } from "vitest";
import { readText } from "../../../../test/repository.ts";
import { PROVIDERS, providerOf } from "../../src/models/providers.ts";

test("the page on models has a row for each provider, and no other", () => {
  const [, section = ""] = /^## Models$(.*?)^###/ms.exec(readText("docs/agent-setup.md")) ?? [];
  const names = [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, name = ""]) => name);
  const providers = names.map((name) => providerOf(name)?.provider.prefix);
  expect([...new Set(providers)]).toEqual(PROVIDERS.map(({ prefix }) => prefix));
});
