import type ts from "npm:typescript@6.0.3";
import { findMisspelt } from "@fw/fw/addon";
import { join } from "@std/path";
import { statIfThere } from "../project/files/look.ts";
import { runGit } from "../project/process/git.ts";
import { type AuditFacts, type Findings, found } from "./facts.ts";

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
  const { ts } = sources;
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
