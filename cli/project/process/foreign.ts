/**
 * Runs commands of Deno on a project whose settings are not trusted. Three of them would let a clone act before
 * anything of it is read: `allowScripts` of a `deno.json` runs install scripts of npm packages, an `.npmrc` names
 * a registry, and what it writes as `${NAME}` sends that variable of the user to it.
 */
import { dirname, join, resolve } from "@std/path";
import { readTextSync, statIfThereSync } from "../files/look.ts";
import { objectOf, parseJson } from "../json.ts";
import type { JsonObject } from "@fw/fw/addon";
import { type Manifest, ManifestError, readManifest } from "../manifest.ts";
import { type DenoRun, type DenoRunOptions, runDeno } from "./deno.ts";

/** Downloads on a slow line are included. */
const defaultTimeoutMs = 300_000;

/** The most bytes of both outputs together: the module graph of some hundred thousand files. */
const defaultMaxBytes = 268_435_456;

/** The types of 5,000 routes take a quarter of it; an endless device behind a link would take all that is there. */
const defaultMaxMemoryBytes = 4_294_967_296;

export interface ForeignRunOptions extends Omit<DenoRunOptions, "clearEnv"> {
  /** Packages are installed as the settings say, with their install scripts. @default false */
  readonly allowScripts?: boolean;
}

/** Runs `deno` without install scripts, the user's variables and the project's registries, within limits. */
export async function runForeign(
  args: readonly string[],
  { allowScripts = false, timeoutMs = defaultTimeoutMs, ...options }: ForeignRunOptions,
): Promise<DenoRun> {
  const limits = {
    maxBytes: defaultMaxBytes,
    maxMemoryBytes: defaultMaxMemoryBytes,
    ...options,
    timeoutMs,
  };
  const own = allowScripts ? args : await withoutScripts(args, options.cwd);
  const { args: closed, env } = withoutRegistries(own, options.cwd);
  const run = await runDeno(closed, { ...limits, env: { ...env, ...options.env }, clearEnv: true });
  if (run.stopped === undefined || run.stopped === "cancelled") return run;
  const limit = {
    timeout: `${timeoutMs / 1000} s`,
    output: `${limits.maxBytes} bytes of output`,
    memory: `${limits.maxMemoryBytes} bytes of memory`,
  }[run.stopped];
  const stderr = `${run.stderr}error: deno ${args[0]} was stopped after ${limit}\n`;
  return { ...run, code: run.code || 1, stderr };
}

/** A process needs these to find Deno's cache, its certificates and the network. None of it is a secret. */
const passedVariables = [
  "PATH LD_LIBRARY_PATH HOME TMPDIR TMP TEMP LANG LC_ALL LC_MESSAGES FW_LANG",
  "DENO_DIR DENO_CERT DENO_TLS_CA_STORE DENO_NO_UPDATE_CHECK DENORT_BIN XDG_CACHE_HOME JSR_URL NPM_CONFIG_REGISTRY",
  "HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy",
  "SYSTEMROOT SYSTEMDRIVE WINDIR PATHEXT COMSPEC USERPROFILE APPDATA LOCALAPPDATA",
].join(" ").split(" ");

/** The commands that make no request with `--cached-only`. `deno check` still asks registries, others do not know it. */
const withCachedOnly: ReadonlySet<string> = new Set(["compile", "run", "test"]);

/** Leads every request to a port on which nothing can listen. */
const closedNetwork = Object.fromEntries(
  ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"].flatMap((name) => {
    const to = name === "NO_PROXY" ? "" : "http://127.0.0.1:0";
    return [[name, to], [name.toLowerCase(), to]];
  }),
);

/**
 * Returns the arguments and the whole environment of a command on a project that is not trusted. Where an `.npmrc`
 * of the project names registries, packages come from Deno's cache alone.
 */
export function withoutRegistries(
  args: readonly string[],
  root: string,
): { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  const env = Object.fromEntries(
    passedVariables.flatMap((name) => {
      const value = Deno.env.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const [command = "", ...rest] = args;
  if (!hasRegistries(root, args)) return { args, env };
  if (withCachedOnly.has(command)) return { args: [command, "--cached-only", ...rest], env };
  return { args, env: { ...env, ...closedNetwork } };
}

/** Reports whether Deno would read an `.npmrc` that is not the user's own, beside its settings or above them. */
export function hasRegistries(root: string, args: readonly string[]): boolean {
  const home = Deno.env.get("HOME") ?? Deno.env.get("USERPROFILE");
  const own = home === undefined ? undefined : resolve(home);
  const settings = args.flatMap((arg) => /^(?:--config|-c)=(.+)$/s.exec(arg)?.[1] ?? []);
  return [root, ...settings.map((path) => dirname(resolve(root, path)))].some((start) => {
    for (let folder = resolve(start);; folder = dirname(folder)) {
      if (folder !== own && statIfThereSync(join(folder, ".npmrc")) !== undefined) return true;
      if (dirname(folder) === folder) return false;
    }
  });
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

function packagesOf(folder: string): JsonObject | undefined {
  const text = readTextSync(join(folder, "package.json"));
  return text === undefined ? undefined : objectOf(parseJson(text)) ?? {};
}

/** The most characters of file names: Windows allows 32,767 a command line, Linux 131,072 an argument. */
const maxChars = 24_000;

/** Splits files so that each group fits on a command line; one empty group, the whole project, for no files. */
export function groupArguments(files: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [[]];
  let chars = 0;
  for (const file of files) {
    chars += file.length + 3;
    if (chars > maxChars && groups.at(-1)?.length !== 0) {
      groups.push([]);
      chars = file.length + 3;
    }
    groups.at(-1)?.push(file);
  }
  return groups;
}
