/**
 * Doubles three times what a user, a visitor or a repository can make larger, and checks that the work no more
 * than doubles with it: a pass over the whole list for each item would cost four times.
 */
import { node, parse } from "../../tmpl/mod.ts";
import * as h from "../../html/mod.ts";
import { cpuMs } from "../../tests/cpu_time.ts";
import {
  App,
  createLogger,
  type Ctx,
  limit,
  list,
  Off,
  type Result,
  struct,
  text,
} from "../../mod.ts";
import { memorySessionStore, type StoredSession } from "../../auth/mod.ts";
import { Cache } from "../../cache/mod.ts";
import { catalog } from "../../runtime/i18n/mod.ts";
import { toJsonSchema } from "../../runtime/schema/mod.ts";

/** Something that grows. */
export interface Subject {
  /** What becomes more. */
  readonly name: string;
  /** Makes the input of a size; the work on it is what is measured. */
  readonly prepare: (size: number) => () => unknown;
  /** The smallest size that is measured. */
  readonly least: number;
}

/** What a subject costs by size. */
export interface Growth {
  readonly name: string;
  readonly size: number;
  /** The shortest time at each of the four sizes. */
  readonly ms: readonly number[];
  /** By how much the time grows in a doubling, on average. */
  readonly perDoubling: number;
}

/** The most by which a doubling may raise the time. */
export const most = 2.4;

const doublings = 3;
/** Shorter times do not show what rises faster than the work. */
const leastMs = 4;
/** A time is that of several runs together, since the system counts processor time in steps of a few milliseconds. */
const measuredMs = 40;
const rounds = 5;
const maxTries = 3;

const many = (size: number, item: (index: number) => string, between = ""): string =>
  Array.from({ length: size }, (_, index) => item(index)).join(between);

/** Sends one request to an application with one route. */
function request(
  handler: (c: Ctx) => Result | Promise<Result>,
  init: RequestInit & { readonly query?: string } = {},
): () => Promise<string> {
  const app = new App({
    ...quiet,
    maxBodyBytes: Infinity,
    bodyLimits: {
      maxFields: Infinity,
      maxParts: Infinity,
      maxTextBytes: Infinity,
      maxMemoryBytes: Infinity,
      maxJsonKeys: Infinity,
      maxJsonContainers: Infinity,
    },
    timeouts: { maxHeaderBytes: 1e9 },
  });
  app.route({ pattern: "/", methods: { GET: handler, POST: handler } });
  const url = `http://localhost/${init.query ?? ""}`;
  return async () => await (await app.fetch(new Request(url, init))).text();
}

const quiet = { logRequest: Off, logger: createLogger({ level: "error" }) } as const;
const proxy = {
  remoteAddr: { transport: "tcp", hostname: "127.0.0.1", port: 1 },
  completed: Promise.resolve(),
} as const;

const formType = { "content-type": "application/x-www-form-urlencoded" };
const multipartType = { "content-type": "multipart/form-data; boundary=X" };
const readAll = async (c: Ctx): Promise<Response> => {
  let fields = 0;
  (await c.formData()).forEach(() => fields++);
  return c.text(200, String(fields));
};
const Rows = struct({ rows: list(struct({ title: text("required,max=80") })) });

/** A session that is over at a time. */
const session = (at: number): StoredSession => ({
  id: `s${at}`,
  provider: "",
  subject: `${at % 100}`,
  roles: [],
  device: "",
  issuedAtMs: at,
  usedAtMs: at,
  expiresAtMs: 1e15,
  endsAtMs: 1e15,
});

