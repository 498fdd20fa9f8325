/**
 * The texts of generated code: literals, or messages of a catalog where the application has several
 * languages.
 *
 * @module
 */
import { memberName } from "../../gen/source_text.ts";

/** A text in the languages that the generators know. Parameters stand in braces: `"Page {page}"`. */
export interface Wording {
  readonly en: string;
  readonly pt: string;
}

/** Texts by their key in the catalog. */
export type WordingTable = Readonly<Record<string, Wording>>;

/** How texts are written. */
export interface TextOptions {
  /** The languages of the application; with less than two, texts are English literals. */
  readonly languages: readonly string[];
  /** The constant that holds the catalog, such as `bookMessages`. */
  readonly name: string;
}

/** Writes the texts of generated code and collects those that its catalog needs. */
export class GeneratedTexts {
  /** Whether the texts are in a catalog. */
  readonly hasCatalog: boolean;
  readonly #table: WordingTable;
  readonly #options: TextOptions;
  readonly #used = new Set<string>();

  constructor(table: WordingTable, options: TextOptions) {
    this.#table = table;
    this.#options = options;
    this.hasCatalog = options.languages.length > 1;
  }

  /**
   * Returns the expression of a text.
   *
   * @param key The key in the catalog.
   * @param params The expressions of its parameters. @default none
   */
  text(key: string, params: Readonly<Record<string, string>> = {}): string {
    const wording = this.#table[key];
    if (wording === undefined) throw new TypeError(`Cannot write the text "${key}": add it.`);
    this.#used.add(key);
    if (!this.hasCatalog) return literal(wording.en, params);
    const values = Object.entries(params).map(([name, value]) =>
      name === value ? name : `${name}: ${value}`
    );
    const last = values.length === 0 ? "" : `, { ${values.join(", ")} }`;
    return `c.t(${this.#options.name}, ${JSON.stringify(key)}${last})`;
  }

  /** Whether a text was written. */
  get isUsed(): boolean {
    return this.#used.size > 0;
  }

  /** Returns the statement that creates the catalog of the texts that were written. */
  catalog(): string {
    const { name, languages } = this.#options;
    const keys = Object.keys(this.#table).filter((key) => this.#used.has(key));
    return catalogSource(
      name,
      wordedLanguages(languages).map(({ tag, language }) => ({
        tag,
        messages: keys.map((key) => [key, this.#table[key]?.[language] ?? ""] as const),
      })),
    );
  }
}

/** Returns the text of a module with catalogs, each with a comment above it. */
export function catalogModule(
  catalogs: readonly { readonly comment: string; readonly catalog: string }[],
): string {
  const parts = catalogs.map(({ comment, catalog }) => `\n/** ${comment} */\n${catalog}`);
  return `import { catalog } from "@fw/fw/i18n";\n${parts.join("")}`;
}

/** Returns the statement that creates a catalog. */
export function catalogSource(
  name: string,
  languages: readonly {
    readonly tag: string;
    readonly messages: readonly (readonly [key: string, text: string])[];
  }[],
): string {
  const members = languages.map(({ tag, messages }) => {
    const lines = messages.map(([key, text]) =>
      `    ${memberName(key)}: ${JSON.stringify(text)},\n`
    );
    return `  ${memberName(tag)}: {\n${lines.join("")}  },\n`;
  });
  return `export const ${name} = catalog({\n${members.join("")}});\n`;
}

/** A language of a catalog, and the one that the generators word it in. */
export interface WordedLanguage {
  readonly tag: string;
  readonly language: keyof Wording;
}

/**
 * Returns the languages of a catalog: those of the application that the generators word, in its order.
 * Where they do not word one, English is in the catalog too, and `check` names the language that lacks.
 */
export function wordedLanguages(languages: readonly string[]): readonly WordedLanguage[] {
  const found: WordedLanguage[] = [];
  let isWhole = true;
  for (const tag of languages) {
    const [base] = tag.toLowerCase().split("-");
    if (base !== "en" && base !== "pt") isWhole = false;
    else if (!found.some(({ language }) => language === base)) found.push({ tag, language: base });
  }
  const hasEnglish = found.some(({ language }) => language === "en");
  return isWhole || hasEnglish ? found : [{ tag: "en", language: "en" }, ...found];
}

/** Returns a text as a literal, with its parameters filled in. */
function literal(text: string, params: Readonly<Record<string, string>>): string {
  if (Object.keys(params).length === 0) return JSON.stringify(text);
  const escaped = text.replaceAll(/[\\`]|\$(?=\{)/g, "\\$&");
  const filled = escaped.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => `\${${params[name] ?? name}}`,
  );
  return `\`${filled}\``;
}
