/**
 * Runs the export in a separate process.
 *
 * @module
 */
import { randomToken } from "@fw/fw/addon";
import { writeInput } from "../project/process/deno.ts";
import { errorOutput, type ProcessEnd } from "../project/process/error_output.ts";
import { followMarkedLines } from "./marked_lines.ts";
import { type ExportJob, type ExportMessage, exportProgram } from "./program.ts";

export interface ExportProcessOptions {
  readonly root: string;
  readonly flags: readonly string[];
  /** Variables added to those of this process. */
  readonly env: Readonly<Record<string, string>>;
  readonly onMessage: (message: ExportMessage) => void;
  /** Receives what the application writes to either output. */
  readonly onOutput: (text: string) => void;
  readonly signal: AbortSignal;
}

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
    // The process has just ended.
  }
}

async function followBytes(
  stream: ReadableStream<Uint8Array>,
  take: (bytes: Uint8Array) => void,
): Promise<void> {
  for await (const bytes of stream) take(bytes);
}
