/** Calls of an agent and of a client over HTTP in both eras, for the test of their traces. */
import { agent, run, tool } from "../../../../ai/mod.ts";
import { dial, http, mcpServer, mcpTool } from "../../../../ai/mcp/mod.ts";
import { scriptedModel } from "../../../../ai/testing.ts";
import { serve } from "../support.ts";

const look = mcpTool({ name: "look", description: "" }, async (_, call) => {
  if (call.c !== undefined) await (await fetch(new URL("/inner", call.c.url))).text();
  return "seen";
});
const fail = tool({ name: "fail", description: "" }, () => {
  throw new Error("a secret of the server");
});
const served = serve(mcpServer({ name: "traced", version: "1.0.0", tools: [look, fail] }), {
  prepare: (app) =>
    app.route({ pattern: "/inner", methods: { GET: (c) => c.text(200, "") }, kind: "api" }),
});
for (const revisions of ["stateless", "session"] as const) {
  await using client = await dial(http(served.url), { revisions });
  await client.callTool("look");
  await client.callTool("fail", { word: "a secret argument" });
  await client.callTool("missing").catch(() => {});
  await client.readResource("note://missing").catch(() => {});
}
await using client = await dial(http(served.url));
const helper = agent({ name: "helper", instructions: "", tools: await client.tools() });
await run(scriptedModel([{ toolCalls: [{ name: "look", id: "call_1" }] }, "Done"]), helper, "Go");

// A caller whose own trace is another than that of its HTTP request, and one that lies.
for (const traceparent of [`00-${"a".repeat(32)}-${"b".repeat(16)}-01`, "00-zz", 7]) {
  const response = await fetch(served.url, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/list",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: "list",
      method: "tools/list",
      params: {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
          traceparent,
        },
      },
    }),
  });
  await response.text();
}
await client.close();
await served.stop();
