/** Applications have few languages; the bound is for callers that pass arbitrary tags. */
const maxKept = 200;

/** Keeps what a function makes of each text, up to a number of texts. */
export function keepByText<T>(make: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const made = make(text);
    if (kept.size < maxKept) kept.set(text, made);
    return made;
  };
}
