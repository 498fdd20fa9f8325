import {
  field,
  latin1,
  multipart,
  multipartType,
  type Row,
  send,
  type Sent,
  testRows,
} from "./app.ts";

const urlencoded = "application/x-www-form-urlencoded";
const json = "application/json";

function row(name: string, sent: Sent, want: unknown): Row {
  return { name, want, run: () => send(sent) };
}

/** A body that comes too slowly, which is waited for in vain without the guard. */
function slowRow(name: string, sent: Sent): Row {
  const timeouts = { readMs: 50, writeMs: 1_000 };
  const want = { status: 408, code: "body_timeout" };
  return row(name, { ...sent, settings: { timeouts } }, want);
}

/** A body without an announced length; a number waits so many milliseconds, `Infinity` for ever. */
function chunked(...chunks: (string | number)[]): () => ReadableStream<Uint8Array> {
  return () => {
    const left = [...chunks];
    let timer: ReturnType<typeof setTimeout> | undefined;
    return new ReadableStream({
      async pull(controller): Promise<void> {
        const chunk = left.shift();
        if (chunk === undefined) return controller.close();
        if (typeof chunk === "string") return controller.enqueue(new TextEncoder().encode(chunk));
        await new Promise((resolve) => {
          if (chunk < Infinity) timer = setTimeout(resolve, chunk);
        });
        controller.enqueue(new Uint8Array([38]));
      },
      cancel(): void {
        clearTimeout(timer);
      },
    }, { highWaterMark: 0 });
  };
}

const tooLarge = { status: 413, code: "body_too_large" };
const small = { maxBodyBytes: 16 };
const long = "a=".padEnd(17, "b");
const announced = (length: number): Record<string, string> => ({ "content-length": `${length}` });
const unsupported = { status: 415, code: "unsupported_media_type" };
const invalid = { status: 400, code: "invalid_form" };
const overForm = { status: 413, code: "form_too_large" };

