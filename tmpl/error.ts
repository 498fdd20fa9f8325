/** The error of a template: which, where, why and what to do. */

/**
 * Why a template is refused: the codes of Go's `html/template`, and `ErrParse` for what is not a template,
 * `ErrExec` for data that do not fit or a function that failed, `ErrLimit` for a bound that was reached.
 */
export type TemplateErrorCode =
  | ("ErrAmbigContext" | "ErrBadHTML" | "ErrBranchEnd" | "ErrEndContext" | "ErrNoSuchTemplate")
  | ("ErrOutputContext" | "ErrPartialCharset" | "ErrPartialEscape" | "ErrRangeLoopReentry")
  | ("ErrSlashAmbig" | "ErrPredefinedEscaper" | "ErrParse" | "ErrExec" | "ErrLimit");

/** The text of a template and what it is called. */
export interface Source {
  /** The name, such as a path. */
  readonly name: string;
  /** The whole text. */
  readonly text: string;
  /** The file that the text was read from, where it was. */
  readonly file: string | undefined;
}

/** By this symbol the error page of development finds the text that is at fault. */
const sourceOfError: unique symbol = Symbol.for("fw.source") as typeof sourceOfError;

/** The parts of a {@linkcode TemplateError}. */
export interface TemplateFault extends Pick<TemplateError, "code" | "description" | "fix"> {
  /** The template, or `undefined` where it is none's fault. */
  readonly source: Source | undefined;
  /** Position in the text, in UTF-16 code units. */
  readonly at: number;
  /** Error thrown inside. */
  readonly cause?: unknown;
}

/**
 * A template that cannot be parsed, escaped or rendered. The message holds the template, the line, the
 * column and the fix; the fields hold them one by one.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * import { parse, TemplateError } from "@fw/fw/tmpl";
 *
 * assertThrows(
 *   () => parse('<a href="{{if .x}}">', { name: "link.html" }),
 *   TemplateError,
 *   'Cannot parse "link.html:1:21": unexpected EOF',
 * );
 * ```
 */
export class TemplateError extends Error {
  /** Why. */
  readonly code: TemplateErrorCode;
  /** The name of the template whose text is at fault; empty where there is none. */
  readonly template: string;
  /** The line, from 1; 0 where there is no text. */
  readonly line: number;
  /** The column in UTF-16 code units, from 1; 0 where there is no text. */
  readonly column: number;
  /** Description of the error, in Go's words if it has them. */
  readonly description: string;
  /** The suggested fix. */
  readonly fix: string;
  /** The file that the text was read from; `undefined` for a string that was passed. */
  readonly file: string | undefined;
  /** The text for the error page of development. */
  declare readonly [sourceOfError]: unknown;

  /** Made by this package alone. */
  constructor(fault: TemplateFault) {
    const { code, description, fix, source } = fault;
    const place = source === undefined ? { line: 0, column: 0 } : placeOf(source.text, fault.at);
    const where = source === undefined ? "" : ` "${source.name}:${place.line}:${place.column}"`;
    const verb = code === "ErrParse"
      ? "parse"
      : code === "ErrExec" || code === "ErrLimit"
      ? "render"
      : "escape";
    super(
      `Cannot ${verb}${where || " the template"}: ${description}. Fix: ${fix}.`,
      fault.cause === undefined ? undefined : { cause: fault.cause },
    );
    this.name = "TemplateError";
    this.code = code;
    this.template = source?.name ?? "";
    this.line = place.line;
    this.column = place.column;
    this.description = description;
    this.fix = fix;
    this.file = source?.file;
    const shown = source && { file: source.file ?? source.name, text: source.text, ...place };
    // Not among what is logged: it is the whole text.
    Object.defineProperty(this, sourceOfError, { value: shown, enumerable: false });
  }
}

/** Returns the line and the column of a place in a string, both from 1. */
export function placeOf(text: string, at: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let next = text.indexOf("\n"); next >= 0 && next < at; next = text.indexOf("\n", start)) {
    line++;
    start = next + 1;
  }
  return { line, column: at - start + 1 };
}
