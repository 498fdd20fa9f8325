import { assert, assertLess, assertLessOrEqual } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { newFolder } from "../new_folder.ts";
import { measureSlowness } from "../slowness.ts";
import { startWatched } from "../watched_process.ts";

/** The allowed cost of a request: 25 ms for each MiB sent, 10 ms without a body. */
const msPerMebibyte = 25;
const msWithoutBody = 10;
const mebibyte = 1_048_576;

/** A request that is expensive to serve, within every limit. */
interface Costly {
  readonly name: string;
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: () => BodyInit;
}

/** Repeats a text up to a length without cutting it. */
function fill(text: string, length: number): string {
  return text.repeat(Math.floor(length / text.length));
}

// Together with the other lines of the head it is within the limit of the platform's listener.
const headBytes = 60_000;
// The longest path that does not get 414.
const urlBytes = 15_000;
const bodyBytes = mebibyte - 1_024;

const json = (name: string, text: () => string): Costly => ({
  name: `JSON: ${name}`,
  path: "/json",
  headers: { "content-type": "application/json" },
  body: text,
});
const form = (name: string, text: () => string, path = "/form"): Costly => ({
  name: `form: ${name}`,
  path,
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: text,
});
const part = (disposition: string, content: string): string =>
  `--X\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
const multipart = (name: string, text: () => string, path = "/form"): Costly => ({
  name: `multipart: ${name}`,
  path,
  headers: { "content-type": "multipart/form-data; boundary=X" },
  body: text,
});
const get = (
  name: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Costly => ({ name, path, headers });
const many = (count: number, entry: (index: number) => string, between = ""): string =>
  Array.from({ length: count }, (_, index) => entry(index)).join(between);

const costly: readonly Costly[] = [
  json("escapes in a text", () => `{"text":"${fill("\\u00e9", bodyBytes - 20)}"}`),
  json("a text of two-byte characters", () => `{"text":"${"é".repeat(bodyBytes / 2 - 20)}"}`),
  json("an address of many @", () => `{"text":"aa","email":"${fill("a@", bodyBytes - 60)}a"}`),
  json("an address of many dots", () => `{"text":"aa","email":"a@${fill("a.", bodyBytes - 60)}a"}`),
  json("a long URL", () => `{"text":"aa","url":"https://a/${fill("%41/../", bodyBytes - 60)}"}`),
  json("a number of many digits", () => `{"text":"aa","float":${"9".repeat(bodyBytes - 60)}}`),
  json("an integer in a text", () => `{"text":"aa","int":"${"9".repeat(bodyBytes - 60)}"}`),
  json(
    "a date of a long text",
    () => `{"text":"aa","date":"2026-01-01T${"0".repeat(bodyBytes - 60)}"}`,
  ),
  json("a list of texts", () => `{"text":"aa","list":["a"${fill(',"a"', bodyBytes - 60)}]}`),
  json("items that all fail", () => `{"text":"aa","items":[1${fill(",1", bodyBytes - 60)}]}`),
  json("items that are objects", () => `{"text":"aa","items":[{}${fill(",{}", 27_000)}]}`),
  json(
    "arrays in arrays",
    () => `{"text":[0${fill(`,${"[".repeat(60)}${"]".repeat(60)}`, bodyBytes - 200)}]}`,
  ),
  json(
    "arrays, as many as may be",
    () =>
      `{"text":[0${fill(`,${"[".repeat(60)}${"]".repeat(60)}`, 201_000)}${
        " ".repeat(bodyBytes - 201_000 - 60)
      }]}`,
  ),
  json("many keys", () => `{${many(9_999, (index) => `"k${index}":1`, ",")}}`),
  json(
    "many keys after those of the schema",
    () => `{"text":"aa",${many(9_998, (index) => `"k${index}":1`, ",")}}`,
  ),
  json("one key again and again", () => `{"text":"a"${fill(',"text":"b"', 90_000)}}`),
  json("many numbers", () => `{"text":[0${fill(",1e9", bodyBytes - 60)}]}`),
  json("spaces", () => `{"text":"aa"${" ".repeat(bodyBytes - 60)}}`),
  json("wrong at the end", () => `{"text":"${"a".repeat(bodyBytes - 60)}"`),
  json("wrong after many brackets", () => "[".repeat(bodyBytes)),
  form("1,000 fields", () => many(1_000, (index) => `f${index}=${"a".repeat(900)}`, "&")),
  form("escapes", () => `text=${fill("%41", bodyBytes - 60)}`),
  form("bytes that are not UTF-8", () => `text=${fill("%ff", bodyBytes - 60)}`),
  form("plus signs between letters", () => `text=${fill("a+", bodyBytes - 60)}`),
  form("plus signs and escapes", () => `text=${fill("%41+", bodyBytes - 60)}`),
  form("plus signs", () => `text=${"+".repeat(bodyBytes - 60)}`),
  form("separators alone", () => "&".repeat(bodyBytes)),
  form(
    "nested names",
    () => many(1_000, (index) => `items${fill(`[${index % 10}]`, 90)}[name]=a`, "&"),
  ),
  form("items far apart", () => many(1_000, (index) => `items[${index}].tags=a`, "&")),
  form("a page without its token", () => fill("a=b&", bodyBytes), "/page"),
  multipart(
    "1,000 parts",
    () => many(999, (index) => part(`name="f${index}"`, "a".repeat(900))) + "--X--\r\n",
  ),
  multipart(
    "almost boundaries",
    () => part('name="text"', fill("\r\n--", bodyBytes - 200)) + "--X--\r\n",
  ),
  multipart(
    "almost boundaries in a file",
    () => part('name="f"; filename="a"', fill("\r\n-", bodyBytes - 200)) + "--X--\r\n",
    "/file",
  ),
  multipart(
    "100 files",
    () =>
      many(
        100,
        (index) => part(`name="f${index}"; filename="${"a".repeat(200)}"`, "a".repeat(9_000)),
      ) +
      "--X--\r\n",
    "/file",
  ),
  multipart(
    "headers of parts",
    () =>
      many(
        120,
        (index) =>
          `--X\r\nContent-Disposition: form-data; name="f${index}"\r\n${
            many(14, (at) => `X-${at}: ${"a".repeat(500)}\r\n`)
          }\r\na\r\n`,
      ) + "--X--\r\n",
  ),
  multipart("without an end", () => part('name="text"', "a".repeat(bodyBytes - 200))),
  multipart(
    "quotes in a name",
    () => many(999, () => part(`name="${fill('\\"', 500)}"`, "a")) + "--X--\r\n",
  ),
  { name: "a body that is read raw", path: "/raw", body: () => "é".repeat(bodyBytes / 2) },
  { name: "a body that is not read", path: "/unread", body: () => "a".repeat(bodyBytes) },
  { name: "a body without a route", path: "/none", body: () => "a".repeat(bodyBytes) },
  get("query: many pairs", `/one?${fill("a=b&", urlBytes)}`),
  get("query: escapes", `/one?a=${fill("%41", urlBytes)}`),
  get("query: bound to a schema", `/query?${many(990, (index) => `list=${index}`, "&")}`),
  get("query: nested names", `/query?${many(900, (index) => `items[${index}].tags=a`, "&")}`),
  get("cookies: many", "/cookies", { cookie: fill("a=b; ", headBytes) }),
  get("cookies: one name", "/cookies", { cookie: fill("signed=a.b; ", headBytes) }),
  get("cookies: a long one", "/cookies", { cookie: `signed=${"a".repeat(headBytes)}` }),
  get("cookies: flashes", "/flash", { cookie: fill("fw_flash=a.b; ", headBytes) }),
  get("cookies: a page with a form", "/page", { cookie: fill("fw_csrf=a.b; ", headBytes) }),
  get("Accept", "/accept", { accept: fill("text/html;q=0.5, ", headBytes) }),
  get("Accept: parameters", "/none", { accept: `a/b${fill(';a="\\""', headBytes)}` }),
  get("Accept-Encoding of a file", "/big.css", { "accept-encoding": fill("a;q=0.1, ", headBytes) }),
  get("Accept-Encoding of a page", "/page", { "accept-encoding": fill("a;q=0.1, ", headBytes) }),
  get("a large file, compressed", "/big.css", { "accept-encoding": "br" }),
  get("ranges", "/big.css", { range: `bytes=${fill("0-0,", headBytes)}1-1` }),
  get("a range of many digits", "/big.css", { range: `bytes=${"9".repeat(headBytes)}-` }),
  get("If-None-Match of a file", "/big.css", { "if-none-match": fill('"a", ', headBytes) }),
  get("If-None-Match of a page", "/tag", { "if-none-match": fill('W/"a", ', headBytes) }),
  get("If-Modified-Since", "/big.css", { "if-modified-since": "1 ".repeat(headBytes / 2) }),
  get("an index in a mount", `/mount${fill("/a", 4_000)}`),
  get("a path of many segments", `/rest${fill("/a", urlBytes)}`),
  get("a path of escapes", `/rest/${fill("%c3%a9", urlBytes)}`),
  get("a path of slashes", `/rest${"/".repeat(urlBytes)}`),
  get("a path without a route", `/${fill("a/", urlBytes)}`),
  get("20 parameters", `/p/${many(20, () => "%41".repeat(240), "/")}`),
  get("20 parameters but one", `/p/${many(19, () => "a".repeat(700), "/")}`),
  get("a fragment", "/page", { "fw-fragment": fill("a ", headBytes) }),
  get("a cached value", `/cached?k=${"k".repeat(urlBytes)}`),
  get("a limit", "/limited", { "x-forwarded-for": fill("1.2.3.4, ", headBytes) }),
  get("a trace", "/page", { traceparent: fill("00-", 2_000), tracestate: fill("a=b,", headBytes) }),
  get("an id of the request", "/none", { "x-request-id": "a".repeat(headBytes) }),
  get(
    "120 headers",
    "/page",
    Object.fromEntries(Array.from({ length: 110 }, (_, index) => [`x-${index}`, "a".repeat(400)])),
  ),
];

