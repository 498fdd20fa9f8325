/**
 * Compares the example's pages in two languages with the same pages in one language.
 *
 * `deno run -A --config examples/events/deno.json bench/i18n/demo.ts`
 *
 * @module
 */
import { type App, createLogger } from "@fw/fw";
import { newApp } from "../../examples/events/fw_gen.ts";
import { type Contender, measureInTurn } from "./measure.ts";

const rounds = 301;
const calls = 3;
const list = "/events";
const accepted = { en: "en-US,en;q=0.9", "pt-PT": "pt-PT,pt;q=0.9,en;q=0.8" };

/** Starts the example with the given languages and with sample data in memory. */
async function start(languages: string[], folder: string): Promise<App> {
  Deno.env.set("EVENTS_DB", ":memory:");
  Deno.env.set("EVENTS_DATA", folder);
  Deno.env.set("EVENTS_NOW", "2026-05-14T10:00");
  Deno.env.set("EVENTS_PASSWORD", "correct horse battery");
  const app = await newApp({ logger: createLogger({ write: () => {} }) });
  app.config.languages = languages;
  app.config.languagePrefix = languages.length > 0;
  return app;
}

interface Asked {
  readonly name: string;
  readonly app: App;
  readonly language: keyof typeof accepted;
  /** The row with which it is compared. @default "Portuguese alone" */
  readonly base?: string;
  /** The language prefix of the path. @default "" */
  readonly prefix?: string;
}

function contender({ name, app, language, prefix = "" }: Asked, page: string): Contender {
  const headers = { "accept-language": accepted[language] };
  const prepare: Contender["prepare"] = () => {
    const request = new Request(`http://127.0.0.1${prefix}${page}`, { headers });
    return () => app.fetch(request);
  };
  return { name, prepare };
}

/** Finds the path of the first event in the list. */
async function findEvent(app: App): Promise<string> {
  const response = await app.fetch(new Request(`http://127.0.0.1${list}`));
  const [, path] = /href="(\/events\/[a-z0-9-]+)"/.exec(await response.text()) ?? [];
  if (path === undefined) throw new Error("the list shows no event");
  return path;
}

async function run(folder: string): Promise<string> {
  const plain = await start([], folder);
  const portuguese = await start(["pt-PT"], folder);
  const english = await start(["en"], folder);
  const both = await start(["en", "pt-PT"], folder);
  const bases: readonly Asked[] = [
    { name: "English, no languages", app: plain, language: "en" },
    { name: "Portuguese alone", app: portuguese, language: "pt-PT" },
    { name: "English alone", app: english, language: "en" },
  ];
  const asked: readonly Asked[] = [
    {
      name: "English, by Accept-Language",
      app: both,
      language: "en",
      base: "English, no languages",
    },
    // Shows the cost of only the second language: its links in the switch and the head.
    { name: "English, against English alone", app: both, language: "en", base: "English alone" },
    { name: "Portuguese, by Accept-Language", app: both, language: "pt-PT" },
    { name: "Portuguese, in the path", app: both, language: "pt-PT", prefix: "/pt-PT" },
  ];
  const columns: string[][] = [];
  const pages = { list, detail: await findEvent(plain) };
  for (const page of Object.values(pages)) {
    const contenders = [...bases, ...asked].map((each) => contender(each, page));
    for (const { name, prepare } of contenders) {
      const response = await prepare()();
      await response.body?.cancel();
      if (response.status !== 200) throw new Error(`${name}: ${page} is a ${response.status}`);
    }
    const times = await measureInTurn(contenders, { rounds, calls });
    columns.push(
      asked.map(({ name, base = "Portuguese alone" }) =>
        ((times.get(name) ?? Number.NaN) / (times.get(base) ?? Number.NaN)).toFixed(3)
      ),
    );
  }
  for (const app of [plain, portuguese, english, both]) await app.shutdown();
  const rows = asked.map(({ name }, at) => [name, ...columns.map((column) => column[at] ?? "")]);
  const head = ["pages of the example", ...Object.keys(pages)];
  return [
    "English against the example without languages, Portuguese against the example with that language alone:",
    "",
    ...[head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`),
  ].join("\n");
}

const folder = await Deno.makeTempDir();
try {
  console.log(await run(folder));
} finally {
  await Deno.remove(folder, { recursive: true });
}
