/**
 * Runs commands of Deno on a project whose settings are not trusted: `allowScripts` of a `deno.json` would let
 * install scripts of npm packages run, with all permissions and before the command itself.
 *
 * @module
 */
import { dirname, join } from "@std/path";
import { readTextSync } from "../files/look.ts";
import { parseJson } from "../json.ts";
import { type Manifest, ManifestError, readManifest } from "../manifest.ts";
import { type DenoRun, type DenoRunOptions, runDeno } from "./deno.ts";

/** How long a command may take, downloads on a slow line included. */
const defaultTimeoutMs = 300_000;

/** The most bytes of both outputs together: the module graph of some hundred thousand files. */
const defaultMaxBytes = 268_435_456;

/**
 * Runs `deno` without install scripts, within limits of time and output.
 *
 * @param args The command and its arguments.
 * @param options As for `runDeno`. @default `timeoutMs: 300_000`, `maxBytes: 268_435_456`
 * @returns What it printed. A run that was over a limit has failed, and its error says so.
 */
export async function runForeign(
  args: readonly string[],
  options: DenoRunOptions,
): Promise<DenoRun> {
  const limits = { timeoutMs: defaultTimeoutMs, maxBytes: defaultMaxBytes, ...options };
  const run = await runDeno(await withoutScripts(args, options.cwd), limits);
  if (!run.isCut && !run.isLate) return run;
  const limit = run.isLate ? `${limits.timeoutMs / 1000} s` : `${limits.maxBytes} bytes of output`;
  const stderr = `error: deno ${args[0]} was stopped after ${limit}\n`;
  return { ...run, code: run.code === 0 ? 1 : run.code, stderr };
}

/** The commands that take a list of packages whose scripts run, in place of that of the settings. */
const withList: ReadonlySet<string> = new Set(["bundle", "run", "test"]);

/** The commands that take a mode of `node_modules` alone. */
const withMode: ReadonlySet<string> = new Set(["check", "info"]);

/** The commands that install nothing. */
const withoutPackages: ReadonlySet<string> = new Set(["audit", "fmt", "lint", "types"]);

/**
 * Returns the arguments with which a command runs no install script, whatever the settings or the flags of the
 * project's tasks say. Scripts run only where Deno fills a `node_modules` folder.
 *
 * @param args The command and its arguments.
 * @param root The project, absolute.
 * @throws {TypeError} for a command that has no such flag.
 */
export async function withoutScripts(
  args: readonly string[],
  root: string,
): Promise<readonly string[]> {
  const [command = "", ...rest] = args;
  if (withList.has(command)) {
    const kept = rest.filter((arg) => !/^--allow-scripts(?:=|$)/.test(arg));
    // An empty list is an error, and a package with a known name could be in the project's registry.
    const none = `--allow-scripts=npm:fw-${crypto.randomUUID()}`;
    return [command, none, ...kept];
  }
  if (withoutPackages.has(command)) return args;
  if (!withMode.has(command)) throw new TypeError(`Cannot run "deno ${command}": it has no flag`);
  return [command, `--node-modules-dir=${await modulesMode(root)}`, ...rest];
}

/**
 * Returns where packages are read from: a folder that is kept by hand, or else Deno's cache. With neither does
 * Deno install anything, so that a mistake here costs a package that is not found and nothing else.
 */
async function modulesMode(root: string): Promise<"manual" | "none"> {
  let mode: unknown;
  let hasPackages = false;
  for (let folder = root;; folder = dirname(folder)) {
    const manifest = await manifestOf(folder);
    const packages = packagesOf(folder);
    // Folders above count where they are a workspace.
    const counts = folder === root || "workspace" in manifest || "workspaces" in (packages ?? {});
    if (counts) {
      mode = manifest["nodeModulesDir"] ?? mode;
      hasPackages ||= packages !== undefined;
    }
    if (dirname(folder) === folder) break;
  }
  return mode === "manual" || (mode === undefined && hasPackages) ? "manual" : "none";
}

async function manifestOf(folder: string): Promise<Manifest> {
  try {
    return await readManifest(folder);
  } catch (error) {
    // Deno itself reports what is wrong with it.
    if (error instanceof ManifestError || error instanceof Deno.errors.PermissionDenied) return {};
    throw error;
  }
}

/** Returns the members of a `package.json`; `undefined` without one. */
function packagesOf(folder: string): Manifest | undefined {
  const text = readTextSync(join(folder, "package.json"));
  if (text === undefined) return undefined;
  const value = parseJson(text);
  return typeof value === "object" && value !== null ? { ...value } : {};
}
