/** The client hears of changes, in both eras, and goes on when a stream or a server is lost. */
import { setTimeout as delay } from "node:timers/promises";
import { assertEquals, assertRejects } from "@std/assert";
import { dial, http, mcpTool } from "../../../ai/mcp/mod.ts";
import type { DialOptions, McpChange, McpLogMessage } from "../../../ai/mcp/mod.ts";
import { agent, run } from "../../../ai/mod.ts";
import { scriptedModel } from "../../../ai/testing.ts";
import { kitchen, stopped } from "./kitchen.ts";
import { asFetch, serve, until } from "./support.ts";

for (const revisions of ["stateless", "session"] as const) {
  Deno.test(`dial, ${revisions}: changes reach the client, and only what was subscribed to`, async () => {
    const server = kitchen();
    const served = serve(server);
    const changes: McpChange[] = [];
    const options: DialOptions = { revisions, onChange: (change) => changes.push(change) };
    const client = await dial(http(served.url), options);
    let updates = 0;
    const stop = await client.subscribe("note://1", () => updates++);
    server.resourceUpdated("note://2");
    server.resourceUpdated("note://1");
    await until(() => updates === 1, "the update");
    server.setTools([mcpTool({ name: "only", description: "" }, () => "")]);
    await until(() => changes.some(({ kind }) => kind === "tools"), "the change of the tools");
    assertEquals((await client.tools()).map(({ name }) => name), ["only"]);
    await stop();
    if (revisions === "stateless") await new Promise((resolve) => setTimeout(resolve, 100));
    server.resourceUpdated("note://1");
    server.setPrompts([]);
    await until(() => changes.some(({ kind }) => kind === "prompts"), "the change of the prompts");
    assertEquals(updates, 1);
    assertEquals(changes.filter(({ kind }) => kind === "resource").length, 1);
    await client.close();
    await served.stop();
  });

  Deno.test(`dial, ${revisions}: log messages reach the client from the level that it wants`, async () => {
    const served = serve(kitchen());
    const logs: McpLogMessage[] = [];
    const client = await dial(http(served.url), {
      revisions,
      onLog: (message) => logs.push(message),
    });
    await client.callTool("progress", { steps: 2 });
    assertEquals(
      logs,
      [1, 2].map((step) => ({ level: "info", logger: "kitchen", data: { step } })),
    );
    await client.close();
    const quiet = await dial(http(served.url), {
      revisions,
      logLevel: "error",
      onLog: (message) => logs.push(message),
    });
    await quiet.callTool("progress", { steps: 2 });
    assertEquals(logs.length, 2);
    await quiet.close();
    await served.stop();
  });

  Deno.test(`dial, ${revisions}: a call that is cancelled ends at the server`, async () => {
    const served = serve(kitchen());
    const client = await dial(http(served.url), { revisions });
    const { count } = stopped;
    const controller = new AbortController();
    const options = { signal: controller.signal, onProgress: () => controller.abort() };
    await assertRejects(() => client.callTool("wait", {}, options), DOMException);
    await until(() => stopped.count > count, "the end of the call");
    await client.close();
    await served.stop();
  });
}

Deno.test("dial: a list stays fresh for the server's cacheTtlMs", async () => {
  const server = kitchen({ cacheTtlMs: 60_000 });
  const served = serve(server);
  const client = await dial(http(served.url));
  assertEquals((await client.tools()).length, 16);
  server.setTools([]);
  assertEquals((await client.tools()).length, 16);
  await client.close();
  const other = await dial(http(served.url), { onChange: () => {} });
  await other.subscribe("note://1", () => {});
  server.setTools([mcpTool({ name: "only", description: "" }, () => "")]);
  // The news travels on its own stream: until it is there, the list is the one that was kept.
  let count = 0;
  while (count !== 1) {
    count = (await other.tools()).length;
    await delay(10);
  }
  await other.close();
  await served.stop();
});

