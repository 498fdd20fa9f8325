/**
 * Writes texts of a document as comments that they cannot leave.
 *
 * @module
 */

/** The most characters of a description that become a comment. */
const maxChars = 2000;

/**
 * Writes a documentation comment, with a line break behind it.
 *
 * @param texts The paragraphs; `undefined` and empty ones are left out.
 * @param indent The spaces before each line.
 * @returns `""` where there is nothing to say.
 */
export function docComment(texts: readonly (string | undefined)[], indent: string): string {
  const paragraphs = texts.flatMap((text) => cleanLines(text));
  if (paragraphs.length === 0) return "";
  const lines = paragraphs.flatMap((lines, at) => at === 0 ? lines : ["", ...lines]);
  const [first = ""] = lines;
  if (lines.length === 1) return `${indent}/** ${first} */\n`;
  const body = lines.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("");
  return `${indent}/**\n${body}${indent} */\n`;
}

function cleanLines(text: string | undefined): string[][] {
  if (text === undefined) return [];
  const lines = escapeComment(text.slice(0, maxChars)).split("\n").map((line) => line.trimEnd())
    .filter((line, at, all) => line !== "" || all[at - 1] !== "");
  while (lines.length > 0 && lines.at(-1)?.trim() === "") lines.pop();
  while (lines.length > 0 && lines[0]?.trim() === "") lines.shift();
  const [first, ...rest] = lines;
  return first === undefined ? [] : [[first.trimStart(), ...rest]];
}

/** Escapes what would end a comment, hide text in it or start a tag that changes the module. */
function escapeComment(text: string): string {
  return text.replace(/\r\n?|[\u2028\u2029]/g, "\n").replaceAll("*/", "*\\/")
    .replace(
      // deno-lint-ignore no-control-regex -- control characters are what is replaced
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
      " ",
    ).replaceAll("\t", "  ").replace(/(^|\n)(\s*)@(?=\w)/g, "$1$2\\@");
}
