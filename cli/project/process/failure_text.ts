/**
 * Shows in the terminal why the application does not answer.
 *
 * @module
 */
import { escapeLines, formatFrame, formatPlace } from "@fw/fw/conventions";
import type { Paint } from "../../io.ts";
import type { Messages } from "../../messages/catalog.ts";
import type { DevFailure } from "./failure.ts";

/** How a failure is printed. */
export interface FormatFailureOptions {
  /** The catalogue. */
  readonly messages: Messages;
  /** The terminal's colours. */
  readonly paint: Paint;
}

/** Writes a failure for the terminal, which obeys nothing of what it shows. */
export function formatFailure(failure: DevFailure, options: FormatFailureOptions): string {
  const { messages, paint } = options;
  const title = paint.bold(paint.red(messages.dev.stage[failure.stage]));
  const blocks = failure.problems.map((problem) => {
    const place = problem.place === undefined ? "" : `${formatPlace(problem.place)} `;
    const code = problem.code === undefined ? "" : `${problem.code} `;
    return [
      `${paint.bold(escapeLines(place))}${code}${escapeLines(problem.message)}`,
      ...(problem.frame === undefined ? [] : [paint.dim(escapeLines(formatFrame(problem.frame)))]),
      ...problem.stack.map((line) => paint.dim(`    ${escapeLines(line)}`)),
      `${paint.green(messages.dev.fix)}: ${escapeLines(problem.fix)}`,
    ].join("\n");
  });
  return `${title}\n${blocks.join("\n\n")}\n`;
}
