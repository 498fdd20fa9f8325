import { randomToken } from "@fw/fw/addon";
import { type DenoRun, endProcess, plainOutput, writeInput } from "./deno.ts";
import { errorOutput, type ProcessEnd } from "./error_output.ts";
import { type ForeignRunOptions, runForeign, withoutRegistries } from "./foreign.ts";
import { parseJson } from "../json.ts";

export interface AppProgramOptions {
  readonly root: string;
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onOutput?: (text: string) => void;
  readonly onMessage?: (message: unknown) => void;
  readonly signal?: AbortSignal;
}

/**
 * Runs a program in a process with the application's import map and permissions; returns what it said. `source` gets
 * the code of its function `say`, which sends a message.
 */
export async function runAppProgram(
  source: (say: string) => string,
  options: AppProgramOptions,
): Promise<ProcessEnd & { readonly said: readonly unknown[] }> {
  const { root, flags, env, onOutput = () => {}, signal = new AbortController().signal } = options;
  const said: unknown[] = [];
  const onMessage = (message: unknown): void => {
    said.push(message);
    options.onMessage?.(message);
  };
  // The application cannot write the mark by accident.
  const mark = `fw-program ${randomToken()} `;
  // The program comes from standard input, so its imports are relative to the project's folder.
  const run = ["run", ...new Set(["--no-prompt", ...flags]), "-"];
  const { args } = withoutRegistries(run, root);
  const set = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const]
  );
  const process = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: root,
    env: { ...Object.fromEntries(set), ...plainOutput },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stop = (): void => endProcess(process, "SIGTERM");
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
    readMessages(process.stdout, { mark, onMessage, onOutput }),
    writeInput(process.stdin, source(sayCode(mark))),
    readErrors(),
  ]);
  signal.removeEventListener("abort", stop);
  const { message, rest } = errors.finish();
  show(rest);
  // The program itself is not a file of the project.
  const own = message.split("\n").filter((line) => !line.includes("$deno$stdin")).join("\n");
  return { code: status.code, signal: status.signal ?? undefined, message: own, said };
}

/**
 * Runs a program of a project that is not trusted, which hands back one value by its function `say`. What it writes
 * before is the output.
 */
export async function askProgram(
  source: (say: string) => string,
  flags: readonly string[],
  options: Omit<ForeignRunOptions, "input">,
): Promise<DenoRun & { readonly said: unknown }> {
  const mark = `fw-program ${randomToken()} `;
  const args = ["run", ...new Set(["--no-prompt", ...flags]), "-"];
  const run = await runForeign(args, { ...options, input: source(sayCode(mark)) });
  const [before = "", rest] = run.stdout.split(mark, 2);
  return { ...run, stdout: before, said: parseJson(rest?.split("\n", 1)[0] ?? "") };
}

/** Separates the messages, which follow the mark, from the application's own output. */
async function readMessages(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  options: Required<Pick<AppProgramOptions, "onMessage" | "onOutput">> & { readonly mark: string },
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

function sayCode(mark: string): string {
  return `function say(message: unknown): void {
  const bytes = new TextEncoder().encode(${JSON.stringify(mark)} + JSON.stringify(message) + "\\n");
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
}`;
}
