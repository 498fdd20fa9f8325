import { randomToken } from "@fw/fw/addon";
import { type DenoRun, runDeno } from "./deno.ts";
import { ErrorOutput, type ProcessEnd } from "./error_output.ts";
import { type ForeignRunOptions, runForeign, withoutRegistries } from "./foreign.ts";
import { parseJson } from "../json.ts";

/**
 * Runs a program in a process with the application's import map and permissions; returns its
 * messages. `source` receives the code of a function `say`, which sends a message.
 */
export async function runAppProgram(
  source: (say: string) => string,
  { root, flags, env, onOutput = () => {}, onMessage = () => {}, signal }: {
    readonly root: string;
    readonly flags: readonly string[];
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly onOutput?: (text: string) => void;
    readonly onMessage?: (message: unknown) => void;
    readonly signal?: AbortSignal;
  },
): Promise<ProcessEnd & { readonly said: readonly unknown[] }> {
  const said: unknown[] = [];
  const { mark, args, input } = createProgram(source, flags);
  const set = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const]
  );
  const errors = new ErrorOutput();
  const decoder = new TextDecoder();
  let line = "";
  const show = (text: string): void => void (text !== "" && onOutput(text));
  /** Separates the messages, which follow the mark, from the application's own output. */
  const readLine = (text: string): void => {
    const [own = "", message] = text.split(mark, 2);
    if (own.trim() !== "") onOutput(message === undefined ? own : `${own}\n`);
    if (message === undefined) return;
    said.push(JSON.parse(message));
    onMessage(said.at(-1));
  };
  const end = await runDeno(withoutRegistries(args, root).args, {
    cwd: root,
    env: Object.fromEntries(set),
    input,
    // The application's own shutdown may take time.
    graceMs: Infinity,
    ...(signal && { signal }),
    onOutput: (bytes, to) => {
      if (to === "stderr") return show(errors.push(bytes));
      const lines = (line + decoder.decode(bytes, { stream: true })).split("\n");
      line = lines.pop() ?? "";
      for (const each of lines) readLine(`${each}\n`);
    },
  });
  if (line !== "") readLine(line);
  const { message, rest } = errors.finish();
  show(rest);
  // Leave out places in the program, which is not a file of the project.
  const own = message.split("\n").filter((each) => !each.includes("$deno$stdin")).join("\n");
  return { code: end.code, signal: end.signal, message: own, said };
}

/** Runs a program of an untrusted project, which returns one value by `say`. */
export async function askProgram(
  source: (say: string) => string,
  flags: readonly string[],
  options: Omit<ForeignRunOptions, "input">,
): Promise<DenoRun & { readonly said: unknown }> {
  const { mark, args, input } = createProgram(source, flags);
  const run = await runForeign(args, { ...options, input });
  const [before = "", rest] = run.stdout.split(mark, 2);
  return { ...run, stdout: before, said: parseJson(rest?.split("\n", 1)[0] ?? "") };
}

function createProgram(
  source: (say: string) => string,
  flags: readonly string[],
): { readonly mark: string; readonly args: readonly string[]; readonly input: string } {
  // The application cannot write the mark by accident.
  const mark = `fw-program ${randomToken()} `;
  const say = `function say(message: unknown): void {
  const bytes = new TextEncoder().encode(${JSON.stringify(mark)} + JSON.stringify(message) + "\\n");
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
}`;
  // The program comes from standard input, so its imports are relative to the project's folder.
  return { mark, args: ["run", ...new Set(["--no-prompt", ...flags]), "-"], input: source(say) };
}
