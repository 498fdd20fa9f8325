import { type Problem, severities } from "../problem.ts";
import { exposureChecks } from "./exposure.ts";
import type { AuditFacts, Check, Checks } from "./facts.ts";
import { manifestChecks } from "./manifest_checks.ts";
import { operationChecks } from "./operations.ts";
import { checkSignIn } from "./sign_in.ts";
import { toolchainChecks } from "./toolchain.ts";
import { variableChecks } from "./variables.ts";

/** The checks, in the order of the report. */
export const checks = {
  ...exposureChecks,
  ...variableChecks,
  ...operationChecks,
  "sign-in": checkSignIn,
  ...manifestChecks,
  ...toolchainChecks,
} satisfies Checks;

export interface AuditReport {
  readonly problems: readonly Problem[];
  readonly passed: readonly string[];
}

export async function auditProject(
  facts: AuditFacts,
  { skip = [] }: { readonly skip?: readonly (keyof typeof checks)[] } = {},
): Promise<AuditReport> {
  const skipped: readonly string[] = skip;
  const all = await Promise.all(
    Object.entries<Check>(checks).filter(([code]) => !skipped.includes(code))
      .map(async ([code, check]) => ({ code, findings: await check(facts) })),
  );
  const problems = all.flatMap(({ code, findings }) =>
    findings.flatMap(({ places, ...found }): Problem[] =>
      places.length === 0
        ? [{ code, ...found }]
        : places.map((place) => ({ code, place, ...found }))
    )
  );
  const passed = all.filter(({ findings }) => findings.length === 0).map(({ code }) => code);
  problems.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  return { problems, passed };
}