async function withServer(run: (origin: string) => Promise<void>): Promise<void> {
  await using folder = await newFolder();
  await Deno.writeTextFile(`${folder.path}/big.css`, "a { color: red }\n".repeat(50_000));
  const script = fromFileUrl(new URL("costs_server.ts", import.meta.url));
  const args = ["run", "--quiet", "--no-check", "-A", script, folder.path];
  await using server = startWatched(Deno.execPath(), { args, env: {} });
  await run(await server.url());
}

async function cpuMs(origin: string): Promise<number> {
  const { user, system } = await (await fetch(`${origin}/cpu`)).json();
  return (user + system) / 1_000;
}

async function send(origin: string, request: Costly, body: BodyInit | undefined): Promise<number> {
  const { path, headers = {}, method = body === undefined ? "GET" : "POST" } = request;
  const response = await fetch(origin + path, {
    method,
    headers: { ...headers },
    redirect: "manual",
    ...(body === undefined ? {} : { body }),
  });
  await response.body?.cancel();
  return response.status;
}

const slownessAtStart = measureSlowness();

/** Other processes on the same cores slow a test down in a way that no reference shows. */
const noise = 1.5;

/** The processor time of one request and its limit on this machine, from the best round. */
async function measure(
  origin: string,
  request: Costly,
): Promise<{ readonly ms: number; readonly maxMs: number; readonly status: number }> {
  const body = request.body?.();
  const size = typeof body === "string" ? new TextEncoder().encode(body).length : 0;
  const allowedMs = Math.max(msWithoutBody, msPerMebibyte * size / mebibyte);
  const count = body === undefined ? 5 : 2;
  let status = await send(origin, request, body);
  let best = { ms: Infinity, maxMs: allowedMs };
  let slowness = slownessAtStart;
  // One round within the limit is enough; the others allow for other processes, which may slow this
  // machine down more than at the start.
  for (let round = 0; round < 16 && best.ms > best.maxMs * (round < 3 ? 0.5 : 1); round++) {
    if (round >= 3) slowness = measureSlowness();
    const before = await cpuMs(origin);
    for (let sent = 0; sent < count; sent++) status = await send(origin, request, body);
    const ms = (await cpuMs(origin) - before) / count;
    const maxMs = slowness * noise * allowedMs;
    if (ms / maxMs < best.ms / best.maxMs) best = { ms, maxMs };
  }
  return { ...best, status };
}

Deno.test("costs: no request takes more processor time than its size allows", async (t) => {
  assert(costly.length >= 40);
  await withServer(async (origin) => {
    for (const request of costly) {
      await t.step(request.name, async () => {
        const { ms, maxMs, status } = await measure(origin, request);
        assertLess(status, 500);
        assertLessOrEqual(ms, maxMs, `${ms} ms`);
      });
    }
  });
});
