import type { ExportOptions, ExportProgress, ExportReport } from "@fw/fw";
import { randomToken } from "@fw/fw/addon";
import { generatedFile } from "@fw/fw/conventions";
import { writeInput } from "../project/process/deno.ts";
import { errorOutput, type ProcessEnd } from "../project/process/error_output.ts";

export interface ExportJob {
  /** The output folder, absolute. */
  readonly dir: string;
  /** The URL prefix of the site, if it differs from the application's. */
  readonly basePath: string | undefined;
  /** The options of `app.export` that JSON can hold. */
  readonly options: Omit<ExportOptions, "signal" | "onProgress">;
}

/** A message of the process. */
export type ExportMessage =
  | { readonly kind: "started" }
  | { readonly kind: "progress"; readonly progress: ExportProgress }
  /** The export has finished, or has failed with this report. */
  | { readonly kind: "report"; readonly report: ExportReport }
  /** The application does not shut down; the process does not wait for it. */
  | { readonly kind: "stuck" }
  /** The options or the folder are refused. */
  | { readonly kind: "refused"; readonly message: string };

interface ExportProcessOptions {
  readonly root: string;
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly onMessage: (message: ExportMessage) => void;
  /** Receives what the application writes to either output. */
  readonly onOutput: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Runs the export in a process with the application's import map and permissions. */
export async function runExport(
  job: ExportJob,
  options: ExportProcessOptions,
): Promise<ProcessEnd> {
  const { root, flags, env, onMessage, onOutput, signal } = options;
  const mark = `fw-export ${randomToken()} `;
  const process = new Deno.Command(Deno.execPath(), {
    // The program comes from standard input, so its imports are relative to the project's folder.
    args: ["run", ...new Set(["--no-prompt", ...flags]), "-"],
    cwd: root,
    env: { ...env, NO_COLOR: "1", RUST_BACKTRACE: "0" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stop = (): void => {
    try {
      process.kill("SIGTERM");
    } catch {
      // The process has just ended.
    }
  };
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const errors = errorOutput();
  const decoder = new TextDecoder();
  const show = (bytes: Uint8Array): void => {
    if (bytes.length > 0) onOutput(decoder.decode(bytes, { stream: true }));
  };
  const readErrors = async (): Promise<void> => {
    for await (const bytes of process.stderr) show(errors.push(bytes));
  };
  const [status] = await Promise.all([
    process.status,
    writeInput(process.stdin, exportProgram(job, mark)),
    readMessages(process.stdout, { mark, onMessage, onOutput }),
    readErrors(),
  ]);
  signal.removeEventListener("abort", stop);
  const { message, rest } = errors.finish();
  show(rest);
  return { code: status.code, signal: status.signal ?? undefined, message };
}

/** Separates the messages, which follow the mark, from the application's own output. */
async function readMessages(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  options: Pick<ExportProcessOptions, "onMessage" | "onOutput"> & { readonly mark: string },
): Promise<void> {
  const { mark, onMessage, onOutput } = options;
  const take = (line: string): void => {
    const at = line.indexOf(mark);
    const own = at < 0 ? line : line.slice(0, at);
    if (own.trim() !== "") onOutput(at < 0 ? own : `${own}\n`);
    if (at >= 0) onMessage(JSON.parse(line.slice(at + mark.length)));
  };
  let text = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (text + chunk).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) take(`${line}\n`);
  }
  if (text !== "") take(text);
}

/** The interval of progress messages. */
const progressMs = 50;

/** The time for the application's shutdown; the site is complete by then. */
const shutdownMs = 3_000;

/** Returns the source of the process; the application cannot write the mark by accident. */
function exportProgram(job: ExportJob, mark: string): string {
  return `import { newApp } from "./${generatedFile}";

const { dir, basePath, options } = ${JSON.stringify(job)};

function say(message: unknown): void {
  const bytes = new TextEncoder().encode(${JSON.stringify(mark)} + JSON.stringify(message) + "\\n");
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
}

let toldMs = 0;
function onProgress(progress: { done: number; total: number }): void {
  const now = performance.now();
  if (now - toldMs < ${progressMs} && progress.done < progress.total) return;
  toldMs = now;
  say({ kind: "progress", progress });
}

const app = await newApp(basePath === undefined ? {} : { basePath });
say({ kind: "started" });
try {
  const report = await app.export(dir, { ...options, onProgress });
  say({ kind: "report", report });
} catch (error) {
  const { name, report, message } = error as { name?: string; report?: unknown; message?: string };
  if (name === "ExportError" && report !== undefined) say({ kind: "report", report });
  else if (/^Cannot export /.test(message ?? "")) say({ kind: "refused", message });
  else throw error;
} finally {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), ${shutdownMs});
  });
  if (await Promise.race([app.shutdown(), late]) === "late") say({ kind: "stuck" });
  clearTimeout(timer);
}
// Open handles of the application, such as timers, must not delay the command.
Deno.exit(0);
`;
}
