/**
 * Everything that an audit looks at.
 *
 * @module
 */
import { checkEnvAccess } from "./env_access.ts";
import {
  checkEnv,
  checkHeaders,
  checkHosts,
  checkMetrics,
  checkProxies,
  checkSettings,
  checkTrusted,
} from "./exposure.ts";
import type { Finding } from "./finding.ts";
import { checkDependencyAge, checkLock, checkPermissions, checkStart } from "./manifest_checks.ts";
import type { AuditCheck, ProjectFacts } from "./project_facts.ts";
import { checkCsrf, checkGenerated, checkHealth, checkKinds } from "./routes.ts";
import { checkSecret, checkToken } from "./secrets.ts";
import {
  checkDeno,
  checkLint,
  checkTypes,
  checkVersions,
  checkVulnerabilities,
} from "./toolchain.ts";
import { checkEnvFile, checkVariables } from "./variables.ts";

/** Every check, in the order in which findings of one severity are listed. */
const auditChecks: readonly AuditCheck[] = [
  checkSettings,
  checkEnv,
  checkVariables,
  checkEnvFile,
  checkSecret,
  checkToken,
  checkMetrics,
  checkTrusted,
  checkProxies,
  checkHosts,
  checkHeaders,
  checkHealth,
  checkGenerated,
  checkKinds,
  checkCsrf,
  checkStart,
  checkPermissions,
  checkEnvAccess,
  checkLock,
  checkDependencyAge,
  checkVersions,
  checkDeno,
  checkLint,
  checkTypes,
  checkVulnerabilities,
];

/** Looks at everything; the tools run side by side. */
export async function auditProject(facts: ProjectFacts): Promise<readonly Finding[]> {
  const findings = await Promise.all(auditChecks.map(async (check) => await check(facts)));
  return findings.flat();
}
