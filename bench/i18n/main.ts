/**
 * Languages bench: the time of a page of an application with two languages relative to the same
 * page without languages.
 *
 * `deno run -A bench/i18n/main.ts`
 *
 * @module
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { App } from "../../mod.ts";
import { runHttp } from "./http.ts";
import { type Contender, measureInTurn } from "./measure.ts";
import { runMessages } from "./messages.ts";
import { accept, fixed, languages, newApp, pages, spoken } from "./pages.ts";

const rounds = 601;

/** A compared application and its request. */
interface Speaker {
  readonly name: string;
  readonly app: App;
  readonly request: (page: number) => Request;
}

const plain: Speaker = {
  name: "no languages",
  app: newApp({}, fixed),
  request: (page) => newRequest(`/${page}`, { "accept-language": accept }),
};

const speakers: readonly Speaker[] = [
  plain,
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

/** Does the minimum work for languages: reads two headers and writes one. */
function readAndWrite(request: Request, response: Response): void {
  request.headers.get("cookie");
  request.headers.get("accept-language");
  response.headers.append("content-language", "pt-PT");
}

const scope = new AsyncLocalStorage<object>();

/** Returns contenders for the platform's own cost, on the page without languages. */
function floors(page: number): Contender[] {
  const { app, request: requestOf } = plain;
  const prepare = (around: (run: () => Promise<Response>) => Promise<Response>) => () => {
    const request = requestOf(page);
    const headed = new Response("", { headers: { "content-type": "text/html" } });
    return () => {
      readAndWrite(request, headed);
      return around(() => Promise.resolve(app.fetch(request)));
    };
  };
  return [
    { name: "floor: two headers read, one written", prepare: prepare((run) => run()) },
    {
      name: "floor: the same inside an async context",
      prepare: prepare((run) => scope.run({}, run)),
    },
  ];
}

/**
 * Runs the bench.
 *
 * @returns A Markdown section with the ratios.
 */
export async function run(): Promise<string> {
  const columns: ReadonlyMap<string, number>[] = [];
  for (const page of Object.values(pages)) columns.push(await measure(page));
  const [first = new Map<string, number>()] = columns;
  const table = [...first.keys()].map((
    name,
  ) => [name, ...columns.map((column) => (column.get(name) ?? Number.NaN).toFixed(3))]);
  return [
    "## i18n",
    "",
    "A page against the same page of an application without languages (1.000): the fastest tenth of " +
    `${rounds} rounds, taken in turn, in one process, without a server.`,
    "",
    ...markdown(["languages", ...Object.keys(pages)], table),
    "",
    await runMessages(),
    "",
    await runDemo(),
    "",
    await runHttp(),
  ].join("\n");
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
}

async function measure(page: number): Promise<ReadonlyMap<string, number>> {
  const contenders = speakers.map(({ name, app, request }): Contender => ({
    name,
    prepare: () => {
      const one = request(page);
      return () => app.fetch(one);
    },
  }));
  const calls = Math.max(2, Math.ceil(100 / page));
  const times = await measureInTurn([...contenders, ...floors(page)], { rounds, calls });
  const base = times.get(plain.name) ?? Number.NaN;
  return new Map([...times].map(([name, time]) => [name, time / base]));
}

/** Measures the example's pages, in a separate process with the example's import map. */
async function runDemo(): Promise<string> {
  const path = (name: string): string => new URL(name, import.meta.url).pathname;
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      "--config",
      path("../../examples/events/deno.json"),
      path("./demo.ts"),
    ],
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`The pages of the example failed:\n${decoder.decode(stderr)}`);
  return decoder.decode(stdout).trim();
}

if (import.meta.main) console.log(await run());
