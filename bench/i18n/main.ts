/**
 * Languages bench: a page of an application that speaks two languages against the same page of one that
 * lists none, as ratios of time.
 *
 * `deno run -A bench/i18n/main.ts`
 *
 * @module
 */
import * as h from "../../html/mod.ts";
import { App, type Ctx, type Settings } from "../../mod.ts";
import { catalog } from "../../runtime/i18n/mod.ts";
import * as ui from "../../ui/mod.ts";

const rounds = 151;
const warmRounds = 8;

const messages = catalog({
  en: { title: "What is on", seats: { one: "one seat left", other: "{count} seats left" } },
  "pt-PT": { title: "Em cena", seats: { one: "resta um lugar", other: "restam {count} lugares" } },
});

/** What both applications write; the first has its texts in the code. */
interface Words {
  title(c: Ctx): string;
  seats(c: Ctx, count: number): string;
}

const fixed: Words = {
  title: () => "What is on",
  seats: (_c, count) => count === 1 ? "one seat left" : `${count} seats left`,
};

const spoken: Words = {
  title: (c) => c.t(messages, "title"),
  seats: (c, count) => c.t(messages, "seats", { count }),
};

/** Pages by how many rows they list: about 2, 12 and 60 KB. */
const pages = { "2 KB": 5, "12 KB": 40, "60 KB": 210 };

/** A page as sites have it: a layout, the kit's navigation, a list. */
function newApp(settings: Settings, words: Words): App {
  const app = new App({ logRequest: () => false, ...settings });
  for (const count of Object.values(pages)) {
    const rows = Array.from({ length: count }, (_, index) => index + 1);
    app.route({
      pattern: `/${count}`,
      layouts: [(c, children) =>
        h.html(
          h.lang(c.language),
          h.head(h.meta(h.charset("utf-8")), h.title(words.title(c)), ui.head(c)),
          h.body(
            ui.nav(ui.navLink(c.base + "/", "Home"), ui.navLink(c.base + "/events", "Events")),
            h.main(children),
          ),
        )],
      page: (c) =>
        h.fragment(
          h.h1(words.title(c)),
          h.ul(rows.map((row) =>
            h.li(
              h.class("card"),
              h.a(h.href(`/events/talk-${row}`), `A short talk about the number ${row}`),
              h.p(h.class("meta"), "Thursday at half past seven, in the great hall of the library"),
              h.p(words.seats(c, 7)),
            )
          )),
        ),
    });
  }
  return app;
}

const languages = ["en", "pt-PT"];
const accept = "pt-PT,pt;q=0.9,en-US;q=0.8,en;q=0.7";

/** The applications that are compared, with the request that each gets. */
const contenders: readonly {
  readonly name: string;
  readonly app: App;
  readonly request: (page: number) => Request;
}[] = [
  {
    name: "no languages",
    app: newApp({}, fixed),
    request: (page) => newRequest(`/${page}`, { "accept-language": accept }),
  },
  {
    name: "languages, texts in the code",
    app: newApp({ languages }, fixed),
    request: (page) => newRequest(`/${page}`, { "accept-language": accept }),
  },
  {
    name: "first language, from a catalog",
    app: newApp({ languages }, spoken),
    request: (page) => newRequest(`/${page}`, { "accept-language": "en-US,en;q=0.9" }),
  },
  {
    name: "in the path, from a catalog",
    app: newApp({ languages, languagePrefix: true }, spoken),
    request: (page) => newRequest(`/pt-PT/${page}`, { "accept-language": accept }),
  },
  {
    name: "by the cookie, from a catalog",
    app: newApp({ languages }, spoken),
    request: (page) =>
      newRequest(`/${page}`, { "accept-language": accept, cookie: "fw_lang=pt-PT" }),
  },
  {
    name: "by Accept-Language, from a catalog",
    app: newApp({ languages }, spoken),
    request: (page) => newRequest(`/${page}`, { "accept-language": accept }),
  },
];

function newRequest(path: string, headers: Record<string, string>): Request {
  return new Request(`http://127.0.0.1${path}`, { headers: { ...headers, "user-agent": "bench" } });
}

/**
 * Runs the bench.
 *
 * @returns A Markdown section with the ratios.
 */
export async function run(): Promise<string> {
  const head = ["languages", ...Object.keys(pages)];
  const columns: Map<string, number>[] = [];
  for (const page of Object.values(pages)) columns.push(await measure(page));
  const rows = contenders.map((
    { name },
  ) => [name, ...columns.map((column) => (column.get(name) ?? Number.NaN).toFixed(3))]);
  const table = [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
  return [
    "## i18n",
    "",
    `A page against the same page of an application without languages (1.000): the fastest tenth of ${rounds} rounds, taken in turn, in one process.`,
    "",
    ...table,
  ].join("\n");
}

/** Measures one page in turn: what a round takes when nothing else runs is near its fastest rounds. */
async function measure(page: number): Promise<Map<string, number>> {
  const calls = Math.ceil(600 / page);
  const taken = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = -warmRounds; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const at = contenders[(turn + round + warmRounds) % contenders.length];
      if (at === undefined) continue;
      const time = await timeMs(at, { page, calls });
      if (round >= 0) taken.get(at.name)?.push(time);
    }
  }
  const base = lowTenth(taken.get("no languages") ?? []);
  return new Map([...taken].map(([name, times]) => [name, lowTenth(times) / base]));
}

async function timeMs(
  { app, request }: (typeof contenders)[number],
  { page, calls }: { readonly page: number; readonly calls: number },
): Promise<number> {
  const requests = Array.from({ length: calls }, () => request(page));
  const answers: (Response | Promise<Response>)[] = [];
  const start = performance.now();
  for (const one of requests) answers.push(app.fetch(one));
  await Promise.all(answers);
  const time = performance.now() - start;
  for (const answer of answers) await (await answer).body?.cancel();
  return time;
}

/** The time below which a tenth of the rounds stay. */
function lowTenth(times: readonly number[]): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 10)] ?? Number.NaN;
}

if (import.meta.main) console.log(await run());
