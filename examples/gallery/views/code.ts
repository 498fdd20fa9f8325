import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";

/** Code with its parts told apart by colour. */
export function code(source: string, label: string): Node {
  return h.pre(
    h.class("code"),
    // It scrolls, so keys must be able to reach it.
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

// Each group is a kind; what none takes goes on as it is, a character or a word at a time.
const token =
  /(\/\/.*|\/\*[\s\S]*?\*\/)|("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)|\b(const|return|new|undefined|true|false)\b|\b(\d[\d_.]*)\b|\b([A-Za-z_]\w*)(?=\()|[A-Za-z_]\w*|[\s\S]/g;

/**
 * The body of a function in a source, as it is shown beside what it makes. A body that only returns
 * is shown as the expression.
 *
 * @throws {TypeError} When the source holds no such function.
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
