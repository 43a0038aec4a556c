import { expect, test } from "vitest";
import { DIALECTS } from "../../engine/src/dialects/dialects.ts";
import { refusal } from "../../engine/src/dialects/encodeAnswer.ts";
import hosts from "../hosts.json" with { type: "json" };

test("the client knows the events of the dialects, and refuses those that hookline can block", () => {
  const known = hosts.map(({ host, event, canonical, no }) => [host, event, canonical, no !== null]);
  const mapped = Object.values(DIALECTS).flatMap((dialect) =>
    Object.entries(dialect.events).flatMap(([event, { ours }]) => {
      if (ours === null) return [];
      // A refused end of a turn would make the agent go on without end.
      return [[dialect.name, event, ours, ours !== "AfterAgent" && refusal(dialect, event) !== undefined]];
    }),
  );
  expect(known.toSorted()).toEqual(mapped.toSorted());
});
