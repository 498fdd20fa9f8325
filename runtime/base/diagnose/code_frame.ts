import { join, relative, SEPARATOR } from "../file_path.ts";
import * as h from "../../../html/mod.ts";
import type { Node } from "../../../html/node.ts";

/** A place in a file of the project. */
export interface SourcePlace {
  /** The file, relative to the project, with `/`. */
  readonly file: string;
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1. */
  readonly column: number;
}

/** One line of a {@linkcode CodeFrame}. */
export interface FrameLine {
  /** The line's number, from 1. */
  readonly number: number;
  /** The text, tabs widened, cut where it is very long. */
  readonly text: string;
}

/** Some lines of a file with one place marked. */
export interface CodeFrame {
  /** The lines, in order. */
  readonly lines: readonly FrameLine[];
  /** The number of the marked line. */
  readonly line: number;
  /** The marked column in the shown text, from 1. */
  readonly column: number;
}

const maxLineLength = 200;
const linesAround = 3;

/** Cuts a frame out of a source text; `undefined` if the line does not exist. */
export function frameOf(
  source: string,
  place: { readonly line: number; readonly column: number },
): CodeFrame | undefined {
  const all = source.split(/\r?\n/);
  if (all.length > 1 && all.at(-1) === "") all.pop();
  const marked = all[place.line - 1];
  if (marked === undefined) return undefined;
  // Every row is cut on the left by the same amount, so that the columns stay aligned.
  const start = marked.length > maxLineLength
    ? Math.max(0, place.column - 1 - maxLineLength / 2)
    : 0;
  const first = Math.max(1, place.line - linesAround);
  const lines = all.slice(first - 1, place.line + linesAround).map((text, index) => ({
    number: first + index,
    text: widenTabs(text.slice(start, start + maxLineLength)).trimEnd(),
  }));
  const before = marked.slice(start, Math.max(start, place.column - 1));
  return { lines, line: place.line, column: widenTabs(before).length + 1 };
}

/**
 * Reads the frame of a place in a source file of the project, without asking for a permission; `undefined`
 * for another file, and for one that cannot be read or has no such line.
 */
export function readFrame(root: string, place: SourcePlace): CodeFrame | undefined {
  try {
    const { state } = Deno.permissions.querySync({ name: "read", path: root });
    if (state !== "granted") return undefined;
    const path = Deno.realPathSync(join(root, place.file));
    // A symbolic link may make a secret look like a source file.
    const names = [place.file, relative(Deno.realPathSync(root), path).replaceAll(SEPARATOR, "/")];
    if (!names.every(isSource)) return undefined;
    return frameOf(Deno.readTextFileSync(path), place);
  } catch {
    return undefined;
  }
}

/** Checks whether a file may be shown: the author of an error message could name any file. */
function isSource(file: string): boolean {
  const hidden = file.split("/").some((name) => name.startsWith(".") && name !== ".well-known");
  return !hidden && /^deno\.jsonc?$|\.[cm]?[jt]sx?$|^migrations\/\d{4}_\w+\.sql$/.test(file);
}

/** The faulty text of an error, such as a template; a text that is not in a file has a name instead. */
interface FaultySource extends SourcePlace {
  readonly text: string;
}

/** The property under which an error carries a {@linkcode FaultySource}; no value parsed from JSON has it. */
const sourceOfError: symbol = Symbol.for("fw.source");

/** Returns the source text that an error reports as faulty; `undefined` for other errors. */
export function faultySourceOf(error: object): FaultySource | undefined {
  return Reflect.get(error, sourceOfError) as FaultySource | undefined;
}

/** Formats a place so that editors and terminals link it. */
export function formatPlace(place: SourcePlace): string {
  return `${place.file}:${place.line}:${place.column}`;
}

/** Writes a frame as text: each line with its number, a `^` below the marked column. */
export function formatFrame(frame: CodeFrame): string {
  const width = String(frame.lines.at(-1)?.number ?? 0).length;
  const rows: string[] = [];
  for (const { number, text } of frame.lines) {
    const isMarked = number === frame.line;
    rows.push(`${isMarked ? ">" : " "} ${String(number).padStart(width)} | ${text}`.trimEnd());
    if (isMarked) rows.push(`${" ".repeat(width + 3)}| ${" ".repeat(frame.column - 1)}^`);
  }
  return rows.join("\n");
}

function widenTabs(text: string): string {
  return text.replaceAll("\t", "  ");
}

/** Renders a frame for a page with the style of the error pages. */
export function frameBlock(frame: CodeFrame): Node {
  return h.pre(
    h.class("frame"),
    h.attr("tabindex", "0"),
    h.code(frame.lines.map(({ number, text }) => {
      const isMarked = number === frame.line;
      return h.fragment(
        h.span(
          h.class("row", isMarked ? "marked" : ""),
          h.span(h.class("number"), number),
          text === "" ? " " : text,
        ),
        isMarked &&
          h.span(
            h.class("row marked"),
            h.span(h.class("number"), " "),
            " ".repeat(frame.column - 1),
            h.span(h.class("caret"), "^"),
          ),
      );
    })),
  );
}
