/**
 * `catalog`: every language has the same messages with the same parameters, formatted for the
 * language.
 */
import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { catalog, type CatalogSource, formatOf } from "@fw/fw/i18n";

const messages = catalog({
  en: {
    home: "Home",
    hello: "Hello {name}, welcome to {place}",
    seats: { one: "one seat in {room}", other: "{count} seats in {room}" },
    price: ({ cents }: { cents: number }, { number }) =>
      number(cents / 100, { style: "currency", currency: "EUR" }),
    rank: ({ at }: { at: number }, { plural }) =>
      at + plural(at, { one: "st", two: "nd", few: "rd", other: "th" }, { type: "ordinal" }),
    starts: "Starts {when}",
  },
  "pt-PT": {
    home: "Início",
    hello: "Olá {name}, eis {place}",
    seats: { one: "um lugar em {room}", other: "{count} lugares em {room}" },
    price: ({ cents }: { cents: number }, { number }) =>
      number(cents / 100, { style: "currency", currency: "EUR" }),
    rank: ({ at }: { at: number }) => `${at}.º`,
    starts: "Começa a {when}",
  },
});

Deno.test("catalog: formats texts, plurals, functions, numbers and dates of each language", () => {
  const when = new Date("2026-03-01T23:30:00Z");
  const cases: [string, string][] = [
    [messages.text("en", "home"), "Home"],
    [messages.text("en", "hello", { name: "Ana", place: 7 }), "Hello Ana, welcome to 7"],
    [messages.text("en", "seats", { count: 1, room: "A" }), "one seat in A"],
    [messages.text("en", "seats", { count: 1200, room: "A" }), "1,200 seats in A"],
    [messages.text("en", "seats", { count: 0, room: "A" }), "0 seats in A"],
    [messages.text("en", "rank", { at: 22 }), "22nd"],
    [messages.text("en", "starts", { when }), "Starts March 1, 2026"],
    [messages.text("pt-PT", "starts", { when }), "Começa a 1 de março de 2026"],
    [messages.text("pt-PT", "seats", { count: 12_000, room: "A" }), "12\u00a0000 lugares em A"],
    // Whole millions have a separate category in Portuguese, which may be absent.
    [
      messages.text("pt-PT", "seats", { count: 1_000_000, room: "A" }),
      "1\u00a0000\u00a0000 lugares em A",
    ],
    [messages.text("pt-PT", "price", { cents: 950 }), "9,50\u00a0€"],
  ];
  for (const [written, expected] of cases) assertEquals(written, expected);
});

Deno.test("catalog: falls back to the nearest language, then to the first", () => {
  const tags = ["pt-PT", "PT-pt", "pt-PT-x-lx", "pt", "pt-BR", "en-GB", "fr", "", "<x>", "-"];
  const written = tags.map((tag) => messages.text(tag, "home"));
  const [pt, en] = ["Início", "Home"];
  assertEquals(written, [pt, pt, pt, pt, pt, en, en, en, en, en]);
  assertEquals(messages.languages, ["en", "pt-PT"]);
});

Deno.test("catalog: inserts parameters unchanged", () => {
  const written = messages.text("en", "hello", { name: "$& {place} <b>", place: "{name}" });
  assertEquals(written, "Hello $& {place} <b>, welcome to {name}");
});

Deno.test("catalog: ignores inherited object members as keys and parameters", () => {
  const loose: CatalogSource = { en: { home: "{toString}" } };
  assertThrows(() => catalog(loose).text("en", "home"), TypeError, '"toString" is missing');
  assertThrows(() => catalog(loose).text("en", "constructor"), TypeError, "no such key");
});

const refused: [name: string, source: unknown, message: string][] = [
  ["no language", {}, "has no language"],
  ["an invalid tag", { en_GB: {} }, '"en_GB" is not a language tag'],
  ["a lone brace", { en: { a: "{ x }" } }, "encloses no parameter"],
  ["a Polish form", { pl: { a: { one: "x", other: "y" } } }, 'lacks the plural form "many"'],
  ["no form for other", { en: { a: { one: "x" } } }, 'lacks the plural form "other"'],
];
for (const [name, source, message] of refused) {
  Deno.test(`catalog: boot refuses ${name}`, () => {
    const error = assertThrows(() => catalog(source as CatalogSource), TypeError);
    assertStringIncludes(error.message, "Cannot create the catalog: ");
    assertStringIncludes(error.message, message);
  });
}

Deno.test("catalog: the compiler refuses missing keys of a language", () => {
  const attempts = [
    // @ts-expect-error "pt" lacks "bye"
    () => catalog({ en: { home: "Home", bye: "Bye" }, pt: { home: "Início" } }),
    // @ts-expect-error "en" lacks "bye"
    () => catalog({ en: { home: "Home" }, pt: { home: "Início", bye: "Adeus" } }),
    // @ts-expect-error the parameter has another name
    () => catalog({ en: { hello: "Hello {name}" }, pt: { hello: "Olá {nome}" } }),
    // @ts-expect-error a parameter that "en" lacks
    () => catalog({ en: { hello: "Hello" }, pt: { hello: "Olá {name}" } }),
    // @ts-expect-error a plural lacks "other"
    () => catalog({ en: { seats: { one: "one" } } }),
    // @ts-expect-error a text and plural forms, which have a count
    () => catalog({ en: { seats: "seats" }, pt: { seats: { one: "um", other: "lugares" } } }),
    () =>
      catalog({
        en: { seats: { one: "one in {room}", other: "{count} in {room}" } },
        // @ts-expect-error plural forms without a parameter
        pt: { seats: { one: "um", other: "{count}" } },
      }),
  ];
  assertEquals(attempts.length, 7);
});

