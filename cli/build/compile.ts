/**
 * Makes an executable with `deno compile`.
 *
 * @module
 */
import { join } from "@std/path";
import { runDeno } from "../project/process/deno.ts";

/** What goes into an executable. */
export interface CompileJob {
  /** The project's folder, absolute. */
  readonly root: string;
  /** The file that it runs, relative to the project. */
  readonly entry: string;
  /** Where it is written, absolute. */
  readonly output: string;
  /** The system that it is for; `undefined` for this one. */
  readonly target: string | undefined;
  /** Files and folders that it holds besides its modules, relative to the project. */
  readonly includes: readonly string[];
  /** The permissions that it has, as flags. */
  readonly flags: readonly string[];
  /** The arguments that the application gets. */
  readonly args: readonly string[];
}

/** What became of a compilation. */
export type CompileOutcome =
  | { readonly kind: "compiled" }
  /** The executable that is the base of every other could not be had. */
  | { readonly kind: "no-base"; readonly reason: string }
  | { readonly kind: "failed"; readonly output: string };

/** How an executable is made. */
export interface CompileOptions {
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Makes an executable; tests hand in their own. */
export type Compile = (job: CompileJob, options: CompileOptions) => Promise<CompileOutcome>;

/** The arguments of `deno` that make an executable. */
export function compileArgs(job: CompileJob): string[] {
  const { entry, output, target, includes, flags, args } = job;
  return [
    "compile",
    // Types were checked before, with a message of their own.
    "--no-check",
    "--quiet",
    ...includes.flatMap((path) => ["--include", path]),
    "--exclude-unused-npm",
    ...flags,
    ...(target === undefined ? [] : ["--target", target]),
    "--output",
    output,
    entry,
    ...args,
  ];
}

/** Makes an executable with `deno compile`. */
export async function compileApp(
  job: CompileJob,
  { signal }: CompileOptions,
): Promise<CompileOutcome> {
  const { code, stdout, stderr } = await runDeno(compileArgs(job), { cwd: job.root, signal });
  if (code === 0) return { kind: "compiled" };
  const reason = reasonOfNoBase(stderr);
  if (reason !== undefined) return { kind: "no-base", reason };
  return { kind: "failed", output: `${stdout}${stderr}`.trim() };
}

/** Why the base executable could not be had, in the words of `deno compile`. */
function reasonOfNoBase(stderr: string): string | undefined {
  const missing = /Could not find (?:lib)?denort at .*/.exec(stderr)?.[0];
  if (missing !== undefined) return missing;
  if (!stderr.includes("Setting up base binary")) return undefined;
  return /\d+: ((?:error sending request|Failed|HTTP|Could not).*)/.exec(stderr)?.[1] ??
    "it could not be set up";
}

/**
 * Where Deno keeps the base executables that it has downloaded.
 *
 * @returns The path of the archive for a system.
 */
export async function baseArchiveOf(target: string, cwd: string): Promise<string> {
  const { stdout } = await runDeno(["info", "--json"], { cwd });
  const info: unknown = JSON.parse(stdout || "{}");
  const folder = typeof info === "object" && info !== null && "denoDir" in info
    ? String(info.denoDir)
    : "<DENO_DIR>";
  return join(folder, "dl", "release", `v${Deno.version.deno}`, `denort-${target}.zip`);
}
