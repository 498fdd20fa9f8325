/** The tasks of a project, as a database and a sign-in need them. */
import { join } from "@std/path";
import type { Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { manifestNames } from "../project/manifest.ts";
import type { Project } from "../project/project.ts";
import { commandOf, isAllowAll, parseStartTask } from "../project/start_task.ts";
import type { EngineName } from "./database/engine.ts";
import { changeFile } from "./imports.ts";

export interface TaskNeeds {
  /** The engine of its database; that of SQLite is in `data/`. @default no database */
  readonly engine?: EngineName | undefined;
  /** Its tests need examples instead of an identity provider. */
  readonly hasProvider: boolean;
}

const dataFolder = "data";

/** Changes the tasks: permissions of `start`, variables of `test`. */
export async function joinTasks(project: Project, needs: TaskNeeds, io: Io): Promise<void> {
  const { migrate: { task: texts } } = messagesOf(io);
  const manifest = await project.manifest();
  const advice: string[] = [];
  await changeManifest(project, (text) => {
    const changed = changeTasks(text, { manifest, needs });
    advice.push(...changed.left.map((task) => texts[task]));
    return changed.text;
  }, io);
  for (const each of advice) io.stdout(`${each}\n`);
}

async function changeManifest(
  project: Project,
  change: (text: string) => string | undefined,
  io: Io,
): Promise<boolean> {
  for (const file of manifestNames) {
    const isThere = await readTextIfThere(join(project.root, file)) !== undefined;
    if (isThere) return await changeFile(project, { file, change, io });
  }
  return false;
}

/** Adds a task as the first one; `undefined` for a manifest of another form. */
function addTask(
  text: string,
  { name, description, command }: {
    readonly name: string;
    readonly description: string;
    readonly command: string;
  },
): string | undefined {
  const [head] = /"tasks"\s*:\s*\{(?=\s*")/.exec(text) ?? [];
  if (head === undefined || text.split(head).length !== 2) return undefined;
  const task = `\n    "${name}": {\n      "description": "${description}",\n` +
    `      "command": ${JSON.stringify(command)}\n    },`;
  return text.replace(head, () => head + task);
}

/** Adds the task that runs the jobs, with the permissions of `start`. */
export async function addWorkTask(project: Project, io: Io): Promise<void> {
  const manifest = await project.manifest();
  if (commandOf(manifest, "work") !== undefined) return;
  const start = commandOf(manifest, "start") ?? "";
  const file = (await project.startTask())?.file ?? "";
  const isLast = file !== "" && start.endsWith(` ${file}`);
  const task = {
    name: "work",
    description: "Run the jobs without a listener",
    command: `${start.slice(0, -file.length)}work.ts`,
  };
  const isAdded = isLast && await changeManifest(project, (text) => addTask(text, task), io);
  if (!isAdded) io.stdout(`${messagesOf(io).jobs.workTask}\n`);
}

type TaskName = "start" | "work" | "test";

const changes: readonly (readonly [name: TaskName, change: typeof prepareTests])[] = [
  ["start", allowDatabase],
  ["work", allowDatabase],
  ["test", prepareTests],
];

/** Lets the tasks use the database, and the tests one of their own; `left` are those of another form. */
export function changeTasks(
  text: string,
  { manifest, needs }: {
    readonly manifest: Readonly<Record<string, unknown>>;
    readonly needs: TaskNeeds;
  },
): { readonly text: string; readonly left: readonly TaskName[] } {
  const left: TaskName[] = [];
  let changed = text;
  for (const [name, change] of changes) {
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
