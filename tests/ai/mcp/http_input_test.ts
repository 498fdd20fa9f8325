/** Questions to the user over several stateless requests. */
import { assertEquals } from "@std/assert";
import { type Endpoint, endpoint, type Json, meta } from "./endpoint.ts";

const _meta = { ...meta, "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };

async function greet(at: Endpoint, params: Json = {}, headers = {}): Promise<Json> {
  return await (await at.call("greet", { arguments: {}, _meta, ...params }, headers)).json();
}

async function resultOf(answer: Promise<Json>): Promise<Json> {
  return (await answer).result as Json;
}

async function codeOf(answer: Promise<Json>): Promise<unknown> {
  return ((await answer).error as Json).code;
}

function textOf(result: Json): unknown {
  return (result.content as Json[])[0]?.text;
}

Deno.test("mcpServer asks in several rounds, with a state bound to the call", async () => {
  let now = 1_000;
  const options = { now: () => now };
  const secret = "k".repeat(32);
  const at = endpoint(options, { secret });
  const first = await resultOf(greet(at));
  assertEquals(first.resultType, "input_required");
  assertEquals(Object.keys(first.inputRequests as Json), ["question-1"]);
  const inputResponses = { "question-1": { action: "accept", content: { name: "Ada" } } };
  const { requestState } = first;
  const second = await resultOf(greet(at, { inputResponses, requestState }));
  assertEquals(Object.keys(second.inputRequests as Json), ["question-2"]);
  // Only the state carries the first answer.
  const answer = { "question-2": { action: "accept", content: { age: 36 } } };
  const last = { inputResponses: answer, requestState: second.requestState };
  assertEquals(textOf(await resultOf(greet(at, last))), "Ada is 36");
  const [unsigned] = String(second.requestState).split(".");
  const bad: [name: string, params: Json][] = [
    ["a changed state", { ...last, requestState: `x${second.requestState}` }],
    ["a state without its signature", { ...last, requestState: unsigned }],
    ["other arguments", { ...last, arguments: { other: true } }],
    ["a state that is not a string", { ...last, requestState: { answers: {} } }],
    ["an array of answers", { inputResponses: [] }],
    ["an answer that is not an object", { inputResponses: { "question-1": "yes" } }],
  ];
  for (const [name, params] of bad) assertEquals(await codeOf(greet(at, params)), -32602, name);
  assertEquals((await resultOf(greet(endpoint(options, { secret }), last))).resultType, "complete");
  const stranger = endpoint(options, { secret: "s".repeat(32) });
  assertEquals(await codeOf(greet(stranger, last)), -32602);
  now += 2 * 3_600_000;
  assertEquals(await codeOf(greet(at, last)), -32602, "a state that is too old");
});

Deno.test("mcpServer: replicas finish each other's calls, even during a rotation of the secret", async () => {
  const [old, secret] = ["o".repeat(32), "n".repeat(32)];
  const { requestState } = await resultOf(greet(endpoint({}, { secret: old })));
  const rotated = endpoint({}, { secret, previousSecret: old });
  const goesOn = await resultOf(greet(rotated, { requestState }));
  assertEquals(goesOn.resultType, "input_required");
  assertEquals(await codeOf(greet(endpoint({}, { secret }), { requestState })), -32602);
});

Deno.test("mcpServer: asks no further question if it cannot keep the answers so far", async () => {
  const content = { name: "x".repeat(200_000) };
  const { error } = await greet(endpoint(), {
    inputResponses: { "question-1": { action: "accept", content } },
  });
  const message = "The client's answers are too long to ask another question";
  assertEquals(error, { code: -32602, message });
});

Deno.test("mcpServer: refuses the state of another user", async () => {
  const at = endpoint({ identify: (c) => c.request.headers.get("x-user") ?? undefined });
  const { requestState } = await resultOf(greet(at, {}, { "x-user": "ada" }));
  assertEquals(await codeOf(greet(at, { requestState }, { "x-user": "eve" })), -32602);
  const own = await resultOf(greet(at, { requestState }, { "x-user": "ada" }));
  assertEquals(own.resultType, "input_required");
});

Deno.test("mcpServer: reports an elicitation that does not match its form to the model", async () => {
  const answer = (each: Json): Json => ({ inputResponses: { "question-1": each } });
  const empty = answer({ action: "accept", content: { name: "" } });
  assertEquals(await codeOf(greet(endpoint(), empty)), -32602);
  const declined = await resultOf(greet(endpoint(), answer({ action: "decline" })));
  assertEquals(textOf(declined), "The user said decline");
});
