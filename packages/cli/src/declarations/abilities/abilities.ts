import { named, type ProgramKind } from "../programKind.ts";
import type { AbilityDeclaration } from "./abilityDeclaration.ts";
import { combineAbilities } from "./combineAbilities.ts";
import { declareAbility } from "./declareAbility.ts";

/** `.system/abilities/*.yaml`: operations that the AI, a job or a person can run, one file each. */
export const ABILITIES: ProgramKind<AbilityDeclaration> = {
  kind: "ability",
  words: { one: "an ability", word: "ability", many: "abilities" },
  from: { folder: ".system/abilities" },
  outside: "The ability declared here, outside the project root, is not loaded.",
  // Loaded lazily: a start without abilities does not need this code.
  read: (node, origin) => declareAbility(node, origin),
  combine: (declared, context) => combineAbilities(declared, context),
  jsonKey: "abilities",
  heads: { name: "ability", type: "kind", about: "operation_keys" },
  about: ({ operationKeys }) => operationKeys.join(", ") || "-",
  listJson: (ability, { enabled, state, reason }) => {
    const { name, description, type, operationKeys, environments, writes, source, place } = ability;
    return {
      id: name,
      ...(description === undefined ? {} : { summary: description }),
      kind: type,
      enabled,
      state,
      reason,
      operation_keys: operationKeys,
      environments,
      writes,
      layer: source,
      source: place,
    };
  },
  trustFacts: ({ description, operationKeys, environments, writes }) => [
    ...named("summary", description === undefined ? [] : [description]),
    ...named("also called", operationKeys),
    ...named("only in", environments),
    ...named("writes", writes),
  ],
  trustJson: ({ operationKeys, environments, writes }) => ({ operation_keys: operationKeys, environments, writes }),
};
