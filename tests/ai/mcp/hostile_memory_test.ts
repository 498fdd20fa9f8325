/** Clients that try to make the server store too much. */
import { assert, assertEquals } from "@std/assert";
import { mcpServer, mcpTool } from "../../../ai/mcp/mod.ts";
import {
  appOf,
  endpoint,
  endpointOf,
  errorOf,
  meta,
  modern,
  modernHeaders,
  readUntil,
  rpc,
  statusOf,
} from "./endpoint.ts";

const long = "x".repeat(100_000);

Deno.test("mcpServer refuses an id that it would repeat a thousand times", async () => {
  const at = endpoint();
  const request = modern("tools/list", {}, long);
  assertEquals(await errorOf(await at.post(request, modernHeaders("tools/list"))), {
    status: 400,
    code: -32600,
  });
  const fine = modern("tools/list", {}, "x".repeat(256));
  assertEquals((await at.post(fine, modernHeaders("tools/list"))).status, 200);
});

/** Calls a tool that reports progress often, and reads the response after it has ended. */
async function callNoisy(progressToken: string, message: string): Promise<string> {
  const noisy = mcpTool({ name: "noisy", description: "" }, async (_, call) => {
    for (let step = 1; step <= 2_000; step++) call.progress(step, { message });
    await new Promise((resolve) => setTimeout(resolve, 1));
    return "done";
  });
  const at = endpointOf(appOf(mcpServer({ name: "n", version: "1", tools: [noisy] })));
  const response = await at.call("noisy", { _meta: { ...meta, progressToken } });
  return await response.text();
}

Deno.test("mcpServer limits the characters buffered for a client that does not read", async () => {
  const text = await callNoisy("token", "y".repeat(10_000));
  assert(text.length < 1_300_000, String(text.length));
  assert(text.includes('"done"'), "the result always comes");
});

Deno.test("mcpServer buffers equal changes once for a client that does not read", async () => {
  const server = mcpServer({ name: "n", version: "1" });
  const notifications = { resourceSubscriptions: ["note://1", "note://2"] };
  const response = await endpointOf(appOf(server)).post(
    modern("subscriptions/listen", { notifications }),
    modernHeaders("subscriptions/listen"),
  );
  for (let count = 0; count < 1_000; count++) {
    server.resourceUpdated("note://1");
    server.resourceUpdated("note://2");
  }
  const { text, cancel } = await readUntil(response, '"uri":"note://2"');
  await cancel();
  assertEquals(text.match(/resources\/updated/g)?.length, 2);
});

Deno.test("mcpServer reports no progress for a token that is too long", async () => {
  const text = await callNoisy(long, "");
  assert(!text.includes("notifications/progress"));
  assert(text.includes('"done"'));
});

Deno.test("mcpServer stores only the needed parts of the handshake in a session", async () => {
  let seen: unknown;
  const look = mcpTool({ name: "look", description: "" }, (_, call) => {
    seen = [call.client, call.can("elicit"), call.can("elicitUrl")];
    return "";
  });
  const at = endpoint({ tools: [look] });
  const session = await at.open({}, {
    capabilities: { elicitation: { form: { long }, url: { long } }, experimental: { long } },
    clientInfo: { name: long, version: long, title: long, icons: [{ src: long }], other: long },
  });
  await statusOf(at.post(rpc("tools/call", { name: "look" }), session));
  assert(JSON.stringify(seen).length < 1_000, "what is kept is short");
  assertEquals((seen as unknown[]).slice(1), [true, true]);
  assert((session["mcp-session-id"] ?? "").length < 1_024, "the id fits a header");
});