Deno.test("catalog: a key known only at run time accepts any parameters", () => {
  const name: string = ["Lis", "boa"].join("");
  const cities = catalog({ en: { city: name }, pt: { city: "Lisboa" } });
  assertEquals(cities.text("en", "city"), "Lisboa");
  const file: Readonly<Record<string, string>> = { hello: "Olá {name}" };
  const both = catalog({ en: { hello: "Hello {name}" }, pt: file });
  assertEquals(both.text("pt", "hello", { name: "Ana" }), "Olá Ana");
  const dynamic = catalog({ pt: file });
  assertEquals(dynamic.text("pt", "hello", { name: "Ana" }), "Olá Ana");
});

Deno.test("text: the compiler compares key and parameters with the messages", () => {
  const attempts = [
    // @ts-expect-error no such key
    () => messages.text("en", "nothing"),
    // @ts-expect-error a parameter is missing
    () => messages.text("en", "hello", { name: "Ana" }),
    // @ts-expect-error all parameters are missing
    () => messages.text("en", "hello"),
    // @ts-expect-error the count must be a number
    () => messages.text("en", "seats", { count: "1", room: "A" }),
  ];
  for (const attempt of attempts) assertThrows(attempt, TypeError);
  // @ts-expect-error a parameter that the message does not have
  assertEquals(messages.text("en", "home", { name: "x" }), "Home");
  // @ts-expect-error a function says what it takes
  assertEquals(messages.text("en", "price", { cents: "950" }), "€9.50");
});

Deno.test("formatOf: formats numbers and dates with options", () => {
  const options = { maximumFractionDigits: 0 };
  assertEquals(formatOf("de").number(1234.5, options), formatOf("de").number(1234.5, options));
  assertEquals(formatOf("en").number(12n), "12");
  const date = new Date("2026-03-01T23:30:00Z");
  assertEquals(formatOf("en").date(date, { dateStyle: "short" }), "3/1/26");
  assertEquals(formatOf("en").date(date, { dateStyle: "short", timeZone: "Asia/Tokyo" }), "3/2/26");
  assertThrows(() => formatOf("not a tag"), RangeError);
});

Deno.test("formatOf: a time zone that is undefined is UTC, not that of the process", () => {
  const { DateTimeFormat } = Intl;
  const zones: unknown[] = [];
  Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
    construct: (target, given) => {
      zones.push(given[1].timeZone);
      return Reflect.construct(target, given);
    },
  });
  try {
    formatOf("en-ZA").date(new Date(0), { dateStyle: "short", timeZone: undefined });
    assertEquals(zones, ["UTC"]);
  } finally {
    Intl.DateTimeFormat = DateTimeFormat;
  }
});

Deno.test("formatOf: equal options share a format, one of the last 100", () => {
  const { NumberFormat } = Intl;
  let made = 0;
  Intl.NumberFormat = new Proxy(NumberFormat, {
    construct: (target, given) => {
      made++;
      return Reflect.construct(target, given);
    },
  });
  try {
    const { number } = formatOf("nl");
    const euros = (): string => number(9.5, { style: "currency", currency: "EUR" });
    assertEquals([new Set(Array.from({ length: 50 }, euros)).size, made], [1, 1]);
    // Options may come from a request, so few formats are kept.
    for (let digits = 0; digits < 100; digits++) {
      const options = { minimumFractionDigits: digits, maximumFractionDigits: 100 };
      assertEquals(number(0.5, options).length, Math.max(3, 2 + digits));
    }
    assertEquals([euros().includes("9,50"), made], [true, 102]);
  } finally {
    Intl.NumberFormat = NumberFormat;
  }
});

const wrongParams: readonly [params: unknown, reason: string][] = [
  [{ when: new Date(NaN), count: 1 }, 'the parameter "when" is an invalid Date'],
  [{ when: new Date(0), count: 1n }, 'the parameter "count" must be a number, not a bigint'],
  [{ when: new Date(0) }, 'the parameter "count" is missing'],
  [{ count: 1 }, 'the parameter "when" is missing'],
];

for (const [params, reason] of wrongParams) {
  Deno.test(`catalog: names the message of a wrong parameter and ${reason}`, () => {
    const messages = catalog({ en: { due: { one: "on {when}", other: "{count} on {when}" } } });
    const write = messages.text.bind(messages) as (...args: unknown[]) => string;
    const text = `Cannot write the message "due" in "en": ${reason}`;
    assertThrows(() => write("en", "due", params), TypeError, text);
  });
}

const options: [Intl.NumberFormatOptions, string][] = [
  [{ minimumFractionDigits: 1 }, "1.0"],
  [{ maximumFractionDigits: 1 }, "1"],
  [{ useGrouping: true }, "1"],
  [{ minimumIntegerDigits: 2 }, "01"],
  [{ minimumIntegerDigits: Object(4) }, "0,001"],
  [{ minimumIntegerDigits: Object(5) }, "00,001"],
  [Object.create({ minimumIntegerDigits: 3 }), "001"],
  [Object.create(Object.create({ minimumFractionDigits: 2 }), {}), "1.00"],
];

Deno.test("formatOf: a date has the options that its own inherit", () => {
  const short = Object.create({ dateStyle: "short" });
  assertEquals(formatOf("en").date(new Date(0), short), "1/1/70");
});

for (const [given, written] of options) {
  Deno.test(`formatOf: distinguishes ${JSON.stringify(given)} of ${written} from other options`, () => {
    assertEquals(formatOf("en-IE").number(1, given), written);
  });
}
