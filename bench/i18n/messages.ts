/**
 * Measures the cost of a message, and of the links to a page in other languages.
 *
 * `deno run -A bench/i18n/messages.ts`
 *
 * @module
 */
import { App, type Ctx } from "../../mod.ts";
import * as h from "../../html/mod.ts";
import { alternateLinks, catalog } from "../../runtime/i18n/mod.ts";
import { languages } from "./pages.ts";

const rounds = 1_500;

const price = ({ cents }: { cents: number }, { number }: Format): string =>
  number(cents / 100, { style: "currency", currency: "EUR" });

interface Format {
  number(value: number, options: Intl.NumberFormatOptions): string;
}

const messages = catalog({
  en: {
    title: "What is on",
    hello: "Hello {name}",
    seats: { one: "one seat left", other: "{count} seats left" },
    price,
  },
  "pt-PT": {
    title: "Em cena",
    hello: "Olá {name}",
    seats: { one: "resta um lugar", other: "restam {count} lugares" },
    price,
  },
});

/** A measured call and its number per round, because a context caches some results per request. */
interface Case {
  readonly name: string;
  readonly calls: number;
  readonly run: (c: Ctx) => void;
}

const cases: readonly Case[] = [
  { name: "a text", calls: 1_000, run: (c) => c.t(messages, "title") },
  {
    name: "a text with a parameter",
    calls: 1_000,
    run: (c) => c.t(messages, "hello", { name: "Ana" }),
  },
  { name: "plural forms", calls: 1_000, run: (c) => c.t(messages, "seats", { count: 7 }) },
  {
    name: "a price, options written anew",
    calls: 20,
    run: (c) => c.t(messages, "price", { cents: 950 }),
  },
  {
    name: "links to both languages and a switch",
    calls: 1,
    run: (c) => (alternateLinks(c), c.alternates()),
  },
];

/**
 * Runs the bench.
 *
 * @returns A Markdown table with nanoseconds.
 */
export async function runMessages(): Promise<string> {
  const rows: string[] = [];
  for (const each of cases) rows.push(`| ${each.name} | ${Math.round(await measure(each))} |`);
  return [
    `One call in nanoseconds, below which a twentieth of ${rounds} rounds stays.`,
    "",
    "| message | ns |",
    "| --- | --- |",
    ...rows,
  ].join("\n");
}

async function measure({ calls, run }: Case): Promise<number> {
  const times: number[] = [];
  const app = new App({ languages, languagePrefix: true, logRequest: () => false });
  app.route({
    pattern: "/events/{slug}",
    page: (c) => {
      const start = performance.now();
      for (let call = 0; call < calls; call++) run(c);
      times.push((performance.now() - start) / calls * 1e6);
      return h.p("measured");
    },
  });
  for (let round = 0; round < rounds; round++) {
    const headers = { "accept-language": "pt-PT,pt;q=0.9,en;q=0.8" };
    await app.fetch(new Request("http://127.0.0.1/events/fado?page=2", { headers }));
  }
  return times.sort((one, other) => one - other)[Math.floor(rounds / 20)] ?? Number.NaN;
}

if (import.meta.main) console.log(await runMessages());
