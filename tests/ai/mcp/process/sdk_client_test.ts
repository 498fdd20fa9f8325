/** The official clients against our server: both packages, every era, HTTP and stdio. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewHttp,
} from "npm:@modelcontextprotocol/client@2.4.0";
import { StdioClientTransport as NewStdio } from "npm:@modelcontextprotocol/client@2.4.0/stdio";
import { Client as OldClient } from "npm:@modelcontextprotocol/sdk@1.32.2/client/index.js";
import { StdioClientTransport as OldStdio } from "npm:@modelcontextprotocol/sdk@1.32.2/client/stdio.js";
import { StreamableHTTPClientTransport as OldHttp } from "npm:@modelcontextprotocol/sdk@1.32.2/client/streamableHttp.js";
import * as types from "npm:@modelcontextprotocol/sdk@1.32.2/types.js";
import { kitchen, stopped } from "../kitchen.ts";
import { program, serve } from "../support.ts";
import { until } from "../../../until.ts";

// deno-lint-ignore no-explicit-any -- two packages whose types differ, and whose calls do not
type Any = any;

interface Official {
  readonly client: Any;
  readonly logs: unknown[];
  close(): Promise<void>;
}

type Era = "old client" | "new client, sessions" | "new client, stateless";

const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

function answerElicit({ params }: Any): unknown {
  if (params.mode === "url") return { action: "accept" };
  const { name, age } = params.requestedSchema.properties;
  // The question for the user's approval has no fields.
  if (Object.keys(params.requestedSchema.properties).length === 0) {
    return { action: params.message.includes('"id": 1') ? "accept" : "decline" };
  }
  assert(name !== undefined || age?.minimum === 1);
  return { action: "accept", content: name === undefined ? { age: 36 } : { name: "Ada" } };
}

function answerSample(): unknown {
  return { role: "assistant", content: { type: "text", text: "Lisboa" }, model: "test" };
}

const rootsAnswer = { roots: [{ uri: "file:///work" }] };

async function connect(
  era: Era,
  transports: { readonly old: () => Any; readonly now: () => Any },
): Promise<Official> {
  const logs: unknown[] = [];
  const info = { name: "official", version: "1.0.0" };
  if (era === "old client") {
    const client: Any = new OldClient(info, { capabilities });
    client.setRequestHandler(types.ElicitRequestSchema, answerElicit);
    client.setRequestHandler(types.CreateMessageRequestSchema, answerSample);
    client.setRequestHandler(types.ListRootsRequestSchema, () => rootsAnswer);
    client.setNotificationHandler(
      types.LoggingMessageNotificationSchema,
      (each: Any) => logs.push(each.params),
    );
    await client.connect(transports.old());
    return { client, logs, close: () => client.close() };
  }
  const mode = era === "new client, sessions" ? "legacy" : "auto";
  const client: Any = new NewClient(info, { capabilities, versionNegotiation: { mode } } as Any);
  client.setRequestHandler("elicitation/create", answerElicit);
  client.setRequestHandler("sampling/createMessage", answerSample);
  client.setRequestHandler("roots/list", () => rootsAnswer);
  client.setNotificationHandler("notifications/message", (each: Any) => logs.push(each.params));
  await client.connect(transports.now());
  const found = client.getNegotiatedProtocolVersion();
  assertEquals(found, mode === "auto" ? "2026-07-28" : "2025-11-25");
  return { client, logs, close: () => client.close() };
}

function call(
  { client }: Official,
  name: string,
  args: unknown = {},
  options: Any = undefined,
): Promise<Any> {
  const params = { name, arguments: args };
  return client instanceof OldClient
    ? client.callTool(params, undefined, options)
    : client.callTool(params, options);
}

type Check = (official: Official, era: Era) => Promise<void>;

const checks: [name: string, check: Check][] = [
  ["facts", async ({ client }) => {
    assertEquals(client.getServerVersion()?.name, "kitchen");
    assertEquals(client.getServerCapabilities()?.tools, {});
    assertEquals(client.getInstructions(), "Use what you like.");
    await Promise.resolve();
  }],
  ["lists", async ({ client }, era) => {
    const { tools } = await client.listTools();
    assertEquals(tools.length, 16);
    const add = tools.find((each: Any) => each.name === "add");
    assertEquals(add.title, "Addition");
    assertEquals(add.annotations, { readOnlyHint: true, idempotentHint: true });
    assertEquals([add.icons[0].sizes, add.outputSchema.type], [["48x48"], "object"]);
    const list = tools.find((each: Any) => each.name === "list");
    assertEquals(list.outputSchema?.type, era === "new client, stateless" ? "array" : undefined);
  }],
  ["text", async (official) => {
    const found = (await call(official, "echo", { text: "Olá\n🌍" })).content;
    assertEquals(found, [{ type: "text", text: "Olá\n🌍" }]);
  }],
  ["structured content", async (official, era) => {
    const result = await call(official, "add", { a: 1, b: 2 });
    assertEquals(result.structuredContent, { sum: 3 });
    assertEquals(result.content, [{ type: "text", text: '{"sum":3}' }]);
    const list = await call(official, "list");
    assertEquals(list.structuredContent, era === "new client, stateless" ? [1, 2, 3] : undefined);
    assertEquals(list.content, [{ type: "text", text: "[1,2,3]" }]);
  }],
  ["every kind of content", async (official) => {
    const { content } = await call(official, "media");
    const seen = content.map((each: Any) => each.type);
    assertEquals(seen, ["text", "image", "audio", "resource", "resource_link"]);
    assertEquals(content[0].annotations, { audience: ["user"], priority: 0.5 });
    assertEquals(content[1].data, "iVBORw==");
  }],
  ["errors", async (official) => {
    assert((await call(official, "fail")).isError);
    assertEquals((await call(official, "fail")).content[0].text, "the database is down");
    const invalid = await call(official, "echo", { text: 7 });
    assert(invalid.isError);
    const error = await assertRejects(() => call(official, "refuse"));
    assertEquals([(error as Any).code, (error as Any).data], [4711, { day: "Sunday" }]);
    const unknown = await assertRejects(() => call(official, "__proto__"));
    assertEquals((unknown as Any).code, -32602);
    assertEquals((await call(official, "correct"))._meta["x.y/z"], 1);
    assert((await call(official, "lie").catch(() => ({ isError: true }))).isError);
  }],
  ["progress and log messages", async (official, era) => {
    const { client } = official;
    const options: Any = { onprogress: (each: Any) => reports.push(each) };
    const reports: Any[] = [];
    if (era !== "new client, stateless") await client.setLoggingLevel("info");
    // The official client drops a report that it reads together with the result, which happens on a
    // busy machine: one of several calls has to show all reports.
    for (let tries = 0; tries < 20 && reports.length < 3; tries++) {
      reports.length = 0;
      official.logs.length = 0;
      const got = (await call(official, "progress", { steps: 3 }, options)).content[0].text;
      assertEquals(got, "3 steps");
      if (era !== "new client, stateless") await until(() => official.logs.length === 3, "the log");
    }
    assertEquals([reports.map((each) => each.progress), reports[0].message], [[1, 2, 3], "step 1"]);
    if (era === "new client, stateless") return assertEquals(official.logs, []);
    assertEquals([official.logs.length, (official.logs[0] as Any).logger], [3, "kitchen"]);
    await client.setLoggingLevel("error");
    await call(official, "progress", { steps: 1 });
    assertEquals(official.logs.length, 3);
  }],
  ["elicitation, in two steps", async (official) => {
    assertEquals((await call(official, "greet")).content[0].text, "Ada is 36");
  }],
  ["approval", async (official) => {
    const approved = await call(official, "delete", { id: 1 });
    assertEquals([approved.isError ?? false, approved.content[0].text], [false, "Deleted 1"]);
    const rejected = await call(official, "delete", { id: 2 });
    const shown = [rejected.isError, rejected.content[0].text];
    assertEquals(shown, [true, "The user rejected this call."]);
  }],
  ["elicitation by a page", async (official) => {
    assertEquals((await call(official, "visit")).content[0].text, "accept");
  }],
  ["sampling", async (official) => {
    const result = await call(official, "think");
    assertEquals(result.content, [{ type: "text", text: "Lisboa" }]);
    assertEquals(result.structuredContent, { model: "test" });
  }],
  ["roots", async (official) => {
    assertEquals((await call(official, "folders")).content[0].text, "file:///work");
  }],
  ["cancellation", async (official) => {
    const before = stopped.count;
    const controller = new AbortController();
    const options = { signal: controller.signal, onprogress: () => controller.abort("enough") };
    await assertRejects(() => call(official, "wait", {}, options));
    // A server in another process has its own counter.
    if (official.client.transport?.pid === undefined && isInProcess) {
      await until(() => stopped.count === before + 1, "the tool to stop");
    }
    assertEquals((await call(official, "echo", { text: "again" })).content[0].text, "again");
  }],
  ["resources", async ({ client }, era) => {
    const { resources } = await client.listResources();
    assertEquals(resources.map((each: Any) => each.uri), ["note://1", "file://pixel"]);
    const { resourceTemplates } = await client.listResourceTemplates();
    assertEquals(resourceTemplates[0].uriTemplate, "event://{id}");
    const note = await client.readResource({ uri: "note://1" });
    assertEquals(note.contents, [{ uri: "note://1", mimeType: "text/markdown", text: "# Milk" }]);
    assertEquals((await client.readResource({ uri: "file://pixel" })).contents[0].blob, "iVBORw==");
    assertEquals((await client.readResource({ uri: "event://7" })).contents[0].text, '{"id":"7"}');
    const missing: Any = await assertRejects(() => client.readResource({ uri: "event://404" }));
    // The newer client translates the error code of older revisions.
    assertEquals(missing.code, era === "old client" ? -32002 : -32602);
  }],
  ["prompts", async ({ client }) => {
    const actual = (await client.listPrompts()).prompts.map((each: Any) => each.name);
    assertEquals(actual, ["review", "talk"]);
    const { messages } = await client.getPrompt({ name: "review", arguments: { code: "1+1" } });
    assertEquals(messages[0].content.text, "Review this any:\n1+1");
    const talk = await client.getPrompt({ name: "talk" });
    assertEquals(talk.messages[1].content.type, "image");
    await assertRejects(() => client.getPrompt({ name: "review", arguments: {} }));
  }],
  ["completion", async ({ client }) => {
    const ref = { type: "ref/prompt", name: "review" };
    const prompt = await client.complete({ ref, argument: { name: "language", value: "de" } });
    assertEquals(prompt.completion, { values: ["deno"], total: 1, hasMore: false });
    const template = await client.complete({
      ref: { type: "ref/resource", uri: "event://{id}" },
      argument: { name: "id", value: "1" },
    });
    assertEquals(template.completion.values, ["10", "11"]);
  }],
  ["100 calls at once", async (official) => {
    const calls = Array.from({ length: 100 }, (_, n) => call(official, "echo", { text: `${n}` }));
    const texts = (await Promise.all(calls)).map((each) => each.content[0].text);
    assertEquals(texts, Array.from({ length: 100 }, (_, number) => `${number}`));
  }],
  ["arguments in headers", async (official) => {
    // The client must know the schema before it can repeat arguments.
    await official.client.listTools();
    const result = await call(official, "routed", { region: "Évora", shard: 4 });
    assertEquals(result.content[0].text, "Évora");
  }],
];

let isInProcess = true;
const eras: Era[] = ["old client", "new client, sessions", "new client, stateless"];

for (const era of eras) {
  Deno.test(`mcpServer over HTTP serves the official ${era}`, async (t) => {
    isInProcess = true;
    await using served = serve(kitchen(), { settings: { env: "dev" } });
    const url = new URL(served.url);
    const official = await connect(era, {
      old: () => new OldHttp(url),
      now: () => new NewHttp(url),
    });
    for (const [name, check] of checks) await t.step(name, () => check(official, era));
    await official.close();
  });

  Deno.test({
    name: `mcpServer over stdio serves the official ${era}`,
    // The official transports leave the timers running that would kill the child.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async (t) => {
      isInProcess = false;
      const command = { command: Deno.execPath(), args: program("kitchen_stdio.ts") };
      const official = await connect(era, {
        old: () => new OldStdio(command),
        now: () => new NewStdio(command),
      });
      for (const [name, check] of checks) await t.step(name, () => check(official, era));
      await official.close();
    },
  });
}
