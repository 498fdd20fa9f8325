/**
 * Runs Deno commands on an untrusted project. Three settings would let a clone act before the user
 * has read it: `allowScripts` in `deno.json` runs install scripts of npm packages, an `.npmrc`
 * names a registry, and `${NAME}` in it sends that environment variable to the registry.
 */
import { dirname, join, resolve } from "@std/path";
import { listSync, readTextSync, statIfThereSync } from "../files/look.ts";
import { isInside } from "../files/write_inside.ts";
import { objectOf, parseJson } from "../json.ts";
import { lockFileOf, type Manifest, ManifestError, readManifest } from "../manifest.ts";
import { type DenoRun, type DenoRunOptions, runDeno } from "./deno.ts";

/** Long enough for downloads over a slow connection. */
const defaultTimeoutMs = 300_000;

/** Maximum bytes of both outputs, enough for the module graph of some 100,000 files. */
const defaultMaxBytes = 268_435_456;

/** Four times the memory for 5,000 routes. Without a limit, a link to a device would fill it. */
const defaultMaxMemoryBytes = 4_294_967_296;

export interface ForeignRunOptions extends Omit<DenoRunOptions, "clearEnv"> {
  /** Whether the install scripts of packages run, as the settings allow. @default false */
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

/** Variables that locate Deno's cache, certificates and the network. None is secret. */
const passedVariables = [
  "PATH LD_LIBRARY_PATH HOME TMPDIR TMP TEMP LANG LC_ALL LC_MESSAGES FW_LANG",
  "DENO_DIR DENO_CERT DENO_TLS_CA_STORE DENO_NO_UPDATE_CHECK DENORT_BIN XDG_CACHE_HOME JSR_URL NPM_CONFIG_REGISTRY",
  "HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy",
  "SYSTEMROOT SYSTEMDRIVE WINDIR PATHEXT COMSPEC USERPROFILE APPDATA LOCALAPPDATA",
].join(" ").split(" ");

/** The commands that `--cached-only` keeps offline; `deno check` still sends requests with it. */
const withCachedOnly: ReadonlySet<string> = new Set(["compile", "run", "test"]);

/** Variables that direct every request to a port on which nothing can listen. */
const closedNetwork = Object.fromEntries(
  ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"].flatMap((name) => {
    const to = name === "NO_PROXY" ? "" : "http://127.0.0.1:0";
    return [[name, to], [name.toLowerCase(), to]];
  }),
);

/** Returns arguments and environment; if an `.npmrc` names registries, packages come from the cache alone. */
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

/** Reports whether Deno would read an `.npmrc` that is not the user's own. */
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

const withoutPackages: ReadonlySet<string> = new Set(["audit", "fmt", "lint", "types"]);

const withPackages: ReadonlySet<string> = new Set(["bundle", "check", "info", "run", "test"]);

/**
 * Returns the arguments with which a command runs no install script, regardless of the settings and
 * flags of the project. Scripts run only when Deno fills a `node_modules` folder, through any link in it.
 *
 * @throws {TypeError} for a command without such a flag.
 */
export async function withoutScripts(
  args: readonly string[],
  root: string,
): Promise<readonly string[]> {
  const [command = "", ...rest] = args;
  if (withoutPackages.has(command)) return args;
  if (!withPackages.has(command)) {
    throw new TypeError(`Cannot run "deno ${command}": it has no flag`);
  }
  const { mode, flags } = await readPackages(root);
  const given = rest.filter((arg) =>
    flags.length === 0 || !/^--(?:no-lock|lock|frozen)\b/.test(arg)
  );
  // The project's own flags allow these programs to use packages that were built on installation.
  if (/^(?:run|test)$/.test(command) && !rest.includes("--cached-only")) {
    const kept = given.filter((arg) => !/^--allow-scripts(?:=|$)/.test(arg));
    // An empty list is an error, and the project's registry could have a package of a known name.
    const none = `--allow-scripts=npm:fw-${crypto.randomUUID()}`;
    return [command, none, ...flags, ...kept];
  }
  const kept = given.filter((arg) => !/^--node-modules-dir(?:=|$)/.test(arg));
  return [command, `--node-modules-dir=${mode}`, ...flags, ...kept];
}

/**
 * Returns the source of packages: a manually managed folder or Deno's cache. Deno installs nothing
 * with either, so the worst result of a wrong guess is a package that is not found. A vendor folder
 * with links and a lock file outside are not used: Deno would write out of the project.
 */
async function readPackages(root: string): Promise<{
  readonly mode: "manual" | "none";
  readonly flags: readonly string[];
}> {
  let mode: unknown;
  let hasPackages = false;
  const flags = new Set<string>();
  for (let folder = root;; folder = dirname(folder)) {
    const manifest = await manifestOf(folder);
    const text = readTextSync(join(folder, "package.json"));
    const packages = text === undefined ? undefined : objectOf(parseJson(text)) ?? {};
    // Parent folders count only if they are a workspace.
    const counts = folder === root || "workspace" in manifest || "workspaces" in (packages ?? {});
    if (counts) {
      mode = manifest["nodeModulesDir"] ?? mode;
      hasPackages ||= packages !== undefined;
      const path = lockFileOf(manifest);
      if (manifest["vendor"] === true && holdsLink(folder, /^vendor$/)) flags.add("--vendor=false");
      const isOwn = !path.includes("\0") && await isInside(folder, resolve(folder, path));
      if (!isOwn) flags.add("--no-lock");
    }
    if (dirname(folder) === folder) break;
  }
  const isManual = mode === "manual" || (mode === undefined && hasPackages);
  return { mode: isManual ? "manual" : "none", flags: [...flags] };
}

function holdsLink(folder: string, wanted = /./): boolean {
  return listSync(folder).some(({ name, isSymlink, isDirectory }) =>
    wanted.test(name) && (isSymlink || (isDirectory && holdsLink(join(folder, name))))
  );
}

export async function manifestOf(folder: string): Promise<Manifest> {
  try {
    return await readManifest(folder);
  } catch (error) {
    // Deno itself reports the error in the file.
    if (error instanceof ManifestError || error instanceof Deno.errors.PermissionDenied) return {};
    throw error;
  }
}

/** Maximum characters of file names: Windows allows 32,767 in a command line. */
const maxChars = 24_000;

/** Splits files into groups that fit on a command line; one empty group means the whole project. */
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
