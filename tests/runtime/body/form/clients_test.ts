import { assertEquals, assertRejects } from "@std/assert";
import { type Ctx, HttpError } from "../../../../mod.ts";
import { inHandler } from "../case.ts";

type Entry =
  | readonly [name: string, value: string]
  | readonly [name: string, fileName: string, type: string, content: string];

interface Recorded {
  readonly type?: string;
  /** The parts: their headers, an empty line, and the content, one character per byte. */
  readonly parts: readonly string[];
  /** The boundary in the body. @default "B" */
  readonly boundary?: string;
  readonly body?: (body: string) => string;
  /** The parsed result; a string is the reason of a 400. */
  readonly want: readonly Entry[] | string;
}

const bytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (char) => char.charCodeAt(0));
const utf8 = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
const disposition = "Content-Disposition: form-data; ";
const part = (parameters: string, content: string, headers = ""): string =>
  `${disposition}${parameters}\r\n${headers}\r\n${content}`;

async function entries(c: Ctx): Promise<Entry[]> {
  const found: Entry[] = [];
  for (const [name, value] of await c.formData()) {
    found.push(
      typeof value === "string"
        ? [name, value]
        : [name, value.name, value.type, String.fromCharCode(...await value.bytes())],
    );
  }
  return found;
}

async function read(recorded: Recorded): Promise<readonly Entry[]> {
  const { parts, boundary = "B", type = `; boundary=${boundary}`, body = (text) => text } =
    recorded;
  const text = parts.map((each) => `--${boundary}\r\n${each}\r\n`).join("") + `--${boundary}--\r\n`;
  const given = { body: bytes(body(text)), type: `multipart/form-data${type}` };
  return await inHandler(given, entries);
}

function testAll(group: string, table: Readonly<Record<string, Recorded>>): void {
  for (const [name, recorded] of Object.entries(table)) {
    const { want } = recorded;
    Deno.test(`${group}: ${name}${typeof want === "string" ? " is refused" : ""}`, async () => {
      if (typeof want !== "string") return assertEquals(await read(recorded), want);
      const error = await assertRejects(() => read(recorded), HttpError, want);
      assertEquals([error.status, error.code], [400, "invalid_form"]);
    });
  }
}

const png = "\x89PNG\r\n\x1a\n";

testAll("a multipart body of", {
  ".NET, MultipartFormDataContent": {
    type: '; boundary="B"',
    parts: [
      `Content-Type: text/plain; charset=utf-8\r\n${disposition}name=title\r\n\r\nhi`,
      `Content-Type: image/png\r\n${disposition}name=f; filename=a.png; filename*=utf-8''a.png\r\n\r\n${png}`,
      part("name=f; filename=\"=?utf-8?B?w6kucG5n?=\"; filename*=utf-8''%C3%A9.png", "x"),
    ],
    want: [["title", "hi"], ["f", "a.png", "image/png", png], ["f", "é.png", "", "x"]],
  },
  "aiohttp": {
    parts: [
      `Content-Type: text/plain; charset=utf-8\r\n${disposition}name="a"\r\n\r\nb`,
      `Content-Type: application/octet-stream\r\n${disposition}name="data"\r\n\r\n\xff\0`,
      part('name="f"; filename="%C3%A9.txt"; filename*=utf-8\'\'%C3%A9.txt', "x"),
    ],
    want: [["a", "b"], ["data", "", "application/octet-stream", "\xff\0"], ["f", "é.txt", "", "x"]],
  },
  "requests with urllib3 1 and 2": {
    parts: [
      part("name=\"f\"; filename*=utf-8''%C3%A9.txt", "1"),
      part(utf8('name="f"; filename="é.txt"'), "2"),
      part("name*=utf-8''caf%C3%A9", "3"),
    ],
    want: [["café", "3"], ["f", "é.txt", "", "1"], ["f", "é.txt", "", "2"]],
  },
  "Apache HttpClient 4": {
    type: "; charset=ISO-8859-1; boundary=B",
    parts: [
      part(
        'name="city"',
        "S\xe3o Paulo",
        "Content-Type: text/plain; charset=ISO-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n",
      ),
      part(
        'name="data"',
        "\xff",
        "Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: binary\r\n",
      ),
      part('name="f"; filename="caf\xe9.txt"', "x", "Content-Type: text/plain\r\n"),
    ],
    want: [
      ["city", "São Paulo"],
      ["data", "", "application/octet-stream", "\xff"],
      ["f", "café.txt", "text/plain", "x"],
    ],
  },
  "Apache HttpClient 5": {
    type: "; charset=ISO-8859-1; boundary=httpclient_boundary_B",
    boundary: "httpclient_boundary_B",
    parts: [
      part('name="f"; filename="?.txt"; filename*="UTF-8\'\'%C3%A9.txt"', "x"),
      part('name="f"; filename="p.txt"; filename*=ISO-8859-1\'\'caf%E9.txt', "y"),
    ],
    want: [["f", "é.txt", "", "x"], ["f", "café.txt", "", "y"]],
  },
  "OkHttp and Retrofit": {
    parts: [
      part('name="a"', "b", "Content-Length: 1\r\n"),
      part(
        'name="f"; filename="a%22b.png"',
        png,
        "Content-Transfer-Encoding: binary\r\nContent-Type: image/png\r\nContent-Length: 8\r\n",
      ),
    ],
    want: [["a", "b"], ["f", 'a"b.png', "image/png", png]],
  },
  "curl before 7.81 and Go, which escape with a backslash": {
    parts: [
      part('name="f"; filename="a\\"b.txt"', "x", "Content-Type: text/plain\r\n"),
      part('name="a\\"b"', "c"),
    ],
    want: [['a"b', "c"], ["f", 'a"b.txt', "text/plain", "x"]],
  },
  "Postman": {
    parts: [
      part('name="f"; filename="/C:/Users/ada/photo.png"', png, "Content-Type: image/png\r\n"),
      part(
        utf8('name="f"; filename="é.png"; filename*=UTF-8\'\'%C3%A9.png'),
        "x",
        "Content-Type: image/png\r\n",
      ),
    ],
    want: [["f", "photo.png", "image/png", png], ["f", "é.png", "image/png", "x"]],
  },
  "axios and form-data": {
    boundary: "--------------------------515890814546601021194782",
    parts: [part('name="a"', "b"), part('name="f"; filename="a.png"', png)],
    want: [["a", "b"], ["f", "a.png", "", png]],
  },
  "Android, HttpURLConnection": {
    type: ";boundary=*****",
    boundary: "*****",
    parts: [part('name="f";filename="a.png"', png)],
    body: (text) => `\r\n${text.trimEnd()}`,
    want: [["f", "a.png", "", png]],
  },
  "Feign": {
    type: "; charset=UTF-8; boundary=18e9d3a1f2c",
    boundary: "18e9d3a1f2c",
    parts: [
      part('name="a"', "b", "Content-Type: text/plain; charset=UTF-8\r\n"),
      part(
        'name="f"; filename="a.png"',
        png,
        "Content-Type: image/png\r\nContent-Transfer-Encoding: binary\r\n",
      ),
    ],
    want: [["a", "b"], ["f", "a.png", "image/png", png]],
  },
  "Guzzle": {
    parts: [
      part('name="a"', "b", "Content-Length: 1\r\n"),
      part('name="f"; filename="a.png"', png, "Content-Length: 8\r\nContent-Type: image/png\r\n"),
    ],
    want: [["a", "b"], ["f", "a.png", "image/png", png]],
  },
});

