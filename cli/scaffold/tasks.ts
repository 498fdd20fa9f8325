/** Adapts the tasks of a project to its database and sign-in. */
import { manifestNames } from "../project/manifest.ts";
import { commandOf, isAllowAll, parseStartTask } from "../project/start_task.ts";
import type { EngineName } from "./database/engine.ts";
import type { Edits } from "./edits.ts";

export interface TaskNeeds {
  readonly engine?: EngineName | undefined;
  /** Whether to add a task that runs jobs, with the permissions of `start`. @default false */
  readonly hasWork?: boolean;
  readonly hasProvider: boolean;
  readonly hosts?: readonly string[] | undefined;
}

type Flag = readonly [name: string, value: string];

const engineFlags: Readonly<Record<EngineName, readonly Flag[]>> = {
  sqlite: [["--allow-read", "data"], ["--allow-write", "data"]],
  postgres: [["--allow-env", "PG*"]],
};

function flagsFor({ engine, hosts = [] }: TaskNeeds): readonly Flag[] {
  const net = hosts.map((host): Flag => ["--allow-net", host]);
  return [...net, ...engine === undefined ? [] : engineFlags[engine]];
}

/** Changes the tasks: permissions of `start`, variables of `test`, and `work` for jobs. */
export async function joinTasks(edits: Edits, needs: TaskNeeds): Promise<void> {
  const { migrate: { task: texts }, jobs: { workTask } } = edits.project.messages;
  const manifest = await edits.project.manifest();
  for (const file of manifestNames) {
    const text = await edits.read(file);
    if (text === undefined) continue;
    const changed = changeTasks(text, manifest, needs);
    await edits.change(file, () => changed.text);
    for (const task of changed.left) {
      const flags = flagsFor(needs).map((flag) => flag.join("="));
      const added = task === "test" ? variablesFor(needs) : flags;
      edits.tell(task === "newWork" ? workTask : texts(task, added.join(" ")));
    }
    return;
  }
}

type TaskName = "start" | "work" | "test" | "newWork";

/** Adapts the tasks; `left` are those whose command must be changed by hand. */
export function changeTasks(
  text: string,
  manifest: Readonly<Record<string, unknown>>,
  needs: TaskNeeds,
): { readonly text: string; readonly left: readonly TaskName[] } {
  const left: TaskName[] = [];
  let changed = text;
  let start = commandOf(manifest, "start") ?? "";
  for (const name of ["start", "work", "test"] as const) {
    const command = commandOf(manifest, name);
    if (command === undefined) continue;
    const wanted = name === "test" ? prepareTests(command, needs) : allowNeeds(command, needs);
    if (wanted === command) continue;
    const next = wanted &&
      replaceOnce(changed, JSON.stringify(command), JSON.stringify(wanted));
    if (next === undefined) left.push(name);
    else changed = next;
    if (next !== undefined && name === "start") start = wanted ?? start;
  }
  if (needs.hasWork !== true || commandOf(manifest, "work") !== undefined) {
    return { text: changed, left };
  }
  const added = addWorkTask(changed, start);
  return added === undefined
    ? { text: changed, left: [...left, "newWork"] }
    : { text: added, left };
}

/** Adds the task that runs the jobs as the first one; `undefined` if the text does not fit. */
function addWorkTask(text: string, start: string): string | undefined {
  const { file } = parseStartTask(start) ?? {};
  const [head] = /"tasks"\s*:\s*\{(?=\s*")/.exec(text) ?? [];
  if (file === undefined || !start.endsWith(` ${file}`) || head === undefined) return undefined;
  const command = `${start.slice(0, -file.length)}work.ts`;
  const task = `\n    "work": {\n      "description": "Run the jobs without a listener",\n` +
    `      "command": ${JSON.stringify(command)}\n    },`;
  return replaceOnce(text, head, head + task);
}

/** Adds the permissions of hosts, the database and pg-boss; `undefined` if the flags do not fit. */
function allowNeeds(wanted: string, needs: TaskNeeds): string | undefined {
  const task = parseStartTask(wanted);
  if (task === undefined || task.flags.some(isAllowAll)) return wanted;
  const command = flagsFor(needs).reduce<string | undefined>(
    (text, [name, value]) => text && allow(text, name, value),
    wanted,
  );
  const isBoss = needs.engine === "postgres" && needs.hasWork === true &&
    !task.flags.some((flag) => flag.startsWith("--allow-sys"));
  const system = " --allow-sys=hostname,systemMemoryInfo";
  return isBoss ? command?.replace(" --allow-env=", `${system}$&`) : command;
}

/** Adds a value to a flag, unless it allows all; `undefined` without exactly one such flag. */
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

function variablesFor({ engine, hasProvider }: TaskNeeds): readonly string[] {
  const database = engine === undefined ? [] : [testDatabases[engine]];
  return [...database, ...hasProvider ? ["FW_ENV=dev"] : []];
}

/** Sets the variables of tests: a separate database, and example settings of a provider. */
function prepareTests(command: string, needs: TaskNeeds): string | undefined {
  const { engine } = needs;
  const known = engine === undefined
    ? command
    : command.replace(/^((?:\w+=\S+ )*)FW_DB=:\w+:(?= )/, `$1${testDatabases[engine]}`);
  const wanted = variablesFor(needs)
    .filter((variable) => !known.includes(variable.slice(0, variable.indexOf("=") + 1)));
  if (!/^(?:\w+=\S+ )*deno test\b/.test(known)) return wanted.length === 0 ? known : undefined;
  const flags = known.split(" ").filter((word) => word.startsWith("--"));
  const allowed = engine === "postgres" && !flags.includes("-A")
    ? allowServer(known, flags)
    : known;
  return [...wanted, allowed].join(" ");
}

function allowServer(command: string, flags: readonly string[]): string {
  const isOpen = flags.some((flag) => flag === "--allow-all" || flag.startsWith("--allow-net"));
  const net = isOpen ? command : command.replace("deno test", "deno test --allow-net=127.0.0.1");
  return allow(net, "--allow-env", "PG*") ?? net;
}

function replaceOnce(text: string, from: string, to: string): string | undefined {
  const [before, after, ...more] = text.split(from);
  return after === undefined || more.length > 0 ? undefined : `${before}${to}${after}`;
}
