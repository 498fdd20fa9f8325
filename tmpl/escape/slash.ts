/** The meaning of a slash behind code: one token of look-back, and the parentheses that are open. */

import type { Context, Piece, SlashMeaning } from "./context.ts";

/** The code of a piece before a token: what is before `from` is known by its context alone. */
export interface CodeBefore {
  readonly from: number;
  readonly at: number;
}

const space = /[\s\ufeff]/;

/** Keywords behind which a slash begins a regular expression. */
const keywords: ReadonlySet<string> = new Set(
  ("break case continue debugger default delete do else extends finally in instanceof new return " +
    "throw try typeof void").split(" "),
);

/** Words that are keywords in some places and names in others. */
const names: ReadonlySet<string> = new Set(["await", "of", "yield"]);

const controls: ReadonlySet<string> = new Set(["for", "if", "while", "with"]);

/** The longest keyword, and a character of two units before it. */
const reach = "instanceof".length + 2;

const word = /[\p{ID_Continue}$\u200c\u200d]*$/u;

/** Returns what a slash behind some code means: the time is the length of one token. */
export function slashAfter(
  context: Context,
  piece: Piece,
  { from, at }: CodeBefore,
): SlashMeaning {
  const { source } = piece;
  const before = context.slash;
  const end = codeEnd(source, from, at);
  if (end === from) return before;
  const last = source.charAt(end - 1);
  switch (last) {
    case "+":
    case "-": {
      let start = end - 1;
      while (start > from && source[start - 1] === last) start--;
      if (start === from && before !== "DivOp") return "Either";
      // `x + /` begins one; `---` is `-- -`.
      if ((end - start) % 2 === 1) return "Regexp";
      // `x++ /` divides, and `++ /x/.y` does not.
      return isOperand(context, source, { from, at: start }) ? "DivOp" : "Either";
    }
    case ".": {
      if (source.slice(Math.max(from, end - 3), end) === "...") return "Regexp";
      const [digits] = word.exec(source.slice(from, end - 1)) ?? [""];
      if (!/^\d/.test(digits)) return "Name";
      return digits.length < end - 1 - from || before === "Regexp" ? "DivOp" : "Either";
    }
    case "}":
      return "Either";
  }
  if (",<>=*%&|^?!~([:;{".includes(last)) return "Regexp";
  const found = wordBefore(context, source, { from, at: end });
  if (found === undefined) return "Either";
  // A string may end in a half word: `typ{{if .}}{{end}}eof`.
  const isHalf = end === at && at === piece.end;
  if (keywords.has(found)) return isHalf ? "Either" : "Regexp";
  return names.has(found) ? "Either" : "DivOp";
}

/** Returns the kind of a parenthesis that opens: of a statement (`c`), another (`e`), or either (`?`). */
export function parenKind(
  context: Context,
  { source }: Piece,
  { from, at }: CodeBefore,
): string {
  const end = codeEnd(source, from, at);
  // In `for await (`, and where a word may have begun in another text.
  const found = end === from ? "" : wordBefore(context, source, { from, at: end });
  if (found === undefined || found === "await") return "?";
  return controls.has(found) ? "c" : "e";
}

/** Returns what a slash behind the last of the open parentheses means once it is closed. */
export function slashAfterParen(parens: string): SlashMeaning {
  const kind = parens.at(-1);
  if (kind === "c") return "Regexp";
  return kind === "e" ? "DivOp" : "Either";
}

/** Reports whether some code ends in a name, or an index, on its last line. */
function isOperand(context: Context, source: string, { from, at }: CodeBefore): boolean {
  const end = codeEnd(source, from, at);
  if (end === from || /[\n\r\u2028\u2029]/.test(source.slice(end, at))) return false;
  if (source[end - 1] === "]") return true;
  const found = wordBefore(context, source, { from, at: end });
  return found !== undefined && /[\p{ID_Continue}$]/u.test(source.slice(end - 1, end)) &&
    !keywords.has(found) && !names.has(found);
}

/** Returns the word at the end of some code; `""` for a property, `undefined` where it may have begun before. */
function wordBefore(
  context: Context,
  source: string,
  { from, at }: CodeBefore,
): string | undefined {
  const [found] = word.exec(source.slice(Math.max(from, at - reach), at)) ?? [""];
  const start = at - found.length;
  const before = codeEnd(source, from, start);
  if (before === from && context.slash === "Name") return "";
  if (start === from && found !== "" && context.slash !== "Regexp") return undefined;
  const isProperty = before > from && source[before - 1] === "." &&
    source.slice(Math.max(from, before - 3), before) !== "...";
  return isProperty || source[start - 1] === "#" ? "" : found;
}

/** Returns where the white space behind some code begins. */
function codeEnd(source: string, from: number, to: number): number {
  let end = to;
  while (end > from && space.test(source.charAt(end - 1))) end--;
  return end;
}
