import { dirname, fromFileUrl, resolve } from "@std/path";
import type { Messages } from "../../messages/catalog.ts";
import { errorAt, type Place, type Problem, startOfFile } from "../../problem.ts";
import { libraryUrl } from "../framework_url.ts";
import { type Manifest, readManifest } from "../manifest.ts";
import { pathInProject } from "../sources/graph.ts";
import { parseDeathReport } from "./failure.ts";
import { runForeign } from "./foreign.ts";
import { memberOf, parseJson, textsOf } from "../json.ts";
import type { DenoRun } from "./deno.ts";

export interface ToolFault {
  readonly message: string;
  readonly fix?: string;
  readonly place?: Place;
}

/** Returns the faults of a tool as errors, with the tool's usual fix for those without one. */
export function toolProblems(
  faults: readonly ToolFault[],
  code: "E_FORMAT" | "E_LINT" | "E_TYPES",
  { check }: Messages,
): Problem[] {
  return faults.map(({ message, fix = check.fixes[code], place }) => {
    const text = { message, fix };
    return place === undefined
      ? { code, severity: "error", ...text }
      : errorAt({ ...startOfFile, ...place }, code, text);
  });
}

export type CheckTypes = typeof checkTypes;

export async function checkTypes(
  root: string,
  file?: string,
  { isOwn = false, ...options }: Pick<ToolOptions, "signal" | "isOwn"> = {},
): Promise<readonly ToolFault[]> {
  const args = ["check", "--quiet", ...await linkedLibrary(root), file ?? "."];
  const { code, stderr } = await runForeign(args, { cwd: root, allowScripts: isOwn, ...options });
  if (code === 0) return [];
  const faults = parseTypeErrors(stderr, root);
  if (faults.length > 0) return faults;
  const { message, place } = parseDeathReport(stderr, root);
  return [place === undefined ? { message } : { message, place }];
}

/**
 * Returns the library's main module if a project links this checkout. Deno caches type checks by
 * the first module and the compiler options, so projects of one checkout share the library's check,
 * unless they set `lib` or `types`.
 */
export async function linkedLibrary(root: string): Promise<readonly string[]> {
  if (libraryUrl?.startsWith("file:") !== true) return [];
  const path = fromFileUrl(libraryUrl);
  const { links, compilerOptions } = await readManifest(root).catch((): Manifest => ({}));
  const isLinked = Array.isArray(links) &&
    links.some((link) => typeof link === "string" && resolve(root, link) === dirname(path));
  const { lib, types } = Object(compilerOptions);
  return isLinked && lib === undefined && types === undefined ? [path] : [];
}

function parseTypeErrors(text: string, root: string): ToolFault[] {
  const faults: ToolFault[] = [];
  for (const part of text.split(/^(?=TS\d+ \[ERROR\]: )/m)) {
    const [, code, rest = ""] = /^(TS\d+) \[ERROR\]: ([^]*)$/.exec(part) ?? [];
    if (code === undefined) continue;
    const [, before = rest.trimEnd(), url, line, column] =
      /^([^]*?)\n +at (file:\S+):(\d+):(\d+)(?:\n|$)/.exec(rest) ?? [];
    const lines = before.split("\n");
    // The excerpt is the line of code and a line with marks below it.
    if (/^\s*[~^]+\s*$/.test(lines.at(-1) ?? "")) lines.splice(-2);
    const message = lines.join("\n");
    const last = faults.at(-1);
    // Indented lines explain the error above them.
    if (last !== undefined && /^\s/.test(message)) {
      faults.splice(-1, 1, { ...last, message: `${last.message}\n${message.trim()}` });
      continue;
    }
    const file = url === undefined ? undefined : pathInProject(root, fromFileUrl(url));
    const place = file && { file, line: Number(line), column: Number(column) };
    faults.push({ message: `${code}: ${message}`, ...(place && { place }) });
  }
  return faults;
}

interface LintReport {
  readonly diagnostics?: readonly {
    readonly filename: string;
    readonly code: string;
    readonly message: string;
    readonly hint: string | null;
    readonly range: { readonly start: { readonly line: number; readonly col: number } };
  }[];
  readonly errors?: readonly { readonly file_path: string; readonly message: string }[];
}

export interface ToolOptions {
  /** Whether the tool fixes what it can; only the rest is reported. @default false */
  readonly fix?: boolean;
  readonly signal?: AbortSignal;
  /** Lets the project's code run: its lint plugins, and install scripts of packages. @default false */
  readonly isOwn?: boolean;
}

