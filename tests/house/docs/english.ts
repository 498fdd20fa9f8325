/**
 * Words that documentation and doc comments avoid, because they name no actor or are not idiomatic
 * English.
 */

/** Each refused word, with its replacement. */
const refused: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  [/\bwhoever\b/i, "the client, the user, the caller"],
  [
    /\b(?:nobody|anybody|everybody|somebody|someone)\b/i,
    "no client, no user, any client, another user",
  ],
  [/\bTakes back\b/, "Drops, Removes"],
  [/\bGives the\b/, "Returns the"],
  [/\bMakes of\b/, "Parses, Converts"],
  [/\bof which there (?:is|are)\b/i, "name the thing"],
  [/^\s*(?:\/\*\*|\*) (?:Gives|Says)\b/, "Returns, Marks, Describes"],
  [/\bTells\b.*\bapart\b/, "Distinguishes"],
  [/(?<!\bthere )\b(?:is|are|was|were) no (?!longer|more|such|newer|use\b)[a-z]/i, "is not a"],
];

/** Lists the refused words of a text, as `12 "whoever": write the client, the user, the caller`. */
export function findPoorWords(text: string): string[] {
  return text.split("\n").flatMap((line, index) =>
    refused.flatMap(([word, instead]) => {
      const found = word.exec(line)?.[0];
      return found === undefined ? [] : [`${index + 1} "${found}": write ${instead}`];
    })
  );
}

/** Removes everything except comments, and keeps the line numbers. */
export function commentsOf(source: string): string {
  return source.split("\n").map((line) => /^\s*(?:\/\*\*|\*|\/\/)/.test(line) ? line : "").join(
    "\n",
  );
}
