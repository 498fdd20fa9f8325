import type { JobCounts, StoredJob } from "@fw/fw/jobs";
import { escapeLines } from "@fw/fw/addon";
import { generatedFile } from "@fw/fw/conventions";
import type { CommandArgs } from "../args.ts";
import { checkGenerated } from "../gen/generate.ts";
import { exitCodes, type Io, paintFor } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { printJson } from "../printer.ts";
import { type Project, requireProject } from "../project/project.ts";
import { runAppProgram } from "../project/process/app_program.ts";
import { endFailure } from "../project/process/failure.ts";
import { Stop, UsageError } from "../stop.ts";
import { leastFlags, programFlags } from "../project/start_task.ts";

const actions = ["list", "retry", "drop"] as const;
type Action = typeof actions[number];

interface JobsRequest {
  readonly action: Action;
  /** The jobs; none for all dead ones. */
  readonly ids: readonly string[];
}

interface JobsReport {
  readonly counts: JobCounts;
  /** The newest 100 of each state. */
  readonly jobs: readonly StoredJob[];
  readonly changed: readonly string[];
}

export async function jobs(args: CommandArgs, io: Io): Promise<number> {
  const messages = messagesOf(io);
  const { jobs: texts } = messages;
  const [word = "list", ...ids] = args.positionals;
  const action = actions.find((each) => each === word);
  const isAll = args.has("all");
  const isList = action === "list";
  if (action === undefined || (isList ? isAll || ids.length > 0 : isAll === ids.length > 0)) {
    throw new UsageError(texts.usage);
  }
  const project = await requireProject(io);
  const found = await run({ action, ids }, { project, io });
  const missing = ids.filter((id) => !found.changed.includes(id));
  const ok = missing.length === 0;
  if (args.has("json")) printJson({ ok, problems: [], ...found }, io);
  else if (isList) io.stdout(listText(found, io));
  else for (const id of found.changed) io.stdout(`${texts.changed[action](escapeLines(id))}\n`);
  for (const id of missing) io.stderr(`${texts.missing(escapeLines(id))}\n`);
  return ok ? exitCodes.ok : exitCodes.failure;
}

async function run(
  request: JobsRequest,
  { project, io }: { readonly project: Project; readonly io: Io },
): Promise<JobsReport> {
  const { root, messages } = project;
  const { problems } = await checkGenerated(project);
  if (problems.length > 0) throw new Stop(problems);
  const task = await project.startTask();
  const said: JobsReport[] = [];
  const env = await project.environment();
  const end = await runAppProgram((say) => jobsProgram(request, say), {
    root,
    flags: programFlags(task?.flags ?? leastFlags),
    // As `dev` does: what production needs besides the database may be missing here.
    env: { ...env, ...task?.env, FW_ENV: env["FW_ENV"] || "dev" },
    signal: io.signal,
    onOutput: (text) => io.stderr(text),
    onMessage: (message) => void said.push(message as JobsReport),
  });
  const [report] = said;
  if (end.code === 0 && report !== undefined) return report;
  throw new Stop(endFailure(end, { root, messages, hasServed: false }).problems);
}

function jobsProgram({ action, ids }: JobsRequest, say: string): string {
  return `import { jobEngine } from "@fw/fw/jobs";
import { newApp } from "./${generatedFile}";

${say}
const app = await newApp();
const engine = jobEngine(app);
const wanted: string[] = ${JSON.stringify(ids)};
const dead = await engine.list("dead");
const changed: string[] = [];
if (${JSON.stringify(action)} !== "list") {
  for (const id of wanted.length > 0 ? wanted : dead.map(({ id }) => id)) {
    if (await engine.${action === "drop" ? "drop" : "retry"}(id)) changed.push(id);
  }
}
const lists = await Promise.all((["dead", "running", "waiting"] as const).map((state) => engine.list(state)));
say({ counts: await engine.counts(), jobs: lists.flat(), changed });
await app.shutdown();
// Open handles of the application, such as timers, must not delay the command.
Deno.exit(0);
`;
}

function listText({ counts, jobs: list }: JobsReport, io: Io): string {
  const { jobs: texts } = messagesOf(io);
  const { waiting, running, dead, oldestMs } = counts;
  const paint = paintFor(io);
  const head = texts.counts(waiting, running, dead, Math.round(oldestMs / 1_000));
  const lines = list.map(({ id, name, state, attempt, runAt, error }) => {
    // An error may quote what a client sent: a terminal must not interpret it.
    const detail = error === undefined ? "" : `\n    ${escapeLines(error.split("\n", 1)[0] ?? "")}`;
    const time = new Date(runAt).toISOString();
    const start = paint.bold(escapeLines(`${id}  ${name}`));
    return `${start}  ${texts.states[state]}  ${texts.attempt(attempt)}  ${time}${detail}\n`;
  });
  return `${head}\n${lines.join("")}`;
}