/** Everything that is measured. */
export const subjects: readonly Subject[] = [
  {
    name: "fields of a form",
    least: 500,
    prepare: (size) =>
      request(readAll, {
        method: "POST",
        headers: formType,
        body: many(size, (at) => `f${at}=a`, "&"),
      }),
  },
  {
    name: "values of one field",
    least: 500,
    prepare: (size) =>
      request(readAll, { method: "POST", headers: formType, body: many(size, () => "f=a", "&") }),
  },
  {
    name: "parts of a multipart form",
    least: 200,
    prepare: (size) => {
      const part = (at: number): string =>
        `--X\r\ncontent-disposition: form-data; name="f${at}"\r\n\r\na\r\n`;
      const body = `${many(size, part)}--X--\r\n`;
      return request(readAll, { method: "POST", headers: multipartType, body });
    },
  },
  {
    name: "parameters of a query",
    least: 500,
    prepare: (size) =>
      request((c) => c.text(200, c.query("last") ?? ""), {
        query: `?${many(size, (at) => `f${at}=a&`)}last=1`,
      }),
  },
  {
    name: "cookies",
    least: 500,
    prepare: (size) =>
      request((c) => c.text(200, c.cookie("last") ?? ""), {
        headers: { cookie: `${many(size, (at) => `c${at}=a; `)}last=1` },
      }),
  },
  {
    name: "media ranges of Accept",
    least: 500,
    prepare: (size) =>
      request((c) => c.text(200, c.accepts("text/html", "text/plain") ?? ""), {
        headers: { accept: many(size, (at) => `a/b${at};q=0.5`, ",") },
      }),
  },
  {
    name: "tags of If-None-Match",
    least: 500,
    prepare: (size) =>
      request((c) => c.etag("v1") ? undefined : c.text(200, ""), {
        headers: { "if-none-match": many(size, (at) => `"t${at}"`, ",") },
      }),
  },
  {
    name: "languages of Accept-Language",
    least: 500,
    prepare: (size) =>
      request((c) => c.text(200, c.language), {
        headers: { "accept-language": many(size, (at) => `x${at % 90}-AB`, ",") },
      }),
  },
  {
    name: "staged cookies",
    least: 200,
    prepare: (size) =>
      request((c) => {
        for (let at = 0; at < size; at++) c.setCookie({ name: `c${at}`, value: "a" });
        return c.text(200, "");
      }),
  },
  {
    name: "rows of a JSON body",
    least: 200,
    prepare: (size) =>
      request(async (c) => c.json(200, (await c.bindJson(Rows)).rows.length), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ rows: Array(size).fill({ title: "a" }) }),
      }),
  },
  {
    name: "fields of a schema",
    least: 100,
    prepare: (size) => () => {
      const fields = Array.from({ length: size }, (_, at) => [`f${at}`, text("required,max=80")]);
      return toJsonSchema(struct(Object.fromEntries(fields)));
    },
  },
  {
    name: "options of a rule",
    least: 500,
    prepare: (size) => () =>
      toJsonSchema(struct({ a: text(`oneof=${many(size, (at) => `o${at}`, " ")}`) })),
  },
  {
    name: "routes",
    least: 200,
    prepare: (size) => async () => {
      const app = new App(quiet);
      for (let at = 0; at < size; at++) {
        app.route({ pattern: `/a${at}/{id}`, methods: { GET: (c) => c.text(200, c.param("id")) } });
      }
      return await (await app.fetch(new Request("http://localhost/a1/2"))).text();
    },
  },
  {
    name: "rows of a table",
    least: 1_000,
    prepare: (size) => () =>
      h.render(h.table(h.map(Array(size).fill("a"), (row) => h.tr(h.td(row), h.td(row))))),
  },
  {
    name: "classes of an element",
    least: 1_000,
    prepare: (size) => () => h.render(h.p(h.class(many(size, (at) => `c${at}`, " ")))),
  },
  {
    name: "characters that are escaped",
    least: 10_000,
    prepare: (size) => () => h.render(h.p("<&".repeat(size))),
  },
  {
    name: "actions of a template",
    least: 200,
    prepare: (size) => () => parse(many(size, () => '<p class="{{.A}}">{{.B}}</p>'), { name: "t" }),
  },
  {
    name: "rows of a template",
    least: 500,
    prepare: (size) => {
      const templates = parse('{{range .}}<a href="/{{.}}">{{.}}</a>{{end}}', { name: "t" });
      const rows = Array(size).fill("a");
      return () => node(templates, "t", rows).render();
    },
  },
  {
    name: "messages of a catalog",
    least: 500,
    prepare: (size) => () => {
      const texts = Object.fromEntries(
        Array.from({ length: size }, (_, at) => [`k${at}`, "a {name}"]),
      );
      return catalog({ en: texts, de: texts });
    },
  },
  {
    name: "entries of a cache",
    least: 500,
    prepare: (size) => async () => {
      const cache = new Cache({ name: "growth", maxEntries: size });
      for (let at = 0; at < size; at++) {
        await cache.do({ name: `n${at}`, ttlMs: 60_000, tags: ["all", `t${at}`] }, () => at);
      }
      await cache.invalidate("all");
    },
  },
  {
    name: "sessions in memory",
    least: 200,
    prepare: (size) => () => {
      const store = memorySessionStore();
      for (let at = 0; at < size; at++) store.create(session(at));
      for (let at = 0; at < size; at++) store.read(`s${at}`);
    },
  },
  {
    name: "sessions beyond the bound",
    least: 200,
    prepare: (size) => () => {
      const store = memorySessionStore({ maxSessions: size });
      for (let at = 0; at < size * 4; at++) store.create(session(at));
    },
  },
  {
    name: "series of a metric",
    least: 500,
    prepare: (size) => () => {
      const { metrics } = new App({ ...quiet, observability: { maxSeries: size } });
      const counter = metrics.counter("growth", "Counts.", "name");
      for (let at = 0; at < size * 2; at++) counter.with(`n${at}`).inc();
    },
  },
  {
    name: "clients of a rate limit",
    least: 500,
    prepare: (size) => async () => {
      const app = new App({ ...quiet, trustedProxies: ["127.0.0.1"] });
      app.route({
        pattern: "/",
        middleware: [{ Middleware: limit(1, 1) }],
        methods: { GET: (c) => c.text(200, "") },
      });
      for (let at = 0; at < size; at++) {
        const headers = { "x-forwarded-for": `10.${at >> 16}.${at >> 8 & 255}.${at & 255}` };
        await app.fetch(new Request("http://localhost/", { headers }), proxy);
      }
    },
  },
  {
    name: "events of a stream",
    least: 200,
    prepare: (size) =>
      request((c) =>
        c.stream(async (stream) => {
          for (let at = 0; at < size; at++) await stream.send("", `${at}`);
        })
      ),
  },
];

