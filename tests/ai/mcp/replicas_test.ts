/** Sessions whose requests reach several replicas with the same secret. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { dial, http, type McpServerOptions } from "../../../ai/mcp/mod.ts";
import { provideStores, type Stores } from "../../../mod.ts";
import { memoryChannels, memoryOnce } from "../../../runtime/addon.ts";
import type { ChannelStore } from "../../../runtime/addon.ts";
import { appOf, endpointOf, readUntil, rpc, statusOf } from "./endpoint.ts";
import type { Endpoint, Json } from "./endpoint.ts";
import { kitchen, stopped } from "./kitchen.ts";
import { asFetch, repeatUntil } from "./support.ts";
import { until } from "../../until.ts";

function replica(stores: Stores): Endpoint {
  const identify: McpServerOptions["identify"] = (c) =>
    c.request.headers.get("x-user") ?? undefined;
  const app = appOf(kitchen({ identify }), { secret: "s".repeat(32) });
  provideStores(app, stores);
  return endpointOf(app);
}

function pair(channels = memoryChannels()): readonly [Endpoint, Endpoint] {
  const stores = { once: memoryOnce(), channels };
  return [replica(stores), replica(stores)];
}

function begin({ open }: Endpoint, headers = {}): Promise<Record<string, string>> {
  return open(headers, { capabilities: { elicitation: {} } });
}

function waiting({ post }: Endpoint, session: Record<string, string>): Promise<Response> {
  const params = { name: "wait", arguments: {}, _meta: { progressToken: "p" } };
  return post(rpc("tools/call", params, 5), session);
}

const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } };

Deno.test("mcpServer: a client may reach a different replica with each request", async () => {
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

Deno.test("mcpServer: a cancellation reaches the replica that runs the call, which then stops reading", async () => {
  const channels = memoryChannels();
  let watchers = 0;
  const counted: ChannelStore = {
    publish: channels.publish.bind(channels),
    read: channels.read.bind(channels),
    watch: (name, wake) => {
      watchers++;
      const end = channels.watch(name, wake);
      return () => {
        watchers--;
        end();
      };
    },
  };
  const [a, b] = pair(counted);
  const session = await begin(a);
  const before = stopped.count;
  const { cancel } = await readUntil(await waiting(a, session), '"progress":1');
  await until(() => watchers === 1, "the reading");
  assertEquals(await statusOf(b.post(cancelled, session)), 202);
  await until(() => stopped.count > before, "the end of the call");
  await until(() => watchers === 0, "the end of the reading");
  await cancel();
});

Deno.test("mcpServer: a client cannot cancel or answer in the session of another", async () => {
  const [a, b] = pair();
  const session = await begin(a);
  const { cancel } = await readUntil(await waiting(a, session), '"progress":1');
  const before = stopped.count;
  for (const each of [a, b]) {
    assertEquals(await statusOf(each.post(cancelled, await begin(each))), 202);
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  assertEquals(stopped.count, before);
  await cancel();
  await until(() => stopped.count > before, "the end of the call");
});

interface Posted {
  readonly channel: string;
  readonly text: string;
}

/** Two replicas and the messages they post to their shared channels. */
function watchedPair(): readonly [Endpoint, Endpoint, Posted[]] {
  const channels = memoryChannels();
  const posted: Posted[] = [];
  const [a, b] = pair({
    read: channels.read.bind(channels),
    watch: channels.watch.bind(channels),
    publish: (channel, message) => {
      posted.push({ channel, text: message.text });
      return channels.publish(channel, message);
    },
  });
  return [a, b, posted];
}

/** Makes a replica send a question to the client, and returns the question's id. */
async function ask(
  at: Endpoint,
  session: Record<string, string>,
  id: number,
): Promise<{ readonly question: string; readonly cancel: () => Promise<void> }> {
  const response = await at.post(rpc("tools/call", { name: "greet", arguments: {} }, id), session);
  const { events, cancel } = await readUntil(response, "elicitation/create");
  const question: string = JSON.parse(events.at(-1)?.data ?? "").id;
  return { question, cancel };
}

Deno.test("mcpServer: client input cannot fill the shared store", async (t) => {
  const [a, b, posted] = watchedPair();
  const session = await begin(a);
  const asked = [await ask(a, session, 1), await ask(a, session, 2)] as const;
  const [short, other] = asked.map(({ question }) => question);
  const long = "x".repeat(100_000);
  const answer = { id: short, result: { a: 7 } };
  const rows: readonly (readonly [string, unknown, string | undefined])[] = [
    ["an answer without a question", { id: 1, result: {} }, undefined],
    ["an answer to an invented id", { id: "q1", result: {} }, undefined],
    ["an answer to a modified id", { id: `A${short?.slice(1)}`, result: { a: 7 } }, undefined],
    ["an answer to another replica", answer, '"a":7'],
    ["the same answer again", answer, undefined],
    ["a long answer", { id: other, result: { long } }, "The answer has more than"],
    ["an error without an id", { error: { code: 1, message: long } }, undefined],
    ["a long id", { method: "notifications/cancelled", params: { requestId: long } }, undefined],
  ];
  for (const [name, message, wanted] of rows) {
    await t.step(name, async () => {
      posted.length = 0;
      const status = await statusOf(b.post({ jsonrpc: "2.0", ...Object(message) }, session));
      assert(status === 202 || status === 400);
      assertEquals(posted.length, wanted === undefined ? 0 : 1);
      assertStringIncludes(posted[0]?.text ?? "", wanted ?? "");
      assert((posted[0]?.text ?? "").length < 65_536);
    });
  }
  for (const { cancel } of asked) await cancel();
});