const rows: Row[] = [
  row("a length over the limit, body unread", {
    path: "/ignored",
    body: long,
    headers: announced(17),
    settings: small,
  }, tooLarge),
  row("a huge length with a tiny body", {
    path: "/ignored",
    body: "a",
    headers: announced(999_999_999_999_999),
    settings: small,
  }, tooLarge),
  row("a length over the limit on a route that checks its own", {
    path: "/ignored",
    type: json,
    body: "[]",
    headers: announced(1_048_577),
  }, tooLarge),
  row("a chunked form over the limit", {
    path: "/form",
    type: urlencoded,
    body: chunked("a=", "b".repeat(15)),
    settings: small,
  }, tooLarge),
  row("many small chunks over the limit", {
    path: "/form",
    type: urlencoded,
    body: chunked(...Array(17).fill("a")),
    settings: small,
  }, tooLarge),
  row("a chunked body read through c.request", {
    path: "/raw",
    body: chunked("a".repeat(17)),
    settings: small,
  }, tooLarge),
  row("chunked JSON over the limit", {
    path: "/json",
    type: json,
    body: chunked(`"${"a".repeat(20)}"`),
    settings: small,
  }, tooLarge),
  row("a multipart form over the limit", {
    path: "/form",
    type: multipartType,
    body: multipart(field("a", "b")),
    settings: small,
  }, tooLarge),
  row("a length that is no number", {
    path: "/form",
    type: urlencoded,
    body: long,
    headers: { "content-length": "0x1" },
    settings: small,
  }, tooLarge),
  row("a negative length", {
    path: "/form",
    type: urlencoded,
    body: long,
    headers: { "content-length": "-1" },
    settings: small,
  }, tooLarge),
  row("two lengths", {
    path: "/form",
    type: urlencoded,
    body: long,
    headers: { "content-length": "1, 17" },
    settings: small,
  }, tooLarge),
  row("a length that lies", {
    path: "/form",
    type: urlencoded,
    body: long,
    headers: announced(3),
    settings: small,
  }, tooLarge),
  row("a length that lies, through c.request", {
    path: "/raw",
    body: long,
    headers: announced(3),
    settings: small,
  }, tooLarge),
  slowRow("a form that never ends", {
    path: "/form",
    type: urlencoded,
    body: chunked("a=1", Infinity),
  }),
  slowRow("a drop at a time", {
    path: "/form",
    type: urlencoded,
    body: chunked(...Array(9).fill(90)),
  }),
  slowRow("a body of known length that never ends", {
    path: "/json",
    type: json,
    body: chunked("[", Infinity),
    headers: announced(10),
  }),
  slowRow("a slow body read through c.request", { path: "/raw", body: chunked("a", Infinity) }),
  row("a second read of a chunked body", { path: "/twice", type: urlencoded, body: "a=1" }, {
    status: 200,
    value:
      "Cannot read the body with c.request: c.form has read it already; read it once and keep " +
      "what it gave.",
  }),
  row("a second read of a body of known length", {
    path: "/twice",
    type: urlencoded,
    body: "a=1",
    headers: announced(3),
  }, {
    status: 200,
    value:
      "Cannot read the body with c.request.text(): c.form has read it already; read it once and " +
      "keep what it gave.",
  }),
  row("a compressed form", {
    path: "/form",
    type: urlencoded,
    body: "a=1",
    headers: { "content-encoding": "gzip" },
  }, { status: 415, code: "unsupported_content_encoding" }),
  row("compressed JSON", {
    path: "/json",
    type: json,
    body: "1",
    headers: { "content-encoding": "br" },
  }, { status: 415, code: "unsupported_content_encoding" }),
  row("two codings", {
    path: "/json",
    type: json,
    body: "1",
    headers: { "content-encoding": "identity, deflate" },
  }, { status: 415, code: "unsupported_content_encoding" }),
  row("a form in UTF-7", {
    path: "/form",
    type: `${urlencoded}; charset=utf-7`,
    body: "a=+ADw-",
  }, { status: 415, code: "unsupported_charset" }),
  row("raw", {
    path: "/raw",
    type: "text/plain",
    body: () => pieces("x".repeat(40_000)),
  }, { status: 400, code: "body_fragmented" }),
  row("JSON", {
    path: "/json",
    type: json,
    body: () => pieces(" ".repeat(40_000)),
  }, { status: 400, code: "body_fragmented" }),
  row("a form", {
    path: "/form",
    type: urlencoded,
    body: () => pieces("x".repeat(40_000)),
  }, { status: 400, code: "body_fragmented" }),
  row("a multipart form", {
    path: "/form",
    type: multipartType,
    body: () =>
      pieces(`--X\r\nContent-Disposition: form-data; name="a"\r\n\r\n${"x".repeat(40_000)}`),
  }, { status: 400, code: "body_fragmented" }),
  ...[
    "; charset=utf-8; charset=utf-16",
    ";charset=utf-8;charset=utf-8",
    "; charset=utf-8; CHARSET=utf-7",
    "; a=1; a=2",
  ].map((parameters) =>
    row(`JSON with${parameters}`, {
      path: "/json",
      type: json + parameters,
      body: "{}",
    }, { status: 415, code: "unsupported_media_type" })
  ),
  row("a form of two character sets", {
    path: "/form",
    type: `${urlencoded}; charset=utf-8; charset=iso-8859-1`,
    body: "a=1",
  }, { status: 415, code: "unsupported_media_type" }),
  row("JSON in UTF-16", {
    path: "/json",
    type: `${json}; charset="utf-16"`,
    body: "1",
  }, { status: 415, code: "unsupported_charset" }),
  row("text/plain, which a form of another site can send", {
    path: "/form",
    type: "text/plain",
    body: "a=1",
  }, unsupported),
  row("JSON for a form", { path: "/form", type: json, body: "{}" }, unsupported),
  row("multipart/mixed", {
    path: "/form",
    type: "multipart/mixed; boundary=X",
    body: multipart(field("a", "b")),
  }, unsupported),
  row("a type without a slash", { path: "/form", type: "form", body: "a=1" }, unsupported),
  row("an empty type", { path: "/form", type: " ", body: "a=1" }, unsupported),
  row("a body without a type", { path: "/form", body: "a=1" }, unsupported),
  row("two types in one header", {
    path: "/form",
    type: `${urlencoded}, text/plain`,
    body: "a=1",
  }, unsupported),
  row("a control character in the type", {
    path: "/json",
    type: "application/json,\tapplication/json",
    body: "1",
  }, unsupported),
  row("a type with a parameter beyond all measure", {
    path: "/form",
    type: `${urlencoded}; x=${"y".repeat(5_000)}`,
    body: "a=1",
  }, unsupported),
  row("a thousand fields and one", {
    path: "/form",
    type: urlencoded,
    body: "a&".repeat(1_001),
  }, overForm),
  row("twenty thousand fields", {
    path: "/form",
    type: urlencoded,
    body: "a&".repeat(20_000),
  }, overForm),
  row("the same field a thousand times and one", {
    path: "/form",
    type: urlencoded,
    body: "a=b&".repeat(1_001),
  }, overForm),
  row("too many parameters of a GET", {
    path: "/form",
    type: urlencoded,
    body: "a=1&b=2&c=3",
    settings: { bodyLimits: { maxFields: 2 } },
  }, overForm),
  row("an escape that is none", { path: "/form", type: urlencoded, body: "a=%zz" }, invalid),
  row("an escape that is cut off", { path: "/form", type: urlencoded, body: "a=%e" }, invalid),
  row("an escaped overlong slash", { path: "/form", type: urlencoded, body: "a=%c0%af" }, invalid),
  row("an escaped surrogate", { path: "/form", type: urlencoded, body: "%ed%a0%80=1" }, invalid),
  row("a percent sign at the end", { path: "/form", type: urlencoded, body: "%" }, invalid),
  row("bytes that are no UTF-8", {
    path: "/form",
    type: urlencoded,
    body: latin1("a=\xff\xfe"),
  }, invalid),
  row(
    "an overlong slash",
    { path: "/form", type: urlencoded, body: latin1("a=\xc0\xaf") },
    invalid,
  ),
  row("a text part that is no UTF-8", {
    path: "/form",
    type: multipartType,
    body: latin1(multipart(field("a", "\xe9"))),
  }, invalid),
  row("a name of 513 bytes", {
    path: "/form",
    type: urlencoded,
    body: `${"n".repeat(513)}=1`,
  }, overForm),
  row("a name of 171 characters of three bytes", {
    path: "/form",
    type: urlencoded,
    body: `${"€".repeat(171)}=1`,
  }, overForm),
  row("a long name of a part", {
    path: "/form",
    type: multipartType,
    body: multipart(field("n".repeat(513), "1")),
  }, overForm),
  row("33 dots in a name", {
    path: "/bind",
    type: urlencoded,
    body: `${"a.".repeat(33)}b=1`,
  }, overForm),
  row("33 dots in a part's name", {
    path: "/form",
    type: multipartType,
    body: multipart(field("a.".repeat(33), "1")),
  }, overForm),
];

testRows("bodies", rows);

/** A body that comes byte by byte. */
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