Deno.test("dial: a server that restarts has lost the session, and the client begins another", async () => {
  let served = serve(kitchen());
  const { port } = new URL(served.url);
  let updates = 0;
  const client = await dial(http(served.url), { revisions: "session" });
  await client.subscribe("note://1", () => updates++);
  await served.stop();
  const server = kitchen();
  served = serve(server, { port: Number(port) });
  assertEquals((await client.callTool("add", { a: 1, b: 2 })).structured, { sum: 3 });
  server.resourceUpdated("note://1");
  await until(() => updates === 1, "the update in the new session");
  await client.close();
  await served.stop();
});

Deno.test("the tools of a server are tools of an agent", async () => {
  const served = serve(kitchen());
  const client = await dial(http(served.url));
  const helper = agent({ name: "helper", instructions: "Help.", tools: await client.tools() });
  const model = scriptedModel([
    { toolCalls: [{ name: "add", arguments: { a: 1, b: 2 } }, { name: "fail", arguments: {} }] },
    "It is 3",
  ]);
  const result = await run(model, helper, "What is 1 + 2?");
  assertEquals(result.output, "It is 3");
  assertEquals(result.steps.map(({ output }) => output), [
    '{"sum":3}',
    "error: the database is down",
  ]);
  await client.close();
  await served.stop();
});

/** A server of revision 2026-07-28 that refuses to tell of changes. */
function silentServer(code: number): (request: Request) => Promise<Response> {
  return async (request) => {
    const { id, method } = await request.json();
    const result = { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities: {} };
    return method === "server/discover"
      ? Response.json({ jsonrpc: "2.0", id, result })
      : Response.json({ jsonrpc: "2.0", id, error: { code, message: "no" } });
  };
}

Deno.test("dial: a server that refuses to tell of changes ends neither the client nor the process", async () => {
  const rejections: unknown[] = [];
  const note = (event: PromiseRejectionEvent): void => {
    event.preventDefault();
    rejections.push(event.reason);
  };
  addEventListener("unhandledrejection", note);
  const fetch = silentServer(-32601);
  const options = { onChange: () => {} };
  await using client = await dial(
    http("https://mcp.example/mcp", { fetch: asFetch(fetch) }),
    options,
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  await assertRejects(() => client.subscribe("note://1", () => {}), Error, "no");
  removeEventListener("unhandledrejection", note);
  assertEquals(rejections, []);
});

Deno.test("dial: subscriptions that begin at once all begin", async () => {
  const server = kitchen();
  const served = serve(server);
  const client = await dial(http(served.url), { revisions: "stateless" });
  const told: string[] = [];
  const uris = ["note://1", "note://2", "note://3"];
  await Promise.all(uris.map((uri) => client.subscribe(uri, () => told.push(uri))));
  for (const uri of uris) server.resourceUpdated(uri);
  await until(() => told.length === 3, "the updates");
  assertEquals(told.toSorted(), uris);
  await client.close();
  await served.stop();
});

const limits: [name: string, options: DialOptions][] = [
  ["no time", { timeoutMs: 0 }],
  ["a time below zero", { timeoutMs: -1 }],
  ["no number", { timeoutMs: NaN }],
  ["more than a timer keeps", { timeoutMs: 2 ** 31 }],
  ["half an entry", { maxEntries: 0.5 }],
  ["rounds below zero", { maxInputRounds: -1 }],
];

for (const [name, options] of limits) {
  Deno.test(`dial refuses ${name}`, async () => {
    const fetch = silentServer(-32601);
    await assertRejects(
      () => dial(http("https://mcp.example/", { fetch: asFetch(fetch) }), options),
      RangeError,
    );
  });
}

Deno.test("dial waits without a limit if told so", async () => {
  const served = serve(kitchen());
  for (const revisions of ["stateless", "session"] as const) {
    await using client = await dial(http(served.url), { revisions, timeoutMs: Infinity });
    assertEquals((await client.callTool("echo", { text: "a" })).isError, false as boolean);
  }
  await served.stop();
});