export async function format(
  root: string,
  { fix = false, ...limits }: Omit<ToolOptions, "isOwn"> = {},
): Promise<readonly ToolFault[]> {
  const args = ["fmt", ...(fix ? [] : ["--check"]), "--permit-no-files"];
  const { code, stderr } = await runForeign(args, { cwd: root, ...limits });
  if (code === 0) return [];
  const named = [...stderr.matchAll(/^(?:from|Error formatting:) (.+?):?$/gm)];
  return named.length === 0 ? [{ message: stderr.trim() }] : named.map(([, file = ""]) => ({
    message: "not formatted",
    place: { file: fileIn(root, file) },
  }));
}

/** Timeout, because a lint plugin of the project may never end. */
const lintTimeoutMs = 120_000;

export async function lint(
  root: string,
  { fix = false, isOwn = false, ...limits }: ToolOptions = {},
): Promise<readonly ToolFault[]> {
  const given = isOwn ? { flags: [], files: [] } : lintFlags(await readManifest(root));
  const run = async (flags: readonly string[]): Promise<DenoRun> => {
    const args = ["lint", ...flags, "--permit-no-files", ...given.flags, "--", ...given.files];
    try {
      return await runForeign(args, { cwd: root, timeoutMs: lintTimeoutMs, ...limits });
    } catch (error) {
      // Lists in the manifest may be too long for a command line or contain a NUL.
      return { code: 1, stdout: "", stderr: String(error), stopped: undefined };
    }
  };
  if (fix) await run(["--fix", "--quiet"]);
  const { code, stdout, stderr } = await run(["--json"]);
  if (code === 0) return [];
  const { diagnostics = [], errors = [] } = (parseJson(stdout) ?? {}) as LintReport;
  if (diagnostics.length + errors.length === 0) return [{ message: stderr.trim() }];
  return [
    ...diagnostics.map(({ filename, code, message, hint, range: { start } }) => ({
      message: `${message} (${code})`,
      ...hint ? { fix: `${hint.replace(/\.$/, "")}.` } : {},
      place: { file: fileIn(root, filename), line: start.line, column: start.col + 1 },
    })),
    ...errors.map(({ file_path, message }) => ({
      message: message.split("\n")[0] ?? "",
      place: { file: fileIn(root, file_path) },
    })),
  ];
}

function fileIn(root: string, file: string): string {
  const path = file.startsWith("file:") ? fromFileUrl(file) : file;
  return pathInProject(root, path) ?? path;
}

/** Formats a string with the project's `deno fmt`; returns it unchanged on failure. */
export async function formatText(
  root: string,
  text: string,
  kind: "ts" | "md" = "ts",
): Promise<string> {
  const args = ["fmt", "--quiet", "--ext", kind, "-"];
  const { code, stdout } = await runForeign(args, { cwd: root, input: text });
  return code === 0 ? stdout : text;
}

export function hasLintPlugins(manifest: Manifest): boolean {
  return textsIn(memberOf(manifest["lint"], "plugins")).length > 0;
}

export function lintFlags(
  manifest: Manifest,
): { readonly flags: readonly string[]; readonly files: readonly string[] } {
  const lint = manifest["lint"];
  const rules = memberOf(lint, "rules");
  const left = [...textsIn(manifest["exclude"]), ...textsIn(memberOf(lint, "exclude"))];
  const flags = [
    ...flagOf("rules-tags", textsIn(memberOf(rules, "tags"))),
    ...flagOf("rules-include", textsIn(memberOf(rules, "include"))),
    ...flagOf("rules-exclude", textsIn(memberOf(rules, "exclude"))),
    // No flag exists for re-included paths, which start with "!".
    ...flagOf("ignore", left.filter((path) => !path.startsWith("!"))),
  ];
  // Only files inside the project are linted.
  const isInside = (path: string): boolean => !/^[/\\!]|^\w:|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(path);
  const files = textsIn(memberOf(lint, "include")).filter(isInside);
  return { flags: ["--no-config", ...flags], files };
}

function flagOf(name: string, values: readonly string[]): string[] {
  return values.length === 0 ? [] : [`--${name}=${values.join(",")}`];
}

function textsIn(value: unknown): string[] {
  return textsOf(value).filter((each) => each !== "");
}
