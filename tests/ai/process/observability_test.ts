import { assert, assertEquals } from "@std/assert";
import { App, createLogger } from "../../../mod.ts";
import { agent, run, tool } from "../../../ai/mod.ts";
import { scriptedModel } from "../../../ai/testing.ts";
import { root } from "../../../tools/workspace.ts";
import { startCollector } from "../../e2e/collector.ts";

Deno.test("OTEL_DENO: runs, chats and tools are spans with the names of the GenAI conventions", async () => {
  await using collector = startCollector();
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "tests/ai/traced_process.ts"],
    cwd: root,
    env: {
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    },
  }).output();
  assert(success);
  const spans = collector.spans.filter(({ name }) =>
    /^(?:chat|invoke_agent|execute_tool) /.test(name)
  );
  const names = spans.map(({ name }) => name).toSorted();
  assertEquals(names, [
    ...Array(7).fill("chat scripted"),
    ...Array(2).fill("execute_tool look"),
    ...Array(3).fill("invoke_agent first"),
    ...Array(2).fill("invoke_agent second"),
  ]);
  // One trace for each activation of an agent: its chats and tools are below it.
  assertEquals(new Set(spans.map(({ traceId }) => traceId)).size, 5);
  const tools = spans.filter(({ name }) => name.startsWith("execute_tool"));
  for (const { attributes, exceptions, status } of tools) {
    assertEquals([
      attributes["gen_ai.operation.name"],
      attributes["gen_ai.tool.name"],
      attributes["gen_ai.tool.call.id"],
      attributes["error.type"],
    ], ["execute_tool", "look", "call_1", "TypeError"]);
    assertEquals([status, exceptions.length], [2, 1]);
  }
  const [chat] = spans.filter(({ name, attributes }) =>
    name === "chat scripted" && attributes["gen_ai.usage.input_tokens"] === "5"
  );
  assertEquals([
    chat?.kind,
    chat?.attributes["gen_ai.operation.name"],
    chat?.attributes["gen_ai.provider.name"],
    chat?.attributes["gen_ai.request.model"],
    chat?.attributes["server.address"],
    chat?.attributes["server.port"],
  ], [3, "chat", "openai", "scripted", "scripted.invalid", "80"]);
  const failed = spans.filter(({ attributes }) => attributes["error.type"] === "ai_auth");
  assertEquals(failed.map(({ name }) => name).toSorted(), ["chat scripted", "invoke_agent first"]);
  assert(!JSON.stringify(spans).includes("secret"));
});

Deno.test("metrics: calls, tokens, times and tools are counted, unknown tools as one", async () => {
  const logger = createLogger({ write: () => {} });
  const app = new App({ logger, observability: { metrics: "/metrics", trusted: ["127.0.0.1"] } });
  const { metrics } = app;
  const tools = [tool({ name: "look", description: "" }, () => 1)];
  const helper = agent({ name: "helper", instructions: "", tools });
  const usage = { inputTokens: 5, outputTokens: 2 };
  const calls = ["look", "a", "b"].map((name) => ({ name }));
  await run(
    scriptedModel([{ toolCalls: calls, usage }, { text: "Done", usage }], { metrics }),
    helper,
    "Go",
  );
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
