import { App, HttpError } from "../../../mod.ts";
import { assertEquals } from "@std/assert";
import { defaultBodyLimits } from "../../../runtime/base/config/config.ts";
import { RequestBody } from "../../../runtime/body/body.ts";
import { guardRequest } from "../../../runtime/body/guarded_request.ts";
import { listen, type Listening, listenSettings, requestText, sendRaw } from "../raw_client.ts";

async function withServer(test: (server: Listening) => Promise<void>): Promise<void> {
  const lines: string[] = [];
  const app = new App({
    ...listenSettings(lines),
    logRequest: (c) => c.request.headers.has("x-log"),
  });
  const methods = { GET: () => new Response("x"), POST: () => new Response("x") };
  app.route({ pattern: "/x", methods });
  await using server = await listen(app, lines);
  await test(server);
}

const methods = ["TRACE", "TRACK", "trace", "track", "connect", "get", "head", "Head", "post", "X"];

const bodies: readonly [name: string, headers: Record<string, string>, body: string][] = [
  ["no length", {}, ""],
  ["a length", { "Content-Length": "3" }, "abc"],
  ["chunks", { "Transfer-Encoding": "chunked" }, "3\r\nabc\r\n0\r\n\r\n"],
];

for (const [name, headers, body] of bodies) {
  Deno.test(`a method that no route has is 404 or 405, with ${name}`, async () => {
    await withServer(async (server) => {
      for (const method of methods) {
        for (const [path, status] of [["/x", 405], ["/none", 404], ["/api/none", 404]] as const) {
          const answer = await sendRaw(server, requestText(`${method} ${path}`, headers, body));
          assertEquals(answer.status, status, `${method}: ${answer.text}`);
        }
      }
    });
  });
}

Deno.test("guardRequest: methods that no copy can have keep to the limit of the body", async () => {
  const settings = {
    readMs: 1_000,
    limits: defaultBodyLimits(),
    spoolDir: undefined,
    explains: false,
    keptBytes: 0,
  };
  const signal = new AbortController().signal;
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request) => {
      const guarded = guardRequest(
        new RequestBody(request, { ...settings, maxBytes: 4 }),
        () => signal,
      );
      return guarded.text().then(
        (text) => new Response(text),
        (error) => new Response(error instanceof HttpError ? error.code : String(error)),
      );
    },
  );
  const { hostname, port } = server.addr;
  const at = { hostname, port, log: () => "", [Symbol.asyncDispose]: () => Promise.resolve() };
  const chunked = { "Transfer-Encoding": "chunked" };
  for (const method of ["TRACE", "track", "get"]) {
    for (
      const [body, want] of [
        ["3\r\nabc\r\n0\r\n\r\n", "abc"],
        ["5\r\nabcde\r\n0\r\n\r\n", "body_too_large"],
      ] as const
    ) {
      const answer = await sendRaw(at, requestText(`${method} /`, chunked, body));
      assertEquals(answer.body, want, `${method}: ${answer.text}`);
    }
  }
});
