import { existsSync, readFileSync } from "node:fs";
import { packageFile } from "../../packageFile.ts";
import type { ClientRow } from "./clientRow.ts";

const file = () => packageFile(`native/hookline-hook-${process.platform}-${process.arch}`);

export const native: ClientRow = {
  kind: "native",
  lacks: () =>
    existsSync(file())
      ? undefined
      : `this copy of hookline has no native client for ${process.platform}-${process.arch}`,
  bytes: () => readFileSync(file()),
  note: undefined,
};
