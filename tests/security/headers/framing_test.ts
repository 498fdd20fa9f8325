/** Responses of an application, such as fetched ones, whose headers describe another body. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { converse, requestText, serve } from "../raw_client.ts";

const framings: readonly Readonly<Record<string, string>>[] = [
  ...["0", "3", "6", "99", "abc", "-1", "6, 6"].map((length) => ({ "content-length": length })),
  ...["chunked", "gzip", "identity", "x, chunked"].map((coding) => ({
    "transfer-encoding": coding,
  })),
  { "transfer-encoding": "chunked", "content-length": "3" },
  { trailer: "x-a" },
];
const framed: Readonly<Record<string, () => BodyInit | null>> = {
  "a text": () => "abcdef",
  "a stream": () =>
    ReadableStream.from(["abc", "def"].map((text) => new TextEncoder().encode(text))),
  "a slow stream": () => ReadableStream.from(slowly()),
  "no body": () => null,
};

async function* slowly(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield new TextEncoder().encode("abc");
  await new Promise((resolve) => setTimeout(resolve, 1));
  yield new TextEncoder().encode("def");
}

for (const listener of ["deno", "node"] as const) {
  for (const [kind, body] of Object.entries(framed)) {
    Deno.test(`listener "${listener}": no header of a Response makes a client read ${kind} as two responses`, async () => {
      for (const headers of framings) {
        await using server = await serve([
          { pattern: "/", methods: { GET: () => new Response(body(), { headers }) } },
          { pattern: "/next", methods: { GET: (c) => c.text(200, "next") } },
        ], { listener });
        const first = requestText("GET /", { Connection: "keep-alive" });
        const text = await converse(server, [first + requestText("GET /next")]);
        const bodies = readFramed(text).filter((each) => each !== "next");
        const want = kind === "no body" ? "" : "abcdef";
        // A length that is wrong ends the connection before the end of the body.
        assert(bodies.every((each) => want.startsWith(each)), `${JSON.stringify(headers)} ${text}`);
        if ("trailer" in headers) assertEquals([bodies, text.includes("next")], [[want], true]);
      }
    });
  }
}

/** Reads responses as a proxy does; throws if one is framed in two ways or is followed by something else. */
function readFramed(text: string): readonly string[] {
  if (text === "") return [];
  const [head = "", ...more] = text.split("\r\n\r\n");
  assertMatch(head, /^HTTP\/1\.1 \d{3} /);
  const rest = more.join("\r\n\r\n");
  const lengths = [...head.matchAll(/^content-length: (.*)$/gim)].map(([, length]) =>
    Number(length)
  );
  const isChunked = /^transfer-encoding: chunked\r?$/im.test(head);
  assertEquals([...head.matchAll(/^(?:content-length|transfer-encoding):/gim)].length, 1, head);
  if (!isChunked) return [rest.slice(0, lengths[0]), ...readFramed(rest.slice(lengths[0]))];
  let body = "";
  let at = 0;
  for (;;) {
    const line = rest.indexOf("\r\n", at);
    const size = parseInt(rest.slice(at, line), 16);
    if (line < 0 || size === 0) {
      return [body, ...(line < 0 ? [] : readFramed(rest.slice(line + 4)))];
    }
    body += rest.slice(line + 2, line + 2 + size);
    at = line + 4 + size;
  }
}
