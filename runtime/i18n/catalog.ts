import type {
  Catalog,
  CatalogSource,
  CheckedCatalog,
  Format,
  Message,
  MessageValue,
  PluralForms,
} from "../base/catalog.ts";
import { formatOf, pluralRulesOf } from "./format.ts";
import { keepByLanguage, LanguageMatcher, parseTag } from "./languages.ts";

/**
 * Creates the messages of an application in its languages, the first of which is the fallback, for
 * `c.t(messages, key, params)`. The compiler refuses a language that lacks a key of another, or a parameter
 * of its text; creating the catalog checks the same, for messages that come from a file.
 *
 * A message is a text with `{name}` for each parameter, its plural forms (`{ one, other }`; the parameter
 * `count` selects one), or a function of its parameters and a {@linkcode Format}. Numbers and dates among the
 * parameters of a text are formatted by the rules of the language: pass an id or a year as a string.
 *
 * @throws {TypeError} for a malformed tag, a key or a parameter that a language lacks, and plural forms that
 * its language needs or does not have.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { catalog, type Format } from "@fw/fw/i18n";
 *
 * const price = ({ cents }: { cents: number }, { number }: Format) =>
 *   number(cents / 100, { style: "currency", currency: "EUR" });
 * const messages = catalog({
 *   en: { hello: "Hello {name}", seats: { one: "one seat", other: "{count} seats" }, price },
 *   pt: { hello: "Olá {name}", seats: { one: "um lugar", other: "{count} lugares" }, price },
 * });
 * assertEquals(messages.text("pt-PT", "hello", { name: "Ana" }), "Olá Ana");
 * assertEquals(messages.text("en", "seats", { count: 1200 }), "1,200 seats");
 * assertEquals(messages.text("en", "price", { cents: 950 }), "€9.50");
 * ```
 */
export function catalog<const T extends CatalogSource>(source: T & CheckedCatalog<T>): Catalog<T> {
  return new MessageCatalog(source);
}

type Write = (params: Params, format: Format) => string;
type Params = Readonly<Record<string, MessageValue>>;

const noParams: Params = {};

type Language = { readonly format: Format; readonly writers: ReadonlyMap<string, Write> };

class MessageCatalog {
  readonly languages: readonly string[];
  readonly #find: (tag: string) => Language;
  /** The last requested language, which is usually the next one too. */
  #lastTag: string;
  #last: Language;

  constructor(source: CatalogSource) {
    const entries = Object.entries(source).map(([text, messages]) => {
      const tag = parseTag(text);
      if (tag !== undefined) return [tag, messages] as const;
      throw fault(`"${text}" is not a language tag; write one such as "en" or "pt-PT"`);
    });
    const [first] = entries;
    if (first === undefined) throw fault("it has no language; give it one");
    for (const entry of entries) refuseGaps(entry, first);
    const compiled = entries.map(([tag, messages]) => [tag, compile(tag, messages)] as const);
    this.languages = entries.map(([tag]) => tag);
    // Created on use: an application in one language has no use for it (`bench/start`).
    let matcher: LanguageMatcher<Language> | undefined;
    const fallback = this.#last = compiled[0]?.[1] ?? compile(first[0], first[1]);
    this.#lastTag = first[0];
    this.#find = keepByLanguage((tag) =>
      (matcher ??= new LanguageMatcher(compiled)).find(tag) ?? fallback
    );
  }

  /** Returns a message; the types of {@linkcode Catalog} have checked its parameters. */
  text(language: string, key: string, params?: unknown): string {
    if (language !== this.#lastTag) {
      this.#last = this.#find(language);
      this.#lastTag = language;
    }
    const { writers, format } = this.#last;
    const write = writers.get(key);
    if (write !== undefined) return write((params ?? noParams) as Params, format);
    throw new TypeError(`Cannot write the message "${key}": the catalog has no such key.`);
  }
}

function fault(reason: string): TypeError {
  return new TypeError(`Cannot create the catalog: ${reason}.`);
}

type Entry = readonly [tag: string, messages: Readonly<Record<string, Message>>];

/** Refuses languages that do not have the same keys and parameters. */
function refuseGaps([tag, messages]: Entry, [first, expected]: Entry): void {
  const { missing, surplus } = difference(new Set(Object.keys(expected)), Object.keys(messages));
  if (missing !== undefined) throw fault(`"${tag}" lacks the message "${missing}"; add it`);
  if (surplus !== undefined) {
    throw fault(`"${tag}" has the message "${surplus}", which "${first}" lacks; add it there`);
  }
  for (const [key, message] of Object.entries(messages)) {
    const other = expected[key];
    if (other === undefined || typeof message === "function" || typeof other === "function") {
      continue;
    }
    const names = difference(namesOf(other), namesOf(message));
    const name = names.missing ?? names.surplus;
    if (name === undefined) continue;
    const [has, lacks] = names.missing === undefined ? [tag, first] : [first, tag];
    throw fault(
      `the message "${key}" has the parameter "${name}" in "${has}" and not in "${lacks}"; give both the same`,
    );
  }
}

