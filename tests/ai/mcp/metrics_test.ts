/** MCP requests in metrics and the log. */
import { assertEquals } from "@std/assert";
import { App, createLogger } from "../../../mod.ts";
import { dial, http, mcpTool } from "../../../ai/mcp/mod.ts";
import { kitchen } from "./kitchen.ts";
import { asFetch, serve } from "./support.ts";

Deno.test("metrics: counts MCP requests, with one label for all unknown methods", async () => {
  const logger = createLogger({ write: () => {} });
  const app = new App({ logger, observability: { metrics: "/metrics", trusted: ["127.0.0.1"] } });
  app.route({ pattern: "/mcp", methods: kitchen().handlers, kind: "api" });
  const fetch = (request: Request): Promise<Response> => app.fetch(request);
  for (const revisions of ["stateless", "session"] as const) {
    await using client = await dial(http("http://localhost/mcp", { fetch: asFetch(fetch) }), {
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
  await using served = serve(kitchen({ tools: [slow] }), { settings: { logger } });
  await using client = await dial(http(served.url));
  const controller = new AbortController();
  const call = client.callTool("slow", {}, { signal: controller.signal }).catch(() => {});
  await started.promise;
  controller.abort();
  await Promise.all([call, stopped.promise]);
  assertEquals(lines.filter((line) => line.includes('"level":"error"')), []);
});
