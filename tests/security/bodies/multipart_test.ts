import { field, filePart, latin1, multipart, multipartType, send, type Sent } from "./app.ts";
import { type Guard, type HostileRequest, testHostileRequests } from "../mutant_app.ts";

const header = "runtime/body/form/multipart_header.ts";
const scan = "runtime/body/form/multipart_scan.ts";
const parser = "runtime/body/form/multipart.ts";

function without(path: string, ...edits: [find: string, replace: string][]): Guard {
  return { path, edits };
}

const guards = {
  "boundary": without(parser, [
    "{0,69}[0-9A-Za-z'()+_,./:=?-]$/.test(boundary)",
    "{0,69}[0-9A-Za-z'()+_,./:=?-]$|/.test(boundary)",
  ]),
  "one boundary": without(parser, ["type.hasDuplicate ||", ""]),
  "preamble": without(parser, ["readContent(refusePreamble)", "readContent(() => {})"]),
  "delimiter": without(scan, [
    'throw invalidForm("a line begins like its boundary");',
    "this.#at = this.#window.indexOf(LF, this.#at) + 1;\n    return true;",
  ]),
  "end": without(
    scan,
    [
      'if (!await this.#fill()) throw invalidForm("it ends early");\n    }\n  }\n\n  /** The delimiter, or',
      "if (!await this.#fill()) {\n        this.#close();\n        return;\n      }\n    }\n  }\n\n" +
      "  #close(): void {\n    this.#window = new Uint8Array([DASH, DASH]);\n    this.#at = 0;\n  }\n\n" +
      "  /** The delimiter, or",
    ],
    [
      'while (this.#window.length - this.#at < bytes) {\n      if (!await this.#fill()) throw invalidForm("it ends early");',
      "while (this.#window.length - this.#at < bytes) {\n      if (!await this.#fill()) return this.#close();",
    ],
    [
      'if (!await this.#fill()) throw invalidForm("it ends early");\n      from = searched;',
      "if (!await this.#fill()) {\n        const rest = this.#window.subarray(this.#at);\n" +
      "        this.#close();\n        return rest;\n      }\n      from = searched;",
    ],
  ),
  "header size": without(scan, [
    "if ((end < 0 ? this.#window.length : end) - this.#at > maxBytes) {",
    "if (false) {",
  ]),
  "header count": without(header, [
    "if (headers.size === limits.maxPartHeaders) {",
    "if (false) {",
  ]),
  "header syntax": without(header, [
    "if (!isToken(name) || refused.test(value)) {",
    "if (false) {",
  ]),
  "header once": without(header, ["if (headers.has(name)) throw", "if (false) throw"]),
  "disposition": without(header, [
    'if (disposition === undefined) throw invalidForm("a part has no Content-Disposition");\n  const { name, fileName } = parseDisposition(disposition);',
    'const { name, fileName } = parseDisposition(disposition ?? "form-data; name=x");',
  ]),
  "form-data": without(header, [
    'if (trimBlanks(kind).toLowerCase() !== "form-data") {',
    "if (false) {",
  ]),
  "parameter syntax": without(header, [
    "if (!isToken(key) || (!isFileName && controls.test(text))) {",
    "if (false) {",
  ]),
  "parameter once": without(header, ["if (parameters.has(key)) throw", "if (false) throw"]),
  "name": without(header, [
    'if (name === undefined) throw invalidForm("a part has no name");',
    'if (name === undefined) return { name: "", fileName: undefined };',
  ]),
  "one file name": without(header, [
    "if (plain !== undefined && extended !== undefined) throw",
    "if (false) throw",
  ]),
  "quotes": without(header, [
    "if (text.startsWith('\"') !== text.endsWith('\"') || text === '\"') {",
    "if (false) {",
  ]),
  "extended name": without(header, [
    'throw invalidForm("a part has a malformed file name");',
    "return text;",
  ]),
  "nesting": without(header, [
    'if (type.essence.startsWith("multipart/")) throw',
    "if (false) throw",
  ]),
  "part character set": without(header, [
    "if (charset !== undefined &&",
    "if (false && charset !== undefined &&",
  ]),
  "transfer encoding": without(header, [
    "if (encoding !== undefined &&",
    "if (false && encoding !== undefined &&",
  ]),
  "part count": without(parser, ["if (parts === maxParts) throw", "if (false) throw"]),
  "field count": without(parser, ["if (++this.#fieldCount > maxFields) throw", "if (false) throw"]),
  "file count": without(parser, [
    "if (isEmpty && ++this.#fileCount > maxFiles) throw",
    "if (false) throw",
  ]),
  "text size": without(parser, [
    "if (this.#textBytes > maxTextBytes) throw",
    "if (false) throw",
  ]),
  "removal": without("runtime/body/upload/spool.ts", [
    "await removeQuietly(path).catch((error) => failures.push(error));",
    "",
  ], ["Deno.removeSync(path);", ""]),
  "removal after the answer": without("runtime/pipeline/outcome.ts", [
    "spool === undefined ? final : endBody",
    "true ? final : endBody",
  ]),
  "file size": without("runtime/body/upload/upload.ts", [
    "if (maxSizeBytes !== undefined && file.size > maxSizeBytes) {",
    "if (false) {",
  ]),
  "file type": without("runtime/body/upload/upload.ts", [
    "if (!isAccepted(mime, accept)) {",
    "if (false) {",
  ]),
  "empty input": without(parser, ['if (fileName !== "" || !isEmpty) addField', "addField"]),
  "safe name": without("runtime/body/upload/name.ts", [
    'const last = sent.split(/[/\\\\]/).at(-1) ?? "";\n  const cleaned = last.toWellFormed()',
    'if (sent !== "") return sent;\n  const cleaned = sent.toWellFormed()',
  ]),
} satisfies Record<string, Guard>;

