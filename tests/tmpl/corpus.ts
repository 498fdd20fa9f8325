/** The corpus of the differential test: templates, data and the way to render them. */
import { contexts, values } from "./corpus_contexts.ts";
import { languageData, languageTemplates } from "./corpus_language.ts";
import { markupTemplates } from "./corpus_markup.ts";
import { randomData, randomTemplates } from "./corpus_random.ts";

export interface Case {
  readonly template: string;
  /** The data; `$safe` stands for a safe text. */
  readonly data: unknown;
  /** Whether it is plain text. */
  readonly text: boolean;
}

/** Whether newer versions of Go write the value differently: see `newer_go_test.ts`. */
function isNewer(newer: "empty" | "brackets" | undefined, value: unknown): boolean {
  if (newer === "empty") return value === "" || value === null;
  return newer === "brackets" && /[<>]/.test(JSON.stringify(value));
}

const seed = 20_261_122;

/** Returns every case in a fixed order. */
export const cases: readonly Case[] = [
  ...contexts.flatMap(({ template, newer }) =>
    values.filter((value) => !isNewer(newer, value))
      .map((data) => ({ template, data, text: false }))
  ),
  ...[false, true].flatMap((text) =>
    languageTemplates.map((template) => ({ template, data: languageData, text }))
  ),
  ...markupTemplates.map((template) => ({ template, data: languageData, text: false })),
  ...randomTemplates(seed, 1_500).map((template) => ({ template, data: randomData, text: false })),
  ...randomTemplates(seed + 1, 300).map((template) => ({ template, data: randomData, text: true })),
];

/** Returns a digest of the corpus, to which recorded outputs belong. */
export async function digestOf(corpus: readonly Case[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(corpus));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
