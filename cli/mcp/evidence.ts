/** Writes what tools found for a model: bounded, with what was left out said. */
import type { DevState } from "../dev/state.ts";
import type { Rendered, RenderFailure } from "./render.ts";

/** The longest text of a tool, in characters: a model reads all of it. */
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