testAll("RFC 2046, 5.1.1 and 5.1.2", {
  "a part whose content is its delimiter": {
    parts: [`${disposition}name="a"\r\n`, part('name="b"', "c")],
    want: [["a", ""], ["b", "c"]],
  },
  "a preamble": {
    parts: [part('name="a"', "b")],
    body: (text) => `This is a message in MIME format.\r\n${text}`,
    want: [["a", "b"]],
  },
  "line breaks before the first delimiter": {
    parts: [part('name="a"', "b")],
    body: (text) => `\r\n\r\n${text}`,
    want: [["a", "b"]],
  },
  "a boundary in the middle of a line of the preamble": {
    parts: [part('name="a"', "b")],
    body: (text) => `x--B\r\n${text}`,
    want: [["a", "b"]],
  },
  "a body of the last delimiter alone": { parts: [], want: [] },
  "no delimiter at all": { parts: [], body: () => "text", want: "it ends early" },
  "a folded header": {
    parts: [
      `Content-Disposition: form-data;\r\n name="f";\r\n\tfilename="a.txt"\r\nContent-Type:\r\n text/plain\r\n\r\nb`,
    ],
    want: [["f", "a.txt", "text/plain", "b"]],
  },
  "last semicolons": { type: "; boundary=B;", parts: [part('name="a";', "b")], want: [["a", "b"]] },
  "a line that begins like the boundary": {
    parts: [part('name="a"', "b\r\n--Bc")],
    want: "a line begins like its boundary",
  },
});

testAll("HTML, multipart/form-data encoding, and RFC 7578", {
  "backslashes, which are raw": {
    parts: [part('name="a\\b\\\\c"', "d"), part('name="f"; filename="C:\\a\\b.txt"', "x")],
    want: [["a\\b\\\\c", "d"], ["f", "b.txt", "", "x"]],
  },
  "a name that ends in a backslash": {
    parts: [part('name="a\\"', "b"), part('name="c\\"; filename="d.txt"', "e")],
    want: [["a\\", "b"], ["c\\", "d.txt", "", "e"]],
  },
  "something behind a quoted name": { parts: [part('name="a"b', "c")], want: "malformed" },
  "a blank before the equals sign of the boundary (RFC 9110, 5.6.6)": {
    type: "; boundary =B",
    parts: [part('name="a"', "b")],
    want: "boundary",
  },
  "a blank before the equals sign": { parts: [part('name ="a"', "b")], want: "malformed" },
  "two names (7578, 4.2)": { parts: [part('name="a"; name="b"', "c")], want: "two name" },
  "both names": { parts: [part("name=\"a\"; name*=utf-8''b", "c")], want: "two name" },
  "a nested form (4.3)": {
    parts: [part('name="a"', "--C--", "Content-Type: Multipart/Mixed; boundary=C\r\n")],
    want: "multipart itself",
  },
  "a part without a disposition (4.2), which busboy drops": {
    parts: ["Content-Type: text/plain\r\n\r\nb"],
    want: "no Content-Disposition",
  },
  "a part in base64 (4.7), which python-multipart decodes": {
    parts: [part('name="a"', "Yg==", "Content-Transfer-Encoding: base64\r\n")],
    want: "Content-Transfer-Encoding",
  },
  "not in its character set (4.4)": { parts: [part('name="a"', "\xff")], want: "not UTF-8" },
  "a character set without a decoder": {
    parts: [part('name="a"', "b", "Content-Type: text/plain; charset=utf-7\r\n")],
    want: "character set",
  },
  "an extended file name that is malformed falls back to the plain one": {
    parts: [part('name="f"; filename="a.txt"; filename*=utf-8\'\'%zz', "x")],
    want: [["f", "a.txt", "", "x"]],
  },
});
