import { field, latin1, multipart, multipartType, send, type Sent } from "./app.ts";
import { type HostileRow, testHostile } from "../hostile.ts";
import { assertEquals } from "@std/assert";
import { converse, requestText, serve } from "../raw_client.ts";

const urlencoded = "application/x-www-form-urlencoded";
const json = "application/json";

function row(name: string, sent: Sent, want: unknown): HostileRow {
  return [name, want, () => send(sent)];
}

/** A body without an announced length. */
const chunked = (text: string) => (): ReadableStream<Uint8Array> =>
  ReadableStream.from([new TextEncoder().encode(text)]);

const tooLarge = { status: 413, code: "body_too_large" };
const small = { maxBodyBytes: 16 };
const long = "a=".padEnd(17, "b");
const announced = (length: number): Record<string, string> => ({ "content-length": `${length}` });
const unsupported = { status: 415, code: "unsupported_media_type" };
const invalid = { status: 400, code: "invalid_form" };
const overForm = { status: 413, code: "form_too_large" };
const coded = { status: 415, code: "unsupported_content_encoding" };
const charset = { status: 415, code: "unsupported_charset" };
const fragmented = { status: 400, code: "body_fragmented" };

type Rest = Omit<Partial<Sent>, "body">;
type Make = (body: Sent["body"], rest?: Rest) => Sent;
const tight = { settings: small };
const lying = (length: string): Rest => ({ headers: { "content-length": length }, ...tight });
const typed = (type: string, body = "a=1"): Sent => ({ path: "/form", type, body });
const form: Make = (body, rest) => ({ path: "/form", type: urlencoded, body, ...rest });
const parts: Make = (body, rest) => ({ path: "/form", type: multipartType, body, ...rest });
const jsonOf: Make = (body, rest) => ({ path: "/json", type: json, body, ...rest });

const rows: HostileRow[] = [
  row("a huge length", { path: "/ignored", body: "a", ...lying("999999999999999") }, tooLarge),
  row("a length over the limit on a route that checks its own", {
    path: "/ignored",
    type: json,
    body: "[]",
    headers: announced(1_048_577),
  }, tooLarge),
  row("many small chunks over the limit", form(() => pieces("a".repeat(17)), tight), tooLarge),
  row("chunked JSON over the limit", jsonOf(chunked(`"${"a".repeat(20)}"`), tight), tooLarge),
  row("a multipart form over the limit", parts(multipart(field("a", "b")), tight), tooLarge),
  row("a length that is not a number", form(long, lying("0x1")), tooLarge),
  row("a negative length", form(long, lying("-1")), tooLarge),
  row("two lengths", form(long, lying("1, 17")), tooLarge),
  row("a length that lies", form(long, lying("3")), tooLarge),
  row("a false length of c.request", { path: "/raw", body: long, ...lying("3") }, tooLarge),
  row("a compressed form", form("a=1", { headers: { "content-encoding": "gzip" } }), coded),
  row("compressed JSON", jsonOf("1", { headers: { "content-encoding": "br" } }), coded),
  row("two codings", jsonOf("1", { headers: { "content-encoding": "identity, deflate" } }), coded),
  row("a form in UTF-7", typed(`${urlencoded}; charset=utf-7`, "a=+ADw-"), charset),
  row(
    "raw",
    { path: "/raw", type: "text/plain", body: () => pieces("x".repeat(40_000)) },
    fragmented,
  ),
  row("JSON", jsonOf(() => pieces(" ".repeat(40_000))), fragmented),
  row("a form", form(() => pieces("x".repeat(40_000))), fragmented),
  row(
    "a multipart form",
    parts(() =>
      pieces(`--X\r\nContent-Disposition: form-data; name="a"\r\n\r\n${"x".repeat(40_000)}`)
    ),
    fragmented,
  ),
  ...[
    "; charset=utf-8; charset=utf-16",
    ";charset=utf-8;charset=utf-8",
    "; charset=utf-8; CHARSET=utf-7",
    "; a=1; a=2",
  ].map((parameters) =>
    row(
      `JSON with${parameters}`,
      { path: "/json", type: json + parameters, body: "{}" },
      unsupported,
    )
  ),
  row("two charsets", typed(`${urlencoded}; charset=utf-8; charset=iso-8859-1`), unsupported),
  row("JSON in UTF-16", { path: "/json", type: `${json}; charset="utf-16"`, body: "1" }, charset),
  row("text/plain, which a form of another site can send", typed("text/plain"), unsupported),
  row("JSON for a form", typed(json, "{}"), unsupported),
  row("mixed parts", typed("multipart/mixed; boundary=X", multipart(field("a", "b"))), unsupported),
  row("a type without a slash", typed("form"), unsupported),
  row("an empty type", typed(" "), unsupported),
  row("a body without a type", { path: "/form", body: "a=1" }, unsupported),
  row("two types in one header", typed(`${urlencoded}, text/plain`), unsupported),
  row("a control character in the type", {
    path: "/json",
    type: "application/json,\tapplication/json",
    body: "1",
  }, unsupported),
  row("a type with a huge parameter", typed(urlencoded + `; x=${"y".repeat(5_000)}`), unsupported),
  row("a thousand fields and one", form("a&".repeat(1_001)), overForm),
  row("twenty thousand fields", form("a&".repeat(20_000)), overForm),
  row("the same field a thousand times and one", form("a=b&".repeat(1_001)), overForm),
  row(
    "too many parameters of a GET",
    form("a=1&b=2&c=3", { settings: { bodyLimits: { maxFields: 2 } } }),
    overForm,
  ),
  row("an escape that is none", form("a=%zz"), invalid),
  row("an escape that is cut off", form("a=%e"), invalid),
  row("an escaped overlong slash", form("a=%c0%af"), invalid),
  row("an escaped surrogate", form("%ed%a0%80=1"), invalid),
  row("a percent sign at the end", form("%"), invalid),
  row("bytes that are not UTF-8", form(latin1("a=\xff\xfe")), invalid),
  row("an overlong slash", form(latin1("a=\xc0\xaf")), invalid),
  row("a text part that is not UTF-8", parts(latin1(multipart(field("a", "\xe9")))), invalid),
  row("a name of 513 bytes", form(`${"n".repeat(513)}=1`), overForm),
  row("a name of 171 characters of three bytes", form(`${"€".repeat(171)}=1`), overForm),
  row("a long name of a part", parts(multipart(field("n".repeat(513), "1"))), overForm),
  row("33 dots", { path: "/bind", type: urlencoded, body: `${"a.".repeat(33)}b=1` }, overForm),
  row(
    "33 dots in a row",
    { path: "/bind", type: urlencoded, body: `${".".repeat(33)}=1` },
    overForm,
  ),
  row("33 dots in a part's name", parts(multipart(field("a.".repeat(33), "1"))), overForm),
];

