import { escapeLines } from "@fw/fw/addon";
import type { CommandArgs } from "../args.ts";
import { checkGenerated } from "../gen/generate.ts";
import { exitCodes, type Io, type Paint, paintFor } from "../io.ts";
import type { Messages } from "../messages/catalog.ts";
import { type JobsReport, manageJobs } from "../project/jobs_run.ts";
import { requireProject } from "../project/project.ts";
import { Stop, UsageError } from "../stop.ts";

const actions = ["list", "run", "retry", "drop"] as const;

export async function jobs(args: CommandArgs, io: Io): Promise<number> {
  const [word = "list", ...ids] = args.positionals;
  const action = actions.find((each) => each === word);
  const isAll = args.has("all");
  const isList = action === "list";
  const [least, most] = isList || isAll ? [0, 0] : [1, action === "run" ? 2 : Infinity];
  const isWrong = isAll && (isList || action === "run");
  if (action === undefined || isWrong || ids.length < least || ids.length > most) {
    throw new UsageError(({ jobs }) => jobs.usage);
  }
  const project = await requireProject(io);
  const { messages: { jobs: texts } } = project;
  const problems = await checkGenerated(project);
  if (problems.length > 0) throw new Stop(problems);
  const found = await manageJobs({ action, ids }, project, io);
  const asked = action === "run" ? ids.slice(0, 1) : ids;
  const missing = asked.filter((id) => !found.changed.includes(id));
  const ok = missing.length === 0;
  if (isList) io.stdout(listText(found, texts, paintFor(io)));
  else for (const id of found.changed) io.stdout(`${texts.changed[action](escapeLines(id))}\n`);
  for (const id of missing) io.stderr(`${texts.missing(escapeLines(id))}\n`);
  return ok ? exitCodes.ok : exitCodes.failure;
}

function listText(
  { counts, jobs: list }: JobsReport,
  texts: Messages["jobs"],
  paint: Paint,
): string {
  const { waiting, due, running, dead, oldestMs } = counts;
  const oldest = due === 0 ? "" : texts.oldest(Math.round(oldestMs / 1_000));
  const lines = list.map(({ id, name, state, attempt, runAt, error }) => {
    // An error may quote a client's input, so escape what a terminal would interpret.
    const detail = error === undefined ? "" : `\n    ${escapeLines(error.split("\n", 1)[0] ?? "")}`;
    const time = new Date(runAt).toISOString();
    const start = paint.bold(escapeLines(`${id}  ${name}`));
    return `${start}  ${texts.states[state]}  ${texts.attempt(attempt)}  ${time}${detail}\n`;
  });
  return `${texts.counts(waiting, running, dead)}${oldest}.\n${lines.join("")}`;
}
