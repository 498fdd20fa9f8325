/** The meaning of a slash after code, from one token of look-back and the open parentheses. */

import type { Context, Piece, SlashMeaning } from "./context.ts";

/** The code of a piece before a token. Only the context is known of the code before `from`. */
export interface CodeBefore {
  readonly from: number;
  readonly at: number;
}

const space = /[\s\ufeff]/;

/** Keywords after which a slash begins a regular expression. */
const keywords: ReadonlySet<string> = new Set(
  ("break case continue debugger default delete do else extends finally in instanceof new return " +
    "throw try typeof void").split(" "),
);

/** Words that are keywords or names, depending on their position. */
const names: ReadonlySet<string> = new Set(["await", "of", "yield"]);

const controls: ReadonlySet<string> = new Set(["for", "if", "while", "with"]);

/** The length of the longest keyword, plus one preceding character of two units. */
const reach = "instanceof".length + 2;

const word = /[\p{ID_Continue}$\u200c\u200d]*$/u;

/** Returns the meaning of a slash after some code, in the time needed to read one token. */
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
      // `x + /` begins a regular expression; `---` is `-- -`.
      if ((end - start) % 2 === 1) return "Regexp";
      // `x++ /` divides; `++ /x/.y` does not.
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
  // A text may end in the middle of a word: `typ{{if .}}{{end}}eof`.
  const isHalf = end === at && at === piece.end;
  if (keywords.has(found)) return isHalf ? "Either" : "Regexp";
  return names.has(found) ? "Either" : "DivOp";
}

/** Returns the kind of an opening parenthesis: of a statement (`c`), another (`e`) or either (`?`). */
export function parenKind(
  context: Context,
  { source }: Piece,
  { from, at }: CodeBefore,
): string {
  const end = codeEnd(source, from, at);
  // Either in `for await (`, or if the word may begin in an earlier text.
  const found = end === from ? "" : wordBefore(context, source, { from, at: end });
  if (found === undefined || found === "await") return "?";
  return controls.has(found) ? "c" : "e";
}

/** Returns the meaning of a slash after the innermost parentheses close. */
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

/** Returns the last word of some code; `""` for a property, `undefined` if it may begin earlier. */
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

/** Returns the start of the white space after some code. */
function codeEnd(source: string, from: number, to: number): number {
  let end = to;
  while (end > from && space.test(source.charAt(end - 1))) end--;
  return end;
}
