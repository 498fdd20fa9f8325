/**
 * An application that stands between `npm:openai` and a model: what it passes on must be what that client
 * understands.
 */
import { assertEquals, assertRejects } from "@std/assert";
import OpenAI from "npm:openai@7.57.0";
import { App, type Handler } from "../../mod.ts";
import { serve } from "./support.ts";
import { scriptedModel } from "../../ai/testing.ts";
import { user } from "../../ai/mod.ts";

/** Passes a request on to a server, and its answer back as it comes. */
function proxyTo(target: string): Handler {
  return async (c) => {
    const response = await fetch(target, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer of-the-server" },
      body: await c.request.text(),
    });
    const headers = { "content-type": response.headers.get("content-type") ?? "" };
    return new Response(response.body, { status: response.status, headers });
  };
}

/** A server whose answers are those of a scripted model, on a real connection. */
function serveScript(replies: Parameters<typeof scriptedModel>[0]): ReturnType<typeof serve> {
  const encoder = scriptedModel(replies);
  return serve(async (request) => await encoder.respond(await request.text()));
}

async function withClient(
  replies: Parameters<typeof scriptedModel>[0],
  run: (client: OpenAI) => Promise<void>,
): Promise<void> {
  await using upstream = serveScript(replies);
  const app = new App({ logRequest: () => false });
  app.route({
    pattern: "/v1/chat/completions",
    kind: "api",
    methods: { POST: proxyTo(`${upstream.baseUrl}/chat/completions`) },
  });
  await using front = serve(async (request) => await app.fetch(request));
  await run(new OpenAI({ baseURL: front.baseUrl, apiKey: "of-the-user", maxRetries: 0 }));
}

const messages = [{ role: "user" as const, content: "Hi" }];

Deno.test("npm:openai reads a stream through an app", async () => {
  await withClient(["Olá, 🌍!"], async (client) => {
    let text = "";
    let finish: string | null | undefined;
    const stream = await client.chat.completions.create({ model: "m", messages, stream: true });
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? "";
      finish = chunk.choices[0]?.finish_reason ?? finish;
    }
    assertEquals([text, finish], ["Olá, 🌍!", "stop"]);
  });
});

Deno.test("npm:openai reads a whole answer with tool calls through an app", async () => {
  await withClient([{ toolCalls: [{ name: "f", arguments: { a: 1 } }] }], async (client) => {
    const answer = await client.chat.completions.create({ model: "m", messages });
    const [call] = answer.choices[0]?.message.tool_calls ?? [];
    assertEquals(call?.type === "function" && [call.function.name, call.function.arguments], [
      "f",
      '{"a":1}',
    ]);
    assertEquals(answer.choices[0]?.finish_reason, "tool_calls");
  });
});

Deno.test("npm:openai sees the status of the model's server through an app", async () => {
  await withClient([{ status: 429, text: "slow down" }], async (client) => {
    await assertRejects(
      () => client.chat.completions.create({ model: "m", messages }),
      OpenAI.RateLimitError,
      "slow down",
    );
  });
});

Deno.test("the client reads the scripted model's stream", async () => {
  const model = scriptedModel(["Olá"]);
  assertEquals((await model.stream({ messages: [user("Hi")] }).response()).text, "Olá");
});
