/**
 * Changes the tasks of a project for a database or a sign-in: permissions of `start`, variables of `test`.
 */
import type { EngineName } from "./database/engine.ts";
import { commandOf, isAllowAll, parseStartTask } from "../project/start_task.ts";

export interface TaskNeeds {
  /** The engine of its database; that of SQLite is in `data/`. @default no database */
  readonly engine?: EngineName | undefined;
  /** Its tests need examples instead of an identity provider. */
  readonly hasProvider: boolean;
}

const dataFolder = "data";

export interface TaskChange {
  readonly text: string;
  readonly left: readonly ("start" | "test")[];
}

export function changeTasks(
  text: string,
  options: { readonly manifest: Readonly<Record<string, unknown>>; readonly needs: TaskNeeds },
): TaskChange {
  const { manifest, needs } = options;
  const left: ("start" | "test")[] = [];
  let changed = text;
  for (const [name, change] of [["start", allowDatabase], ["test", prepareTests]] as const) {
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

/** A database needs its folder, or the variables that `npm:pg` reads. */
const permissions: Readonly<
  Record<EngineName, readonly (readonly [flag: string, value: string])[]>
> = {
  sqlite: [["--allow-read", dataFolder], ["--allow-write", dataFolder]],
  postgres: [["--allow-env", "PG*"]],
};

/** Adds what the database needs to the flags; returns `undefined` for flags that it cannot extend. */
function allowDatabase(command: string, { engine }: TaskNeeds): string | undefined {
  const task = parseStartTask(command);
  if (engine === undefined || task === undefined || task.flags.some(isAllowAll)) return command;
  let changed: string | undefined = command;
  for (const [flag, value] of permissions[engine]) {
    changed = changed === undefined
      ? undefined
      : allow(changed, { flag, value, flags: task.flags });
  }
  return changed;
}

function allow(
  command: string,
  { flag, value, flags }: {
    readonly flag: string;
    readonly value: string;
    readonly flags: readonly string[];
  },
): string | undefined {
  const [only, ...more] = flags.filter((each) => each === flag || each.startsWith(`${flag}=`));
  if (only === flag) return command;
  if (only === undefined || more.length > 0) return undefined;
  const values = only.slice(flag.length + 1).split(",");
  if (values.some((each) => each.replace(/^\.\//, "").replace(/\/$/, "") === value)) return command;
  return replaceOnce(command, only, `${only},${value}`);
}

const testDatabases: Readonly<Record<EngineName, string>> = {
  sqlite: "FW_DB=:memory:",
  postgres: "FW_DB=:test:",
};

/** Sets the variables of tests: a database of their own, examples instead of a provider. */
function prepareTests(command: string, { engine, hasProvider }: TaskNeeds): string | undefined {
  const known = engine === undefined
    ? command
    : command.replace(/^((?:\w+=\S+ )*)FW_DB=:\w+:(?= )/, `$1${testDatabases[engine]}`);
  const wanted = [
    ...engine === undefined ? [] : [testDatabases[engine]],
    ...hasProvider ? ["FW_ENV=dev"] : [],
  ].filter((variable) => !known.includes(variable.slice(0, variable.indexOf("=") + 1)));
  if (!/^(?:\w+=\S+ )*deno test\b/.test(known)) return wanted.length === 0 ? known : undefined;
  const flags = known.split(" ").filter((word) => word.startsWith("--"));
  const allowed = engine === "postgres" && !flags.includes("-A")
    ? allowServer(known, flags)
    : known;
  return [...wanted, allowed].join(" ");
}

/** Lets the tests connect to a server of this machine. */
function allowServer(command: string, flags: readonly string[]): string {
  const isOpen = flags.some((flag) => flag === "--allow-all" || flag.startsWith("--allow-net"));
  const net = isOpen ? command : command.replace("deno test", "deno test --allow-net=127.0.0.1");
  return allow(net, { flag: "--allow-env", value: "PG*", flags }) ?? net;
}

function replaceOnce(text: string, from: string, to: string): string | undefined {
  const [before, after, ...more] = text.split(from);
  return after === undefined || more.length > 0 ? undefined : `${before}${to}${after}`;
}
