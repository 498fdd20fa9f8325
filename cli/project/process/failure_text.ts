import { escapeLines, formatFrame } from "@fw/fw/addon";
import type { Paint } from "../../io.ts";
import type { Messages } from "../../messages/catalog.ts";
import { formatProblems } from "../../printer.ts";
import type { Failure } from "./failure.ts";

export function formatFailure(
  failure: Failure,
  { messages, paint }: { readonly messages: Messages; readonly paint: Paint },
): string {
  const problems = failure.problems.map((problem) => ({
    ...problem,
    details: [
      ...(problem.frame === undefined ? [] : [paint.dim(escapeLines(formatFrame(problem.frame)))]),
      ...problem.stack.map((line) => paint.dim(escapeLines(line))),
    ],
  }));
  const title = paint.bold(paint.red(messages.dev.stage[failure.stage]));
  return `${title}\n${formatProblems(problems, { messages, paint })}`;
}
