/** Template errors: the template, the position, the reason and the fix. */

/**
 * The reason for refusing a template: the codes of Go's `html/template`, `ErrParse` for a syntax error,
 * `ErrExec` for unsuitable data or a function that failed, and `ErrLimit` for an exceeded limit.
 */
export type TemplateErrorCode =
  | ("ErrAmbigContext" | "ErrBadHTML" | "ErrBranchEnd" | "ErrEndContext" | "ErrNoSuchTemplate")
  | ("ErrOutputContext" | "ErrPartialCharset" | "ErrPartialEscape" | "ErrRangeLoopReentry")
  | ("ErrSlashAmbig" | "ErrPredefinedEscaper" | "ErrParse" | "ErrExec" | "ErrLimit");

/** The text of a template and its name. */
export interface Source {
  /** The name, such as a path. */
  readonly name: string;
  /** The full text. */
  readonly text: string;
  /** The file from which the text was read; `undefined` for a string. */
  readonly file: string | undefined;
}

/** The symbol by which the development error page finds the faulty text. */
const sourceOfError: unique symbol = Symbol.for("fw.source") as typeof sourceOfError;

/** The parts of a {@linkcode TemplateError}. */
export interface TemplateFault extends Pick<TemplateError, "code" | "description" | "fix"> {
  /** The template at fault; `undefined` if none is. */
  readonly source: Source | undefined;
  /** Position in the text, in UTF-16 code units. */
  readonly at: number;
  /** The underlying error. */
  readonly cause?: unknown;
}

/**
 * A template that cannot be parsed, escaped or rendered. The message contains the template, the
 * line, the column and the fix; the fields hold each separately.
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
  /** The reason. */
  readonly code: TemplateErrorCode;
  /** The name of the template at fault; empty if none is. */
  readonly template: string;
  /** The line, from 1; 0 without a text. */
  readonly line: number;
  /** The column in UTF-16 code units, from 1; 0 without a text. */
  readonly column: number;
  /** The description of the error, in Go's wording if Go has one. */
  readonly description: string;
  /** The suggested fix. */
  readonly fix: string;
  /** The file from which the text was read; `undefined` for a string. */
  readonly file: string | undefined;
  /** The source shown by the development error page. */
  declare readonly [sourceOfError]: unknown;

  /** Created only by this package. */
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
    // Not enumerable, so that logs do not contain the full text.
    Object.defineProperty(this, sourceOfError, { value: shown, enumerable: false });
  }
}

/** Returns the line and the column of a position in a string, both from 1. */
export function placeOf(text: string, at: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let next = text.indexOf("\n"); next >= 0 && next < at; next = text.indexOf("\n", start)) {
    line++;
    start = next + 1;
  }
  return { line, column: at - start + 1 };
}
