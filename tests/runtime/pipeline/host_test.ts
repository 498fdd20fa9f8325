import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import type { Settings } from "../../../mod.ts";
import { testRequest } from "../../../runtime/testing/mod.ts";
import { newSite, textRoute } from "../app/support.ts";
import { newFolder } from "../../new_folder.ts";
import { peer } from "../peer.ts";

const host = (request: Request): Response =>
  new Response(`host ${request.method}`, { status: 299 });

const rows: readonly [method: string, path: string, status: number][] = [
  ["GET", "/", 200],
  ["GET", "/a", 200],
  ["GET", "/a.txt", 200],
  ["GET", "/nothing", 299],
  ["POST", "/nothing", 299],
  ["GET", "/a/deeper", 299],
  ["GET", "/api/x", 299],
  ["POST", "/a", 405],
  ["GET", "/a/", 301],
  ["POST", "/a/", 308],
  ["POST", "/a.txt", 299],
  ["GET", "/%zz", 400],
];

for (const [method, path, status] of rows) {
  Deno.test(`app.handler({ next }): ${method} ${path} is ${status}`, async () => {
    await using folder = await newFolder();
    const dir = folder.path;
    await Deno.writeTextFile(`${dir}/a.txt`, "file");
    const { app } = newSite([textRoute("/"), textRoute("/a")], { config: { public: dir } });
    const response = await app.handler({ next: host })(
      new Request(`http://localhost${path}`, { method }),
    );
    assertEquals(response.status, status);
  });
}

Deno.test("the host gets the original request and connection, and its response is unchanged", async () => {
  const { app, lines } = newSite([textRoute("/")]);
  const request = new Request("http://localhost/theirs", { method: "POST", body: "x" });
  const info = peer("10.0.0.1");
  const answer = new Response(null, { status: 204 });
  const handler = app.handler({
    next: (...args) => {
      assertStrictEquals(args[0], request);
      assertStrictEquals(args[1], info);
      return answer;
    },
  });
  assertStrictEquals(await handler(request, info), answer);
  assertEquals([await request.text(), lines], ["x", []]);
});

const sources: readonly (readonly [name: string, config: Settings])[] = [
  ["without files", {}],
  ["behind a synchronous source", { public: { get: () => undefined } }],
  ["behind an asynchronous source", { public: { get: () => Promise.resolve(undefined) } }],
];
for (const [name, config] of sources) {
  Deno.test(`the host receives its own errors, ${name}`, async () => {
    const { app, lines } = newSite([textRoute("/")], { config });
    const next = (): never => {
      throw new Deno.errors.NotFound("host failed");
    };
    for (const fail of [next, () => Promise.reject(new Deno.errors.NotFound("host failed"))]) {
      const handler = app.handler({ next: fail });
      const ask = (): Promise<Response> => handler(new Request("http://localhost/x"));
      await assertRejects(ask, Deno.errors.NotFound, "host failed");
    }
    assertEquals(lines, []);
  });
}

Deno.test("a 404 returned by a handler is not passed to the host", async () => {
  const { app } = newSite([{ pattern: "/a", methods: { GET: (c) => c.text(404, "mine") } }]);
  const response = await app.handler({ next: host })(new Request("http://localhost/a"));
  assertEquals([response.status, await response.text()], [404, "mine"]);
});

Deno.test("app.fetch has no host, and handlers of one application may have different hosts", async () => {
  const { app } = newSite([textRoute("/")]);
  await testRequest(app, "GET", "/x").wantStatus(404);
  for (const name of ["one", "two"]) {
    const handler = app.handler({ next: () => new Response(name) });
    assertEquals(await (await handler(new Request("http://localhost/x"))).text(), name);
  }
});
