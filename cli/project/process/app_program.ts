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
  options: {
    readonly root: string;
    readonly flags: readonly string[];
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly onOutput?: (text: string) => void;
    readonly onMessage?: (message: unknown) => void;
    readonly signal?: AbortSignal;
  },
): Promise<ProcessEnd & { readonly said: readonly unknown[] }> {
  const { root, flags, env, onOutput = () => {}, onMessage = () => {}, signal } = options;
  const said: unknown[] = [];
  // The application cannot write the mark by accident.
  const mark = `fw-program ${randomToken()} `;
  // The program comes from standard input, so its imports are relative to the project's folder.
  const run = ["run", ...new Set(["--no-prompt", ...flags]), "-"];
  const set = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const]
  );
  const errors = new ErrorOutput();
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  let line = "";
  /** Separates the messages, which follow the mark, from the application's own output. */
  const readLine = (text: string): void => {
    const [own = "", message] = text.split(mark, 2);
    if (own.trim() !== "") onOutput(message === undefined ? own : `${own}\n`);
    if (message === undefined) return;
    said.push(JSON.parse(message));
    onMessage(said.at(-1));
  };
  const end = await runDeno(withoutRegistries(run, root).args, {
    cwd: root,
    env: Object.fromEntries(set),
    input: source(sayCode(mark)),
    // The application's own shutdown may take time.
    graceMs: Infinity,
    ...(signal && { signal }),
    onOutput: (bytes, to) => {
      const shown = decoders[to].decode(to === "stderr" ? errors.push(bytes) : bytes, {
        stream: true,
      });
      if (to === "stderr") return void (shown !== "" && onOutput(shown));
      const lines = (line + shown).split("\n");
      line = lines.pop() ?? "";
      for (const each of lines) readLine(`${each}\n`);
    },
  });
  if (line !== "") readLine(line);
  const { message, rest } = errors.finish();
  const shown = decoders.stderr.decode(rest);
  if (shown !== "") onOutput(shown);
  // Leave out places in the program, which is not a file of the project.
  const own = message.split("\n").filter((each) => !each.includes("$deno$stdin")).join("\n");
  return { code: end.code, signal: end.signal, message: own, said };
}

/**
 * Runs a program of an untrusted project, which returns one value by its function `say`. Earlier
 * text is its output.
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

function sayCode(mark: string): string {
  return `function say(message: unknown): void {
  const bytes = new TextEncoder().encode(${JSON.stringify(mark)} + JSON.stringify(message) + "\\n");
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
}`;
}
