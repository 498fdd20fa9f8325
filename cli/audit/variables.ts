/**
 * Looks at the variables of the environment, and at the file that holds them.
 *
 * @module
 */
import { findMisspelt } from "@fw/fw/conventions";
import { join } from "@std/path";
import { statIfThere } from "../project/files/if_there.ts";
import { type Finding, fine, found } from "./finding.ts";
import type { ProjectFacts } from "./project_facts.ts";

/** Looks for variables that nothing reads because of an error in their names. */
export function checkVariables({ env, messages }: ProjectFacts): readonly Finding[] {
  const { audit: texts } = messages;
  const names = Object.keys(env).filter((name) => env[name] !== undefined).sort();
  const misspelt = findMisspelt(names);
  if (misspelt.length === 0) return [fine("variables", texts.variablesKnown)];
  return misspelt.map(({ name, nearest }) =>
    found("variables", "warning", { text: texts.variableUnknown(name, nearest) })
  );
}

const envFile = ".env";

/** Looks whether `.env`, which holds secrets, could get into the history of git. */
export async function checkEnvFile({ root, messages }: ProjectFacts): Promise<readonly Finding[]> {
  const { audit: texts } = messages;
  const isThere = (await statIfThere(join(root, envFile)))?.isFile === true;
  if (!isThere || !(await isSeenByGit(root, envFile))) {
    return [fine("env-file", texts.envFileIgnored)];
  }
  const places = [{ file: envFile }];
  return [found("env-file", "warning", { text: texts.envFileSeen(), places })];
}

/** Whether git would take a file in, or has it; not where there is no repository, or no git. */
async function isSeenByGit(root: string, file: string): Promise<boolean> {
  try {
    const { code } = await new Deno.Command("git", {
      args: ["check-ignore", "--quiet", "--", file],
      cwd: root,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output();
    // 0 for an ignored file that is not in the index, 128 outside a repository.
    return code === 1;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
