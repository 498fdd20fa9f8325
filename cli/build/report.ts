import { relative } from "@std/path";
import type { Io } from "../io.ts";
import { type Messages, messagesOf } from "../messages/catalog.ts";
import { printProblems } from "../printer.ts";
import { hasErrors, type Problem } from "../problem.ts";
import { baseArchiveOf, type CompileOutcome } from "./compile.ts";
import type { SmokeOutcome } from "./smoke.ts";

/** The result of a build. A stopped build has neither problems nor an executable. */
export interface BuildOutcome {
  readonly problems: readonly Problem[];
  readonly built?: {
    readonly sizeBytes: number;
    readonly permissions: readonly string[];
    readonly dropped: readonly string[];
    readonly variables: readonly string[];
    /** The result of the test; `undefined` if the executable was not started. */
    readonly tested: (SmokeOutcome & { readonly kind: "passed" }) | undefined;
  };
}

// Enough for a stack trace.
const maxLines = 30;

export async function compileProblem(
  outcome: Exclude<CompileOutcome, { readonly kind: "compiled" }>,
  options: { readonly messages: Messages; readonly target: string; readonly root: string },
): Promise<Problem> {
  const { messages: { build: texts }, target, root } = options;
  if (outcome.kind === "failed") {
    return { code: "E_BUILD", severity: "error", ...texts.compileFailed(outcome.output) };
  }
  const archive = await baseArchiveOf(target, root);
  const text = texts.noBase(Deno.version.deno, target, outcome.reason, archive);
  return { code: "E_NO_BASE", severity: "error", ...text };
}

export function smokeProblem(
  { text, output }: SmokeOutcome & { readonly kind: "failed" },
  { build: texts }: Messages,
): Problem {
  const lines = output.trim().split("\n").slice(-maxLines).map((line) => `  ${line}`);
  const quoted = output.trim() === "" ? [] : [texts.smokeOutput, ...lines];
  const message = [text, ...quoted].join("\n");
  return { code: "E_SMOKE", severity: "error", message, fix: texts.smokeFix };
}

export function printBuild(
  { problems, built }: BuildOutcome,
  { io, output, target, isSmoked }: {
    readonly io: Io;
    readonly output: string;
    readonly target: string;
    readonly isSmoked: boolean;
  },
): void {
  const { build: texts, problemCount } = messagesOf(io);
  printProblems(problems, io);
  if (hasErrors(problems)) io.stderr(`${problemCount(problems.length)}\n`);
  if (built === undefined) return;
  const { sizeBytes, permissions, dropped, variables, tested } = built;
  const size = sizeBytes < 1_000_000
    ? `${Math.ceil(sizeBytes / 1_000)} kB`
    : `${(sizeBytes / 1e6).toFixed(1)} MB`;
  const lines = [
    texts.built(relative(io.cwd, output) || output, size, target),
    tested !== undefined
      ? texts.started(tested.asked.join(", "), Math.round(tested.startMs))
      : isSmoked
      ? texts.notTested(target)
      : texts.skipped,
    texts.permissions(permissions.join(" ")),
    ...dropped.length === 0 ? [] : [texts.dropped(dropped.join(" "))],
    ...variables.length === 0 ? [] : [texts.variables(variables.join(", "))],
  ];
  io.stdout(`${lines.join("\n")}\n`);
}