/** Returns the processor time of one run in milliseconds. */
async function time(run: () => unknown, minMs: number): Promise<number> {
  const startMs = cpuMs();
  let passedMs = 0;
  let runs = 0;
  do {
    await run();
    runs++;
    passedMs = cpuMs() - startMs;
  } while (passedMs < minMs);
  return passedMs / runs;
}

/** Measures a subject at four sizes; a result that is too high may be the collector's, and is measured again. */
export async function measure(subject: Subject): Promise<Growth> {
  let growth = await measureOnce(subject);
  for (let tries = 1; growth.perDoubling > most && tries < maxTries; tries++) {
    const again = await measureOnce(subject);
    if (again.perDoubling < growth.perDoubling) growth = again;
  }
  return growth;
}

/** Measures one round after another, since what runs beside it slows whole rounds. */
async function measureOnce({ name, prepare, least }: Subject): Promise<Growth> {
  let size = least;
  while (size < least * 256 && await time(prepare(size), measuredMs) < leastMs) size *= 2;
  const runs = Array.from({ length: doublings + 1 }, (_, at) => prepare(size * 2 ** at));
  const ms: number[] = runs.map(() => Infinity);
  for (let round = 0; round < rounds; round++) {
    for (const [at, run] of runs.entries()) {
      ms[at] = Math.min(ms[at] ?? Infinity, await time(run, measuredMs));
    }
  }
  const perDoubling = ((ms[doublings] ?? NaN) / (ms[0] ?? NaN)) ** (1 / doublings);
  return { name, size, ms, perDoubling };
}

/** Measures everything; returns a table with each subject's growth. */
export async function run(): Promise<string> {
  const rows: string[] = [];
  for (const subject of subjects) {
    const { name, size, ms, perDoubling } = await measure(subject);
    const times = ms.map((value) => value.toFixed(1)).join(" | ");
    rows.push(`| ${name} | ${size} | ${times} | ${perDoubling.toFixed(2)} |`);
    if (perDoubling > most) throw new Error(`${name} grow ${perDoubling.toFixed(2)} × a doubling`);
  }
  const head = "| What grows | Size | ms | at 2 × | at 4 × | at 8 × | A doubling |";
  return `## growth\n\nAt most ${most} × a doubling.\n\n${head}\n| - | -: | -: | -: | -: | -: | -: |\n${
    rows.join("\n")
  }`;
}

if (import.meta.main) console.log(await run());
