/**
 * The texts of a generated page in an application with several languages: a catalog in its file.
 *
 * @module
 */
import { addImport, endOfImports } from "./imports.ts";
import { GeneratedTexts, wordedLanguages, type WordingTable } from "./texts/generated_texts.ts";
import { titleOf, type UrlPath } from "./url_path.ts";

const wordings = {
  name: { en: "Name", pt: "Nome" },
  email: { en: "Email", pt: "Email" },
  send: { en: "Send", pt: "Enviar" },
  thanks: { en: "Thank you, it has arrived.", pt: "Obrigado, a sua mensagem chegou." },
} as const satisfies WordingTable;

/** Where the sources of pages have texts; the text of a key stands for `{}`. */
const places: readonly (readonly [key: keyof typeof wordings, before: string, after: string])[] = [
  ["name", 'label: "{}"', "label: {}"],
  ["email", 'label: "{}"', "label: {}"],
  ["send", 'submit: "{}"', "submit: {}"],
  ["send", 'h.type("submit"), "{}"', 'h.type("submit"), {}'],
  ["send", ">{}<", ">{{}}<"],
  ["thanks", '"{}"', "{}"],
  ["thanks", ">{}<", ">{{}}<"],
];

/** The options of a form of the kit, whose labels are the names of the fields in English. */
const kitForm = /\{ (?:values: input, )?submit: /g;

/** A page with its texts in a catalog. */
export interface TranslatedPage {
  readonly text: string;
  /** The words of the developer that stand untranslated in Portuguese. */
  readonly untranslated: readonly string[];
}

/**
 * Moves the texts of a generated page into a catalog.
 *
 * @param source The page as it is written for one language.
 * @param page Its URL, and the languages of the application.
 */
export function translatePage(
  source: string,
  { path, languages }: { readonly path: UrlPath; readonly languages: readonly string[] },
): TranslatedPage {
  const title = titleOf(path.segments);
  const table = { title: { en: title, pt: title }, ...wordings };
  const texts = new GeneratedTexts(table, { languages, name: "messages" });
  if (!texts.hasCatalog) return { text: source, untranslated: [] };
  const titled = `c.title = ${JSON.stringify(title)};`;
  let text = source.replaceAll(titled, () => `c.title = ${texts.text("title")};`);
  text = text.replaceAll(
    kitForm,
    (head) => head.replace("submit", () => `labels: { ${labels(texts)} }, submit`),
  );
  for (const [key, before, after] of places) {
    const written = before.replace("{}", () => wordings[key].en);
    if (!text.includes(written)) continue;
    text = text.replaceAll(written, () => after.replace("{}", () => texts.text(key)));
  }
  const imported = addImport(text, "catalog", "@fw/fw/i18n");
  const end = endOfImports(imported);
  const catalog = texts.catalog().replace(/^export /, "");
  const hasPortuguese = wordedLanguages(languages).some(({ language }) => language === "pt");
  return {
    text: `${imported.slice(0, end)}\n/** The texts of the page. */\n${catalog}${
      imported.slice(end)
    }`,
    untranslated: hasPortuguese ? [title] : [],
  };
}

function labels(texts: GeneratedTexts): string {
  return `name: ${texts.text("name")}, email: ${texts.text("email")}`;
}
