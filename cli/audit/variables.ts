import { findMisspelt } from "@fw/fw/addon";
import { join } from "@std/path";
import { statIfThere } from "../project/files/look.ts";
import { runGit } from "../project/process/git.ts";
import { type AuditFacts, found, type Verdict } from "./facts.ts";

/** Finds misspelt variables, which nothing reads. */
export function checkVariables({ env, messages }: AuditFacts): Verdict {
  const { audit: texts } = messages;
  const names = Object.keys(env).filter((name) => env[name] !== undefined).sort();
  const misspelt = findMisspelt(names);
  if (misspelt.length === 0) return texts.variablesKnown;
  return misspelt.map(({ name, nearest }) =>
    found("warning", texts.variableUnknown(name, nearest))
  );
}

const envFile = ".env";

/** Checks that git does not see `.env`, which holds secrets. */
export async function checkEnvFile({ root, messages }: AuditFacts): Promise<Verdict> {
  const { audit: texts } = messages;
  const isThere = (await statIfThere(join(root, envFile)))?.isFile === true;
  if (!isThere || !(await isSeenByGit(root, envFile))) {
    return texts.envFileIgnored;
  }
  const places = [{ file: envFile }];
  return [found("warning", texts.envFileSeen(), { places })];
}

/** Reports whether git tracks or would add a file; `false` without a repository or without git. */
async function isSeenByGit(root: string, file: string): Promise<boolean> {
  const run = await runGit(root, ["check-ignore", "--quiet", "--", file]);
  // 0 for an ignored file that is not in the index, 128 outside a repository.
  return run?.code === 1;
}
