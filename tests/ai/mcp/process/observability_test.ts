/** What traces and metrics say of MCP requests. */
import { asFetch } from "../support.ts";
import { assert, assertEquals } from "@std/assert";
import { App, createLogger } from "../../../../mod.ts";
import { dial, http, mcpServer, mcpTool } from "../../../../ai/mcp/mod.ts";
import { root } from "../../../../tools/workspace.ts";
import { type Span, startCollector } from "../../../e2e/collector.ts";
import { kitchen } from "../kitchen.ts";

Deno.test("OTEL_DENO: MCP requests are spans of one trace with the names of the conventions", async () => {
  await using collector = startCollector();
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "tests/ai/mcp/servers/traced.ts"],
    cwd: root,
    env: {
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    },
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  const { spans, measured } = collector;
  const [server, client] = [2, 3];
  const named = (name: string, kind: number): Span[] =>
    spans.filter((span) => span.name === name && span.kind === kind);

  for (const [index, revision] of ["2026-07-28", "2025-11-25"].entries()) {
    const call = named("tools/call look", client)[index];
    const answer = spans.find(({ parentSpanId, kind }) =>
      parentSpanId === call?.spanId && kind === server
    );
    const { attributes = {} } = call ?? {};
    assertEquals([
      attributes["mcp.method.name"],
      attributes["gen_ai.tool.name"],
      attributes["gen_ai.operation.name"],
      attributes["mcp.protocol.version"],
      attributes["network.transport"],
      attributes["server.address"],
    ], ["tools/call", "look", "execute_tool", revision, "tcp", "127.0.0.1"]);
    assertEquals([answer?.name, answer?.kind, answer?.traceId], [
      "tools/call look",
      server,
      call?.traceId,
    ]);
    assertEquals(answer?.attributes["mcp.protocol.version"], revision);
    assertEquals(answer?.linkedTraceIds.length, 1, "the span of the HTTP request is linked");
    const inner = spans.find(({ parentSpanId }) => parentSpanId === answer?.spanId);
    assertEquals(inner?.name, "GET", "what the tool fetches is below its span");
  }

  const failed: [name: string, kind: number, type: string | undefined, status: number][] = [
    ["tools/call fail", server, "tool_error", 2],
    ["tools/call fail", client, "tool_error", 2],
    ["tools/call missing", client, "-32602", 2],
    // The caller's fault is not a failure of the server.
    ["resources/read", server, undefined, 0],
  ];
  for (const [name, kind, type, status] of failed) {
    const [span] = named(name, kind);
    assertEquals([span?.attributes["error.type"], span?.status], [type, status], name);
  }
  assertEquals(
    named("resources/read", server)[0]?.attributes["rpc.response.status_code"],
    "-32602",
  );
  assertEquals(
    named("resources/read", server)[0]?.attributes["mcp.resource.uri"],
    "note://missing",
  );

  // The conventions want one span for the tool of an agent.
  const [tool] = spans.filter(({ name }) => name === "execute_tool look");
  assertEquals([tool?.attributes["mcp.method.name"], tool?.attributes["gen_ai.tool.name"]], [
    "tools/call",
    "look",
  ]);
  assertEquals(named("tools/call look", client).length, 2);
  const remote = spans.find(({ parentSpanId, kind }) =>
    parentSpanId === tool?.spanId && kind === server
  );
  assertEquals([remote?.name, remote?.kind], ["tools/call look", server]);

  const lists = named("tools/list", server).filter(({ attributes }) =>
    attributes["jsonrpc.request.id"] === "list"
  );
  assertEquals(lists.map(({ parentSpanId }) => parentSpanId === "b".repeat(16)), [
    true,
    false,
    false,
  ]);
  assert(lists.every(({ parentSpanId }) => /^[0-9a-f]{16}$/.test(parentSpanId)));
  assert(!JSON.stringify(spans.map(({ exceptions: _, ...span }) => span)).includes("secret"));

  const calls = measured.filter(({ attributes }) => attributes["gen_ai.tool.name"] === "look");
  for (const name of ["mcp.client.operation.duration", "mcp.server.operation.duration"]) {
    const [series] = calls.filter((each) => each.name === name);
    assertEquals([series?.unit, series?.attributes["mcp.method.name"]], ["s", "tools/call"], name);
  }
  const sessions = measured.filter(({ name }) => name === "mcp.client.session.duration");
  assertEquals(sessions.map(({ unit, attributes }) => [unit, attributes]), [
    ["s", { "mcp.protocol.version": "2025-11-25", "network.transport": "tcp" }],
  ]);
  assert(!measured.some(({ attributes }) => "mcp.resource.uri" in attributes));
  const chat = measured.find(({ name }) => name === "gen_ai.client.operation.duration");
  assertEquals(chat?.attributes["gen_ai.operation.name"], "chat");
});

