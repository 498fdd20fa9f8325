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
 * of its text.
 *
 * A message is a text with `{name}` for each parameter, its plural forms (`{ one, other }`; the parameter
 * `count` selects one), or a function of its parameters and a {@linkcode Format}. Numbers and dates among the
 * parameters of a text are formatted by the rules of the language: pass an id or a year as a string.
 *
 * @throws {TypeError} for a malformed tag, a brace without a parameter, and a plural form that a language needs.
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
  const compiled = Object.entries(source as CatalogSource).map(([text, messages]) => {
    const tag = parseTag(text);
    if (tag !== undefined) return [tag, compile(tag, messages)] as const;
    throw fault(`"${text}" is not a language tag; write one such as "en" or "pt-PT"`);
  });
  const [first] = compiled;
  if (first === undefined) throw fault("it has no language; give it one");
  // Created on use: an application in one language has no use for it (`bench/start`).
  let matcher: LanguageMatcher<Language> | undefined;
  const find = keepByLanguage((tag) =>
    (matcher ??= new LanguageMatcher(compiled)).find(tag) ?? first[1]
  );
  // The last requested language is usually the next one too.
  let [lastTag, last] = first;
  return {
    languages: compiled.map(([tag]) => tag),
    text: (language: string, key: string, params: unknown = noParams): string => {
      if (language !== lastTag) [lastTag, last] = [language, find(language)];
      const write = last.writers.get(key);
      if (write !== undefined) return write(params as Params, last.format);
      throw new TypeError(`Cannot write the message "${key}": the catalog has no such key.`);
    },
  };
}

type Write = (params: Params, format: Format) => string;
type Params = Readonly<Record<string, MessageValue>>;

const noParams: Params = {};

type Language = { readonly format: Format; readonly writers: ReadonlyMap<string, Write> };

function fault(reason: string): TypeError {
  return new TypeError(`Cannot create the catalog: ${reason}.`);
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
  const names = Object.values(message).flatMap((form) => parts(form).map(({ name }) => name));
  const kept: string[] | undefined = names.every((name) => name === "count") ? [] : undefined;
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
  const { needed } = pluralRulesOf(tag);
  const missing = [...needed].find((form) => !Object.hasOwn(forms, form));
  if (missing === undefined) return;
  throw fault(
    `the message "${key}" of "${tag}" lacks the plural form "${missing}"; that language needs ${
      [...needed].join(", ")
    }`,
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
