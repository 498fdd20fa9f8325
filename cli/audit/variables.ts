import { findMisspelt, minSecretBytes } from "@fw/fw/addon";
import type { Messages } from "../messages/catalog.ts";
import { isAbsent, type PossibleValue } from "../project/settings/production.ts";
import { type AuditFacts, type Findings, type Found, found, placesOf } from "./facts.ts";
import { signingSignIns } from "./sign_in.ts";
import ts from "npm:typescript@6.0.3";
import { join } from "@std/path";
import { statIfThere } from "../project/files/look.ts";
import { runGit } from "../project/process/git.ts";

const signingMethods: ReadonlySet<string> = new Set(["flash", "setSigned", "signed"]);

export function checkSecret(facts: AuditFacts): Findings {
  const { settings, texts } = facts;
  const values = settings.possible("secret");
  const findings = [
    ...checkKey({ name: "FW_SECRET", values, texts }),
    ...checkKey({
      name: "FW_SECRET_PREVIOUS",
      values: settings.possible("previousSecret"),
      texts,
    }),
  ];
  if (values.some(isAbsent)) findings.push(missingSecret(facts, values));
  return findings;
}

function missingSecret(facts: AuditFacts, values: readonly PossibleValue[]): Found {
  const { calls, texts } = facts;
  const source = values.find(isAbsent)?.source;
  const variable = source?.kind === "variable" ? source.name : "FW_SECRET";
  const signing = calls.filter((call) => call.isOnContext && signingMethods.has(call.name));
  const signIns = signingSignIns(facts);
  const all = [...signing, ...signIns];
  if (all.length === 0) return found("info", texts.secretMissing(variable));
  const names = [...new Set(all.map(({ name }) => name))].sort().join(", ");
  const places = [
    ...signing.map(({ file, line, column }) => ({ file, line, column })),
    ...signIns.map(({ place }) => place),
  ];
  return found("critical", texts.secretMissingUsed(variable, names), places);
}

export function checkToken(facts: AuditFacts): Findings {
  const { settings, texts } = facts;
  const values = settings.possible("observability.token");
  return checkKey({ name: "FW_OBS_TOKEN", values, texts });
}

/** Checks the length of a key without the blanks around it, and that it is not written in the code. */
function checkKey(key: {
  readonly name: string;
  readonly values: readonly PossibleValue[];
  readonly texts: Messages["audit"];
}): Found[] {
  const { name, values, texts } = key;
  const findings: Found[] = [];
  for (const value of values) {
    const places = placesOf([value]);
    if (value.kind === "unknown") {
      findings.push(found("info", texts.secretByCode(name), places));
    }
    if (value.kind !== "known" || typeof value.value !== "string" || value.value === "") continue;
    const said = value.source.kind === "variable" ? value.source.name : name;
    const bytes = new TextEncoder().encode(value.value.trim()).length;
    if (bytes < minSecretBytes) {
      findings.push(found("critical", texts.secretShort(said, bytes), places));
    }
    if (value.source.kind === "code") {
      findings.push(found("warning", texts.secretInCode(name), places));
    }
  }
  return findings;
}

/** Finds misspelt variables, which nothing reads. */
export function checkVariables({ env, texts }: AuditFacts): Findings {
  const names = Object.keys(env).filter((name) => env[name] !== undefined).sort();
  return findMisspelt(names).map(({ name, nearest }) =>
    found("warning", texts.variableUnknown(name, nearest))
  );
}

/** Checks that replicas, which FW_REPLICAS announces, share what the framework keeps. */
export function checkReplicas({ env, operations, texts }: AuditFacts): Findings {
  const count = env["FW_REPLICAS"] ?? "1";
  if (!(Number(count) > 1)) return [];
  const { sources } = operations.reach;
  const isCall = (node: ts.Node): true | undefined =>
    (ts.isCallExpression(node) && ts.isIdentifier(node.expression) &&
        node.expression.text === "provideStores") ||
      ts.forEachChild(node, isCall)
      ? true
      : undefined;
  const isShared = sources.list().some((path) => {
    const source = sources.read(path);
    return source?.text.includes("provideStores") === true && isCall(source.tree) === true;
  });
  return isShared ? [] : [found("warning", texts.replicasMemory(count))];
}

const envFile = ".env";

/** Checks that git does not see `.env`, which holds secrets. */
export async function checkEnvFile({ root, texts }: AuditFacts): Promise<Findings> {
  const isThere = (await statIfThere(join(root, envFile)))?.isFile === true;
  if (!isThere || !(await isSeenByGit(root, envFile))) {
    return [];
  }
  const places = [{ file: envFile }];
  return [found("warning", texts.envFileSeen(), places)];
}

/** Reports whether git tracks or would add a file; `false` without a repository or without git. */
async function isSeenByGit(root: string, file: string): Promise<boolean> {
  const run = await runGit(root, ["check-ignore", "--quiet", "--", file]);
  // 0 for an ignored file that is not in the index, 128 outside a repository.
  return run?.code === 1;
}