Deno.test("metrics: MCP requests are counted by both sides, unknown names as one", async () => {
  const logger = createLogger({ write: () => {} });
  const app = new App({ logger, observability: { metrics: "/metrics", trusted: ["127.0.0.1"] } });
  app.route({ pattern: "/mcp", methods: kitchen().handlers, kind: "api" });
  const fetch = (request: Request): Promise<Response> => app.fetch(request);
  for (const revisions of ["stateless", "session"] as const) {
    const { metrics } = app;
    await using client = await dial(http("http://localhost/mcp", { fetch: asFetch(fetch) }), {
      metrics,
      revisions,
    });
    await client.callTool("echo", { text: "a" });
    await client.callTool("correct");
    for (const name of ["__proto__", "never/seen", "x".repeat(1_000)]) {
      await client.callTool(name).catch(() => {});
    }
    await client.callTool("refuse").catch(() => {});
  }
  const remoteAddr = { transport: "tcp", hostname: "127.0.0.1", port: 1 } as const;
  const info = { remoteAddr, completed: Promise.resolve() };
  const response = await app.fetch(new Request("http://localhost/metrics"), info);
  const series = (await response.text()).split("\n").filter((line) =>
    /^fw_mcp_.*(?:total|count)\{method="tools\/call"/.test(line)
  );
  assertEquals(series.toSorted(), [
    'fw_mcp_client_request_duration_seconds_count{method="tools/call"} 12',
    'fw_mcp_client_requests_total{method="tools/call",outcome="-32602"} 6',
    'fw_mcp_client_requests_total{method="tools/call",outcome="4711"} 2',
    'fw_mcp_client_requests_total{method="tools/call",outcome="ok"} 2',
    'fw_mcp_client_requests_total{method="tools/call",outcome="tool_error"} 2',
    'fw_mcp_request_duration_seconds_count{method="tools/call",tool=""} 6',
    'fw_mcp_request_duration_seconds_count{method="tools/call",tool="correct"} 2',
    'fw_mcp_request_duration_seconds_count{method="tools/call",tool="echo"} 2',
    'fw_mcp_request_duration_seconds_count{method="tools/call",tool="refuse"} 2',
    'fw_mcp_requests_total{method="tools/call",tool="",outcome="-32602"} 6',
    'fw_mcp_requests_total{method="tools/call",tool="correct",outcome="tool_error"} 2',
    'fw_mcp_requests_total{method="tools/call",tool="echo",outcome="ok"} 2',
    'fw_mcp_requests_total{method="tools/call",tool="refuse",outcome="4711"} 2',
  ]);
});

Deno.test("a stateless call cancelled by its client is not logged as a failure", async () => {
  const lines: string[] = [];
  const [started, stopped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = mcpTool({ name: "slow", description: "" }, (_, { signal }) => {
    started.resolve();
    signal.addEventListener("abort", () => stopped.resolve());
    return new Promise((_, reject) =>
      signal.addEventListener("abort", () => reject(signal.reason))
    );
  });
  const logger = createLogger({ write: (text) => lines.push(text) });
  const app = new App({ logRequest: () => false, logger });
  const { handlers } = mcpServer({ name: "s", version: "1", tools: [slow] });
  app.route({ pattern: "/mcp", methods: handlers, kind: "api" });
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, app.handler());
  const client = await dial(http(`http://127.0.0.1:${server.addr.port}/mcp`));
  const controller = new AbortController();
  const call = client.callTool("slow", {}, { signal: controller.signal }).catch(() => {});
  await started.promise;
  controller.abort();
  await Promise.all([call, stopped.promise]);
  await client.close();
  await server.shutdown();
  assertEquals(lines.filter((line) => line.includes('"level":"error"')), []);
});
