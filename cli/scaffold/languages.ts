/**
 * The languages of generated texts. `cli/samples` contains English and Portuguese, in catalogs to
 * which an application can add languages.
 */
import { memberName, sampleTexts, type WordedLanguage } from "./sample.ts";

export function wordingLanguage(tag: string): WordedLanguage["language"] | undefined {
  const [base] = tag.toLowerCase().split("-");
  return base === "en" || base === "pt" ? base : undefined;
}

/**
 * Returns the languages of a generated catalog: those of the application that the samples contain,
 * in its order, and English if the samples lack one.
 */
export function wordedLanguages(languages: readonly string[]): readonly WordedLanguage[] {
  const found: WordedLanguage[] = [];
  for (const tag of languages) {
    const language = wordingLanguage(tag);
    if (language === undefined || found.some((each) => each.language === language)) continue;
    found.push({ tag, language });
  }
  const isWhole = found.length > 0 &&
    languages.every((tag) => wordingLanguage(tag) !== undefined);
  const hasEnglish = found.some(({ language }) => language === "en");
  return isWhole || hasEnglish ? found : [{ tag: "en", language: "en" }, ...found];
}

const catalogMembers = /(?<=\bcatalog\(\{\n)(?:( +)(?:\w+|"[\w-]+"): \{\n(?:\1 .*\n)*\1\},\n)+/g;

/** Marks the texts that the generators cannot translate; `check` counts them. */
const untranslatedMark = "// translate";

/**
 * Adds a language to the catalogs of a source. English and Portuguese texts of the samples are
 * translated; the others are the English ones, each marked.
 *
 * @returns `undefined` if no catalog lacks the language.
 */
export function addLanguage(text: string, tag: string): string | undefined {
  const language = wordingLanguage(tag);
  const base = primaryTag(tag);
  const added = text.replaceAll(catalogMembers, (members, space: string) => {
    const heads = [...members.matchAll(new RegExp(`^${space}"?([\\w-]+)"?: \\{$`, "gm"))]
      .map(([, head = ""]) => head);
    if (heads.some((head) => primaryTag(head) === base)) return members;
    const languages = members.split(`\n${space}},\n`);
    const english = language === undefined
      ? heads.findIndex((head) => primaryTag(head) === "en")
      : 0;
    // A long text is on the line below its key, or in several strings.
    const [, ...own] = (languages[Math.max(english, 0)] ?? "")
      .replaceAll(/:\n +(?=["'`])/g, ": ").replaceAll(/" \+\n +"/g, "").split("\n");
    const lines = own.map((line) =>
      language && translateLine(line, language) || markText(withPlurals(line, tag))
    );
    return `${members}${space}${memberName(tag)}: {\n${lines.join("\n")}\n${space}},\n`;
  });
  return added === text ? undefined : added;
}

export function countMarks(text: string): number {
  return text.split(`${untranslatedMark}\n`).length - 1;
}

function primaryTag(tag: string): string {
  return tag.toLowerCase().split("-")[0] ?? "";
}

export function markText(line: string): string {
  const hasText = /["'`].*\p{L}/u.test(line.replace(/^\s*"?[\w.-]+"?:/, ""));
  return hasText && !line.endsWith(untranslatedMark) ? `${line} ${untranslatedMark}` : line;
}

/**
 * Adds the plural forms that a language has and English lacks, and removes the one that it lacks. Where it has one of 21 as of 1, as Russian does, a
 * text with "1" would be wrong.
 */
function withPlurals(line: string, tag: string): string {
  const rules = new Intl.PluralRules(tag);
  const found = new Set(Array.from({ length: 1_000 }, (_, count) => rules.select(count)));
  const forms = [...found].filter((form) => form !== "one" && form !== "other");
  const own = found.has("one")
    ? line.replace(/\bone: "1 /, 'one: "{count} ')
    : line.replace(/\bone: "(?:[^"\\]|\\.)*", /, "");
  return own.replace(
    /\bother: ("(?:[^"\\]|\\.)*")/,
    (other, text: string) => [other, ...forms.map((form) => `${form}: ${text}`)].join(", "),
  );
}

/** Translates a line with a text of the samples, in which the resource may have any name. */
function translateLine(line: string, language: WordedLanguage["language"]): string | undefined {
  const [, head, key, text = ""] =
    /^(\s+"?([\w.-]+)"?:\s*)("(?:[^"\\]|\\.)*"|\{ one: .* \}),$/.exec(line) ?? [];
  const found = sampleTexts().find(({ key: own, ...texts }) => {
    const [from, to] = [texts[language === "pt" ? "en" : "pt"], texts[language]];
    if (own !== key || /^"book loans?"$/i.test(from) || /book loan/i.test(to)) return false;
    const pattern = from.split(/book loans?/i).map(RegExp.escape).join(".+");
    return new RegExp(`^${pattern}$`).test(text);
  });
  const own = language === "pt" ? portugueseLabel(text.slice(1, -1)) : undefined;
  const translated = found?.[language] ?? (own && `"${own}"`);
  return translated && `${head}${translated},`;
}

/** Words in capitals, the same in both languages unless a label translates them. */
const initialisms: ReadonlySet<string> = new Set(
  ["bic", "iban", "id", "ip", "isbn", "issn", "sku", "uri", "url", "uuid", "vat"],
);

/**
 * Returns the label of a field: "First name" for `firstName` and `first_name`, "ISBN" for `isbn`.
 */
export function labelOf(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").replaceAll(/_+/g, " ").toLowerCase();
  const label = words.replaceAll(
    /[a-z]+/g,
    (word) => initialisms.has(word) ? word.toUpperCase() : word,
  );
  return label.slice(0, 1).toUpperCase() + label.slice(1);
}

export function portugueseLabel(label: string): string | undefined {
  const lower = label.toLowerCase();
  return portugueseLabels.get(lower) ?? (initialisms.has(lower) ? label : undefined);
}

const portugueseLabels: ReadonlyMap<string, string> = new Map(
  `
  active: Ativo · address: Morada · amount: Quantia · author: Autor · backup: Alternativa ·
  begins: Começa · category: Categoria · city: Localidade · closes: Fecha · code: Código ·
  comment: Comentário · contact: Contacto · country: País · cover: Capa · date: Data · day: Dia ·
  description: Descrição · email: Email · end date: Data de fim · ends: Fim · fee: Taxa ·
  file: Ficheiro · fine: Multa · first name: Nome próprio · genre: Género · headline: Título ·
  image: Imagem · kind: Tipo · last name: Apelido · lent: Emprestado · memo: Apontamento ·
  mirror: Espelho · mood: Ambiente · name: Nome · note: Nota · notes: Notas · opens: Abre ·
  pages: Páginas · peak: Máximo · phone: Telefone · photo: Fotografia · picture: Imagem ·
  place: Local · price: Preço · quantity: Quantidade · ratio: Rácio · reader: Leitor ·
  remark: Observação · scan: Digitalização · seats: Lugares · spare: Reserva ·
  start date: Data de início · starts: Início · status: Estado · story: História ·
  subject: Assunto · summary: Resumo · text: Texto · time: Hora · title: Título · type: Tipo ·
  url: Endereço · vat: IVA · views: Visualizações · website: Sítio · year: Ano
  `.split("·").map((pair) => pair.trim().split(": ") as [string, string]),
);
