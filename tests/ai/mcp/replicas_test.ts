/** Sessions that two replicas share by the stores of `provideStores`. */
import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { dial, http, type McpServer, type McpServerOptions } from "../../../ai/mcp/mod.ts";
import { memorySessionStore } from "../../../auth/mod.ts";
import { provideStores, type Settings, type Stores } from "../../../mod.ts";
import { memoryChannels, memoryOnce } from "../../../runtime/addon.ts";
import type { ChannelPlace, ChannelStore } from "../../../runtime/addon.ts";
import {
  appOf,
  type Endpoint,
  endpointOf,
  type Json,
  readUntil,
  rpc,
  statusOf,
} from "./endpoint.ts";
import { kitchen, stopped } from "./kitchen.ts";
import { asFetch, until } from "./support.ts";

interface Replica extends Endpoint {
  readonly server: McpServer;
}

function replica(
  stores: Stores,
  options: Partial<McpServerOptions> = {},
  settings: Settings = {},
): Replica {
  const identify: McpServerOptions["identify"] = (c) =>
    c.request.headers.get("x-user") ?? undefined;
  const server = kitchen({ ...options, identify });
  const app = appOf(server, { secret: "s".repeat(32), ...settings });
  provideStores(app, stores);
  return { ...endpointOf(app), server };
}

function pair(): readonly [Replica, Replica] {
  const stores = { mcp: memorySessionStore(), once: memoryOnce(), channels: memoryChannels() };
  return [replica(stores), replica(stores)];
}

const ping = rpc("ping");

function begin({ open }: Replica, headers = {}): Promise<Record<string, string>> {
  return open(headers, { capabilities: { elicitation: {} } });
}

Deno.test("mcpServer: a client works if each request reaches another replica", async () => {
  const replicas = pair();
  let turn = 0;
  const fetch = asFetch((request) => replicas[turn++ % 2 === 0 ? 0 : 1].app.fetch(request));
  const answers = [{ name: "Ada" }, { age: 36 }];
  await using client = await dial(http("http://localhost/mcp", { fetch }), {
    revisions: "session",
    onElicit: () => ({ action: "accept", content: answers.shift() ?? {} }),
  });
  const text = async (name: string, args: Json = {}): Promise<unknown> => {
    const { content: [first] } = await client.callTool(name, args);
    return first?.type === "text" ? first.text : first;
  };
  for (let call = 0; call < 4; call++) assertEquals(await text("echo", { text: "x" }), "x");
  assertEquals(await text("progress", { steps: 40 }), "40 steps");
  assertEquals(await text("greet"), "Ada is 36");
  assertEquals(await text("delete", { id: 7 }), "Deleted 7");
});

Deno.test("mcpServer: a session of a replica belongs to its user on the other, until one ends it", async () => {
  const [a, b] = pair();
  const session = await begin(a, { "x-user": "ada" });
  assertEquals(await statusOf(b.post(ping, session)), 200);
  assertEquals(await statusOf(b.post(ping, { ...session, "x-user": "eve" })), 404);
  a.server.close();
  assertEquals(await statusOf(b.post(ping, session)), 200);
  assertEquals(await statusOf(b.send("DELETE", session)), 204);
  for (const { post } of [a, b]) assertEquals(await statusOf(post(ping, session)), 404);
});

Deno.test("mcpServer: a change on one replica reaches the streams of the other", async () => {
  const [a, b] = pair();
  const session = await begin(a);
  const stream = await b.send("GET", session);
  const uris = ["note://1", "note://2", "note://3"];
  const asked = uris.map((uri, id) =>
    statusOf((id % 2 === 0 ? a : b).post(rpc("resources/subscribe", { uri }, id), session))
  );
  assertEquals(await Promise.all(asked), [200, 200, 200]);
  assertEquals(
    await statusOf(a.post(rpc("resources/unsubscribe", { uri: uris[1] }), session)),
    200,
  );
  for (const uri of uris) a.server.resourceUpdated(uri, a.app);
  const { text, cancel } = await readUntil(stream, "note://3");
  assertStringIncludes(text, "note://1");
  assertFalse(text.includes("note://2"));
  await cancel();
  // The streams of the other replica are not known: what is watched is told of.
  const last = /^id: (events\w+)$/m.exec(text)?.[1] ?? "";
  const resumed = await a.send("GET", { ...session, "last-event-id": last });
  await (await readUntil(resumed, "note://3")).cancel();
});

