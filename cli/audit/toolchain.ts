/**
 * Asks the tools: the version of Deno and of the library, the linter, the compiler, and the registry's
 * list of vulnerabilities.
 *
 * @module
 */
import { version } from "@fw/fw/conventions";
import type { Messages } from "../messages/catalog.ts";
import { runDeno } from "../project/process/deno.ts";
import { checkTypes as runCheck, lint, type ToolFault } from "../project/process/tools.ts";
import { found, type Verdict } from "./verdict.ts";
import type { AuditFacts } from "./facts.ts";

/** The oldest Deno that fw supports. */
export const oldestDeno = "2.9";

/** Looks at the version of Deno that runs this. */
export function checkDeno({ messages }: Pick<AuditFacts, "messages">): Verdict {
  return checkDenoVersion(Deno.version.deno, messages);
}

/** Looks at a version of Deno. */
export function checkDenoVersion(
  denoVersion: string,
  { audit: texts }: Pick<Messages, "audit">,
): Verdict {
  const [major = 0, minor = 0] = denoVersion.split(".").map(Number);
  const [oldMajor = 0, oldMinor = 0] = oldestDeno.split(".").map(Number);
  const isOld = major < oldMajor || (major === oldMajor && minor < oldMinor);
  if (!isOld) return texts.denoFine(denoVersion);
  return [found("critical", texts.denoOld(denoVersion, oldestDeno))];
}

const versionProgram = 'import { version } from "@fw/fw/conventions";\nconsole.log(version);\n';

/** Compares the version of the library, as the application gets it, with that of this command line. */
export async function checkVersions({ root, messages }: AuditFacts): Promise<Verdict> {
  const { audit: texts } = messages;
  const library = await libraryVersion(root);
  if (library === undefined) return [found("info", texts.versionsUnknown())];
  if (library === version) return texts.versionsMatch(version);
  return [found("warning", texts.versionsDiffer(library, version))];
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

/** Runs the linter. */
export async function checkLint({ root, messages }: AuditFacts): Promise<Verdict> {
  const { audit: texts } = messages;
  const faults = await lint(root);
  return faults.length === 0 ? texts.lintFine : verdictOf(faults, "warning", texts.lintFix);
}

/** Runs the compiler. */
export async function checkTypes({ root, messages }: AuditFacts): Promise<Verdict> {
  const { audit: texts } = messages;
  const faults = await runCheck(root);
  return faults.length === 0 ? texts.typesFine : verdictOf(faults, "critical", texts.typesFix);
}

function verdictOf(
  faults: readonly ToolFault[],
  severity: "warning" | "critical",
  fix: string,
): Verdict {
  return faults.map(({ message, place }) =>
    found(severity, { message, fix }, { places: place === undefined ? [] : [place] })
  );
}

// The registry's service answers in a second or two, or never.
const scanTimeoutMs = 20_000;

/** Asks the registry for known vulnerabilities of the packages. */
export async function checkVulnerabilities(
  { root, messages }: AuditFacts,
): Promise<Verdict> {
  const { audit: texts } = messages;
  const run = await runDeno(["audit"], { cwd: root, timeoutMs: scanTimeoutMs });
  if (run.code === 0) return texts.vulnerabilitiesNone;
  const counts = /^Severity: (.+)$/m.exec(run.stdout)?.[1];
  if (counts === undefined) {
    const text = texts.vulnerabilitiesUnknown(reasonOf(run.stderr, texts));
    return [found("info", text)];
  }
  const isCritical = /[1-9]\d* (?:high|critical)/.test(counts);
  const packages = [...run.stdout.matchAll(/^│ Package:\s+(.+)$/gm)].map(([, name]) => name);
  const text = texts.vulnerabilities(counts, [...new Set(packages)].join(", "));
  return [found(isCritical ? "critical" : "warning", text)];
}

/** Why there was no scan, without the address of a service that is of no use to the reader. */
function reasonOf(stderr: string, texts: Messages["audit"]): string {
  const first = stderr.split("\n").find((line) => line.startsWith("error: "))?.slice(7);
  return first === undefined || first.startsWith("error sending request")
    ? texts.unreachable
    : first;
}
