import { assertEquals } from "@std/assert";
import { App, createLogger } from "../../mod.ts";
import { agent, run, tool } from "../../ai/mod.ts";
import { scriptedModel } from "../../ai/testing.ts";

Deno.test("metrics: counts calls, tokens, durations and tools, with one label for unknown tools", async () => {
  const logger = createLogger({ write: () => {} });
  const app = new App({ logger, observability: { metrics: "/metrics", trusted: ["127.0.0.1"] } });
  const { metrics } = app;
  const tools = [tool({ name: "look", description: "" }, () => 1)];
  const helper = agent({ name: "helper", instructions: "", tools });
  const usage = { inputTokens: 5, outputTokens: 2 };
  const calls = ["look", "a", "b"].map((name) => ({ name }));
  const model = scriptedModel([{ toolCalls: calls, usage }, { text: "Done", usage }], { metrics });
  await run(model, helper, "Go");
  await run(scriptedModel([{ status: 500 }], { metrics }), helper, "Go").catch(() => {});
  const remoteAddr = { transport: "tcp", hostname: "127.0.0.1", port: 1 } as const;
  const info = { remoteAddr, completed: Promise.resolve() };
  const response = await app.fetch(new Request("http://localhost/metrics"), info);
  const series = (await response.text()).split("\n").filter((line) =>
    /^fw_ai_.*(?:total|count)\{/.test(line)
  );
  assertEquals(series.toSorted(), [
    'fw_ai_request_duration_seconds_count{model="scripted"} 3',
    'fw_ai_requests_total{model="scripted",outcome="ai_unavailable"} 1',
    'fw_ai_requests_total{model="scripted",outcome="ok"} 2',
    'fw_ai_tokens_total{model="scripted",type="input"} 10',
    'fw_ai_tokens_total{model="scripted",type="output"} 4',
    'fw_ai_tool_calls_total{tool="look",outcome="ok"} 1',
    'fw_ai_tool_calls_total{tool="unknown",outcome="error"} 2',
    'fw_ai_tool_duration_seconds_count{tool="look"} 1',
    'fw_ai_tool_duration_seconds_count{tool="unknown"} 2',
  ]);
});
