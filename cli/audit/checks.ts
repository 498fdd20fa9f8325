import { type AuditCode, auditCodes, type Problem, severities } from "../problem.ts";
import {
  checkEnv,
  checkHeaders,
  checkHosts,
  checkIncidents,
  checkMetrics,
  checkProxies,
  checkSettings,
  checkTrusted,
} from "./exposure.ts";
import type { AuditFacts, Check, Found } from "./facts.ts";
import {
  checkDependencyAge,
  checkEnvAccess,
  checkLock,
  checkNetAccess,
  checkPermissions,
  checkSchemaFile,
  checkStart,
} from "./manifest_checks.ts";
import {
  checkCsrf,
  checkGeneratedFile,
  checkGuards,
  checkHealth,
  checkKinds,
  checkSharedCache,
  checkSignInLimits,
  checkSockets,
} from "./operations.ts";
import {
  checkEnvFile,
  checkReplicas,
  checkSecret,
  checkToken,
  checkVariables,
} from "./variables.ts";
import { checkSignIn } from "./sign_in.ts";
import { checkContrast } from "./theme.ts";
import {
  checkDeno,
  checkLint,
  checkProjectTypes,
  checkVersions,
  checkVulnerabilities,
} from "./toolchain.ts";

const checks: Readonly<Record<AuditCode, Check>> = {
  "settings": checkSettings,
  "env": checkEnv,
  "variables": checkVariables,
  "env-file": checkEnvFile,
  "secret": checkSecret,
  "token": checkToken,
  "metrics": checkMetrics,
  "trusted": checkTrusted,
  "incidents": checkIncidents,
  "proxies": checkProxies,
  "hosts": checkHosts,
  "headers": checkHeaders,
  "health": checkHealth,
  "generated": checkGeneratedFile,
  "kinds": checkKinds,
  "csrf": checkCsrf,
  "sign-in": checkSignIn,
  "guards": checkGuards,
  "sign-in-limits": checkSignInLimits,
  "shared-cache": checkSharedCache,
  "replicas": checkReplicas,
  "contrast": checkContrast,
  "sockets": checkSockets,
  "start": checkStart,
  "permissions": checkPermissions,
  "env-access": checkEnvAccess,
  "net-access": checkNetAccess,
  "schema": checkSchemaFile,
  "lock": checkLock,
  "dependency-age": checkDependencyAge,
  "versions": checkVersions,
  "deno": checkDeno,
  "lint": checkLint,
  "types": checkProjectTypes,
  "vulnerabilities": checkVulnerabilities,
};

export interface AuditReport {
  readonly problems: readonly Problem[];
  readonly passed: readonly AuditCode[];
}

export async function auditProject(
  facts: AuditFacts,
  options: { readonly skip?: readonly AuditCode[] } = {},
): Promise<AuditReport> {
  const { skip = [] } = options;
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
