import { field, latin1, multipart, multipartType, send, type Sent } from "./app.ts";
import { type Guard, type HostileRequest, testHostileRequests } from "../mutant_app.ts";

const urlencoded = "application/x-www-form-urlencoded";
const json = "application/json";
const off = "false && ";

const guards = {
  "announced length": {
    path: "runtime/body/body.ts",
    edits: [[
      "if (declared !== undefined && declared > this.#maxBytes) throw this.#giveUp();\n  }\n\n  #giveUp",
      `if (${off}declared !== undefined && declared > this.#maxBytes) throw this.#giveUp();\n  }\n\n  #giveUp`,
    ]],
  },
  "counted length": {
    path: "runtime/body/chunks.ts",
    edits: [["if (this.#count > this.#maxBytes)", "if (false)"]],
  },
  "number of small pieces": {
    path: "runtime/body/chunks.ts",
    edits: [["++this.#smallPieces > maxSmallPieces + this.#count / 1_024", "false"]],
  },
  "measured length": {
    path: "runtime/body/body.ts",
    edits: [["if (bytes.length > this.#maxBytes)", "if (false)"]],
  },
  "read deadline": {
    path: "runtime/body/deadline.ts",
    edits: [["    deadline.expire();\n", ""]],
  },
  "one reader": {
    path: "runtime/body/body.ts",
    edits: [["if (first !== undefined) {\n      throw", "if (false) {\n      throw"]],
  },
  "content coding": {
    path: "runtime/body/type.ts",
    edits: [["if (encoding !== null &&", "if (false && encoding !== null &&"]],
  },
  "character set": {
    path: "runtime/body/type.ts",
    edits: [["if (charset !== undefined &&", "if (false && charset !== undefined &&"]],
  },
  "one of each parameter": {
    path: "runtime/body/type.ts",
    edits: [['if (type.hasDuplicate && type.kind !== "multipart") {', "if (false) {"]],
  },
  "form type": {
    path: "runtime/body/form/form.ts",
    edits: [['if (type.kind !== "urlencoded" && type.kind !== "multipart") {', "if (false) {"]],
  },
  "no type": {
    path: "runtime/body/form/form.ts",
    edits: [[
      "if (type === undefined) return await refuseUntyped(body, accept);",
      `if (type === undefined) return new FormBody(parseUrlencoded(decodeText(await body.bytes("c.form")), body.settings.limits));`,
    ]],
  },
  "one type": {
    path: "runtime/body/type.ts",
    edits: [["more.length > 0 || !isToken(type) || !isToken(subtype)", "false"], [
      "const essence = trimBlanks(media).toLowerCase();",
      'const essence = trimBlanks(media.split(",")[0] ?? "").toLowerCase();',
    ]],
  },
  "header length": {
    path: "runtime/body/type.ts",
    edits: [["header.length > maxChars || ", ""]],
  },
  "field count": {
    path: "runtime/body/form/form.ts",
    edits: [["if (++count > limits.maxFields)", "if (false)"]],
  },
  "escapes": {
    path: "runtime/body/form/form.ts",
    edits: [['throw invalidForm("it has a malformed escape");', "return unescape(spaced);"]],
  },
  "UTF-8": {
    path: "runtime/body/form/fields.ts",
    edits: [["fatal: true", "fatal: false"]],
  },
  "name length": {
    path: "runtime/body/form/fields.ts",
    edits: [["if (name.length * 3 > limits.maxNameBytes) {", "if (false) {"]],
  },
  "name nesting": {
    path: "runtime/body/form/fields.ts",
    edits: [["if (++dots > limits.maxNesting)", "if (false)"]],
  },
} satisfies Record<string, Guard>;

type Row = HostileRequest<keyof typeof guards>;

function row(guard: Row["guard"], name: string, sent: Sent, want: unknown): Row {
  return { guard, name, want, run: (fw) => send(fw, sent) };
}

