import { generatedFile } from "@fw/fw/conventions";
import { dirname, join } from "@std/path";
import { statIfThere } from "../project/files/look.ts";
import { memberOf, textOf } from "../project/json.ts";
import { readManifest } from "../project/manifest.ts";
import { findStaleSchema, schemaFile } from "../project/schema_file.ts";
import { type AuditFacts, type Findings, found } from "./facts.ts";

const places = [{ file: "deno.json" }];

export function checkStart({ manifest, task, texts }: AuditFacts): Findings {
  const isLibrary = manifest["exports"] !== undefined;
  if (isLibrary && task?.file.replace(/^\.\//, "") === generatedFile) {
    return [found("warning", texts.startLibrary(), places)];
  }
  if (isLibrary || task !== undefined) return [];
  return [found("info", texts.startNone(), places)];
}

export async function checkSchemaFile({ project }: AuditFacts): Promise<Findings> {
  return (await findStaleSchema(project)).map(({ message, fix = "" }) =>
    found("warning", { message, fix }, [{ file: schemaFile }])
  );
}

/** Checks that two builds contain the same packages. */
export async function checkLock(facts: AuditFacts): Promise<Findings> {
  const { root, manifest, texts } = facts;
  if (manifest["lock"] === false) {
    return [found("warning", texts.lockOff(), places)];
  }
  if (await statIfThere(join(root, lockFileOf(manifest))) !== undefined) {
    return [];
  }
  // A workspace member uses the lock file of the workspace.
  for (let at = dirname(root); dirname(at) !== at; at = dirname(at)) {
    if (await statIfThere(join(at, "deno.lock")) === undefined) continue;
    if ((await readManifest(at))["workspace"] !== undefined) return [];
  }
  return [found("info", texts.lockMissing())];
}

function lockFileOf(manifest: AuditFacts["manifest"]): string {
  const { lock } = manifest;
  return textOf(lock) ?? textOf(memberOf(lock, "path")) ?? "deno.lock";
}

/** Checks that new package versions are used only after a delay. */
export function checkDependencyAge({ manifest, texts }: AuditFacts): Findings {
  const setting = manifest["minimumDependencyAge"];
  const age = memberOf(setting, "age") ?? setting;
  // Without a setting, Deno's own delay applies.
  const isOff = age === 0 ||
    typeof age === "string" && /^(?:0|P(?:T?0[YMWDHS])+)$/.test(age.trim());
  if (!isOff) return [];
  return [found("warning", texts.ageOff(), places)];
}
