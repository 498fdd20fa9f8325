import { App, type Ctx, type Settings } from "../../../mod.ts";
import { assert, assertEquals } from "@std/assert";
import { listen, type Listening, listenSettings, requestText, sendRaw } from "../raw_client.ts";

/** Serves until the end of the block, where the next request gets a response all the same. */
async function openServer(
  settings: Settings = {},
): Promise<Listening & { readonly paths: readonly string[] }> {
  const lines: string[] = [];
  const paths: string[] = [];
  const handler = (c: Ctx): Response => {
    paths.push(`${c.pattern} ${c.url.pathname}`);
    return c.text(200, c.url.href);
  };
  const methods = { GET: handler, POST: handler, OPTIONS: handler };
  const app = new App({ ...listenSettings(lines), ...settings });
  for (const pattern of ["/", "/x", "/admin", "/admin/{name}", "/files/{path...}"]) {
    app.route({ pattern, methods });
  }
  const server = await listen(app, lines);
  const end = async (): Promise<void> => {
    assertEquals((await sendRaw(server, requestText("GET /x"))).status, 200);
    await server[Symbol.asyncDispose]();
  };
  return { ...server, paths, [Symbol.asyncDispose]: end };
}

/** Ambiguous paths: 400 before any code of the application runs. */
const refusedPaths: readonly string[] = String.raw`
  /% /%2 /%zz /x% /%u0041 /%C0%AF /%C3 /%FF /%ED%A0%80 /%F5%80%80%80 /%00 /x%00 /x%00.html
  /%0d%0aSet-Cookie:a=1 /%0a /%7f /%C2%85 /.. /../x /files/../admin /files/../../etc/passwd
  /files/.. /files/. /./x /files/%2e%2e/admin /files/%2E%2E/admin /files/.%2e/admin
  /files/%2e./admin /files/%2e/admin /files/..%2fadmin /files/..%2Fadmin /files/%2e%2e%2fadmin
  /files/..%5cadmin /files/%2e%2e%5cadmin /files/a%2f..%2fadmin /files/a%5c..%5cadmin
  /files/..\admin /files\..\admin /\evil.example \x
`.trim().split(/\s+/);

for (const path of refusedPaths) {
  Deno.test(`a malformed or climbing path gets 400, and no handler runs: ${path}`, async () => {
    await using server = await openServer();
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const headers: Record<string, string> = method === "POST" ? { "Content-Length": "0" } : {};
      const answer = await sendRaw(server, requestText(`${method} ${path}`, headers));
      assertEquals(answer.status, 400, answer.text);
    }
    assertEquals(server.paths, []);
  });
}

for (const path of ["/\u0001", "/a\tb", "/a b", "x", "", "?x", "*x"]) {
  Deno.test(`an invalid request line gets 400: ${JSON.stringify(path)}`, async () => {
    await using server = await openServer();
    assertEquals((await sendRaw(server, requestText(`GET ${path}`))).status, 400);
    assertEquals(server.paths, []);
  });
}

/** Paths that only look odd, and their responses. */
const odd: readonly [path: string, status: number, seen: string | undefined][] = [
  ["/%2561dmin", 404, undefined],
  ["/%61dmin", 200, "/admin /%61dmin"],
  ["/admin/%252e%252e", 200, "/admin/{name} /admin/%252e%252e"],
  ["/admin/...", 200, "/admin/{name} /admin/..."],
  ["/admin/..a", 200, "/admin/{name} /admin/..a"],
  ["/admin%2fx", 404, undefined],
  ["/admin/a%2Fb", 200, "/admin/{name} /admin/a%2Fb"],
  ["//admin", 404, undefined],
  ["/files//etc/passwd", 404, undefined],
  ["/files//etc/passwd/", 404, undefined],
  ["/files/%2Fetc%2Fpasswd", 404, undefined],
  ["/files/%2fetc/passwd", 404, undefined],
  ["/files/%5c%5cserver%5cshare", 404, undefined],
  ["/files/a//b", 404, undefined],
  ["/files/a%2F%2Fb", 404, undefined],
  ["/files/a%2Fb", 200, "/files/{path...} /files/a%2Fb"],
  ["/files/a/", 200, "/files/{path...} /files/a/"],
  ["//evil.example/x", 404, undefined],
  ["/admin;x=1", 404, undefined],
  ["/x?/../admin", 200, "/x /x"],
  ["/x?a=%00%zz", 200, "/x /x"],
  ["/x#/admin", 200, "/x /x"],
  ["/X", 404, undefined],
];