Deno.test("mcpServer: an answer is valid only in the session of its question", async () => {
  const [a, b, posted] = watchedPair();
  const { question, cancel } = await ask(a, await begin(a), 1);
  const answer = { jsonrpc: "2.0", id: question, result: { action: "accept" } };
  assertEquals([await statusOf(b.post(answer, await begin(b))), posted], [202, []]);
  await cancel();
});

Deno.test("mcpServer: a flood of cancellations displaces none from another session", async () => {
  const channels = memoryChannels();
  let isSlow = false;
  const [a, b] = pair({
    publish: channels.publish.bind(channels),
    read: channels.read.bind(channels),
    watch: (name, wake) => channels.watch(name, () => isSlow || wake()),
  });
  const session = await begin(a);
  const before = stopped.count;
  const { cancel } = await readUntil(await waiting(a, session), '"progress":1');
  isSlow = true;
  await statusOf(b.post(cancelled, session));
  const other = await begin(b);
  for (let count = 0; count < 300; count++) await statusOf(b.post(cancelled, other));
  isSlow = false;
  await statusOf(b.post({ ...cancelled, params: { requestId: 9 } }, session));
  await until(() => stopped.count > before, "the end of the call");
  await cancel();
});

Deno.test("mcpServer limits the channels for the sessions of one caller", async () => {
  const [a, , posted] = watchedPair();
  for (let count = 0; count < 1_001; count++) await statusOf(a.post(cancelled, await begin(a)));
  assertEquals(new Set(posted.map(({ channel }) => channel)).size, 1_000);
});

Deno.test("mcpServer: failing channels end no session", async () => {
  const channels = memoryChannels();
  const down = (): Promise<never> => Promise.reject(new Error("down"));
  const [a] = pair({ ...channels, publish: down, read: down } as typeof channels);
  const session = await begin(a);
  const params = { name: "progress", arguments: { steps: 3 }, _meta: { progressToken: "p" } };
  const response = await a.post(rpc("tools/call", params), session);
  await (await readUntil(response, '"3 steps"')).cancel();
  const other = { ...cancelled, params: { requestId: 9 } };
  assertEquals(await statusOf(a.post(other, session)), 202);
});

Deno.test("mcpServer: changes, settings and the end of a session reach all replicas", async () => {
  const stores = { once: memoryOnce(), channels: memoryChannels() };
  const servers = [kitchen(), kitchen()];
  const [a, b] = servers.map((server) => {
    const app = appOf(server, { secret: "s".repeat(32) });
    provideStores(app, stores);
    return endpointOf(app);
  });
  assert(a !== undefined && b !== undefined);
  const session = await begin(a);
  const stream = await a.send("GET", session);
  await statusOf(a.post(rpc("resources/subscribe", { uri: "note://1" }), session));
  await statusOf(b.post(rpc("resources/subscribe", { uri: "note://2" }), session));
  await statusOf(b.post(rpc("resources/unsubscribe", { uri: "note://1" }), session));
  const told = await repeatUntil(readUntil(stream, "note://"), () => {
    for (const uri of ["note://1", "note://2"]) servers[1]?.resourceUpdated(uri, b.app);
  });
  assertStringIncludes(told.text, "note://2");

  await statusOf(b.post(rpc("logging/setLevel", { level: "error" }), session));
  const params = { name: "progress", arguments: { steps: 2 }, _meta: { progressToken: "p" } };
  const quiet = await readUntil(await a.post(rpc("tools/call", params), session), '"2 steps"');
  assert(!quiet.text.includes("notifications/message"));
  await statusOf(a.post(rpc("logging/setLevel", { level: "info" }), session));
  const loud = await readUntil(await b.post(rpc("tools/call", params), session), '"2 steps"');
  assertEquals(loud.text.match(/notifications\/message/g)?.length, 2);

  const before = stopped.count;
  const call = await readUntil(await waiting(a, session), '"progress":1');
  assertEquals(await statusOf(b.send("DELETE", session)), 204);
  await until(() => stopped.count > before, "the end of the call");
  const after = [a, b].map((each) => statusOf(each.post(rpc("ping"), session)));
  assertEquals(await Promise.all(after), [404, 404]);
  for (const each of [await told, quiet, loud, call]) await each.cancel();
});

Deno.test("mcpServer limits the sessions with settings per caller", async () => {
  const [a] = pair();
  const subscribe = async (user: string): Promise<unknown> => {
    const session = await begin(a, { "x-user": user });
    const response = await a.post(rpc("resources/subscribe", { uri: "note://1" }), session);
    return (await response.json()).error?.code;
  };
  for (let count = 0; count < 1_000; count++) await subscribe("eve");
  assertEquals([await subscribe("eve"), await subscribe("ada")], [-32603, undefined]);
});

Deno.test("mcpServer: a session ends on a replica that receives no message about it", async () => {
  const channels = memoryChannels();
  const publish = channels.publish.bind(channels);
  const [a, b] = pair({ publish, read: channels.read.bind(channels), watch: () => () => {} });
  const session = await begin(a);
  assertEquals(await statusOf(a.post(rpc("ping"), session)), 200);
  assertEquals(await statusOf(b.send("DELETE", session)), 204);
  assertEquals(await statusOf(a.post(rpc("ping"), session)), 404);
});
