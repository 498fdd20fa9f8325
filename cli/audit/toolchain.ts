import { version } from "@fw/fw/conventions";
import type { Messages } from "../messages/catalog.ts";
import { runForeign } from "../project/process/foreign.ts";
import { checkTypes, hasLintPlugins, lint, type ToolFault } from "../project/process/tools.ts";
import { type AuditFacts, type Findings, type Found, found } from "./facts.ts";

export const oldestDeno = "2.9";

export function checkDeno({ texts }: Pick<AuditFacts, "texts">): Findings {
  return checkDenoVersion(Deno.version.deno, texts);
}

export function checkDenoVersion(
  denoVersion: string,
  texts: AuditFacts["texts"],
): Findings {
  const [major = 0, minor = 0] = denoVersion.split(".").map(Number);
  const [oldMajor = 0, oldMinor = 0] = oldestDeno.split(".").map(Number);
  const isOld = major < oldMajor || (major === oldMajor && minor < oldMinor);
  if (!isOld) return [];
  return [found("critical", texts.denoOld(denoVersion, oldestDeno))];
}

const versionTimeoutMs = 15_000;

const versionProgram = 'import { version } from "@fw/fw/conventions";\nconsole.log(version);\n';

export async function checkVersions({ root, texts }: AuditFacts): Promise<Findings> {
  const library = await libraryVersion(root);
  if (library === undefined) return [found("info", texts.versionsUnknown())];
  if (library === version) return [];
  return [found("warning", texts.versionsDiffer(library, version))];
}

/** Returns the version in the lock file, or else the newest cached one. */
async function libraryVersion(root: string): Promise<string | undefined> {
  for (const lock of ["--frozen", "--no-lock"]) {
    const args = ["run", "--no-prompt", "--quiet", "--cached-only", lock, "-"];
    const { code, stdout } = await runForeign(args, {
      cwd: root,
      input: versionProgram,
      timeoutMs: versionTimeoutMs,
    });
    if (code === 0 && stdout.trim() !== "") return stdout.trim();
  }
  return undefined;
}

export async function checkLint({ root, manifest, texts }: AuditFacts): Promise<Findings> {
  const faults = toolFindings(await lint(root), "warning", texts.lintFix);
  const left = hasLintPlugins(manifest) ? [found("info", texts.lintPlugins())] : [];
  return [...faults, ...left];
}

export async function checkProjectTypes({ root, texts }: AuditFacts): Promise<Findings> {
  return toolFindings(await checkTypes(root), "critical", texts.typesFix);
}

function toolFindings(
  faults: readonly ToolFault[],
  severity: "warning" | "critical",
  fix: string,
): readonly Found[] {
  return faults.map(({ message, place }) =>
    found(severity, { message, fix }, place === undefined ? [] : [place])
  );
}

// The registry's service responds in a second or two, or never.
const scanTimeoutMs = 20_000;
const maxScanBytes = 16_777_216;

export async function checkVulnerabilities(
  { root, texts }: AuditFacts,
  { env = {} }: { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Findings> {
  const run = await runForeign(["audit"], {
    cwd: root,
    env,
    timeoutMs: scanTimeoutMs,
    maxBytes: maxScanBytes,
  });
  if (run.code === 0) return [];
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

/** Returns why there was no scan, without the address of the service. */
function reasonOf(stderr: string, texts: Messages["audit"]): string {
  const first = stderr.split("\n").find((line) => line.startsWith("error: "))?.slice(7);
  return first === undefined || first.startsWith("error sending request")
    ? texts.unreachable
    : first;
}
