/**
 * Renders the files of `cli/samples`: chooses lines, replaces names and repeats pieces. Markers are
 * comments on separate lines:
 *
 * - `// if part` … `// end` stays if the part is wanted or the list of that name has items; `// if no part`
 *   if not. `// if part:` is for the statement or member below it and has no end.
 * - `// each list` … `// end` has a piece of code for each kind of item, repeated under its items' names.
 * - `/* if part *\/ … /* end *\/` is a part of a line.
 * - `// insert part` … `// end` is only for files of the developer: {@linkcode renderRegion}.
 */
import samples from "../samples.json" with { type: "json" };
import { importLine, pruneImports } from "./imports.ts";

export interface NewFile {
  readonly file: string;
  readonly text: string;
}

export interface Item {
  /** The items of the sample that can be its model, best first. */
  readonly models: readonly string[];
  /** Replaces the texts of the model, such as its name, label and rules. */
  readonly replace: (model: string) => readonly Pair[];
  readonly lists?: Readonly<Record<string, List>>;
  readonly parts?: Readonly<Record<string, boolean>>;
}

export interface List {
  readonly models: readonly string[];
  readonly items: readonly Item[];
}

export type Pair = readonly [from: string, to: string];

export function zip(from: readonly string[], to: readonly string[]): readonly Pair[] {
  return from.map((text, at): Pair => [text, to[at] ?? text]);
}

/** Returns a list whose items have the same models, each with its replacements. */
export function createList(
  models: readonly string[],
  items: readonly (readonly Pair[])[],
): List {
  return { models, items: items.map((pairs) => ({ models, replace: () => pairs })) };
}

export interface Rendering {
  readonly names?: Readonly<Record<string, string>>;
  readonly parts?: Readonly<Record<string, boolean>>;
  readonly lists?: Readonly<Record<string, List>>;
  /** The language tags of the catalogs, in order, each with the language of the sample. */
  readonly languages?: readonly WordedLanguage[];
}

export interface WordedLanguage {
  readonly tag: string;
  readonly language: "en" | "pt";
}

export function sampleText(path: string): string {
  const text: string | undefined = (samples as Readonly<Record<string, string>>)[path];
  if (text === undefined) throw new TypeError(`Cannot find the sample "${path}": add it.`);
  return text;
}

export function renderSample(path: string, file: string, rendering: Rendering): NewFile {
  return { file, text: renderText(sampleText(path), rendering) };
}

/** Renders the regions of a part and the imports that they need, to insert them elsewhere. */
export function renderRegion(path: string, part: string, rendering: Rendering): string {
  const text = sampleText(path);
  const lines = text.split("\n");
  const regions = lines.flatMap((line, at) => {
    const [, , verb, what] = marker.exec(line) ?? [];
    return verb !== "each" && what === part ? lines.slice(at + 1, findEnd(lines, at)) : [];
  });
  return renderText(`${text.match(importLine)?.join("") ?? ""}\n${regions.join("\n")}`, rendering);
}

export function renderText(text: string, rendering: Rendering): string {
  const { names = {}, languages } = rendering;
  const draft = new Draft(rendering);
  draft.add(draft.chooseInline(text).split("\n"));
  let code = draft.text();
  if (languages !== undefined) code = chooseLanguages(code, languages);
  return pruneImports(draft.reveal(replaceNames(dropIdleAsync(code), names)));
}

/** Makes generated functions such as `Setup` and `nav` synchronous if they contain no `await`. */
export function dropIdleAsync(text: string): string {
  const idle: string[] = [];
  const made = text.replaceAll(
    /^((?:export )?)async (function (Setup|Shutdown|nav|openClient|\w+Form|\w+Fields)\([^)]*\)): Promise<(\w+(?:\[\])?)> \{\n((?: .*\n|\n)*)\}$/gm,
    (whole, start: string, head: string, name: string, result: string, body: string) => {
      if (/\bawait\b/.test(body)) return whole;
      idle.push(name);
      return `${start}${head}: ${result} {\n${body}}`;
    },
  );
  return idle.reduce((whole, name) => whole.replaceAll(`await ${name}(`, `${name}(`), made);
}

const marker =
  /^\s*(?:\/\/|--|#|<!--|\{?\/\*|\{\{\/\*) ?(?:(end)|(each|if|insert) ((?:no )?\w+))(?: ?(?:-->|\*\/\}?\}?))?$/;

const singleMarker = /^\s*(?:\/\/|--) if ((?:no )?\w+):$/;

/** Counts the lines of the first statement or member, by their indentation. */
function pieceLength([first = "", ...others]: readonly string[]): number {
  const width = indent(first);
  const next = others.findIndex((line) =>
    indent(line) <= width && !(indent(line) === width && /^\s*[)\]}]/.test(line))
  );
  return next < 0 ? others.length + 1 : next + 1;
}