function countWatchers(): { readonly channels: ChannelStore; readonly count: () => number } {
  const channels = memoryChannels();
  let watchers = 0;
  const watch: ChannelStore["watch"] = (name, wake) => {
    const isOfSession = name.includes("mcp:");
    if (isOfSession) watchers++;
    const end = channels.watch(name, wake);
    return () => {
      if (isOfSession) watchers--;
      end();
    };
  };
  const publish = channels.publish.bind(channels);
  return {
    channels: { publish, read: channels.read.bind(channels), watch },
    count: () => watchers,
  };
}

Deno.test("mcpServer: streams that are refused or never read let the mail of their session go", async () => {
  const { channels: counted, count } = countWatchers();
  const stores = { mcp: memorySessionStore(), once: memoryOnce(), channels: counted };
  const a = replica(stores, {}, { openLimits: { client: 1 } });
  const session = await begin(a);
  for (const method of ["HEAD", "GET", "GET"]) {
    assertEquals(await statusOf(a.send(method, session)), 200);
  }
  await until(() => count() === 0, "the end of the reading");
  const open = await a.send("GET", session);
  const reader = open.body?.getReader();
  await reader?.read();
  await until(() => count() === 1, "the reading of the session's mail");
  assertEquals(await statusOf(a.send("GET", session)), 429);
  await reader?.cancel();
  await until(() => count() === 0, "the end of the reading");
  assertEquals(await statusOf(a.send("DELETE", session)), 204);
});

Deno.test("mcpServer: a cancellation reaches the replica on which the call runs", async () => {
  const [a, b] = pair();
  const session = await begin(a);
  const before = stopped.count;
  const params = { name: "wait", arguments: {}, _meta: { progressToken: "p" } };
  const response = await a.post(rpc("tools/call", params, 5), session);
  const { cancel } = await readUntil(response, '"progress":1');
  const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } };
  assertEquals(await statusOf(b.post(cancelled, session)), 202);
  await until(() => stopped.count > before, "the end of the call");
  await cancel();
});

Deno.test("mcpServer: the rest of a stream is read at the replica that is left", async () => {
  const [a, b] = pair();
  const session = await begin(a);
  const params = { name: "progress", arguments: { steps: 20 }, _meta: { progressToken: "p" } };
  const response = await a.post(rpc("tools/call", params, 5), session);
  const first = await readUntil(response, '"progress":3');
  await first.cancel();
  const last = [...first.text.matchAll(/^id: (\w+)$/gm)].at(-1)?.[1] ?? "";
  const resumed = await b.send("GET", { ...session, "last-event-id": last });
  const rest = await readUntil(resumed, '"20 steps"');
  const steps = `${first.text}${rest.text}`.matchAll(/"progress":(\d+),"total"/g);
  assertEquals(
    [...steps].map(([, step]) => Number(step)),
    Array.from({ length: 20 }, (_, n) => n + 1),
  );
  await rest.cancel();
  const unknown = { ...session, "last-event-id": "r0123456799_1" };
  assertEquals(await statusOf(b.send("GET", unknown)), 400);
});

Deno.test("mcpServer: a store that fails refuses requests and ends no session", async () => {
  const kept = memorySessionStore();
  let isDown = false;
  const mcp = {
    ...kept,
    create: kept.create.bind(kept),
    read: (id: string) => isDown ? Promise.reject(new Error("down")) : kept.read(id),
  };
  const one = replica({ mcp });
  const session = await begin(one);
  isDown = true;
  const refused = await one.post(ping, session);
  assertEquals([refused.status, refused.headers.get("retry-after")], [503, "2"]);
  await refused.body?.cancel();
  isDown = false;
  assertEquals(await statusOf(one.post(ping, session)), 200);
});

Deno.test("mcpServer: client input cannot fill the shared store", async (t) => {
  const channels = memoryChannels();
  const posted: string[] = [];
  const one = replica({
    mcp: memorySessionStore(),
    once: memoryOnce(),
    channels: {
      read: channels.read.bind(channels),
      watch: channels.watch.bind(channels),
      publish: (name, message) => {
        if (name.includes("mcp:")) posted.push(message.text);
        return channels.publish(name, message);
      },
    },
  });
  const session = await begin(one);
  const long = "x".repeat(100_000);
  const rows: readonly (readonly [string, unknown, string | undefined])[] = [
    ["an answer to no question", { id: 1, result: {} }, undefined],
    ["an answer to an invented id", { id: "q1", result: {} }, undefined],
    ["an answer to another replica", { id: "q0123abcd1", result: { a: 7 } }, '"a":7'],
    ["a long answer", { id: "q0123abcd2", result: { long } }, "The answer has more than"],
    ["an error without an id", { error: { code: 1, message: long } }, undefined],
    ["a long id", { method: "notifications/cancelled", params: { requestId: long } }, undefined],
  ];
  for (const [name, message, wanted] of rows) {
    await t.step(name, async () => {
      posted.length = 0;
      const status = await statusOf(one.post({ jsonrpc: "2.0", ...Object(message) }, session));
      assert(status === 202 || status === 400);
      assertEquals(posted.length, wanted === undefined ? 0 : 1);
      assertStringIncludes(posted[0] ?? "", wanted ?? "");
      assert((posted[0] ?? "").length < 65_536);
    });
  }
});

