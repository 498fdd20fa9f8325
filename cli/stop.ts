import { escapeLines } from "@fw/fw/addon";
import { exitCodes, type Io } from "./io.ts";
import { type Messages, messagesOf } from "./messages/catalog.ts";
import { printJson, printProblems } from "./printer.ts";
import type { Problem } from "./problem.ts";

type Wording = string | ((messages: Messages) => string);

/** Ends a command, which prints the text or the problems. */
export class Stop extends Error {
  readonly problems: readonly Problem[];
  readonly code: number;
  readonly words: (messages: Messages) => string;

  constructor(reason: Wording | readonly Problem[], code: number = exitCodes.failure) {
    super(typeof reason === "string" ? reason : "");
    this.problems = typeof reason === "object" ? reason : [];
    this.words = typeof reason === "function" ? reason : () => this.message;
    this.code = code;
  }
}

/** Ends a command whose command line is wrong; the help is named below the text. */
export class UsageError extends Stop {
  constructor(text: Wording) {
    super(text, exitCodes.usage);
  }
}

/** Returns the problems of a JSON report, or one for an error that is only a text. */
export function reported(problems: readonly Problem[], text: string): readonly Problem[] {
  return problems.length > 0 ? problems : [{ code: "E_COMMAND", severity: "error", message: text }];
}

/** Runs a command until it ends or is stopped. @param isJson Problems are printed as a report. */
export async function runStoppable(
  command: string,
  io: Io,
  run: () => Promise<number>,
  isJson = false,
): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    const { problems } = error;
    const isUsage = error instanceof UsageError;
    const text = escapeLines(error.words(messagesOf(io)));
    if (isJson && !isUsage) printJson({ ok: false, problems: reported(problems, text) }, io);
    else if (problems.length > 0) printProblems(problems, io);
    else io.stderr(`${text}\n`);
    if (isUsage) {
      io.stderr(
        `${
          messagesOf(io).seeHelp(["fw", command, "--help"].filter((word) => word !== "").join(" "))
        }\n`,
      );
    }
    return error.code;
  }
}