class Draft {
  #rendering: Rendering;
  readonly #lines: string[] = [];
  /** The lines whose bracket may close on the same line, because its content varies. */
  readonly #joined = new Set<number>();
  /** Names from the command line, which must not be replaced like names of the sample. */
  readonly #hidden: string[] = [];

  constructor(rendering: Rendering) {
    this.#rendering = rendering;
  }

  add(lines: readonly string[]): void {
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at] ?? "";
      const [, single] = singleMarker.exec(line) ?? [];
      if (single !== undefined) {
        const end = at + 1 + pieceLength(lines.slice(at + 1));
        this.#loosen(line, "if");
        if (this.#isWanted(single)) this.add(lines.slice(at + 1, end));
        at = end - 1;
        continue;
      }
      const [, end, verb, what = ""] = marker.exec(line) ?? [];
      if (verb === undefined && end === undefined) {
        if (line.includes(joint)) this.#loosen(line, "if");
        this.#lines.push(line.replaceAll(joint, ""));
        continue;
      }
      const last = findEnd(lines, at);
      if (verb === "insert") {
        at = last;
        continue;
      }
      const inner = lines.slice(at + 1, last);
      this.#loosen(line, verb);
      if (verb === "each") this.#repeat(inner, what);
      else if (this.#isWanted(what)) this.add(inner);
      at = last;
    }
  }

