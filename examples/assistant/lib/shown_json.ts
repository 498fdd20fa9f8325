/** Characters that make a text look different from what it holds. */
const deceptive = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Writes the arguments of a tool for a person: what cannot be seen in a text is written out. */
export function shownArguments(text: string): string {
  let value: unknown = text;
  try {
    value = JSON.parse(text);
  } catch {
    // A model may write what is no JSON: the person sees that.
  }
  return (JSON.stringify(value, null, 2) ?? "").replace(
    deceptive,
    (char) => char === "\n" ? char : `\\u{${char.codePointAt(0)?.toString(16)}}`,
  );
}
