/**
 * Reads the static parts of JSX that the compiler turned into a template (`precompile`). The compiler
 * knows no element's content model, so what stands in `script`, `style`, `pre` and `textarea` is
 * found here, once per template.
 */

import { refusedText } from "../build.ts";
import { dropsFirstNewline } from "../names.ts";

/** Holes that are not plain text or attributes. */
export type JsxHole =
  /** All the content of `script` or `style`, over `count` holes; `open` is the tag, as `<script`. */
  | { readonly kind: "code"; readonly open: string; readonly count: number }
  /** First in an element whose first newline parsers drop; `isWhole` when nothing follows it there. */
  | { readonly kind: "line"; readonly isWhole: boolean };

export interface JsxTemplate {
  /** The static parts, one more than there are holes. */
  readonly parts: readonly string[];
  /** The holes that need care by their position; `undefined` when none does, as in most templates. */
  readonly holes: ReadonlyMap<number, JsxHole> | undefined;
  /** Whether the template begins with the `html` element. */
  readonly isDocument: boolean;
}

// What stands for a hole in the joined source.
const hole = "\0";

// The compiler quotes every value with `"` and writes `<` in text and values as a reference.
const tagPattern = /<(\/?)([A-Za-z][^\s/>\0]*)(?:"[^"]*"|[^">])*>/g;

/**
 * Reads a template.
 *
 * @throws {TypeError} When text or an element stands in `script` or `style`, or a tag has a static
 * attribute twice.
 */
export function scanJsx(parts: readonly string[]): JsxTemplate {
  // A NUL of the developer's own must not count as a hole.
  const source = parts.map((part) => part.replaceAll(hole, "\ufffd")).join(hole);
  const holes = new Map<number, JsxHole>();
  const starts = new Set<number>();
  let count = 0;
  let counted = 0;
  for (const match of source.matchAll(tagPattern)) {
    const [tag, slash = "", written = ""] = match;
    const name = slash + written.toLowerCase();
    const end = match.index + tag.length;
    refuseTwice(tag);
    count += holesIn(source.slice(counted, end));
    counted = end;
    if (name === "script" || name === "style") {
      const code = codeCount(source, end, name);
      if (code > 0) holes.set(count, { kind: "code", open: "<" + name, count: code });
    } else if (dropsFirstNewline(name)) {
      const isWhole = source.startsWith("</", end + 1);
      if (source[end] === hole) holes.set(count, { kind: "line", isWhole });
      if (source[end] === "\n" || source[end] === "\r") starts.add(end);
    }
  }
  return {
    parts: starts.size === 0 ? parts : withNewlines(source, starts).split(hole),
    holes: holes.size === 0 ? undefined : holes,
    isDocument: /^<html[\s>]/.test(source),
  };
}

// `<p class="a" className="b">` comes as two of a name: the compiler renames the second.
function refuseTwice(tag: string): void {
  const names = new Set<string>();
  for (const [, name = ""] of tag.matchAll(/\s([^\s"=>\0]+)(?:="[^"]*")?/g)) {
    const lower = name.toLowerCase();
    if (names.has(lower)) {
      throw new TypeError(
        `Cannot write the attribute "${lower}" twice: the tag has it already; remove one.`,
      );
    }
    names.add(lower);
  }
}

function holesIn(source: string): number {
  return source.split(hole).length - 1;
}

/** Counts the holes of an element whose content is code; anything but holes there is refused. */
function codeCount(source: string, from: number, name: string): number {
  let at = from;
  while (source[at] === hole) at++;
  const end = `</${name}>`;
  if (source.slice(at, at + end.length).toLowerCase() !== end) throw refusedText("<" + name);
  return at - from;
}

function withNewlines(source: string, starts: ReadonlySet<number>): string {
  let made = "";
  let from = 0;
  for (const at of starts) {
    made += source.slice(from, at) + "\n";
    from = at;
  }
  return made + source.slice(from);
}
