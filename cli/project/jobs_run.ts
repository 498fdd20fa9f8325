import { escapeLines } from "@fw/fw/addon";
import { generatedFile } from "@fw/fw/conventions";
import type { JobCounts, StoredJob } from "@fw/fw/jobs";
import type { Io } from "../io.ts";
import { Stop } from "../stop.ts";
import { runAppProgram } from "./process/app_program.ts";
import { endFailure } from "./process/failure.ts";
import { devEnvironment, type Project } from "./project.ts";
import { leastFlags, programFlags } from "./start_task.ts";

export interface JobsRequest {
  readonly action: "list" | "run" | "retry" | "drop";
  /** The jobs; none for all dead ones. For `run` a name and its value as JSON, which may be missing. */
  readonly ids: readonly string[];
}

export interface JobsReport {
  readonly counts: JobCounts;
  /** The newest 100 of each state. */
  readonly jobs: readonly StoredJob[];
  readonly changed: readonly string[];
  /** Why the job cannot be enqueued, such as an unknown name or a value that does not fit. */
  readonly refused?: string;
}

/** Boots the application with the permissions of its `start` task, and runs no job. */
export async function manageJobs(
  request: JobsRequest,
  project: Project,
  io: Io,
): Promise<JobsReport> {
  const { root, messages } = project;
  const task = await project.startTask();
  const env = await devEnvironment(project);
  const end = await runAppProgram((say) => jobsProgram(request, say), {
    root,
    flags: programFlags(task?.flags ?? leastFlags),
    // In development mode, because other settings of production may be missing here.
    env: { ...env, ...task?.env, FW_ENV: env["FW_ENV"] || "dev" },
    signal: io.signal,
    onOutput: (text) => io.stderr(text),
  });
  if (io.signal.aborted) throw new Stop(messages.stopped);
  const [report] = end.said;
  if (end.code === 0 && report !== undefined) {
    const { refused, ...managed } = report as JobsReport;
    if (refused !== undefined) throw new Stop(escapeLines(refused));
    return managed;
  }
  throw new Stop(endFailure(end, { root, messages, hasServed: false }).problems);
}

function jobsProgram({ action, ids }: JobsRequest, say: string): string {
  const change = action === "run"
    ? `const [name = "", value] = wanted;
try {
  if (await enqueueNamed(app, name, value && JSON.parse(value))) changed.push(name);
} catch (error) {
  refused = error instanceof Error ? error.message : String(error);
}`
    : action !== "list"
    ? `for (const id of wanted.length > 0 ? wanted : dead.map(({ id }) => id)) if (await engine.${action}(id)) changed.push(id);`
    : "";
  return `import { enqueueNamed, jobEngine } from "@fw/fw/jobs";
import { newApp } from "./${generatedFile}";

${say}
const app = await newApp();
const engine = jobEngine(app);
const wanted: string[] = ${JSON.stringify(ids)};
const dead = await engine.list("dead");
const changed: string[] = [];
let refused: string | undefined;
${change}
const lists = await Promise.all((["dead", "running", "waiting"] as const).map((state) => engine.list(state)));
say({ counts: await engine.counts(), jobs: lists.flat(), changed, refused });
await app.shutdown();
// Open handles of the application, such as timers, must not delay the command.
Deno.exit(0);
`;
}