for (const [path, status, wanted] of odd) {
  Deno.test(`an unusual but valid path: ${path} gets ${status}`, async () => {
    await using server = await openServer();
    const answer = await sendRaw(server, requestText(`GET ${path}`));
    assertEquals(answer.status, status, answer.text);
    assertEquals(server.paths, wanted === undefined ? [] : [wanted]);
  });
}

Deno.test("a path of 10,000 segments gets a response quickly", async () => {
  await using server = await openServer({ timeouts: { maxHeaderBytes: 65_536 } });
  for (
    const [path, status] of [
      ["/a".repeat(10_000), 404],
      ["/files" + "/a".repeat(10_000), 200],
      ["/" + "/".repeat(10_000), 404],
      ["/files/" + "%61".repeat(10_000), 200],
      ["/files/" + "%2F".repeat(10_000), 404],
      ["/files/" + "%2e/".repeat(10_000), 400],
      ["/files/" + "../".repeat(10_000), 400],
      ["/files/" + ".a/".repeat(10_000), 200],
      ["/x?" + "a&".repeat(10_000), 200],
    ] as const
  ) {
    const startMs = performance.now();
    const answer = await sendRaw(server, requestText(`GET ${path}`));
    assertEquals(answer.status, status, path.slice(0, 20));
    assert(performance.now() - startMs < 10_000, path.slice(0, 20));
  }
});

Deno.test("a path over the header limit gets 414, and no handler runs", async () => {
  await using server = await openServer();
  for (const path of ["/files" + "/a".repeat(10_000), "/x?" + "a&".repeat(10_000)]) {
    assertEquals((await sendRaw(server, requestText(`GET ${path}`))).status, 414);
  }
  assertEquals(server.paths, []);
});

const hosts: readonly string[] = [
  ..."a/admin? a/admin a/ a/? a/# a# a#/ a? a?x=/".split(" "),
  "a b",
  "a\\b",
  "a\\admin?",
  ..."u@a u:p@a @ a:x a: a:80:80 a:99999 a:123456 1.2.3.999 1.2.3.4.5 [::1 [::1]x".split(" "),
  ..."[:::] [1.2.3] ::1 a,b a;b <a> é %61 xn--a".split(" "),
  "a".repeat(300),
  "..\\..",
];

for (const host of hosts) {
  const shown = host.length > 40 ? `${host.length} characters` : host;
  Deno.test(`an invalid Host gets 400, whatever the target: ${shown}`, async () => {
    await using server = await openServer();
    const rows = ["GET /", "GET /x", "GET /admin/a", "OPTIONS *", "GET /x?/", "POST /x"];
    for (const target of rows) {
      const headers = { Host: host, "Content-Length": "0" };
      const answer = await sendRaw(server, requestText(target, headers));
      assertEquals(answer.status, 400, `${target}: ${answer.text}`);
    }
    assertEquals(server.paths, []);
  });
}

Deno.test("valid hosts of every form are accepted", async () => {
  await using server = await openServer();
  for (
    const host of [..."a A.Example a.example. a_b a-b:80 127.0.0.1 127.0.0.1:65535".split(" ")]
      .concat(["[::1]", "[::1]:3000", "xn--bcher-kva.example", "localhost:3000", ""])
  ) {
    for (const path of ["/x", "/admin/a"]) {
      const answer = await sendRaw(server, requestText(`GET ${path}`, { Host: host }));
      assertEquals(answer.status, 200, `${host} ${path}: ${answer.text}`);
    }
  }
});

Deno.test("a request without Host gets a response (HTTP/1.0 has none)", async () => {
  await using server = await openServer();
  for (const version of ["1.0", "1.1"]) {
    const text = `GET /x HTTP/${version}\r\nConnection: close\r\n\r\n`;
    assertEquals((await sendRaw(server, text)).status, 200);
  }
});

