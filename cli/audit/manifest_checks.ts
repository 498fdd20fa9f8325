/**
 * Looks at what `deno.json` says about running the application and about its packages.
 *
 * @module
 */
import { generatedFile } from "@fw/fw/conventions";
import { dirname, join } from "@std/path";
import { statIfThere } from "../project/files/if_there.ts";
import { readManifest } from "../project/manifest.ts";
import { shellWords } from "../project/shell_words.ts";
import { commandOf, isAllowAll } from "../project/start_task.ts";
import { type Finding, fine, found } from "./finding.ts";
import type { ProjectFacts } from "./project_facts.ts";

const places = [{ file: "deno.json" }];

/** Looks whether the `start` task runs something that serves. */
export function checkStart({ manifest, task, messages }: ProjectFacts): readonly Finding[] {
  const { audit: texts } = messages;
  const isLibrary = manifest["exports"] !== undefined;
  if (isLibrary && task?.file.replace(/^\.\//, "") === generatedFile) {
    return [found("start", "warning", { text: texts.startLibrary(), places })];
  }
  if (isLibrary || task !== undefined) return [fine("start", texts.startFine)];
  return [found("start", "info", { text: texts.startNone(), places })];
}

const wideFlag = /^(?:--allow-(?:read|write|net|env|run|sys|ffi|import)|-[RWNESI])$/;

/** Looks whether the application may do more than it must. */
export function checkPermissions({ manifest, task, messages }: ProjectFacts): readonly Finding[] {
  const { audit: texts } = messages;
  const findings: Finding[] = [];
  const all = ["start", "build"].filter((name) => allowsAll(commandOf(manifest, name) ?? ""));
  if (all.length > 0) {
    const text = texts.permissionsAll(all.join(", "));
    findings.push(found("permissions", "warning", { text, places }));
  }
  const wide = (task?.flags ?? []).filter((flag) => wideFlag.test(flag));
  if (wide.length > 0) {
    const text = texts.permissionsWide(wide.join(" "));
    findings.push(found("permissions", "info", { text, places }));
  }
  return findings.length === 0 ? [fine("permissions", texts.permissionsNamed)] : findings;
}

/** Whether a command runs or compiles the application with everything allowed; this command line may. */
function allowsAll(command: string): boolean {
  return shellWords(command).some((words) => {
    const texts = words.map(({ text }) => text);
    const at = texts.indexOf("deno");
    const isRun = ["run", "serve", "compile"].includes(texts[at + 1] ?? "");
    const isOwn = texts.some((text) => /@fw\/cli(?:@|$)|\/cli\/main\.ts$/.test(text));
    return at !== -1 && isRun && !isOwn && texts.slice(at + 2).some(isAllowAll);
  });
}

/** Looks whether two builds hold the same packages. */
export async function checkLock(facts: ProjectFacts): Promise<readonly Finding[]> {
  const { root, manifest, messages: { audit: texts } } = facts;
  if (manifest["lock"] === false) {
    return [found("lock", "warning", { text: texts.lockOff(), places })];
  }
  if (await statIfThere(join(root, lockFileOf(manifest))) !== undefined) {
    return [fine("lock", texts.lockKept)];
  }
  // A member of a workspace has the lock file of the whole.
  for (let at = dirname(root); dirname(at) !== at; at = dirname(at)) {
    if (await statIfThere(join(at, "deno.lock")) === undefined) continue;
    if ((await readManifest(at))["workspace"] !== undefined) return [fine("lock", texts.lockKept)];
  }
  return [found("lock", "info", { text: texts.lockMissing() })];
}

function lockFileOf(manifest: ProjectFacts["manifest"]): string {
  const { lock } = manifest;
  if (typeof lock === "string") return lock;
  const hasPath = typeof lock === "object" && lock !== null && "path" in lock;
  return hasPath && typeof lock.path === "string" ? lock.path : "deno.lock";
}

/** Looks whether packages wait before they are used. */
export function checkDependencyAge({ manifest, messages }: ProjectFacts): readonly Finding[] {
  const { audit: texts } = messages;
  const setting = manifest["minimumDependencyAge"];
  const age = typeof setting === "object" && setting !== null && "age" in setting
    ? setting.age
    : setting;
  // Deno's own wait holds where nothing is said.
  const isOff = age === 0 ||
    typeof age === "string" && /^(?:0|P(?:T?0[YMWDHS])+)$/.test(age.trim());
  if (!isOff) return [fine("dependency-age", texts.ageKept)];
  return [found("dependency-age", "warning", { text: texts.ageOff(), places })];
}
