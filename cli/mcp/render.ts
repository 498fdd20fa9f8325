import { type Project, readOwnRun } from "../project/project.ts";
import { outlineOf } from "./outline.ts";
import { objectOf } from "../project/json.ts";
import { askProgram } from "../project/process/app_program.ts";
import { limits } from "./run.ts";
import type { DevState } from "../dev/state.ts";

export interface Rendered {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  /** The length of the whole body, in characters. */
  readonly chars: number;
  readonly outline: string | undefined;
  readonly log: string;
}

export interface RenderFailure {
  readonly kind: "no-task" | "timeout" | "output" | "memory" | "cancelled" | "failed";
  readonly output: string;
}

const maxBodyChars = 100_000;
const maxLogChars = 8_192;

/** Requests a path in a test process, with the same side effects as a test. */
export async function renderPath(
  project: Project,
  { path, timeoutMs, signal }: {
    readonly path: string;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  },
): Promise<Rendered | RenderFailure> {
  const run = await readOwnRun(project);
  if (run === undefined) return { kind: "no-task", output: "" };
  const { root } = project;
  const { code, stdout, stderr, stopped, said } = await askProgram(
    // The same calls as in the project's tests.
    (say) =>
      `import { testApp, testRequest } from "@fw/fw/testing";
${say}
const app = await testApp({ dir: ${JSON.stringify(root)} });
const response = await testRequest(app, "GET", ${JSON.stringify(path)});
say({
  status: response.status,
  headers: [...response.headers],
  body: response.body.slice(0, ${maxBodyChars}),
  chars: response.body.length,
});
await Promise.race([app.shutdown(), new Promise((resolve) => setTimeout(resolve, 2_000))]);
Deno.exit(0);
`,
    ["--no-check", ...run.flags],
    { cwd: root, env: run.env, timeoutMs, signal, ...limits },
  );
  const output = (stderr + stdout).trim().slice(-maxLogChars);
  if (stopped !== undefined) return { kind: stopped, output };
  const answer = toAnswer(said);
  if (answer === undefined) return { kind: "failed", output: output || `exit code ${code}` };
  const isHtml = answer.headers.some(([name, value]) =>
    name === "content-type" && value.startsWith("text/html")
  );
  const outline = isHtml ? await outlineOf(answer.body) : undefined;
  return { ...answer, outline, log: output };
}

/** Checks the message of the program, which the application could have forged. */
function toAnswer(said: unknown): Omit<Rendered, "outline" | "log"> | undefined {
  const { status, chars, body, headers } = objectOf(said) ?? {};
  const isWhole = Number.isInteger(status) && Number.isInteger(chars) &&
    typeof body === "string" && Array.isArray(headers) && headers.every(Array.isArray);
  if (!isWhole) return undefined;
  const pairs = headers.map(([name, value]) => [String(name), String(value)] as const);
  return {
    status: Number(status),
    chars: Number(chars),
    body: body.slice(0, maxBodyChars),
    headers: pairs,
  };
}

/** Maximum length of a tool's text, in characters: a model reads all of it. */
const maxTextChars = 60_000;

const maxHtmlChars = 20_000;

export function bounded(text: string, maxChars: number = maxTextChars): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars)}\n… ${text.length - maxChars} more characters`;
}

export function indentedJson(value: unknown): string {
  return bounded(JSON.stringify(value, null, 2));
}

export function renderedText(rendered: Rendered): string {
  const { status, headers, body, chars, outline, log } = rendered;
  const shown = body.slice(0, maxHtmlChars);
  const left = chars - shown.length;
  return [
    `status ${status}`,
    "",
    "## Headers",
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(outline === undefined ? [] : ["", "## Accessibility outline", bounded(outline, 20_000)]),
    "",
    "## Body",
    left > 0 ? `${shown}\n… ${left} more characters` : shown,
    ...(log === "" ? [] : ["", "## Written meanwhile", log]),
  ].join("\n");
}

const failures: Readonly<Record<RenderFailure["kind"], string>> = {
  "no-task": "deno.json has no test task and no start task that says what the code may do. " +
    "Fix: add `deno test` with its permissions as the task test.",
  timeout:
    "The application did not answer in time and was stopped with everything that it started.",
  output: "The application wrote too much and was stopped.",
  memory: "The application took too much memory and was stopped.",
  cancelled: "The call was cancelled.",
  failed: "The application ended without an answer.",
};

export function failureText({ kind, output }: RenderFailure): string {
  return output === "" ? failures[kind] : `${failures[kind]}\n\n${output}`;
}

export function devText(state: DevState | undefined, options: { readonly lines: number }): string {
  if (state === undefined) {
    return "No development server runs for this project. Start it with `deno task dev`.";
  }
  const { failure } = state;
  const problems = failure?.problems.map(({ stack, ...problem }) => ({ ...problem, stack })) ?? [];
  return bounded([
    `${state.state} at ${state.url}`,
    ...(failure === undefined ? [] : [`failed at: ${failure.stage}`, indentedJson(problems)]),
    "",
    "## Log",
    ...state.log.split("\n").slice(-options.lines - 1),
  ].join("\n"));
}