Deno.test("mcpServer: a session is touched for its own user alone", async () => {
  const kept = memorySessionStore();
  let touched = 0;
  let nowMs = Date.now();
  const mcp: typeof kept = {
    ...kept,
    create: kept.create.bind(kept),
    read: kept.read.bind(kept),
    touch: (id, at) => {
      touched++;
      return kept.touch(id, at);
    },
  };
  const one = replica({ mcp }, { now: () => nowMs });
  const session = await begin(one, { "x-user": "ada" });
  nowMs += 300_000;
  assertEquals(await statusOf(one.post(ping, { ...session, "x-user": "eve" })), 404);
  assertEquals(touched, 0);
  assertEquals(await statusOf(one.post(ping, session)), 200);
  assertEquals(touched, 1);
});

Deno.test("mcpServer: the search for a stream of another replica ends", async (t) => {
  const { channels, count } = countWatchers();
  const held = Promise.withResolvers<ChannelPlace>();
  let publish: ChannelStore["publish"] = channels.publish;
  const mcp = memorySessionStore();
  const one = replica({
    mcp,
    once: memoryOnce(),
    channels: { ...channels, publish: (name, message) => publish(name, message) },
  });
  const session = { ...await begin(one), "last-event-id": "r0123456799_1" };
  await t.step("where there is none", async () => {
    assertEquals(await statusOf(one.send("GET", session)), 400);
  });
  await t.step("where the store fails", async () => {
    publish = () => Promise.reject(new Error("down"));
    assertEquals(await statusOf(one.send("GET", session)), 400);
  });
  await t.step("where no channels are shared", async () => {
    const alone = replica({ mcp, once: memoryOnce() });
    assertEquals(await statusOf(alone.send("GET", session)), 400);
  });
  await t.step("with the request", async () => {
    let published = 0;
    publish = () => {
      published++;
      return held.promise;
    };
    const controllers = Array.from({ length: 5 }, () => new AbortController());
    const headers = { accept: "text/event-stream", ...session };
    const sent = controllers.map(({ signal }) =>
      statusOf(one.app.fetch(new Request("http://localhost/mcp", { headers, signal })))
    );
    await until(() => published > 0, "the first search");
    for (const controller of controllers) controller.abort();
    await Promise.allSettled(sent);
    assertEquals(published, 1);
    held.resolve({ epoch: "", number: 1 });
  });
  assertEquals(count(), 0);
});

Deno.test("mcpServer: the subscriptions of a session are bounded on all replicas together", async () => {
  const [a, b] = pair();
  const session = await begin(a);
  const subscribe = async ({ post }: Replica, n: number): Promise<boolean> => {
    const uri = `note://${n}/${"x".repeat(2_000)}`;
    const response = await post(rpc("resources/subscribe", { uri }, n), session);
    return "result" in await response.json();
  };
  const turns = Array.from({ length: 30 }, (_, n) => subscribe(n % 2 === 0 ? a : b, n));
  const taken = (await Promise.all(turns)).filter((isTaken) => isTaken);
  assertEquals(taken.length, 24);
  for (const each of [a, b]) assertFalse(await subscribe(each, 99));
});

Deno.test("mcpServer: a replica that makes room ends only the sessions that it alone has used", async () => {
  const kept = memorySessionStore();
  let ended = 0;
  const mcp: typeof kept = {
    ...kept,
    create: kept.create.bind(kept),
    read: kept.read.bind(kept),
    replaceData: kept.replaceData.bind(kept),
    delete: (id) => {
      ended++;
      return kept.delete(id);
    },
  };
  const stores = { mcp, once: memoryOnce(), channels: memoryChannels() };
  const a = replica(stores, { maxSessionsPerCaller: 2 });
  const b = replica(stores);
  const alone = await begin(a);
  const shared = await begin(a);
  assertEquals(await statusOf(b.post(ping, shared)), 200);
  await begin(a);
  await begin(a);
  await until(() => ended > 0, "the end of the session that was used here alone");
  assertEquals(await statusOf(b.post(ping, alone)), 404);
  for (const { post } of [b, a]) assertEquals(await statusOf(post(ping, shared)), 200);
});
