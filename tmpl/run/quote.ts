const names: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
};

const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|[\\"]/gu;
const unprintableOrWide = /[^ -~]|[\\"]/gu;

/** Quotes a text as a constant of the language, as `%q` and Go's messages do. */
export function quoteText(
  text: string,
  flags?: { readonly plus: boolean; readonly sharp: boolean },
): string {
  // deno-lint-ignore no-control-regex -- controls are what it looks for
  if (flags?.sharp === true && !/[`\x00-\x08\x0a-\x1f\x7f\ufeff]/.test(text)) return `\`${text}\``;
  const pattern = flags?.plus === true ? unprintableOrWide : unprintable;
  return `"${text.replace(pattern, (char) => char === '"' ? '\\"' : escapeOf(char))}"`;
}

export function quoteCharacter(char: string, isAscii: boolean): string {
  if (char === "'") return "'\\''";
  if (char === '"') return `'"'`;
  return `'${char.replace(isAscii ? unprintableOrWide : unprintable, escapeOf)}'`;
}

function escapeOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x80) return names[char] ?? `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}
