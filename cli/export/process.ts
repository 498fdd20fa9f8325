/**
 * The process in which the application exports itself.
 *
 * @module
 */
import { errorOutput, type ProcessEnd } from "../project/process/error_output.ts";
import { writeInput } from "../project/process/deno.ts";
import { followMarkedLines } from "./marked_lines.ts";
import { type ExportJob, type ExportMessage, exportProgram } from "./program.ts";
import { randomToken } from "@fw/fw/addon";

/** What a process of an export is started with. */
export interface ExportProcessOptions {
  /** The project, absolute. */
  readonly root: string;
  /** The flags of `deno run`. */
  readonly flags: readonly string[];
  /** Variables on top of those of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Takes what the program says. */
  readonly onMessage: (message: ExportMessage) => void;
  /** Takes what the application writes, on either output. */
  readonly onOutput: (text: string) => void;
  /** Ends the process. */
  readonly signal: AbortSignal;
}

/** Runs an export to its end. */
export async function runExport(
  job: ExportJob,
  options: ExportProcessOptions,
): Promise<ProcessEnd> {
  const { root, flags, env, onMessage, onOutput, signal } = options;
  const mark = `fw-export ${randomToken()} `;
  const process = new Deno.Command(Deno.execPath(), {
    // The program is read from standard input: its imports count from the project's folder.
    args: ["run", ...new Set(["--no-prompt", ...flags]), "-"],
    cwd: root,
    env: { ...env, NO_COLOR: "1", RUST_BACKTRACE: "0" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stop = (): void => kill(process);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const errors = errorOutput();
  const decoder = new TextDecoder();
  const show = (bytes: Uint8Array): void => {
    if (bytes.length > 0) onOutput(decoder.decode(bytes, { stream: true }));
  };
  const [status] = await Promise.all([
    process.status,
    writeInput(process.stdin, exportProgram(job, mark)),
    followMarkedLines(process.stdout, {
      mark,
      onText: onOutput,
      onMarked: (text) => onMessage(JSON.parse(text)),
    }),
    followBytes(process.stderr, (bytes) => show(errors.push(bytes))),
  ]);
  signal.removeEventListener("abort", stop);
  const { message, rest } = errors.finish();
  show(rest);
  return { code: status.code, signal: status.signal ?? undefined, message };
}

function kill(process: Deno.ChildProcess): void {
  try {
    process.kill("SIGTERM");
  } catch {
    // It ended in this moment.
  }
}

async function followBytes(
  stream: ReadableStream<Uint8Array>,
  take: (bytes: Uint8Array) => void,
): Promise<void> {
  for await (const bytes of stream) take(bytes);
}
