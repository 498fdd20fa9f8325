/** The tasks of a project, as a database and a sign-in need them. */
import { join } from "@std/path";
import type { Io } from "../io.ts";
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
  const { messages: { migrate: { task: texts } } } = project;
  const manifest = await project.manifest();
  const advice: string[] = [];
  await changeManifest(project, (text) => {
    const changed = changeTasks(text, manifest, needs);
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
  if (!isAdded) io.stdout(`${project.messages.jobs.workTask}\n`);
}

type TaskName = "start" | "work" | "test";

/** Lets the tasks use the database, and the tests one of their own; `left` are those of another form. */
export function changeTasks(
  text: string,
  manifest: Readonly<Record<string, unknown>>,
  needs: TaskNeeds,
): { readonly text: string; readonly left: readonly TaskName[] } {
  const left: TaskName[] = [];
  let changed = text;
  for (const name of ["start", "work", "test"] as const) {
    const command = commandOf(manifest, name);
    if (command === undefined) continue;
    const wanted = name === "test" ? prepareTests(command, needs) : allowDatabase(command, needs);
    if (wanted === command) continue;
    const next = wanted &&
      replaceOnce(changed, JSON.stringify(command), JSON.stringify(wanted));
    if (next === undefined) left.push(name);
    else changed = next;
  }
  return { text: changed, left };
}

/** Adds the folder of the database, or the variables that `npm:pg` reads; `undefined` for other flags. */
function allowDatabase(command: string, { engine }: TaskNeeds): string | undefined {
  const task = parseStartTask(command);
  if (engine === undefined || task === undefined || task.flags.some(isAllowAll)) return command;
  if (engine === "postgres") return allow(command, "--allow-env", "PG*");
  const read = allow(command, "--allow-read", dataFolder);
  return read && allow(read, "--allow-write", dataFolder);
}

/** Adds a value to the one flag of that name, unless it allows all; `undefined` without the flag. */
function allow(command: string, flag: string, value: string): string | undefined {
  if (command.includes(` ${flag} `)) return command;
  const [before = "", values = "", after = "", ...more] = command
    .split(new RegExp(`(?<= ${flag}=)(\\S+)`));
  if (values === "" || more.length > 0) return undefined;
  const isThere = values.split(",").some((each) => each.replaceAll(/^\.\/|\/$/g, "") === value);
  return isThere ? command : `${before}${values},${value}${after}`;
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
  return allow(net, "--allow-env", "PG*") ?? net;
}

function replaceOnce(text: string, from: string, to: string): string | undefined {
  const [before, after, ...more] = text.split(from);
  return after === undefined || more.length > 0 ? undefined : `${before}${to}${after}`;
}
