import { version } from "@fw/fw/conventions";
import type { Messages } from "../messages/catalog.ts";
import { askProgram } from "../project/process/app_program.ts";
import { runForeign } from "../project/process/foreign.ts";
import { checkTypes, hasLintPlugins, lint, type ToolFault } from "../project/process/tools.ts";
import { type AuditFacts, type Checks, type Findings, type Found, found } from "./facts.ts";

export const oldestDeno = "2.9";

export const toolchainChecks = {
  deno: ({ texts }) => checkDenoVersion(Deno.version.deno, texts),

  versions: async ({ root, texts }) => {
    const library = await libraryVersion(root);
    if (library === undefined) return [found("info", texts.versionsUnknown())];
    return library === version ? [] : [found("warning", texts.versionsDiffer(library, version))];
  },

  lint: async ({ root, project, manifest, texts }) => [
    ...toolFindings(await lint(root), "warning", project.messages.check.fixes.E_LINT),
    ...hasLintPlugins(manifest) ? [found("info", texts.lintPlugins())] : [],
  ],

  types: async ({ root, project }) =>
    toolFindings(await checkTypes(root), "critical", project.messages.check.fixes.E_TYPES),

  vulnerabilities: (facts) => checkVulnerabilities(facts),
} satisfies Checks;

export function checkDenoVersion(denoVersion: string, texts: AuditFacts["texts"]): Findings {
  const [major = 0, minor = 0] = denoVersion.split(".").map(Number);
  const [oldMajor = 0, oldMinor = 0] = oldestDeno.split(".").map(Number);
  const isOld = major < oldMajor || (major === oldMajor && minor < oldMinor);
  return isOld ? [found("critical", texts.denoOld(denoVersion, oldestDeno))] : [];
}

const versionTimeoutMs = 15_000;

async function libraryVersion(root: string): Promise<string | undefined> {
  for (const lock of ["--frozen", "--no-lock"]) {
    const { code, said } = await askProgram(
      (say) => `import { version } from "@fw/fw/conventions";\n${say}\nsay(version);`,
      ["--quiet", "--cached-only", lock],
      { cwd: root, timeoutMs: versionTimeoutMs },
    );
    if (code === 0 && typeof said === "string") return said;
  }
  return undefined;
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

// The registry responds within two seconds or not at all.
const scanTimeoutMs = 20_000;
const maxScanBytes = 16_777_216;

export async function checkVulnerabilities(
  { root, texts }: AuditFacts,
  { env = {} }: { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Findings> {
  const limits = { timeoutMs: scanTimeoutMs, maxBytes: maxScanBytes };
  const run = await runForeign(["audit"], { cwd: root, env, ...limits });
  if (run.code === 0) return [];
  const counts = /^Severity: (.+)$/m.exec(run.stdout)?.[1];
  if (counts === undefined) {
    return [found("info", texts.vulnerabilitiesUnknown(reasonOf(run.stderr, texts)))];
  }
  const isCritical = /[1-9]\d* (?:high|critical)/.test(counts);
  const packages = [...run.stdout.matchAll(/^│ Package:\s+(.+)$/gm)].map(([, name]) => name);
  const text = texts.vulnerabilities(counts, [...new Set(packages)].join(", "));
  return [found(isCritical ? "critical" : "warning", text)];
}

/** Returns why the scan failed, without the URL of the service. */
function reasonOf(stderr: string, texts: Messages["audit"]): string {
  const first = stderr.split("\n").find((line) => line.startsWith("error: "))?.slice(7);
  return first === undefined || first.startsWith("error sending request")
    ? texts.unreachable
    : first;
}
