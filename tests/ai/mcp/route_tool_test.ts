/** Routes of an application as tools: as whom they are called, and with what. */
import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { dial, http, mcpServer, mcpTool, toolFromRoute } from "../../../ai/mcp/mod.ts";
import type { McpClient } from "../../../ai/mcp/mod.ts";
import { type App, type Ctx, httpError, int, type Next, struct, text } from "../../../mod.ts";
import { appOf } from "./endpoint.ts";
import { asFetch } from "./support.ts";

interface Seen {
  readonly path: string;
  readonly user: string | null;
  readonly body: unknown;
}

function routed(seen: Seen[]): App {
  const note = async (c: Ctx): Promise<Response> => {
    const body = c.method === "GET" ? c.url.search : await c.request.json();
    seen.push({ path: c.url.pathname, user: c.request.headers.get("authorization"), body });
    return c.json(200, { path: c.url.pathname, body });
  };
  const guard = (c: Ctx, next: Next): Promise<Response> => {
    if (c.request.headers.get("authorization") !== "Bearer ada") {
      throw httpError(403, "only Ada may", { code: "not_ada" });
    }
    return next();
  };
  const server = mcpServer({
    name: "routes",
    version: "1.0.0",
    tools: [
      toolFromRoute({
        name: "find",
        description: "Finds.",
        pattern: "/api/{city}/events",
        input: struct({ city: text("required"), page: int(), words: text() }),
      }),
      toolFromRoute({ name: "file", description: "Reads.", pattern: "/files/{path...}" }),
      toolFromRoute({
        name: "add",
        description: "Adds.",
        method: "POST",
        pattern: "/api/events",
        input: struct({ title: text("required") }),
      }),
      toolFromRoute({
        name: "change",
        description: "Changes.",
        method: "PUT",
        pattern: "/api/events/{id}",
        input: struct({ id: int("required"), title: text("required") }),
      }),
      toolFromRoute({ name: "image", description: "Draws.", pattern: "/image" }),
      toolFromRoute({ name: "large", description: "Much.", pattern: "/large", maxBytes: 100 }),
      toolFromRoute({ name: "gone", description: "Gone.", pattern: "/gone" }),
    ],
  });
  const app = appOf(server);
  const middleware = [{ Middleware: guard }];
  app.route({ pattern: "/api/{city}/events", methods: { GET: note }, kind: "api" });
  app.route({ pattern: "/files/{path...}", methods: { GET: note }, kind: "api" });
  app.route({ pattern: "/api/events", methods: { POST: note }, kind: "api", middleware });
  app.route({ pattern: "/api/events/{id}", methods: { PUT: note }, kind: "api" });
  app.route({
    pattern: "/image",
    methods: {
      GET: () => new Response(new Uint8Array([1, 2]), { headers: { "content-type": "image/png" } }),
    },
  });
  app.route({ pattern: "/large", methods: { GET: (c) => c.text(200, "x".repeat(1_000)) } });
  return app;
}

function dialed(app: App, headers: HeadersInit = {}): Promise<McpClient> {
  return dial(http("http://localhost:3000/mcp", { fetch: asFetch(app.fetch), headers }));
}

Deno.test("toolFromRoute runs the route through the pipeline, as the caller", async () => {
  const seen: Seen[] = [];
  const app = routed(seen);
  await using ada = await dialed(app, { authorization: "Bearer ada" });
  await using eve = await dialed(app, { authorization: "Bearer eve" });
  assertEquals((await ada.callTool("add", { title: "Talks" })).structured, {
    path: "/api/events",
    body: { title: "Talks" },
  });
  const refused = await eve.callTool("add", { title: "Talks" });
  assert(refused.isError);
  assertMatch(JSON.stringify(refused.content), /HTTP 403.*only Ada may/);
  assertEquals(seen.map(({ user }) => user), ["Bearer ada"]);
});

const routeCalls: [name: string, tool: string, args: Record<string, unknown>, expected: RegExp][] =
  [
    ["a path", "find", { city: "São Paulo", page: 2 }, /\/api\/S%C3%A3o%20Paulo\/events.*\?page=2/],
    ["a path that would lead elsewhere", "find", { city: ".." }, /dot segment/],
    ["a slash in a parameter", "find", { city: "a/b" }, /\/api\/a%2Fb\/events/],
    [
      "a query that would break out",
      "find",
      { city: "x?y=1#z", words: "a&b=c" },
      /\/api\/x%3Fy%3D1%23z\/events.*\?words=a%26b%3Dc/,
    ],
    ["a path of several segments", "file", { path: "a/b c" }, /\/files\/a\/b%20c/],
    ["a path with dot segments", "file", { path: "a/../../etc" }, /dot segment/],
    ["an empty parameter", "file", { path: "" }, /dot segment/],
    ["a body beside a path", "change", { id: 7, title: "New" }, /events\/7.*title.*New/],
    ["wrong arguments", "change", { id: 7, title: "" }, /invalid/],
    ["an image", "image", {}, /"type":"image","data":"AQI=","mimeType":"image\/png"/],
    ["a response that is too large", "large", {}, /larger than 100 bytes/],
    ["a route that does not exist", "gone", {}, /HTTP 404/],
  ];

for (const [name, tool, args, expected] of routeCalls) {
  Deno.test(`toolFromRoute: ${name}`, async () => {
    const app = routed([]);
    await using client = await dialed(app);
    assertMatch(JSON.stringify(await client.callTool(tool, args)), expected);
  });
}

Deno.test("toolFromRoute refuses at boot a pattern that cannot be a route", () => {
  const at = { name: "t", description: "" };
  assertThrows(() => toolFromRoute({ ...at, pattern: "events" }), TypeError, 'begins with "/"');
  assertThrows(
    () => toolFromRoute({ ...at, pattern: "/{id}", input: struct({}) }),
    TypeError,
    'no "id"',
  );
});

Deno.test("a wrong address and a missing handler are named in the message", async () => {
  const page = { message: "Sign in", url: "https://example.com/" };
  const ask = mcpTool({ name: "ask", description: "" }, (_, call) => call.elicitUrl(page));
  const app = appOf(mcpServer({ name: "s", version: "1", tools: [ask] }));
  const wrong = http("http://localhost:3000/mpc?key=secret", { fetch: asFetch(app.fetch) });
  const missed = await assertRejects(() => dial(wrong), Error);
  assertMatch(missed.message, /\/mpc answered 404\.$/);
  await using client = await dialed(app);
  const unasked = await assertRejects(() => client.callTool("ask"), Error);
  assertMatch(unasked.message, /sets onElicitUrl/);
});
