/** The client in both eras: cancellation, tools for agents, limits. */
import { assertEquals, assertRejects } from "@std/assert";
import { dial, type DialOptions, http } from "../../../ai/mcp/mod.ts";
import { agent, run } from "../../../ai/mod.ts";
import { scriptedModel } from "../../../ai/testing.ts";
import { kitchen, stopped } from "./kitchen.ts";
import { serve } from "./support.ts";
import { until } from "../../until.ts";

for (const revisions of ["stateless", "session"] as const) {
  Deno.test(`dial, ${revisions}: cancelling a call stops it on the server`, async () => {
    await using served = serve(kitchen());
    await using client = await dial(http(served.url), { revisions });
    const { count } = stopped;
    const controller = new AbortController();
    const options = { signal: controller.signal, onProgress: () => controller.abort() };
    await assertRejects(() => client.callTool("wait", {}, options), DOMException);
    await until(() => stopped.count > count, "the end of the call");
  });
}

Deno.test("client.tools returns tools for an agent", async () => {
  await using served = serve(kitchen(), { settings: { env: "dev" } });
  await using client = await dial(http(served.url));
  const helper = agent({ name: "helper", instructions: "Help.", tools: await client.tools() });
  const toolCalls = [
    { name: "add", arguments: { a: 1, b: 2 } },
    { name: "fail", arguments: {} },
    { name: "progress", arguments: { steps: 20 } },
  ];
  const model = scriptedModel([{ toolCalls }, "It is 3"]);
  // The timeout is that of the client, not that of other tools.
  const result = await run(model, helper, "What is 1 + 2?", { toolTimeoutMs: 20 });
  assertEquals(result.output, "It is 3");
  const found = result.steps.map(({ output }) => output);
  assertEquals(found, ['{"sum":3}', "error: the database is down", "20 steps"]);
});

const limits: [name: string, options: DialOptions][] = [
  ["no time", { timeoutMs: 0 }],
  ["a negative time", { timeoutMs: -1 }],
  ["not a number", { timeoutMs: NaN }],
  ["a timeout over the limit of timers", { timeoutMs: 2 ** 31 }],
  ["half an entry", { maxEntries: 0.5 }],
  ["a negative number of rounds", { maxInputRounds: -1 }],
];

for (const [name, options] of limits) {
  Deno.test(`dial refuses ${name}`, async () => {
    await assertRejects(() => dial(http("https://mcp.example/"), options), RangeError);
  });
}

for (const timeoutMs of [Infinity, 2 ** 31 - 1]) {
  for (const revisions of ["stateless", "session"] as const) {
    Deno.test(`dial, ${revisions}: waits for a timeout of ${timeoutMs} ms, and for longer ones of requests`, async () => {
      await using served = serve(kitchen());
      await using client = await dial(http(served.url), { revisions, timeoutMs });
      // A list has ten times as long.
      assertEquals((await client.tools()).length, 16);
      const options = { timeoutMs: 2 ** 31 };
      const { isError } = await client.callTool("progress", { steps: 1 }, options);
      assertEquals(isError, false as boolean);
    });
  }
}
