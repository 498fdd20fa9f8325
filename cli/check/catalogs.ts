/**
 * Checks the catalogs of messages: what the languages lack of one another, and what no source uses.
 *
 * @module
 */
import type { Messages } from "../messages/catalog.ts";
import {
  errorAt,
  type Position,
  type Problem,
  type ProblemText,
  sortProblems,
} from "../problem.ts";
import type { Project } from "../project/project.ts";
import { configuredLanguages } from "../project/settings/production.ts";
import {
  type CatalogLanguage,
  type CatalogMessage,
  listCatalogs,
  type WrittenCatalog,
} from "./catalog_source.ts";
import { findUsedKeys } from "./catalog_uses.ts";

type Texts = Messages["check"]["catalogs"];

interface Check {
  readonly catalog: WrittenCatalog;
  readonly texts: Texts;
  readonly add: (at: Position, text: ProblemText) => void;
}

/**
 * Checks every catalog that is written out in the sources. A message that comes from elsewhere is left
 * to the compiler and to the start of the application.
 *
 * @param project The project.
 */
export async function checkCatalogs(project: Project): Promise<Problem[]> {
  const sources = await project.sources();
  const texts = project.messages.check.catalogs;
  const catalogs = listCatalogs(sources);
  if (catalogs.length === 0) return [];
  const wanted = configuredLanguages(await project.settings({}));
  const isUsed = findUsedKeys(project.root, { sources, catalogs });
  const problems: Problem[] = [];
  for (const catalog of catalogs) {
    const { file } = catalog;
    const add = ({ line, column }: Position, text: ProblemText): void => {
      problems.push(errorAt({ file, line, column }, "E_CATALOG", text));
    };
    const warn = ({ line, column }: Position, text: ProblemText): void => {
      const place = { file, line, column };
      problems.push({ code: "E_CATALOG", severity: "warning", place, ...text });
    };
    const check = { catalog, texts, add };
    compareLanguages(check);
    for (const language of catalog.languages) checkForms(language, check);
    reportUnused(isUsed, { ...check, add: warn });
    reportUncovered(wanted, { ...check, add: warn });
  }
  return sortProblems(problems);
}

/** Reports messages that a language lacks, and parameters that differ. */
function compareLanguages({ catalog, texts, add }: Check): void {
  const all = new Map<string, { readonly language: string; readonly message: CatalogMessage }>();
  for (const { tag: language, messages } of catalog.languages) {
    for (const [key, message] of messages) if (!all.has(key)) all.set(key, { language, message });
  }
  for (const { tag, messages, isComplete, ...at } of catalog.languages) {
    for (const [key, first] of all) {
      const own = messages.get(key);
      if (own === undefined) {
        if (!isComplete) continue;
        add(at, texts.missing(key, tag, first.language, first.message.text));
        continue;
      }
      const { names } = own;
      const expected = first.message.names;
      if (names === undefined || expected === undefined) continue;
      const lacking = [...expected].filter((name) => !names.has(name));
      const surplus = [...names].filter((name) => !expected.has(name));
      if (lacking.length + surplus.length === 0) continue;
      const fixes = [
        lacking.length > 0 ? texts.addParameters(braced(lacking)) : undefined,
        surplus.length > 0 ? texts.removeParameters(braced(surplus), first.language) : undefined,
      ];
      const fix = fixes.filter((part) => part !== undefined).join(" ");
      add(own, { message: texts.parameters(key, tag, first.language), fix });
    }
  }
}

function braced(names: readonly string[]): string {
  return names.map((name) => `{${name}}`).join(", ");
}

/** Whole numbers below this decide which forms a language needs, as when a catalog is created. */
const ordinaryCounts = 1_000;

/** Reports plural forms that a language needs and lacks, or never uses. */
function checkForms({ tag, messages }: CatalogLanguage, { texts, add }: Check): void {
  const rules = pluralRules(tag);
  if (rules === undefined) return;
  const needed = new Set<string>(["other"]);
  for (let count = 0; count < ordinaryCounts; count++) needed.add(rules.select(count));
  const known = new Set<string>(rules.resolvedOptions().pluralCategories);
  for (const [key, message] of messages) {
    const { forms } = message;
    if (forms === undefined) continue;
    const lacking = [...needed].filter((form) => !forms.has(form));
    const surplus = [...forms].filter((form) => !known.has(form));
    if (lacking.length > 0) add(message, texts.lackingForms(key, tag, lacking.join(", ")));
    if (surplus.length > 0) add(message, texts.surplusForms(key, tag, surplus.join(", ")));
  }
}

function pluralRules(tag: string): Intl.PluralRules | undefined {
  try {
    return new Intl.PluralRules(tag);
  } catch {
    // No language tag, which stops the start of the application.
    return undefined;
  }
}

/** Reports messages that no source names. */
function reportUnused(
  isUsed: (key: string) => boolean,
  { catalog, texts, add }: Check,
): void {
  const seen = new Set<string>();
  for (const { messages } of catalog.languages) {
    for (const [key, message] of messages) {
      if (seen.has(key)) continue;
      seen.add(key);
      if (!isUsed(key)) add(message, texts.unused(key));
    }
  }
}

/** Reports languages of the application that would be answered in another one. */
function reportUncovered(wanted: readonly string[], { catalog, texts, add }: Check): void {
  if (!catalog.isComplete) return;
  const tags = catalog.languages.map(({ tag }) => tag.toLowerCase());
  const base = (tag: string): string => tag.toLowerCase().split("-")[0] ?? "";
  const lacking = wanted.filter((tag) => !tags.some((own) => base(own) === base(tag)));
  if (lacking.length === 0) return;
  const first = catalog.languages[0]?.tag ?? "";
  for (const tag of lacking) add(catalog, texts.noLanguage(tag, first));
}