testHostile("bodies", rows);

function pieces(text: string): ReadableStream<Uint8Array> {
  const bytes = latin1(text);
  let at = 0;
  return new ReadableStream({
    pull(controller): void {
      if (at < bytes.length) controller.enqueue(bytes.slice(at, ++at));
      else controller.close();
    },
  });
}

const mib = 1_048_576;

const bodies = {
  announced: { head: `Content-Length: ${2 * mib}`, text: "x".repeat(2 * mib) },
  chunked: {
    head: "Transfer-Encoding: chunked",
    text: `${(65_536).toString(16)}\r\n${"x".repeat(65_536)}\r\n`.repeat(32) + "0\r\n\r\n",
  },
};

const unread: readonly [listener: "deno" | "node", body: keyof typeof bodies, status: number][] = [
  ["deno", "announced", 413],
  ["deno", "chunked", 200],
  ["node", "announced", 413],
  ["node", "chunked", 200],
];

for (const [listener, kind, status] of unread) {
  Deno.test(`an unread body of 2 MiB, ${kind}, ${listener}: ${status}, then the connection continues or closes`, async () => {
    let ran = 0;
    const unread = (): Response => {
      ran++;
      return new Response("unread");
    };
    const methods = { POST: unread, GET: () => new Response("next") };
    await using server = await serve([{ pattern: "/write", methods }], { listener });
    const { head, text } = bodies[kind];
    const write = `POST /write HTTP/1.1\r\nHost: localhost\r\n${head}\r\n\r\n${text}`;
    // Deno's own listener sends the header and lets the client close the connection.
    const received = await converse(server, [write + requestText("GET /write")], "next");
    const answers = [...received.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, each]) => Number(each));
    assertEquals([answers[0], ran], [status, status === 200 ? 1 : 0]);
    // The rest of the body is never read as a request.
    assertEquals(answers.slice(1).filter((next) => next !== 200), []);
  });
}
