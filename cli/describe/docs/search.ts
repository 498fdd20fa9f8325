import { cutText } from "@fw/fw/addon";
import { compareText } from "../../problem.ts";

export interface GuideText {
  readonly name: string;
  readonly text: string;
}

export interface DocSection {
  /** The headings from the guide's to the section's; for a symbol, its entry and name. */
  readonly title: string;
  readonly place: string;
  readonly text: string;
}

export interface Found extends DocSection {
  /** Higher is better; comparable only within one search. */
  readonly score: number;
  readonly excerpt: string;
}

export function sectionsOf(guides: readonly GuideText[], surface: string): DocSection[] {
  return [...guides.flatMap(sectionsOfGuide), ...symbolsOf(surface)];
}

function sectionsOfGuide({ name, text }: GuideText): DocSection[] {
  const sections = [{ title: "", place: `docs/${name}.md`, lines: [] as string[] }];
  const titles: string[] = [];
  let isCode = false;
  for (const line of text.split("\n")) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    const [, marks, title = ""] = (isCode ? null : /^(#{1,4}) (.+)$/.exec(line)) ?? [];
    if (marks === undefined) {
      sections.at(-1)?.lines.push(line);
      continue;
    }
    // A level that the guide skips stays empty.
    titles.length = marks.length - 1;
    titles.push(title.replaceAll("`", ""));
    const slug = title.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").trim()
      .replaceAll(/\s/g, "-");
    const anchor = marks.length === 1 ? "" : `#${slug}`;
    sections.push({
      title: titles.filter(Boolean).join(" › "),
      place: `docs/${name}.md${anchor}`,
      lines: [],
    });
  }
  return sections.map(({ lines, ...section }) => ({ ...section, text: lines.join("\n").trim() }))
    .filter((section) => section.text !== "");
}

const keywords =
  /^(?:(?:type|interface|class|function|const|let|var|new|get|set|readonly|static|abstract|async|namespace) )+/;

function symbolsOf(surface: string): DocSection[] {
  const lines = surface.split("\n").flatMap((line) => {
    const [, entry = "", text = ""] = /^(@\S+) (.+)$/.exec(line) ?? [];
    const name = /^[\w$]+/.exec(text.replace(keywords, ""))?.[0];
    return entry === "" || name === undefined ? [] : [{ entry, name, text }];
  });
  const groups = Map.groupBy(lines, ({ entry, name }) => `${entry} ${name}`);
  return [...groups].map(([key, members]) => {
    const [entry = "", name = ""] = key.split(" ");
    const text = members.map((each) => each.text).join("\n");
    return { title: `${name} (${entry})`, place: `api/current.txt ${key}`, text };
  });
}

const stopWords: ReadonlySet<string> = new Set(
  ("a add an and are as at be by can create do does for from get how i in is it make my new of on or show that the " +
    "this to use what when where with write you").split(" ").map(stem),
);

/** Returns the stemmed words of a string: "caching", "cached" and "caches" become the same word. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+/gu)?.flatMap((word) => {
    const parts = word.split(/(?<=[a-z0-9])(?=[A-Z])/);
    // Also finds `bindJson` by `bind` and by `json`.
    return parts.length > 1 ? [word, ...parts] : parts;
  }).map((word) => stem(word.toLowerCase())) ?? [];
}

/** Words of questions with those of the guides. */
const synonyms = new Map(
  ("chatbot:chat color:theme colour:theme crud:resource docker:container email:mail jwt:token login:sign " +
    "openai:model permission:role protect:guard react:island server:process signin:sign sse:stream " +
    "tailwind:theme translate:language validation:validate").split(" ")
    .map((pair): [string, string] => {
      const [word = "", known = ""] = pair.split(":").map(stem);
      return [word, known];
    }),
);

function stem(word: string): string {
  if (word.length < 4) return word;
  const bare = word.replace(/(?:ies)$/, "y").replace(/(?:sses)$/, "ss")
    .replace(/(?<=\w{3})(?:ings?|ed|es|s)$/, "");
  return bare.replace(/(?<=\w{3})e$/, "").replace(/(?<=\w{2}([gmnprt]))\1$/, "");
}

// The usual constants of BM25.
const saturation = 1.2;
const lengthWeight = 0.6;
// Boosts for a word in the section's own heading and in the headings above it.
const titleBoost = 6;
const pathBoost = 4;

/** Ranks sections by BM25, with a boost for words in headings. */
export function searchDocs(
  sections: readonly DocSection[],
  query: string,
  { max = 8 }: { readonly max?: number } = {},
): Found[] {
  const asked = query.replaceAll(/\blog[ -]?(?:in|on)\b/gi, "login");
  const all = wordsOf(asked).map((word) => synonyms.get(word) ?? word);
  const telling = all.filter((word) => !stopWords.has(word));
  const wanted = [...new Set(telling.length === 0 ? all : telling)];
  if (wanted.length === 0) return [];
  const texts = sections.map(({ text }) => wordsOf(text));
  const average = texts.flat().length / Math.max(1, texts.length);
  const terms = wanted.map((word) => {
    const counts = texts.map((words) => words.filter((each) => each === word).length);
    const count = counts.filter((each) => each > 0).length;
    return { word, counts, weight: Math.log(1 + (sections.length - count + 0.5) / (count + 0.5)) };
  });
  return sections.map((section, at) => {
    const [own = [], ...path] = section.title.split(" › ").reverse().map(wordsOf);
    const length = 1 - lengthWeight + lengthWeight * (texts[at]?.length ?? 0) / average;
    let [sum, hits] = [0, 0];
    for (const { word, counts, weight } of terms) {
      const boost = own.includes(word) ? titleBoost : path.flat().includes(word) ? pathBoost : 0;
      const total = (counts[at] ?? 0) + boost;
      sum += weight * total / (total + saturation * length);
      if (total > 0) hits += boost === titleBoost ? 2 : 1;
    }
    // Prefer sections with all words over many hits of one word, and prefer hits in headings.
    const found = sum * hits;
    // Rank guides above symbols, unless the query names the symbol: words in lower case are a task.
    const [name = "", entry = ""] = section.title.split(" ");
    const isNamed = /[A-Z]/.test(query) && query.split(/[\s.()]+/).includes(name) ||
      // As code calls it: `ui.time`.
      query.split(/[\s()]+/).includes(`${/\w+(?=\)$)/.exec(entry)?.[0]}.${name}`);
    const isSymbol = section.place.startsWith("api/") && !isNamed;
    const score = isSymbol ? found / 8 : section.place.includes("#") ? found : found * 1.2;
    return { ...section, score, excerpt: "" };
  }).filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || compareText(a.place, b.place)).slice(0, max)
    .map((each) => ({ ...each, excerpt: excerptOf(each.text, wanted) }));
}

const excerptLines = 6;
const maxExcerptChars = 600;

/** Returns a short text unchanged, and of a long one the lines from the best match on. */
function excerptOf(text: string, wanted: readonly string[]): string {
  if (text.length <= maxExcerptChars) return text;
  const lines = text.split("\n");
  const hits = lines.map((line) => new Set(wordsOf(line)).intersection(new Set(wanted)).size);
  const best = hits.indexOf(hits.reduce((most, each) => Math.max(most, each), 0));
  return cutText(lines.slice(best, best + excerptLines).join("\n").trim(), maxExcerptChars);
}
