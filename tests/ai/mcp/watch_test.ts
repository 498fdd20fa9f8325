/** The client learns of changes in both eras, and continues after losing a stream or a server. */
import { setTimeout as delay } from "node:timers/promises";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { dial, http } from "../../../ai/mcp/mod.ts";
import type { DialOptions, McpChange, McpLogMessage } from "../../../ai/mcp/mod.ts";
import { kitchen } from "./kitchen.ts";
import { asFetch, serve } from "./support.ts";
import { until } from "../../until.ts";

for (const revisions of ["stateless", "session"] as const) {
  Deno.test(`dial, ${revisions}: delivers subscribed changes, and no others`, async () => {
    const server = kitchen();
    await using served = serve(server);
    const changes: McpChange[] = [];
    const options: DialOptions = { revisions, onChange: (change) => changes.push(change) };
    await using client = await dial(http(served.url), options);
    let updates = 0;
    const stop = await client.subscribe("note://1", () => updates++);
    server.resourceUpdated("note://2");
    server.resourceUpdated("note://1");
    await until(() => updates === 1, "the update");
    const stopOther = await client.subscribe("note://3", () => {});
    await stop();
    if (revisions === "stateless") await delay(100);
    server.resourceUpdated("note://1");
    server.resourceUpdated("note://3");
    await until(() => changes.length === 2, "the other update");
    assertEquals(updates, 1);
    const found = changes.map((change) => change.kind === "resource" && change.uri);
    assertEquals(found, ["note://1", "note://3"]);
    await stopOther();
  });

  for (const kind of ["throws", "rejects"]) {
    Deno.test(`dial, ${revisions}: a callback that ${kind} is a warning`, async () => {
      const server = kitchen();
      await using served = serve(server);
      const warnings: string[] = [];
      const fail = (): Promise<never> => {
        if (kind === "throws") throw new Error("no disk");
        return Promise.reject(new Error("no disk"));
      };
      const onWarning = (text: string): void => void warnings.push(text);
      const options = { revisions, onLog: fail, onChange: fail, onWarning };
      await using client = await dial(http(served.url), options);
      const { isError } = await client.callTool("progress", { steps: 1 }, { onProgress: fail });
      assert(!isError);
      await client.subscribe("note://1", fail);
      server.resourceUpdated("note://1");
      await until(() => warnings.length >= 4, "the warnings");
      assertEquals(
        new Set(warnings),
        new Set(["message", "progress", "resources/updated"].map(
          (method) => `The callback for "notifications/${method}" failed: no disk`,
        )),
      );
    });
  }

  Deno.test(`dial, ${revisions}: delivers log messages from the chosen level`, async () => {
    await using served = serve(kitchen());
    const logs: McpLogMessage[] = [];
    const onLog = (message: McpLogMessage): void => void logs.push(message);
    await using client = await dial(http(served.url), { revisions, onLog });
    await client.callTool("progress", { steps: 2 });
    const want = [1, 2].map((step) => ({ level: "info", logger: "kitchen", data: { step } }));
    assertEquals<unknown>(logs, want);
    await using quiet = await dial(http(served.url), { revisions, logLevel: "error", onLog });
    await quiet.callTool("progress", { steps: 2 });
    assertEquals(logs.length, 2);
  });
}

Deno.test("dial: starts a new session if a restarted server has lost the old one", async () => {
  const first = serve(kitchen());
  const { port } = new URL(first.url);
  let updates = 0;
  const client = await dial(http(first.url), { revisions: "session" });
  await client.subscribe("note://1", () => updates++);
  await first[Symbol.asyncDispose]();
  const server = kitchen();
  await using _second = serve(server, { port: Number(port) });
  assertEquals((await client.callTool("add", { a: 1, b: 2 })).structured, { sum: 3 });
  server.resourceUpdated("note://1");
  await until(() => updates === 1, "the update in the new session");
  await client.close();
});

/** A server of revision 2026-07-28 that refuses subscriptions. */
function silentServer(code: number): (request: Request) => Promise<Response> {
  return async (request) => {
    const { id, method } = await request.json();
    const result = { resultType: "complete", supportedVersions: ["2026-07-28"], capabilities: {} };
    return method === "server/discover"
      ? Response.json({ jsonrpc: "2.0", id, result })
      : Response.json({ jsonrpc: "2.0", id, error: { code, message: "no" } });
  };
}

Deno.test("dial: a server that refuses subscriptions ends neither the client nor the process", async () => {
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

Deno.test("dial: concurrent subscriptions all start", async () => {
  const server = kitchen();
  await using served = serve(server);
  await using client = await dial(http(served.url), { revisions: "stateless" });
  const told: string[] = [];
  const uris = ["note://1", "note://2", "note://3"];
  await Promise.all(uris.map((uri) => client.subscribe(uri, () => told.push(uri))));
  for (const uri of uris) server.resourceUpdated(uri);
  await until(() => told.length === 3, "the updates");
  assertEquals(told.toSorted(), uris);
});
