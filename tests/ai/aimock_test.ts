/** The client and agents against a server that others wrote: `npm:@copilotkit/aimock`. */
import { assert, assertEquals } from "@std/assert";
import { int, struct, text } from "../../mod.ts";
import { agent, run, runStream, tool, user } from "../../ai/mod.ts";
import type { AiClient, AiClientOptions } from "../../ai/mod.ts";
import type { MockPlan } from "./aimock_worker.ts";
import { clientOf, failureOf } from "./support.ts";

type Requests = readonly Record<string, unknown>[];

let worker: Worker | undefined;

// One for all: it loads the package, which takes longer than most tests here.
Deno.test.beforeAll(() => {
  worker = new Worker(import.meta.resolve("./aimock_worker.ts"), { type: "module" });
});
Deno.test.afterAll(() => worker?.terminate());

async function startMock(plan: MockPlan): Promise<string> {
  if (worker === undefined) throw new Error("Cannot start a server: the worker has ended");
  const { promise, resolve } = Promise.withResolvers<string>();
  worker.onmessage = ({ data }): void => resolve(data);
  worker.postMessage(plan);
  return await promise;
}

async function withMock(
  plan: MockPlan & { readonly options?: Partial<AiClientOptions> },
  test: (client: AiClient, requests: Requests) => Promise<void>,
): Promise<void> {
  const { options, ...rest } = plan;
  const url = await startMock(rest);
  const requests: Record<string, unknown>[] = [];
  const counted: typeof fetch = (input, init) => {
    requests.push(JSON.parse(String(init?.body)));
    return fetch(input, init);
  };
  await test(clientOf(`${url}/v1`, { fetch: counted, ...options }), requests);
}

const hi = { match: { userMessage: "hi" } };

const poem = "A line with ümläuts, 日本語 and 🌍.\n".repeat(20);

Deno.test("aimock: chat and stream give the same answer, with usage", async () => {
  await withMock({ fixtures: [{ ...hi, response: { content: poem } }] }, async (client) => {
    const messages = [user("hi")];
    const whole = await client.chat({ messages });
    const pieces: string[] = [];
    const stream = client.stream({ messages });
    for await (const { content } of stream) pieces.push(content);
    const streamed = await stream.response();
    assertEquals([whole.text, pieces.join(""), streamed.text], [poem, poem, poem]);
    assertEquals([whole.finishReason, streamed.finishReason], ["stop", "stop"]);
    assert(pieces.length > 10);
    assert((whole.usage?.outputTokens ?? 0) > 0 && (streamed.usage?.outputTokens ?? 0) > 0);
  });
});

const weather = tool({
  name: "weather",
  description: "Returns the weather.",
  input: struct({ city: text("required") }),
}, ({ city }) => `sunny in ${city}`);
const helper = agent({ name: "helper", instructions: "Help.", tools: [weather] });

const cities = ["Lisboa", "Porto"].map((city) => ({
  name: "weather",
  arguments: JSON.stringify({ city }),
}));

Deno.test("aimock: an agent calls tools and answers, whole and as a stream", async () => {
  const fixtures = [
    { match: { userMessage: "hi", hasToolResult: false }, response: { toolCalls: cities } },
    { match: { userMessage: "hi", hasToolResult: true }, response: { content: "Sunny in both." } },
  ];
  await withMock({ fixtures }, async (client) => {
    const result = await run(client, helper, "hi");
    assertEquals(result.output, "Sunny in both.");
    const outputs = result.steps.map(({ output }) => output);
    assertEquals(outputs.toSorted(), ["sunny in Lisboa", "sunny in Porto"]);
    const kinds = [];
    for await (const { kind } of runStream(client, helper, "hi")) kinds.push(kind);
    assertEquals([...new Set(kinds)], ["tool_call", "tool_result", "text", "done"]);
  });
});

Deno.test("aimock: a structured answer is validated and typed", async () => {
  const fixtures = [{ ...hi, response: { content: '{"name":"Ana","seats":2}' } }];
  await withMock({ fixtures }, async (client, requests) => {
    const output = struct({ name: text("required"), seats: int("min=1,max=10") });
    const { value } = await client.chat({ messages: [user("hi")], output });
    const seats: number | undefined = value?.seats;
    assertEquals(seats, 2);
    assertEquals(requests[0]?.response_format, {
      type: "json_schema",
      json_schema: {
        name: "output",
        schema: {
          type: "object",
          properties: {
            name: { type: "string", minLength: 1 },
            seats: { type: "integer", minimum: 1, maximum: 10 },
          },
          required: ["name"],
          additionalProperties: false,
        },
      },
    });
  });
});

const chaos: [name: string, rates: MockPlan["chaos"] & object, codes: string[]][] = [
  ["500s", { dropRate: 1 }, ["ai_unavailable"]],
  ["malformed answers", { malformedRate: 1 }, ["ai_bad_response", "ai_broken_stream"]],
  ["connections that are cut", { disconnectRate: 1 }, ["ai_unreachable", "ai_broken_stream"]],
  ["429s", { rateLimitRate: 1 }, ["ai_rate_limited"]],
];

for (const [name, rates, codes] of chaos) {
  Deno.test(`aimock: chaos of ${name} ends in an error with a code, whole and as a stream`, async () => {
    const plan = {
      fixtures: [{ ...hi, response: { content: poem } }],
      chaos: rates,
      options: { maxRetries: 1, maxRetryDelayMs: 10 },
    };
    await withMock(plan, async (client) => {
      const messages = [user("hi")];
      for (
        const error of [
          await failureOf(client.chat({ messages })),
          await failureOf(client.stream({ messages }).response()),
        ]
      ) assert(codes.includes(error.code), `${error.code}: ${error.message}`);
    });
  });
}