type Difference = { readonly missing: string | undefined; readonly surplus: string | undefined };

function difference(expected: ReadonlySet<string>, given: Iterable<string>): Difference {
  const present = new Set(given);
  const [missing] = expected.difference(present);
  const [surplus] = present.difference(expected);
  return { missing, surplus };
}

function namesOf(message: string | PluralForms): Set<string> {
  if (typeof message === "string") return new Set(parts(message).map(({ name }) => name));
  const names = Object.values(message).flatMap((form) => parts(form).map(({ name }) => name));
  return new Set(["count", ...names]);
}

const parameter = /\{([A-Za-z][A-Za-z0-9_]*)\}/g;

function parts(text: string): { readonly before: string; readonly name: string }[] {
  // Texts and names alternate; the text after the last name is omitted.
  const pieces = text.split(parameter).slice(0, -1);
  return pieces.flatMap((before, at) => at % 2 === 0 ? { before, name: pieces[at + 1] ?? "" } : []);
}

function compile(tag: string, messages: Readonly<Record<string, Message>>): Language {
  const writers = Object.entries(messages).map(([key, message]) =>
    [key, compileMessage(message, { key, tag })] as const
  );
  return { format: formatOf(tag), writers: new Map(writers) };
}

type MessageAt = Readonly<Record<"key" | "tag", string>>;

function compileMessage(message: Message, at: MessageAt): Write {
  // The compiler has checked the parameters of the call.
  if (typeof message === "function") return message as Write;
  if (typeof message === "string") return compileText(message, at);
  refuseForms(message, at);
  const forms = new Map(
    Object.entries(message).map(([category, text]) => [category, compileText(text, at)]),
  );
  const { select } = pluralRulesOf(at.tag);
  const { other } = message;
  const otherwise = forms.get("other") ?? compileText(other, at);
  const write = (params: Params, format: Format, count: number): string =>
    (forms.get(select(count)) ?? otherwise)(params, format);
  // A text that depends only on its count is cached for the usual counts.
  const kept: string[] | undefined = namesOf(message).size === 1 ? [] : undefined;
  return (params, format) => {
    const { count } = params;
    if (count === undefined) throw wrong("count", at, "is missing; give it");
    if (typeof count !== "number") {
      throw wrong("count", at, `must be a number, not a ${typeof count}; give Number(count)`);
    }
    if (
      kept === undefined ||
      !(count >= 0 && count < maxKeptCounts && Number.isInteger(count) && !Object.is(count, -0))
    ) return write(params, format, count);
    return kept[count] ??= write(params, format, count);
  };
}

const maxKeptCounts = 100;

function refuseForms(forms: PluralForms, { key, tag }: MessageAt): void {
  const { needed, used } = pluralRulesOf(tag);
  const own = Object.keys(forms);
  const { missing } = difference(needed, own);
  const unused = used && own.find((form) => !used.has(form));
  const found = missing === undefined
    ? unused && `has the plural form "${unused}"`
    : `lacks the plural form "${missing}"`;
  if (found === undefined) return;
  throw fault(
    `the message "${key}" of "${tag}" ${found}; that language needs ${[...needed].join(", ")}`,
  );
}

function compileText(text: string, at: MessageAt): Write {
  const found = parts(text);
  const literal = text.replaceAll(parameter, "");
  if (/[{}]/.test(literal)) {
    throw fault(
      `the message "${at.key}" of "${at.tag}" has a brace that encloses no parameter; write {name}, ` +
        "or a function for a text with braces",
    );
  }
  if (found.length === 0) return () => text;
  const end = text.slice(text.lastIndexOf("}") + 1);
  return (params, format) => {
    let written = "";
    for (const { before, name } of found) {
      const value = params[name];
      // Objects inherit no strings or numbers, and `hasOwn` costs more than the message (`bench/i18n`).
      if (typeof value === "string") written += before + value;
      else if (typeof value === "number") written += before + format.number(value);
      else if (value === undefined || !Object.hasOwn(params, name)) {
        throw wrong(name, at, "is missing; give it");
      } else if (!(value instanceof Date)) written += before + format.number(value);
      else if (!Number.isNaN(value.getTime())) written += before + format.date(value);
      else throw wrong(name, at, "is an invalid Date; use one that exists");
    }
    return written + end;
  };
}

function wrong(name: string, { key, tag }: MessageAt, reason: string): TypeError {
  return new TypeError(
    `Cannot write the message "${key}" in "${tag}": the parameter "${name}" ${reason}.`,
  );
}
