import { type AuditCode, auditCodes, type Problem, severities } from "../problem.ts";
import { exposureChecks } from "./exposure.ts";
import type { AuditFacts, Check, Found } from "./facts.ts";
import { manifestChecks } from "./manifest_checks.ts";
import { operationChecks } from "./operations.ts";
import { checkSignIn } from "./sign_in.ts";
import { toolchainChecks } from "./toolchain.ts";
import { variableChecks } from "./variables.ts";

export const checks: Readonly<Record<AuditCode, Check>> = {
  ...exposureChecks,
  ...manifestChecks,
  ...operationChecks,
  ...toolchainChecks,
  ...variableChecks,
  "sign-in": checkSignIn,
};

export interface AuditReport {
  readonly problems: readonly Problem[];
  readonly passed: readonly AuditCode[];
}

export async function auditProject(
  facts: AuditFacts,
  { skip = [] }: { readonly skip?: readonly AuditCode[] } = {},
): Promise<AuditReport> {
  const codes = auditCodes.filter((code) => !skip.includes(code));
  const all = await Promise.all(
    codes.map(async (code) => ({ code, findings: await checks[code](facts) })),
  );
  const problems = all.flatMap(({ code, findings }) =>
    findings.flatMap((found) => problemsOf(code, found))
  );
  const passed = all.filter(({ findings }) => findings.length === 0).map(({ code }) => code);
  problems.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  return { problems, passed };
}

function problemsOf(code: AuditCode, { places, ...found }: Found): Problem[] {
  if (places.length === 0) return [{ code, ...found }];
  return places.map((place) => ({ code, place, ...found }));
}
