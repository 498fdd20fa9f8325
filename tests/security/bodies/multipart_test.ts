import { field, filePart, latin1, multipart, multipartType, send } from "./app.ts";
import type { Sent } from "./app.ts";
import { type HostileRow, testHostile } from "../hostile.ts";

type Rest = Partial<Sent> & Pick<Sent, "body">;

function row(name: string, sent: Rest, want: unknown = invalid): HostileRow {
  const whole: Sent = { path: "/form", type: multipartType, ...sent };
  return [name, want, () => send(whole)];
}

const invalid = { status: 400, code: "invalid_form" };
const over = { status: 413, code: "form_too_large" };
const refused = { status: 422, code: "validation_failed" };
const good = multipart(field("a", "b"));
const typed = (boundary: string): string => `multipart/form-data${boundary}`;
const png = "\x89PNG\r\n\x1a\n";
const big = "x".repeat(3_000);
const tight = { settings: { bodyLimits: { maxMemoryBytes: 100 } } };

const part = (parameters: string, rest = ""): string =>
  multipart(`Content-Disposition: form-data${parameters}${rest}\r\n\r\nb`);

const rows: HostileRow[] = [
  row("no boundary", { type: typed(""), body: good.replaceAll("--X", "--") }),
  row("an empty boundary", { type: typed('; boundary=""'), body: good.replaceAll("X", "") }),
  row("boundary's space", { type: typed('; boundary="X "'), body: good.replaceAll("--X", "--X ") }),
  row("two boundaries", { type: typed("; boundary=X; boundary=Y"), body: good }),
  row("two boundaries in two cases", { type: typed("; boundary=X; BOUNDARY=Y"), body: good }),
  row("a boundary that a bare line feed ends", { body: good.replace("--X\r\n", "--X\n") }),
  row("padding without end", { body: good.replace("--X\r\n", `--X${" ".repeat(10_000)}\r\n`) }),
  row("one closing dash", { body: good.replace("--X\r\n", "--X-\r\n") }),
  row("text after the last delimiter", { body: good.replace("--X--", "--X--x") }),
  row("one closing dash before a break", { body: good.replace("--X--\r", "--X-\r\r") }),
  row("an empty body", { body: "" }),
  row("a content that does not end", { body: good.slice(0, -10) }),
  row("a delimiter cut in its middle", { body: good.slice(0, -6) }),
  row("a file that does not end, half of it on disk", {
    body: multipart(filePart("a.png", big)).slice(0, -20),
    ...tight,
  }),
  row("nothing after the boundary", { body: "--X" }),
  row("one closing dash at the end", { body: good.replace("--X--\r\n", "--X-") }),
  row("headers without an end", { body: '--X\r\nContent-Disposition: form-data; name="a"' }),
  row("a large header", { body: multipart(`X: ${"y".repeat(900_000)}\r\n${field("a", "b")}`) }),
  row("headers over the limit", {
    body: multipart(`X: ${"y".repeat(8_192)}\r\n${field("a", "b")}`),
  }),
  ...([[15, { status: 200, value: [["a", "b"]] }], [16, over]] as const).map(([more, want]) =>
    row(`${more} headers beside one`, {
      body: multipart(
        Array.from({ length: more }, (_, i) => `X${i}: y\r\n`).join("") + field("a", "b"),
      ),
    }, want)
  ),
  row("a header without a colon", { body: multipart(`X\r\n${field("a", "b")}`) }),
  row("a space before the colon", { body: multipart(`X : y\r\n${field("a", "b")}`) }),
  row("a NUL in a header", { body: multipart(`X: \0\r\n${field("a", "b")}`) }),
  row("a bare carriage return in a file name", { body: multipart(filePart("a\rb", "c")) }),
  row("a NUL in a file name", { body: multipart(filePart("a\0b", "c")) }),
  row("a bare line feed in a file name", { body: multipart(filePart("a\nb", "c")) }),
  row("two dispositions", {
    body: multipart(`Content-Disposition: form-data; name="role"\r\n${field("a", "b")}`),
  }),
  row("two types", { body: multipart(`Content-Type: a/b\r\n${filePart("a.png", "b")}`) }),
  row("an attachment", { body: multipart('Content-Disposition: attachment; name="a"\r\n\r\nb') }),
  row("an empty disposition", { body: multipart('Content-Disposition: ; name="a"\r\n\r\nb') }),
  row("a parameter without a value", { body: part('; x; name="a"') }),
  row("a name that closes its quotes early", { body: part('; name="a"; "b=c"; x=1') }),
  row("two names in two cases", { body: part('; name="a"; NAME="role"') }),
  row("two file names", { body: part('; name="f"; filename="a.png"; filename="b.exe"') }),
  row("no name", { body: part("") }),
  row("a file without a name of its field", { body: part('; filename="a.png"') }),
  row("a name whose quotes do not close", { body: part('; name="a') }),
  row("a name whose quotes do not open", { body: part('; name=a"') }),
  row("an extended name with a bad escape", { body: part("; name=\"f\"; filename*=UTF-8''%zz") }),
  row("1,101 parts", { body: multipart(...Array(1_101).fill(filePart("", ""))) }, over),
  row("too many fields", {
    body: multipart(field("a", "1"), field("b", "2"), field("c", "3")),
    settings: { bodyLimits: { maxFields: 2 } },
  }, over),
  row("as many fields and files as the limits", {
    body: multipart(field("a", "1"), filePart("a", "b")),
    settings: { bodyLimits: { maxFields: 1, maxFiles: 1 } },
  }, { status: 200, value: [["a", "1"], ["f", "a", 1]] }),
  row("101 files", { body: multipart(...Array(101).fill(filePart("a", "b"))) }, over),
  row("one long text", {
    body: multipart(field("a", "b".repeat(101))),
    settings: { bodyLimits: { maxTextBytes: 100 } },
  }, over),
  row("many texts", {
    body: multipart(...Array(11).fill(field("a", "b".repeat(10)))),
    settings: { bodyLimits: { maxTextBytes: 100 } },
  }, over),
  row("a file, then a malformed part", { body: multipart(filePart("a.png", big), "X"), ...tight }),
  row("files on disk, then one too many", {
    body: multipart(...Array(3).fill(filePart("a.png", big))),
    settings: { bodyLimits: { maxMemoryBytes: 100, maxFiles: 2 } },
  }, over),
  row("a file on disk, then the body's limit", {
    body: () => ReadableStream.from([latin1(`--X\r\n${filePart("a.png", big)}`), latin1(big)]),
    settings: { maxBodyBytes: 4_000, bodyLimits: { maxMemoryBytes: 100 } },
  }, { status: 413, code: "body_too_large" }),
  row("a file on disk that nobody looks at", {
    body: multipart(field("a", "b"), filePart("a.png", big)),
    path: "/form",
    ...tight,
  }, { status: 200, value: [["a", "b"], ["f", "a.png", 3_000]] }),
  row("a file on disk that the rules refuse", {
    body: multipart(filePart("a.png", big)),
    path: "/image",
    ...tight,
  }, refused),
  row("an image over its limit", {
    path: "/image",
    body: latin1(multipart(filePart("a.png", png + "x".repeat(1_000)))),
  }, refused),
  row("an input without a file", { path: "/save", body: multipart(filePart("", "")) }, refused),
];

testHostile("multipart", rows);
