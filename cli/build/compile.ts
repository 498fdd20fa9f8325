import { basename, join, resolve } from "@std/path";
import { publicFolder } from "@fw/fw/conventions";
import { statIfThere } from "../project/files/look.ts";
import { isInside, outputFolder, siteFolder } from "../project/files/write_inside.ts";
import type { Project } from "../project/project.ts";
import { memberOf, parseJson, textOf } from "../project/json.ts";
import { runForeign } from "../project/process/foreign.ts";
import { Stop } from "../stop.ts";

export interface CompileJob {
  readonly root: string;
  readonly entry: string;
  readonly output: string;
  /** The target system; `undefined` for this one. */
  readonly target: string | undefined;
  readonly includes: readonly string[];
  /** A module that runs before the entry, relative to the project. */
  readonly preload: string;
  readonly flags: readonly string[];
  readonly args: readonly string[];
}

export type CompileOutcome =
  | { readonly kind: "compiled" }
  | { readonly kind: "no-base"; readonly reason: string }
  | { readonly kind: "failed"; readonly output: string };

export type Compile = typeof compileApp;

export function compileArgs(job: CompileJob): string[] {
  const { entry, output, target, includes, preload, flags, args } = job;
  return [
    "compile",
    // An earlier step has checked the types.
    "--no-check",
    "--quiet",
    ...includes.flatMap((path) => ["--include", path]),
    "--exclude-unused-npm",
    `--preload=./${preload}`,
    ...flags,
    ...(target === undefined ? [] : ["--target", target]),
    "--output",
    output,
    entry,
    ...args,
  ];
}

/** Timeout of a compilation, including the download of the Deno runtime. */
const compileTimeoutMs = 1_800_000;

export async function compileApp(
  job: CompileJob,
  { signal }: { readonly signal: AbortSignal },
): Promise<CompileOutcome> {
  const { code, stdout, stderr } = await runForeign(compileArgs(job), {
    cwd: job.root,
    signal,
    allowScripts: true,
    timeoutMs: compileTimeoutMs,
  });
  if (code === 0) return { kind: "compiled" };
  const reason = reasonOfNoBase(stderr);
  if (reason !== undefined) return { kind: "no-base", reason };
  return { kind: "failed", output: `${stdout}${stderr}`.trim() };
}

function reasonOfNoBase(stderr: string): string | undefined {
  const missing = /Could not find (?:lib)?denort at .*/.exec(stderr)?.[0];
  if (missing !== undefined) return missing;
  if (!stderr.includes("Setting up base binary")) return undefined;
  return /\d+: ((?:error sending request|Failed|HTTP|Could not).*)/.exec(stderr)?.[1] ??
    "it could not be set up";
}

export async function baseArchiveOf(target: string, cwd: string): Promise<string> {
  const { stdout } = await runForeign(["info", "--json"], { cwd });
  const folder = textOf(memberOf(parseJson(stdout), "denoDir")) ?? "<DENO_DIR>";
  return join(folder, "dl", "release", `v${Deno.version.deno}`, `denort-${target}.zip`);
}

/** Returns the absolute path of the executable; on Windows it ends in `.exe`. */
export async function chooseOutput(
  project: Project,
  { output, cwd, target }: {
    readonly output: string | undefined;
    readonly cwd: string;
    readonly target: string;
  },
): Promise<string> {
  const path = output === undefined
    ? join(project.root, outputFolder, await projectName(project))
    : resolve(cwd, output);
  return target.includes("windows") && !/\.exe$/i.test(path) ? `${path}.exe` : path;
}

/** Refuses an executable that clients could request, or that would replace a file of another kind. */
export async function refuseOutput(
  { root, messages: { build: texts } }: Project,
  output: string,
): Promise<void> {
  const { isFile = false, mode = null } = await statIfThere(output) ?? {};
  const text = await isInside(join(root, publicFolder), output)
    ? texts.outputServed(output)
    // Windows has no such bits.
    : isFile && mode !== null && (mode & 0o111) === 0
    ? texts.outputTaken(output)
    : undefined;
  if (text !== undefined) throw new Stop([{ code: "E_OUTPUT", severity: "error", ...text }]);
}

/** Returns the name of the project's package without scope, or of its folder; never `site`. */
async function projectName({ root, manifest }: Project): Promise<string> {
  const { name } = await manifest();
  const own = typeof name === "string" ? basename(name) : "";
  const chosen = own === "" ? basename(root) : own;
  // `dist/site` is the exported site, and some file systems ignore case.
  return chosen.toLowerCase() === siteFolder ? `${chosen}-app` : chosen;
}
