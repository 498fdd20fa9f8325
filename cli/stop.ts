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
    if (isJson && problems.length > 0) printJson({ ok: false, problems }, io);
    else printProblems(problems, io);
    if (problems.length === 0) io.stderr(`${error.words(messagesOf(io))}\n`);
    if (error instanceof UsageError) {
      io.stderr(
        `${
          messagesOf(io).seeHelp(["fw", command, "--help"].filter((word) => word !== "").join(" "))
        }\n`,
      );
    }
    return error.code;
  }
}
