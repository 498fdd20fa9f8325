/**
 * Changes the tasks of a project for a database or a sign-in: permissions of `start`, variables of `test`.
 */
import { commandOf, isAllowAll, parseStartTask } from "../project/start_task.ts";

/** What the application uses from now on. */
export interface TaskNeeds {
  /** Whether it keeps a database in `data/`. */
  readonly hasDatabase: boolean;
  /** Whether its tests need examples instead of an identity provider. */
  readonly hasProvider: boolean;
}

const dataFolder = "data";

/** What became of `deno.json`. */
export interface TaskChange {
  readonly text: string;
  /** The tasks that the developer must change by hand. */
  readonly left: readonly ("start" | "test")[];
}

/** Lets the `start` task use the folder of the database, and keeps the tests away from it. */
export function changeTasks(
  text: string,
  options: { readonly manifest: Readonly<Record<string, unknown>>; readonly needs: TaskNeeds },
): TaskChange {
  const { manifest, needs } = options;
  const left: ("start" | "test")[] = [];
  let changed = text;
  for (const [name, change] of [["start", allowData], ["test", setVariables]] as const) {
    const command = commandOf(manifest, name);
    const wanted = command === undefined ? undefined : change(command, needs);
    if (command === undefined || wanted === command) continue;
    const next = wanted === undefined
      ? undefined
      : replaceOnce(changed, JSON.stringify(command), JSON.stringify(wanted));
    if (next === undefined) left.push(name);
    else changed = next;
  }
  return { text: changed, left };
}

/** Adds the folder to both permissions; returns `undefined` for flags that it cannot extend. */
function allowData(command: string, { hasDatabase }: TaskNeeds): string | undefined {
  const task = parseStartTask(command);
  if (!hasDatabase || task === undefined || task.flags.some(isAllowAll)) return command;
  let changed = command;
  for (const flag of ["--allow-read", "--allow-write"]) {
    const present = task.flags.filter((each) => each === flag || each.startsWith(`${flag}=`));
    const [only] = present;
    if (only === flag) continue;
    if (only === undefined || present.length > 1) return undefined;
    const folders = only.slice(flag.length + 1).split(",");
    if (folders.some((folder) => folder.replace(/^\.\//, "").replace(/\/$/, "") === dataFolder)) {
      continue;
    }
    const next = replaceOnce(changed, only, `${only},${dataFolder}`);
    if (next === undefined) return undefined;
    changed = next;
  }
  return changed;
}

/** Sets the variables of tests: the database in memory, examples instead of a provider. */
function setVariables(
  command: string,
  { hasDatabase, hasProvider }: TaskNeeds,
): string | undefined {
  const wanted = [
    ...hasDatabase ? ["FW_DB=:memory:"] : [],
    ...hasProvider ? ["FW_ENV=dev"] : [],
  ].filter((variable) => !command.includes(variable.slice(0, variable.indexOf("=") + 1)));
  if (wanted.length === 0) return command;
  return /^(?:\w+=\S+ )*deno test\b/.test(command) ? `${wanted.join(" ")} ${command}` : undefined;
}

/** Replaces a text that stands there once; returns `undefined` for another one. */
function replaceOnce(text: string, from: string, to: string): string | undefined {
  const [before, after, ...more] = text.split(from);
  return after === undefined || more.length > 0 ? undefined : `${before}${to}${after}`;
}
