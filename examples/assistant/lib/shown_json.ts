/** Invisible characters, which make a text look different from its content. */
const deceptive = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Formats a tool's arguments for display, with invisible characters as escapes. */
export function shownArguments(text: string): string {
  let value: unknown = text;
  try {
    value = JSON.parse(text);
  } catch {
    // A model may write invalid JSON, which is then shown as text.
  }
  return (JSON.stringify(value, null, 2) ?? "").replace(
    deceptive,
    (char) => char === "\n" ? char : `\\u{${char.codePointAt(0)?.toString(16)}}`,
  );
}