  chooseInline(text: string): string {
    // The formatter moves a comma out of the piece behind it.
    return text.replaceAll(
      /(,\s*)?\/\* if ((?:no )?\w+) \*\/\s*([^]*?)\s*\/\* end \*\/(?=(\s*[>)\]}])?)/g,
      (_, comma: string | undefined, what: string, piece: string, isLast?: string) =>
        joint + (isLast === undefined || this.#isWanted(what) ? comma ?? "" : "") +
        (this.#isWanted(what) ? piece : ""),
    );
  }

  #isWanted(what: string): boolean {
    const { parts, lists } = this.#rendering;
    const name = what.replace(/^no /, "");
    const isThere = parts?.[name] === true || (lists?.[name]?.items.length ?? 0) > 0;
    return isThere === (name === what);
  }

  /** Lets the line above a part close on the same line if the part is omitted. */
  #loosen(line: string, verb: string | undefined): void {
    const width = indent(line) + (/^\s*[)\]}]/.test(line) ? 1 : 0);
    const at = this.#lines.findLastIndex((each) => each.trim() !== "" && indent(each) < width);
    const opening = verb === "each" ? /, \{$/ : /(?<!=> )[([]$|[(,[] ?\{$/;
    if (opening.test(this.#lines[at] ?? "")) this.#joined.add(at);
  }

  #repeat(lines: readonly string[], name: string): void {
    const list = this.#rendering.lists?.[name];
    if (list === undefined) throw new TypeError(`Cannot render the list "${name}": give it.`);
    const pieces = findPieces(lines, list.models);
    const texts = list.items.flatMap(({ models, replace, ...own }) => {
      const model = models.find((each) => pieces.has(each));
      const piece = model === undefined ? undefined : pieces.get(model);
      if (model === undefined || piece === undefined) return [];
      const pairs = replace(model).map(([from, to]) => [from, this.#hide(to)] as const);
      return [{ text: replaceWords(piece, pairs), own }];
    });
    if (texts.length === 0) this.#lines.push(emptied);
    const outer = this.#rendering;
    for (const { text, own: { lists, parts } } of texts) {
      this.#rendering = {
        ...outer,
        lists: { ...outer.lists, ...lists },
        parts: { ...outer.parts, ...parts },
      };
      this.add(text.split("\n"));
    }
    this.#rendering = outer;
  }

  #hide(text: string): string {
    this.#hidden.push(text);
    return `\uE000${this.#hidden.length - 1}\uE001`;
  }

  text(): string {
    const text = this.#lines.reduce((whole, line, at) => {
      const isJoined = this.#joined.has(at - 1) && !/^\s*(?:\/\/|$)/.test(line);
      return isJoined ? whole + line.trimStart() : `${whole}\n${line}`;
    });
    return dropEmptied(text).replaceAll(/\n{3,}/g, "\n\n").replaceAll(/([([{]\n)\n/g, "$1");
  }

  reveal(text: string): string {
    return text.replaceAll(/\uE000(\d+)\uE001/g, (_, at: string) => this.#hidden[Number(at)] ?? "");
  }
}

function findEnd(lines: readonly string[], start: number): number {
  let depth = 0;
  for (let at = start; at < lines.length; at++) {
    const [, end, verb] = marker.exec(lines[at] ?? "") ?? [];
    if (verb !== undefined) depth++;
    if (end !== undefined && --depth === 0) return at;
  }
  throw new TypeError(`Cannot render "${lines[start]?.trim()}": it has no end.`);
}

function indent(line: string): number {
  return line.length - line.trimStart().length;
}

/** Splits a region into the piece of each model; pieces start at the region's indentation. */
function findPieces(lines: readonly string[], models: readonly string[]): Map<string, string> {
  const width = indent(lines.find((line) => line !== "") ?? "");
  const groups: string[][] = [];
  let depth = 0;
  for (const line of lines) {
    const [, end, verb] = marker.exec(line) ?? [];
    const isStart = depth === 0 && end === undefined && line !== "" && indent(line) === width &&
      !/^\s*(?:[)\]}]|<\/)/.test(line);
    depth += verb !== undefined ? 1 : end !== undefined ? -1 : 0;
    const before = groups.at(-1);
    // A comment belongs to the code below it.
    const isBelowComment = before?.every((each) => /^\s*(?:$|\/\/|\/?\*)/.test(each)) === true;
    if (before === undefined || (isStart && !isBelowComment)) groups.push([line]);
    else before.push(line);
  }
  const pieces = new Map<string, string>();
  let last: string | undefined;
  for (const group of groups) {
    const text = group.join("\n");
    const words = text.match(/[A-Za-z]\w*/g);
    // Code that names no item belongs to the piece before it.
    last = words?.find((word) => models.includes(word)) ?? last;
    if (last === undefined) throw new TypeError(`Cannot render "${text}": it names no item.`);
    pieces.set(last, pieces.has(last) ? `${pieces.get(last)}\n${text}` : text);
  }
  return pieces;
}

const emptied = "\uE002";
const joint = "\uE003"; // Where a part of a line was chosen.

/** Removes a member, an argument or brackets that an empty list leaves without content. */
function dropEmptied(text: string): string {
  return text
    .replaceAll(/^ *\w+: [{[]\n(?:\uE002\n)+ *[}\]],\n/gm, "")
    .replaceAll(/, \{\n?(?:\uE002\n)+ *\}/g, "")
    .replaceAll(/([[{(])\n(?:\uE002\n)+ *(?=[\]})])/g, "$1")
    .replaceAll(/\uE002\n/g, "");
}

function replaceWords(text: string, pairs: readonly (readonly [string, string])[]): string {
  const edged = (part: string): string =>
    `${/^\w/.test(part) ? "(?<![A-Za-z0-9])" : ""}${RegExp.escape(part)}` +
    (/\w$/.test(part) ? "(?![A-Za-z0-9])" : "");
  return replaceAny(text, new Map(pairs), edged);
}

/** Replaces the names of the sample: `BookLoan` in `openBookLoans` too. */
export function replaceNames(text: string, names: Readonly<Record<string, string>>): string {
  const edged = (name: string): string =>
    (/^[a-z]/.test(name) ? "(?<![A-Za-z])" : "") + RegExp.escape(name);
  return replaceAny(text, new Map(Object.entries(names)), edged);
}

function replaceAny(
  text: string,
  table: ReadonlyMap<string, string>,
  pattern: (part: string) => string,
): string {
  const parts = [...table.keys()].filter((part) => part !== "")
    .sort((one, other) => other.length - one.length);
  if (parts.length === 0) return text;
  const any = new RegExp(parts.map(pattern).join("|"), "g");
  return text.replaceAll(any, (found) => table.get(found) ?? found);
}

const languagePair = /^( *)en: (\{\n(?:\1 .*\n)*\1\}),\n\1pt: (\{\n(?:\1 .*\n)*\1\}),\n/gm;

function chooseLanguages(text: string, languages: readonly WordedLanguage[]): string {
  return text.replaceAll(
    languagePair,
    (_, space: string, en: string, pt: string) =>
      languages.map(({ tag, language }) =>
        `${space}${memberName(tag)}: ${language === "en" ? en : pt},\n`
      ).join(""),
  );
}

export function memberName(tag: string): string {
  return /^[a-z]+$/.test(tag) ? tag : JSON.stringify(tag);
}

/** Lists the translated texts of the samples; those that name the resource fit any, so they are last. */
export function sampleTexts(): (Record<WordedLanguage["language"], string> & { key: string })[] {
  const text = /^\s+"?([\w.-]+)"?:\s*("(?:[^"\\]|\\.)*"|\{ one: .* \}),$/gm;
  const sources = Object.values<string>(samples).join("\n").replaceAll(/" \+\n +"/g, "");
  return [...sources.matchAll(languagePair)].flatMap(([, , en = "", pt = ""]) => {
    const translated = new Map(Array.from(pt.matchAll(text), ([, key, value]) => [key, value]));
    return Array.from(en.matchAll(text), ([, key = "", value = ""]) => (
      { key, en: value, pt: translated.get(key) ?? value }
    ));
  }).sort((one, other) => Number(/book loan/i.test(one.en)) - Number(/book loan/i.test(other.en)));
}