type Row = HostileRequest<keyof typeof guards>;
type Rest = Partial<Sent> & Pick<Sent, "body">;

/** A row about a multipart body. */
function row(guard: Row["guard"], name: string, sent: Rest, want: unknown = invalid): Row {
  const whole: Sent = { path: "/form", type: multipartType, ...sent };
  return { guard, name, want, run: (fw) => send(fw, whole) };
}

const invalid = { status: 400, code: "invalid_form" };
const over = { status: 413, code: "form_too_large" };
const refused = { status: 422, code: "validation_failed" };

const good = multipart(field("a", "b"));
const typed = (boundary: string): string => `multipart/form-data${boundary}`;
const png = "\x89PNG\r\n\x1a\n";
const big = "x".repeat(3_000);
const tight = { settings: { bodyLimits: { maxMemoryBytes: 100 } } };

/** A disposition with these parameters after `form-data`. */
const part = (parameters: string, rest = ""): string =>
  multipart(`Content-Disposition: form-data${parameters}${rest}\r\n\r\nb`);

const rows: Row[] = [
  row("boundary", "no boundary", { type: typed(""), body: good.replaceAll("--X", "--") }),
  row("boundary", "an empty boundary", {
    type: typed('; boundary=""'),
    body: good.replaceAll("X", ""),
  }),
  row("boundary", "a boundary of 71 characters", {
    type: typed(`; boundary=${"X".repeat(71)}`),
    body: good.replaceAll("--X", `--${"X".repeat(71)}`),
  }),
  row("boundary", "a boundary that ends in a space", {
    type: typed('; boundary="X "'),
    body: good.replaceAll("--X", "--X "),
  }),
  row("boundary", "a boundary with characters that none may have", {
    type: typed('; boundary="X<>"'),
    body: good.replaceAll("--X", "--X<>"),
  }),
  row("one boundary", "two boundaries", { type: typed("; boundary=X; boundary=Y"), body: good }),
  row("one boundary", "two boundaries in two cases", {
    type: typed("; boundary=X; BOUNDARY=Y"),
    body: good,
  }),
  row("preamble", "text before the first boundary", { body: `hidden\r\n${good}` }),
  row("preamble", "the boundary in the middle of a line", { body: `x--X\r\n${good}` }),
  row("delimiter", "a boundary with something after it", {
    body: good.replace("--X\r\n", "--Xtra\r\n"),
  }),
  row("delimiter", "a boundary that a bare line feed ends", {
    body: good.replace("--X\r\n", "--X\n"),
  }),
  row("delimiter", "padding without end", {
    body: good.replace("--X\r\n", `--X${" ".repeat(10_000)}\r\n`),
  }),
  row("delimiter", "one closing dash", { body: good.replace("--X\r\n", "--X-\r\n") }),
  row("end", "an empty body", { body: "" }),
  row("end", "a content that does not end", { body: good.slice(0, -10) }),
  row("end", "a delimiter cut in its middle", { body: good.slice(0, -6) }),
  row("end", "a file that does not end, half of it on disk", {
    body: multipart(filePart("a.png", big)).slice(0, -20),
    ...tight,
  }),
  row("end", "nothing after the boundary", { body: "--X" }),
  row("end", "one closing dash at the end", { body: good.replace("--X--\r\n", "--X-") }),
  row("end", "headers without an end", {
    body: '--X\r\nContent-Disposition: form-data; name="a"',
  }),
  row("header size", "a header of a megabyte", {
    body: multipart(`X: ${"y".repeat(900_000)}\r\n${field("a", "b")}`),
  }),
  row("header size", "headers over the limit", {
    body: multipart(`X: ${"y".repeat(100)}\r\n${field("a", "b")}`),
    settings: { bodyLimits: { maxPartHeaderBytes: 100 } },
  }),
  row("header count", "17 headers", {
    body: multipart(
      Array.from({ length: 16 }, (_, i) => `X${i}: y\r\n`).join("") + field("a", "b"),
    ),
  }, over),
  row("header syntax", "a folded header", {
    body: multipart(`X: y\r\n z: 1\r\n${field("a", "b")}`),
  }),
  row("header syntax", "a header without a colon", { body: multipart(`X\r\n${field("a", "b")}`) }),
  row("header syntax", "a space before the colon", {
    body: multipart(`X : y\r\n${field("a", "b")}`),
  }),
  row("header syntax", "a NUL in a header", { body: multipart(`X: \0\r\n${field("a", "b")}`) }),
  row("header syntax", "a bare carriage return in a file name", {
    body: multipart(filePart("a\rb", "c")),
  }),
  row("header syntax", "a NUL in a file name", { body: multipart(filePart("a\0b", "c")) }),
  row("header syntax", "a bare line feed in a file name", {
    body: multipart(filePart("a\nb", "c")),
  }),
  row("header once", "two dispositions", {
    body: multipart(`Content-Disposition: form-data; name="role"\r\n${field("a", "b")}`),
  }),
  row("header once", "two types", {
    body: multipart(`Content-Type: a/b\r\n${filePart("a.png", "b")}`),
  }),
  row("disposition", "no disposition", { body: multipart("Content-Type: text/plain\r\n\r\nb") }),
  row("form-data", "an attachment", {
    body: multipart('Content-Disposition: attachment; name="a"\r\n\r\nb'),
  }),
  row("form-data", "an empty disposition", {
    body: multipart('Content-Disposition: ; name="a"\r\n\r\nb'),
  }),
  row("parameter syntax", "a parameter without a value", { body: part('; x; name="a"') }),
  row("parameter syntax", "a name that closes its quotes early", {
    body: part('; name="a"; "b=c"; x=1'),
  }),
  row("parameter syntax", "a control character in a field's name", {
    body: multipart(field("a\x01b", "c")),
  }),
  row("parameter once", "two names", { body: part('; name="a"; name="role"') }),
  row("parameter once", "two names in two cases", { body: part('; name="a"; NAME="role"') }),
  row("parameter once", "two file names", {
    body: part('; name="f"; filename="a.png"; filename="b.exe"'),
  }),
  row("name", "no name", { body: part("") }),
  row("name", "a file without a name of its field", { body: part('; filename="a.png"') }),
  row("one file name", "a plain and an extended file name", {
    body: part('; name="f"; filename="a.png"; filename*=UTF-8\'\'b.exe'),
  }),
  row("quotes", "a name whose quotes do not close", { body: part('; name="a') }),
  row("quotes", "a name whose quotes do not open", { body: part('; name=a"') }),
  row("extended name", "an extended file name in Latin-1", {
    body: part("; name=\"f\"; filename*=ISO-8859-1''%E9"),
  }),
  row("extended name", "an extended file name with a malformed escape", {
    body: part("; name=\"f\"; filename*=UTF-8''%zz"),
  }),
  row("nesting", "a multipart part", {
    body: multipart(
      'Content-Disposition: form-data; name="a"\r\nContent-Type: multipart/mixed; boundary=Y\r\n\r\n' +
        "--Y\r\n\r\nb\r\n--Y--",
    ),
  }),
  row("part character set", "a part in UTF-7", {
    body: multipart(
      'Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=utf-7\r\n\r\nb',
    ),
  }),
  row("transfer encoding", "a part in base64", {
    body: multipart(`Content-Transfer-Encoding: base64\r\n${field("a", "PHNjcmlwdD4=")}`),
  }),
  row("transfer encoding", "a part in quoted-printable", {
    body: multipart(`Content-Transfer-Encoding: Quoted-Printable\r\n${field("a", "=3C")}`),
  }),
  row("part count", "a thousand parts and one", {
    body: multipart(...Array(1_001).fill(filePart("", ""))),
  }, over),
  row("field count", "too many fields", {
    body: multipart(field("a", "1"), field("b", "2"), field("c", "3")),
    settings: { bodyLimits: { maxFields: 2 } },
  }, over),
  row("file count", "101 files", { body: multipart(...Array(101).fill(filePart("a", "b"))) }, over),
  row("text size", "one long text", {
    body: multipart(field("a", "b".repeat(101))),
    settings: { bodyLimits: { maxTextBytes: 100 } },
  }, over),
  row("text size", "many texts", {
    body: multipart(...Array(11).fill(field("a", "b".repeat(10)))),
    settings: { bodyLimits: { maxTextBytes: 100 } },
  }, over),
  row("removal", "a file on disk, then a malformed part", {
    body: multipart(filePart("a.png", big), "X"),
    ...tight,
  }),
  row("removal", "files on disk, then one too many", {
    body: multipart(...Array(3).fill(filePart("a.png", big))),
    settings: { bodyLimits: { maxMemoryBytes: 100, maxFiles: 2 } },
  }, over),
  row("removal", "a file on disk, then the body's limit", {
    body: () => ReadableStream.from([latin1(`--X\r\n${filePart("a.png", big)}`), latin1(big)]),
    settings: { maxBodyBytes: 4_000, bodyLimits: { maxMemoryBytes: 100 } },
  }, { status: 413, code: "body_too_large" }),
  row("removal after the answer", "a file on disk that nobody looks at", {
    body: multipart(field("a", "b"), filePart("a.png", big)),
    path: "/form",
    ...tight,
  }, { status: 200, value: [["a", "b"], ["f", "a.png", 3_000]] }),
  row("removal after the answer", "a file on disk that the rules refuse", {
    body: multipart(filePart("a.png", big)),
    path: "/image",
    ...tight,
  }, refused),
  row("file size", "an image over its limit", {
    path: "/image",
    body: latin1(multipart(filePart("a.png", png + "x".repeat(1_000)))),
  }, refused),
  row("file type", "a page that calls itself an image", {
    path: "/image",
    body: multipart(filePart("a.png", "<html><script>")),
  }, refused),
  row("file type", "SVG, which can hold scripts", {
    path: "/image",
    body: multipart(filePart("a.svg", "<svg onload=alert(1)>", "image/svg+xml")),
  }, refused),
  row("file type", "an image that begins after the bytes that are looked at", {
    path: "/image",
    body: latin1(multipart(filePart("a.png", " ".repeat(512) + png))),
  }, refused),
  row("file type", "an empty file", {
    path: "/image",
    body: multipart(filePart("a.png", "")),
  }, refused),
  row("empty input", "an input in which nothing was chosen", {
    path: "/save",
    body: multipart(filePart("", "")),
  }, refused),
];

const names: [sent: string, saved: string][] = [
  ["../../etc/passwd", "passwd"],
  ["..", "file"],
  ["../../x/..", "file"],
  ["/etc/cron.d/job", "job"],
  ["C:\\\\Windows\\\\win.ini", "win.ini"],
  ["..\\\\..\\\\boot.ini", "boot.ini"],
  ["a/b\\\\c.txt", "c.txt"],
  ["a%0D%0Ab.txt", "ab.txt"],
  ["a\u202etxt.exe", "atxt.exe"],
  [".htaccess", "htaccess"],
  ["a.txt. . .", "a.txt"],
  ["NUL.txt", "_NUL.txt"],
  ["a.txt::$DATA", "a.txt__$DATA"],
  ["\uff0e\uff0e\uff0fa", "．．_a"],
  ["a".repeat(300), "a".repeat(99)],
];

for (const [sent, saved] of names) {
  // What a mutant makes of a name may be fine by chance, but it is another one.
  if (sent === saved) continue;
  rows.push(row("safe name", JSON.stringify(sent.slice(0, 40)), {
    path: "/save",
    body: multipart(filePart(sent, "x")),
  }, { status: 200, value: saved }));
}

testHostileRequests("multipart", { guards, rows });
