import type { Project } from "../project/project.ts";
import type { VariableRead } from "../project/sources/variables.ts";
import type { AuditFacts } from "./facts.ts";
import { listGranted } from "./granted.ts";
import { found, type Verdict } from "./verdict.ts";

/** Compares the names in `Deno.env.get` with `--allow-env` of the `start` task. */
export async function checkEnvAccess(facts: AuditFacts): Promise<Verdict> {
  const { project, task, messages: { audit: texts } } = facts;
  const allowed = task === undefined ? undefined : allowedNames(task.flags);
  if (task === undefined || allowed === undefined) return texts.envAllowed;
  const reads = await project.variableReads();
  const refused = await keepImported(reads.filter(({ variable }) => !allows(allowed, variable)), {
    imports: () => project.imports(),
    entry: task.file.replace(/^\.\//, ""),
  });
  if (refused.length === 0) return texts.envAllowed;
  const names = [...new Set(refused.map(({ variable }) => variable))].sort();
  const flag = `--allow-env=${[...allowed.granted, ...names].join(",")}`;
  const places = refused.map(({ file, line, column }) => ({ file, line, column }));
  const text = texts.envRefused(names.join(", "), flag);
  return [found("warning", text, { places })];
}

/** The names allowed by the flags; a name may end in `*`. */
interface AllowedNames {
  /** The names behind `--allow-env`. */
  readonly granted: readonly string[];
  /** The names that read as unset, without an error. */
  readonly ignored: readonly string[];
}

/** Returns `undefined` if the flags allow every variable or name them in another file. */
function allowedNames(flags: readonly string[]): AllowedNames | undefined {
  const granted = listGranted(flags, ["--allow-env", "-E"]);
  const ignored = listGranted(flags, ["--ignore-env"]);
  return granted === undefined || ignored === undefined ? undefined : { granted, ignored };
}

function allows({ granted, ignored }: AllowedNames, variable: string): boolean {
  return [...granted, ...ignored].some((name) =>
    name.endsWith("*") ? variable.startsWith(name.slice(0, -1)) : name === variable
  );
}

/** Removes reads in tools that the application does not import: they have flags of their own. */
async function keepImported(
  reads: readonly VariableRead[],
  project: { readonly imports: Project["imports"]; readonly entry: string },
): Promise<readonly VariableRead[]> {
  if (reads.length === 0) return reads;
  const files = await project.imports();
  // If the imports cannot be read, report too many variables rather than too few.
  if (files.size === 0) return reads;
  return reads.filter(({ file }) => files.has(file) || file === project.entry);
}
