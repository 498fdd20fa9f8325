/** Questions to the user over several stateless requests. */
import { assertEquals } from "@std/assert";
import { type Endpoint, endpoint, type Json, meta, modern, modernHeaders } from "./endpoint.ts";

const withForms = { ...meta, "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };

async function greet(at: Endpoint, params: Json): Promise<Json> {
  const body = modern("tools/call", { name: "greet", arguments: {}, _meta: withForms, ...params });
  return await (await at.post(body, modernHeaders("tools/call", "greet"))).json();
}

Deno.test("mcpServer asks in several rounds, with a state that belongs to the call", async () => {
  let now = 1_000;
  const at = endpoint({ secret: "k".repeat(32), now: () => now });
  const first = (await greet(at, {})).result as Json;
  assertEquals(first.resultType, "input_required");
  assertEquals(Object.keys(first.inputRequests as Json), ["question-1"]);
  const inputResponses = { "question-1": { action: "accept", content: { name: "Ada" } } };
  const second = (await greet(at, { inputResponses, requestState: first.requestState }))
    .result as Json;
  assertEquals(Object.keys(second.inputRequests as Json), ["question-2"]);
  // The first answer travels in the state alone.
  const answer = { "question-2": { action: "accept", content: { age: 36 } } };
  const last = { inputResponses: answer, requestState: second.requestState };
  const done = (await greet(at, last)).result as { content: Json[] };
  assertEquals(done.content[0]?.text, "Ada is 36");

  const bad: [name: string, params: Json][] = [
    ["a changed state", { ...last, requestState: `x${second.requestState}` }],
    ["a state without its signature", {
      ...last,
      requestState: String(second.requestState).split(".")[0],
    }],
    ["other arguments", { ...last, arguments: { other: true } }],
    ["a state that is not a string", { ...last, requestState: { answers: {} } }],
    ["answers that are a list", { inputResponses: [] }],
    ["an answer that is not an object", { inputResponses: { "question-1": "yes" } }],
  ];
  for (const [name, params] of bad) {
    assertEquals(((await greet(at, params)).error as Json).code, -32602, name);
  }
  const replica = endpoint({ secret: "k".repeat(32), now: () => now });
  assertEquals(((await greet(replica, last)).result as Json).resultType, "complete");
  const stranger = endpoint({ secret: "s".repeat(32), now: () => now });
  assertEquals(((await greet(stranger, last)).error as Json).code, -32602);
  now += 2 * 3_600_000;
  assertEquals(((await greet(at, last)).error as Json).code, -32602, "a state that is too old");
});

Deno.test("mcpServer: replicas of an application finish each other's calls, also while its secret changes", async () => {
  const [old, secret] = ["o".repeat(32), "n".repeat(32)];
  const { requestState } = (await greet(endpoint({}, { secret: old }), {})).result as Json;
  const answer = { requestState };
  const rotated = endpoint({}, { secret, previousSecret: old });
  assertEquals(((await greet(rotated, answer)).result as Json).resultType, "input_required");
  assertEquals(((await greet(endpoint({}, { secret }), answer)).error as Json).code, -32602);
});

Deno.test("mcpServer: a state of one user is none of another", async () => {
  const at = endpoint({ identify: (c) => c.request.headers.get("x-user") ?? undefined });
  const ask = async (user: string, params: Json): Promise<Json> => {
    const body = modern("tools/call", {
      name: "greet",
      arguments: {},
      _meta: withForms,
      ...params,
    });
    return await (await at.post(body, { ...modernHeaders("tools/call", "greet"), "x-user": user }))
      .json();
  };
  const { requestState } = (await ask("ada", {})).result as Json;
  assertEquals(((await ask("eve", { requestState })).error as Json).code, -32602);
  assertEquals(((await ask("ada", { requestState })).result as Json).resultType, "input_required");
});

Deno.test("mcpServer: an elicitation that does not match its form returns to the model", async () => {
  const inputResponses = { "question-1": { action: "accept", content: { name: "" } } };
  const body = await greet(endpoint(), { inputResponses });
  assertEquals((body.error as Json).code, -32602);
  const declined = await greet(endpoint(), {
    inputResponses: { "question-1": { action: "decline" } },
  });
  assertEquals((declined.result as { content: Json[] }).content[0]?.text, "The user said decline");
});
