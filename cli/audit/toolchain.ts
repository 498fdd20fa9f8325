/**
 * Asks the tools: the version of Deno and of the library, the linter, the compiler, and the registry's
 * list of vulnerabilities.
 *
 * @module
 */
import { version } from "@fw/fw/conventions";
import { fromFileUrl, relative, SEPARATOR } from "@std/path";
import type { Messages } from "../messages/catalog.ts";
import { runDeno } from "../project/process/deno.ts";
import { type Finding, type FindingPlace, fine, found } from "./finding.ts";
import type { ProjectFacts } from "./project_facts.ts";

/** The oldest Deno that fw supports. */
export const oldestDeno = "2.9";

/** Looks at the version of Deno that runs this. */
export function checkDeno({ messages }: Pick<ProjectFacts, "messages">): readonly Finding[] {
  return checkDenoVersion(Deno.version.deno, messages);
}

/** Looks at a version of Deno. */
export function checkDenoVersion(
  denoVersion: string,
  { audit: texts }: Pick<Messages, "audit">,
): readonly Finding[] {
  const [major = 0, minor = 0] = denoVersion.split(".").map(Number);
  const [oldMajor = 0, oldMinor = 0] = oldestDeno.split(".").map(Number);
  const isOld = major < oldMajor || (major === oldMajor && minor < oldMinor);
  if (!isOld) return [fine("deno", texts.denoFine(denoVersion))];
  return [found("deno", "critical", { text: texts.denoOld(denoVersion, oldestDeno) })];
}

const versionProgram = 'import { version } from "@fw/fw/conventions";\nconsole.log(version);\n';

/** Compares the version of the library, as the application gets it, with that of this command line. */
export async function checkVersions({ root, messages }: ProjectFacts): Promise<readonly Finding[]> {
  const { audit: texts } = messages;
  const library = await libraryVersion(root);
  if (library === undefined) return [found("versions", "info", { text: texts.versionsUnknown() })];
  if (library === version) return [fine("versions", texts.versionsMatch(version))];
  return [found("versions", "warning", { text: texts.versionsDiffer(library, version) })];
}

/** The version that the lock file names; without one, the newest that is cached. */
async function libraryVersion(root: string): Promise<string | undefined> {
  for (const lock of ["--frozen", "--no-lock"]) {
    const args = ["run", "--no-prompt", "--quiet", "--cached-only", lock, "-"];
    const { code, stdout } = await runDeno(args, { cwd: root, input: versionProgram });
    if (code === 0 && stdout.trim() !== "") return stdout.trim();
  }
  return undefined;
}

interface LintReport {
  readonly diagnostics?: readonly {
    readonly filename: string;
    readonly range: { readonly start: { readonly line: number; readonly col: number } };
  }[];
  readonly errors?: readonly { readonly file_path: string }[];
}

/** Runs the linter. */
export async function checkLint({ root, messages }: ProjectFacts): Promise<readonly Finding[]> {
  const { audit: texts } = messages;
  const { code, stdout } = await runDeno(["lint", "--json"], { cwd: root });
  if (code === 0) return [fine("lint", texts.lintFine)];
  const { diagnostics = [], errors = [] }: LintReport = parseJson(stdout);
  const places: FindingPlace[] = [
    ...diagnostics.map(({ filename, range: { start } }) => ({
      file: pathIn(root, filename),
      line: start.line,
      column: start.col + 1,
    })),
    ...errors.map(({ file_path }) => ({ file: pathIn(root, file_path) })),
  ];
  return [found("lint", "warning", { text: texts.lintFound(Math.max(1, places.length)), places })];
}

/** Runs the compiler. */
export async function checkTypes({ root, messages }: ProjectFacts): Promise<readonly Finding[]> {
  const { audit: texts } = messages;
  const { code, stderr } = await runDeno(["check", "--quiet"], { cwd: root });
  if (code === 0) return [fine("types", texts.typesFine)];
  const places = [...stderr.matchAll(/ at (file:\S+?):(\d+):(\d+)$/gm)].map((
    [, url = "", line, column],
  ) => ({ file: pathIn(root, url), line: Number(line), column: Number(column) }));
  const first = stderr.split("\n").find((line) => line.trim() !== "")?.trim() ?? "";
  return [found("types", "critical", { text: texts.typesWrong(first), places })];
}

// The registry's service answers in a second or two, or never.
const scanTimeoutMs = 20_000;

/** Asks the registry for known vulnerabilities of the packages. */
export async function checkVulnerabilities(
  { root, messages }: ProjectFacts,
): Promise<readonly Finding[]> {
  const { audit: texts } = messages;
  const run = await runDeno(["audit"], { cwd: root, timeoutMs: scanTimeoutMs });
  if (run.code === 0) return [fine("vulnerabilities", texts.vulnerabilitiesNone)];
  const counts = /^Severity: (.+)$/m.exec(run.stdout)?.[1];
  if (counts === undefined) {
    const text = texts.vulnerabilitiesUnknown(reasonOf(run.stderr, texts));
    return [found("vulnerabilities", "info", { text })];
  }
  const isCritical = /[1-9]\d* (?:high|critical)/.test(counts);
  const packages = [...run.stdout.matchAll(/^│ Package:\s+(.+)$/gm)].map(([, name]) => name);
  const text = texts.vulnerabilities(counts, [...new Set(packages)].join(", "));
  return [found("vulnerabilities", isCritical ? "critical" : "warning", { text })];
}

/** Why there was no scan, without the address of a service that is of no use to the reader. */
function reasonOf(stderr: string, texts: Messages["audit"]): string {
  const first = stderr.split("\n").find((line) => line.startsWith("error: "))?.slice(7);
  return first === undefined || first.startsWith("error sending request")
    ? texts.unreachable
    : first;
}

function parseJson(text: string): LintReport {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** A path or file URL, relative to the project, with `/`. */
function pathIn(root: string, file: string): string {
  const path = file.startsWith("file:") ? fromFileUrl(file) : file;
  return relative(root, path).replaceAll(SEPARATOR, "/");
}
