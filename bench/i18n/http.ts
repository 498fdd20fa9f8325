/**
 * Measures the cost of languages for a server: processor time of a request over HTTP, as in `bench/http`.
 *
 * `deno run -A bench/i18n/http.ts [rounds]`
 */
import { fromFileUrl } from "@std/path";
import {
  measureRound,
  type ServerProcess,
  type ServerSpec,
  startServer,
} from "../http/server_process.ts";
import { median } from "../median.ts";
import { accept, pages } from "./pages.ts";

const root = fromFileUrl(new URL("../../", import.meta.url));
const file = fromFileUrl(new URL("server.ts", import.meta.url));

/** Headers of a browser that are not compared. */
const browser = { "accept-language": accept, "sec-fetch-mode": "navigate" };

/** Number of warm-up requests: a server is not fully optimised after a few thousand. */
const warmUp = 15_000;

/** A server and its requests. */
interface Row {
  readonly name: string;
  /** The languages with which the server starts. */
  readonly languages: "none" | "listed" | "prefix";
  readonly headers: Readonly<Record<string, string>>;
  /** The prefix of the path. @default "" */
  readonly prefix?: string;
}

const first: Row = { name: "no languages", languages: "none", headers: browser };

const rows: readonly Row[] = [
  first,
  {
    name: "first language, from a catalog",
    languages: "listed",
    headers: { ...browser, "accept-language": "en-US,en;q=0.9" },
  },
  { name: "by Accept-Language, from a catalog", languages: "listed", headers: browser },
  {
    name: "by the cookie, from a catalog",
    languages: "listed",
    headers: { ...browser, cookie: "fw_lang=pt-PT" },
  },
  {
    name: "in the path, from a catalog",
    languages: "prefix",
    headers: browser,
    prefix: "/pt-PT",
  },
];

/** Processor time by server in one round, in nanoseconds per request. */
type Costs = ReadonlyMap<string, number>;

/** Runs the bench; returns a table with the ratios to the page without languages. */
export async function runHttp(rounds = 25): Promise<string> {
  const columns: ReadonlyMap<string, number>[] = [];
  for (const count of Object.values(pages)) columns.push(await measurePage(count, rounds));
  const head = ["over HTTP", ...Object.keys(pages)];
  const table = rows.map(({ name }) => [
    name,
    ...columns.map((column) => (column.get(name) ?? NaN).toFixed(3)),
  ]);
  return [
    "The same pages over HTTP, which is what users pay: processor time of a request, medians of " +
    `${rounds} interleaved rounds over 32 connections, compared round by round.`,
    "",
    ...[head, head.map(() => "---"), ...table].map((cells) => `| ${cells.join(" | ")} |`),
  ].join("\n");
}

async function measurePage(count: number, rounds: number): Promise<ReadonlyMap<string, number>> {
  // A round of longer pages needs fewer requests.
  const requests = Math.max(300, Math.ceil(8_000 / count));
  const started: (readonly [Row, ServerProcess])[] = [];
  const results: Costs[] = [];
  const pathOf = ({ prefix = "" }: Row): string => `${prefix}/${count}`;
  const measure = async (share: number, turn: number): Promise<Costs> => {
    const costs = new Map<string, number>();
    // The order rotates, because the machine's state differs between the first and last server.
    for (const [row, server] of [...started.slice(turn), ...started.slice(0, turn)]) {
      const load = { path: pathOf(row), requests: share, connections: 32 };
      for (const [name, cost] of await measureRound([server], load)) costs.set(name, cost);
    }
    return costs;
  };
  try {
    for (const row of rows) {
      started.push([row, await startServer(specOf(row), { path: pathOf(row) })]);
    }
    await measure(warmUp, 0);
    for (let round = 0; round < rounds; round++) {
      results.push(await measure(requests, round % started.length));
    }
  } finally {
    for (const [, server] of started) await server.stop();
  }
  return new Map(rows.map(({ name }) => {
    const ratios = results.map((costs) =>
      (costs.get(name) ?? NaN) / (costs.get(first.name) ?? NaN)
    );
    return [name, median(ratios)];
  }));
}

function specOf({ name, languages, headers }: Row): ServerSpec {
  return {
    name,
    headers,
    command: Deno.execPath(),
    args: ["run", "-A", "--no-lock", "--no-check", file],
    cwd: root,
    env: { BENCH_LANGUAGES: languages },
  };
}

if (import.meta.main) console.log(await runHttp(Number(Deno.args[0] ?? 25)));