const requests: Readonly<Record<string, string>> = {
  "two Hosts, one that shifts the path": "GET /x HTTP/1.1\r\nHost: a/admin?\r\nHost: a\r\n\r\n",
  "two lengths": "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
  "a negative length": "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
  "a length that is not a number": "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 1a\r\n\r\n",
  "an enormous length": `POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: ${"9".repeat(40)}\r\n\r\n`,
  "a length and chunks":
    "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "an unknown transfer encoding":
    "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
  "a NUL in a header": "GET /x HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n",
  "a folded header": "GET /x HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n",
  "a space before the colon": "GET /x HTTP/1.1\r\nHost : a\r\n\r\n",
  "a header without a name": "GET /x HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n",
  "a header of 70,000 characters": `GET /x HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(70_000)}\r\n\r\n`,
  "200 headers": `GET /x HTTP/1.1\r\nHost: a\r\n${"X: a\r\n".repeat(200)}\r\n`,
  "no HTTP": "hello\r\n\r\n",
  "an unknown version": "GET /x HTTP/9.9\r\nHost: a\r\n\r\n",
};

for (const [title, text] of Object.entries(requests)) {
  Deno.test(`a malformed request gets 400 or is closed, and no handler runs: ${title}`, async () => {
    await using server = await openServer();
    const { status, text: got } = await sendRaw(server, text);
    assert(status === 400 || status === 0, got);
    assertEquals(server.paths, []);
  });
}

/** The absolute form of a target overrides Host (RFC 9112, section 3.2.2). */
const absolute: readonly [target: string, host: string, status: number][] = [
  ["http://a/x", "a", 200],
  ["http://a/admin/a", "a", 200],
  ["http://a:80/x", "a:80", 200],
  ["http://a", "a", 200],
  ["http://evil.example/x", "a", 400],
  ["http://evil.example/admin/a", "a", 400],
  ["http://u:p@a/x", "a", 400],
  ["http://a?/x", "a", 400],
  ["http://a#/x", "a", 400],
  ["ftp://a/x", "a", 400],
  ["http://a b/x", "a", 400],
  ["http://a/../admin", "a", 400],
];

for (const [target, host, status] of absolute) {
  Deno.test(`the absolute form ${target} with Host: ${host} gets ${status}`, async () => {
    await using server = await openServer();
    const answer = await sendRaw(server, requestText(`GET ${target}`, { Host: host }));
    assertEquals(answer.status, status, answer.text);
  });
}

/** The framework's listener has no TLS, so a scheme in the target is only the client's claim. */
const claimed: readonly [
  title: string,
  trustedProxies: string[],
  headers: Readonly<Record<string, string>>,
  isSecure: boolean,
][] = [
  ["alone", [], {}, false],
  ["beside a trusted proxy that sends http", ["127.0.0.1"], { "X-Forwarded-Proto": "http" }, false],
  ["beside a trusted proxy that sends no scheme", ["127.0.0.1"], {}, false],
  ["beside an untrusted proxy that sends https", [], { "X-Forwarded-Proto": "https" }, false],
  ["beside a trusted proxy sending https", ["127.0.0.1"], { "X-Forwarded-Proto": "https" }, true],
];

for (const listener of ["deno", "node"] as const) {
  for (const [title, trustedProxies, headers, isSecure] of claimed) {
    Deno.test(`https in a target does not make the connection secure, ${listener}: ${title}`, async () => {
      await using server = await openServer({ listener, trustedProxies });
      const text = requestText("GET https://a/x", { Host: "a", ...headers });
      const answer = await sendRaw(server, text);
      assertEquals(answer.status, 200, answer.text);
      assertEquals(answer.body.startsWith("https:"), isSecure, answer.text);
      assertEquals(answer.headers.has("strict-transport-security"), isSecure, answer.text);
    });
  }
}

Deno.test("https in a request from another server makes it secure, even while the app listens", async () => {
  const lines: string[] = [];
  const app = new App(listenSettings(lines));
  app.route({ pattern: "/x", methods: { GET: (c) => c.text(200, c.url.href) } });
  const handlers = [app.handler(), app.fetch];
  const ask = async (): Promise<void> => {
    for (const handler of handlers) {
      const response = await handler(new Request("https://a/x"));
      assertEquals(await response.text(), "https://a/x");
      assert(response.headers.has("strict-transport-security"));
    }
  };
  await ask();
  {
    await using _ = await listen(app, lines);
    await ask();
  }
  await ask();
});

Deno.test("OPTIONS * and CONNECT reach no route", async () => {
  await using server = await openServer();
  assertEquals((await sendRaw(server, requestText("OPTIONS *"))).status, 404);
  assertEquals((await sendRaw(server, requestText("CONNECT a:80"))).status, 400);
  assertEquals(server.paths, []);
});