/** A body that comes too slowly, which is waited for in vain without the guard. */
function slowRow(name: string, sent: Sent): Row {
  const timeouts = { readMs: 50, writeMs: 1_000 };
  const want = { status: 408, code: "body_timeout" };
  return { ...row("read deadline", name, { ...sent, settings: { timeouts } }, want), isIdle: true };
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
  row("announced length", "a length over the limit, body unread", {
    path: "/ignored",
    body: long,
    headers: announced(17),
    settings: small,
  }, tooLarge),
  row("announced length", "a huge length with a tiny body", {
    path: "/ignored",
    body: "a",
    headers: announced(999_999_999_999_999),
    settings: small,
  }, tooLarge),
  row("announced length", "a length over the limit on a route that checks its own", {
    path: "/ignored",
    type: json,
    body: "[]",
    headers: announced(1_048_577),
  }, tooLarge),
  row("counted length", "a chunked form over the limit", {
    path: "/form",
    type: urlencoded,
    body: chunked("a=", "b".repeat(15)),
    settings: small,
  }, tooLarge),
  row("counted length", "many small chunks over the limit", {
    path: "/form",
    type: urlencoded,
    body: chunked(...Array(17).fill("a")),
    settings: small,
  }, tooLarge),
  row("counted length", "a chunked body read through c.request", {
    path: "/raw",
    body: chunked("a".repeat(17)),
    settings: small,
  }, tooLarge),
  row("counted length", "chunked JSON over the limit", {
    path: "/json",
    type: json,
    body: chunked(`"${"a".repeat(20)}"`),
    settings: small,
  }, tooLarge),
  row("counted length", "a multipart form over the limit", {
    path: "/form",
    type: multipartType,
    body: multipart(field("a", "b")),
    settings: small,
  }, tooLarge),
  row("counted length", "a length that is no number", {
    path: "/form",
    type: urlencoded,
    body: long,
    headers: { "content-length": "0x1" },
    settings: small,
  }, tooLarge),
  row("counted length", "a negative length", {
    path: "/form",
    type: urlencoded,
    body: long,
    headers: { "content-length": "-1" },
    settings: small,
  }, tooLarge),
  row("counted length", "two lengths", {
    path: "/form",
    type: urlencoded,
    body: long,
    headers: { "content-length": "1, 17" },
    settings: small,
  }, tooLarge),
  row("measured length", "a length that lies", {
    path: "/form",
    type: urlencoded,
    body: long,
    headers: announced(3),
    settings: small,
  }, tooLarge),
  row("measured length", "a length that lies, through c.request", {
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
  slowRow("a slow body read through c.request", {
    path: "/raw",
    body: chunked("a", Infinity),
  }),
  row("one reader", "a second read of a chunked body", {
    path: "/twice",
    type: urlencoded,
    body: "a=1",
  }, {
    status: 200,
    value:
      "Cannot read the body with c.request: c.form has read it already; read it once and keep " +
      "what it gave.",
  }),
  row("one reader", "a second read of a body of known length", {
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
  row("content coding", "a compressed form", {
    path: "/form",
    type: urlencoded,
    body: "a=1",
    headers: { "content-encoding": "gzip" },
  }, { status: 415, code: "unsupported_content_encoding" }),
  row("content coding", "compressed JSON", {
    path: "/json",
    type: json,
    body: "1",
    headers: { "content-encoding": "br" },
  }, { status: 415, code: "unsupported_content_encoding" }),
  row("content coding", "two codings", {
    path: "/json",
    type: json,
    body: "1",
    headers: { "content-encoding": "identity, deflate" },
  }, { status: 415, code: "unsupported_content_encoding" }),
  row("character set", "a form in UTF-7", {
    path: "/form",
    type: `${urlencoded}; charset=utf-7`,
    body: "a=+ADw-",
  }, { status: 415, code: "unsupported_charset" }),
  row("number of small pieces", "raw", {
    path: "/raw",
    type: "text/plain",
    body: () => pieces("x".repeat(40_000)),
  }, { status: 400, code: "body_fragmented" }),
  row("number of small pieces", "JSON", {
    path: "/json",
    type: json,
    body: () => pieces(" ".repeat(40_000)),
  }, { status: 400, code: "body_fragmented" }),
  row("number of small pieces", "a form", {
    path: "/form",
    type: urlencoded,
    body: () => pieces("x".repeat(40_000)),
  }, { status: 400, code: "body_fragmented" }),
  row("number of small pieces", "a multipart form", {
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
    row("one of each parameter", `JSON with${parameters}`, {
      path: "/json",
      type: json + parameters,
      body: "{}",
    }, { status: 415, code: "unsupported_media_type" })
  ),
  row("one of each parameter", "a form of two character sets", {
    path: "/form",
    type: `${urlencoded}; charset=utf-8; charset=iso-8859-1`,
    body: "a=1",
  }, { status: 415, code: "unsupported_media_type" }),
  row("character set", "JSON in UTF-16", {
    path: "/json",
    type: `${json}; charset="utf-16"`,
    body: "1",
  }, { status: 415, code: "unsupported_charset" }),
  row("form type", "text/plain, which a form of another site can send", {
    path: "/form",
    type: "text/plain",
    body: "a=1",
  }, unsupported),
  row("form type", "JSON for a form", { path: "/form", type: json, body: "{}" }, unsupported),
  row("form type", "multipart/mixed", {
    path: "/form",
    type: "multipart/mixed; boundary=X",
    body: multipart(field("a", "b")),
  }, unsupported),
  row(
    "form type",
    "a type without a slash",
    { path: "/form", type: "form", body: "a=1" },
    unsupported,
  ),
  row("form type", "an empty type", { path: "/form", type: " ", body: "a=1" }, unsupported),
  row("no type", "a body without a type", { path: "/form", body: "a=1" }, unsupported),
  row("one type", "two types in one header", {
    path: "/form",
    type: `${urlencoded}, text/plain`,
    body: "a=1",
  }, unsupported),
  row("one type", "a control character in the type", {
    path: "/json",
    type: "application/json,\tapplication/json",
    body: "1",
  }, unsupported),
  row("header length", "a type with a parameter beyond all measure", {
    path: "/form",
    type: `${urlencoded}; x=${"y".repeat(5_000)}`,
    body: "a=1",
  }, unsupported),
  row("field count", "a thousand fields and one", {
    path: "/form",
    type: urlencoded,
    body: "a&".repeat(1_001),
  }, overForm),
  row("field count", "twenty thousand fields", {
    path: "/form",
    type: urlencoded,
    body: "a&".repeat(20_000),
  }, overForm),
  row("field count", "the same field a thousand times and one", {
    path: "/form",
    type: urlencoded,
    body: "a=b&".repeat(1_001),
  }, overForm),
  row("field count", "too many parameters of a GET", {
    path: "/form",
    type: urlencoded,
    body: "a=1&b=2&c=3",
    settings: { bodyLimits: { maxFields: 2 } },
  }, overForm),
  row(
    "escapes",
    "an escape that is none",
    { path: "/form", type: urlencoded, body: "a=%zz" },
    invalid,
  ),
  row(
    "escapes",
    "an escape that is cut off",
    { path: "/form", type: urlencoded, body: "a=%e" },
    invalid,
  ),
  row("escapes", "an escaped overlong slash", {
    path: "/form",
    type: urlencoded,
    body: "a=%c0%af",
  }, invalid),
  row(
    "escapes",
    "an escaped surrogate",
    { path: "/form", type: urlencoded, body: "%ed%a0%80=1" },
    invalid,
  ),
  row(
    "escapes",
    "a percent sign at the end",
    { path: "/form", type: urlencoded, body: "%" },
    invalid,
  ),
  row("UTF-8", "bytes that are no UTF-8", {
    path: "/form",
    type: urlencoded,
    body: latin1("a=\xff\xfe"),
  }, invalid),
  row(
    "UTF-8",
    "an overlong slash",
    { path: "/form", type: urlencoded, body: latin1("a=\xc0\xaf") },
    invalid,
  ),
  row("UTF-8", "a text part that is no UTF-8", {
    path: "/form",
    type: multipartType,
    body: latin1(multipart(field("a", "\xe9"))),
  }, invalid),
  row("UTF-8", "a part's name that is no UTF-8", {
    path: "/form",
    type: multipartType,
    body: latin1(multipart(field("\xe9", "a"))),
  }, invalid),
  row("name length", "a name of 513 bytes", {
    path: "/form",
    type: urlencoded,
    body: `${"n".repeat(513)}=1`,
  }, overForm),
  row("name length", "a name of 171 characters of three bytes", {
    path: "/form",
    type: urlencoded,
    body: `${"€".repeat(171)}=1`,
  }, overForm),
  row("name length", "a long name of a part", {
    path: "/form",
    type: multipartType,
    body: multipart(field("n".repeat(513), "1")),
  }, overForm),
  row("name nesting", "33 dots in a name", {
    path: "/bind",
    type: urlencoded,
    body: `${"a.".repeat(33)}b=1`,
  }, overForm),
  row("name nesting", "33 dots in a part's name", {
    path: "/form",
    type: multipartType,
    body: multipart(field("a.".repeat(33), "1")),
  }, overForm),
];

testHostileRequests("bodies", { guards, rows });

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
