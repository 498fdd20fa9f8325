import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";

/** Renders code with syntax highlighting. */
export function code(source: string, label: string): Node {
  return h.pre(
    h.class("code"),
    // Focusable, because it must be scrollable by keyboard.
    h.tabindex(0),
    h.role("region"),
    h.aria("label", label),
    h.code(h.map(source.matchAll(token), ([text, ...groups]) => {
      const kind = kinds[groups.findIndex((group) => group !== undefined)];
      return kind === undefined ? text : h.span(h.class(kind), text);
    })),
  );
}

const kinds = ["comment", "string", "keyword", "number", "call"];

// Each group is a kind of token; unmatched text is unchanged, one character or word at a time.
const token =
  /(\/\/.*|\/\*[\s\S]*?\*\/)|("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)|\b(const|return|new|undefined|true|false)\b|\b(\d[\d_.]*)\b|\b([A-Za-z_]\w*)(?=\()|[A-Za-z_]\w*|[\s\S]/g;

/**
 * Returns the body of a function in a source, for display. If the body only returns, it is the
 * returned expression.
 *
 * @throws {TypeError} When the source has no such function.
 */
export function bodyOf(source: string, name: string): string {
  const body = new RegExp(
    `^(?:export )?function ${name}\\([^)]*\\): Node \\{\\n([\\s\\S]*?)\\n\\}$`,
    "m",
  )
    .exec(source)?.[1];
  if (body === undefined) throw new TypeError(`Cannot show "${name}": the source has none of it.`);
  const lines = body.replace(/^ {2}/gm, "");
  const only = /^return ([\s\S]*);$/.exec(lines)?.[1];
  return only !== undefined && !/^return /m.test(only) ? only : lines;
}
