import { commandOf, isAllowAll, shellWords } from "../project/start_task.ts";
import { type Checks, found } from "./facts.ts";
import { dirname, join } from "@std/path";
import { statIfThere } from "../project/files/look.ts";
import { lockFileOf, readManifest } from "../project/manifest.ts";
import { findStaleSchema, schemaFile } from "../project/migrations.ts";

const places = [{ file: "deno.json" }];
const wideFlag = /^(?:--allow-(?:read|write|net|env|run|sys|ffi|import)|-[RWNESI])$/;

export const manifestChecks = {
  permissions: ({ project, manifest, task, texts }) => {
    const all = ["start", "build"].filter((name) => allowsAll(commandOf(manifest, name) ?? ""));
    const wide = (task?.flags ?? []).filter((flag) => wideFlag.test(flag));
    const { detachedList } = project.messages.build;
    return [
      ...(task?.detached ?? []).map((each) =>
        found("warning", detachedList(each, each.replace(" ", "=")), places)
      ),
      ...all.length === 0 ? [] : [found("warning", texts.permissionsAll(all.join(", ")), places)],
      ...wide.length === 0 ? [] : [found("info", texts.permissionsWide(wide.join(" ")), places)],
    ];
  },

  schema: async ({ project }) =>
    (await findStaleSchema(project)).map(({ message, fix = "" }) =>
      found("warning", { message, fix }, [{ file: schemaFile }])
    ),

  /** Checks for a lock file, without which two builds may contain different packages. */
  lock: async ({ root, manifest, texts }) => {
    if (manifest["lock"] === false) return [found("warning", texts.lockOff(), places)];
    if (await statIfThere(join(root, lockFileOf(manifest))) !== undefined) return [];
    // A workspace member uses the lock file of the workspace.
    for (let at = dirname(root); dirname(at) !== at; at = dirname(at)) {
      if (await statIfThere(join(at, "deno.lock")) === undefined) continue;
      if ((await readManifest(at))["workspace"] !== undefined) return [];
    }
    return [found("info", texts.lockMissing())];
  },
} satisfies Checks;

/** Reports whether a command, other than fw itself, runs or compiles with all permissions. */
function allowsAll(command: string): boolean {
  return shellWords(command).some((words) => {
    const texts = words.map(({ text }) => text);
    const at = texts.indexOf("deno");
    const isRun = ["run", "serve", "compile"].includes(texts[at + 1] ?? "");
    const isOwn = texts.some((text) => /@fw\/cli(?:@|$)|\/cli\/main\.ts$/.test(text));
    return at !== -1 && isRun && !isOwn && texts.slice(at + 2).some(isAllowAll);
  });
}
