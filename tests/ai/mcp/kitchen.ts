/** A server with every feature, for the tests of every transport and era. */
import { tool } from "../../../ai/mod.ts";
import {
  audioContent,
  imageContent,
  McpError,
  type McpServer,
  mcpServer,
  type McpServerOptions,
  mcpTool,
  prompt,
  resource,
  resourceContent,
  resourceTemplate,
  toolResult,
} from "../../../ai/mcp/mod.ts";
import { float, int, struct, text } from "../../../mod.ts";

const pixel = new Uint8Array([137, 80, 78, 71]);

const echo = tool({
  name: "echo",
  description: "Returns the text.",
  input: struct({ text: text("required") }),
}, ({ text }) => text);

const add = mcpTool({
  name: "add",
  title: "Addition",
  description: "Adds two numbers.",
  input: struct({ a: float("required"), b: float("required") }),
  output: struct({ sum: float() }),
  annotations: { readOnlyHint: true, idempotentHint: true },
  icons: [{ src: "https://example.com/add.png", mimeType: "image/png", sizes: ["48x48"] }],
}, ({ a, b }) => ({ sum: a + b }));

const media = mcpTool({ name: "media", description: "Returns every kind of content." }, () => [
  { type: "text", text: "text", annotations: { audience: ["user"], priority: 0.5 } },
  imageContent(pixel, { mimeType: "image/png" }),
  audioContent(pixel, { mimeType: "audio/wav" }),
  resourceContent("note://1", { text: "Milk" }),
  { type: "resource_link", uri: "note://2", name: "second" },
]);

const fail = mcpTool({ name: "fail", description: "Fails." }, () => {
  throw new Error("the database is down");
});

const refuse = mcpTool({ name: "refuse", description: "Fails with an error of its own." }, () => {
  throw new McpError(4711, "Not today", { data: { day: "Sunday" } });
});

const correct = mcpTool(
  { name: "correct", description: "Fails so that the model can correct." },
  () =>
    toolResult({ content: "The date must be in the future", isError: true, meta: { "x.y/z": 1 } }),
);

const progress = mcpTool({
  name: "progress",
  description: "Reports progress.",
  input: struct({ steps: int("required,min=1,max=100") }),
}, async ({ steps }, call) => {
  for (let step = 1; step <= steps; step++) {
    call.progress(step, { total: steps, message: `step ${step}` });
    call.log("info", { step }, { logger: "kitchen" });
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return `${steps} steps`;
});

const greet = mcpTool({ name: "greet", description: "Asks for a name." }, async (_, call) => {
  const schema = struct({ name: text("required") });
  const first = await call.elicit({ message: "What is your name?", schema });
  if (first.action !== "accept") return `The user said ${first.action}`;
  const second = await call.elicit({
    message: `How old are you, ${first.value.name}?`,
    schema: struct({ age: int("required,min=1") }),
  });
  if (second.action !== "accept") return `${first.value.name} keeps a secret`;
  return `${first.value.name} is ${second.value.age}`;
});

const visit = mcpTool(
  { name: "visit", description: "Sends the user to a page." },
  async (_, call) =>
    await call.elicitUrl({ message: "Sign in", url: "https://example.com/sign-in" }),
);

const think = mcpTool(
  { name: "think", description: "Asks the client's model." },
  async (_, call) => {
    const { content, model } = await call.sample({
      messages: [{
        role: "user",
        content: { type: "text", text: "What is the capital of Portugal?" },
      }],
      maxTokens: 10,
    });
    return toolResult({ content: [content].flat(), structured: { model } });
  },
);

const folders = mcpTool(
  { name: "folders", description: "Lists the client's folders." },
  async (_, call) => (await call.roots()).map(({ uri }) => uri).join(" "),
);

export const stopped = { count: 0 };

const wait = mcpTool({ name: "wait", description: "Waits to be cancelled." }, async (_, call) => {
  call.progress(1);
  await new Promise<void>((resolve) => call.signal.addEventListener("abort", () => resolve()));
  stopped.count++;
  call.signal.throwIfAborted();
});

const list = mcpTool({
  name: "list",
  description: "Returns a list.",
  output: {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: (value) => ({ value }),
      ...{ jsonSchema: { input: () => ({ type: "array", items: { type: "integer" } }) } },
    },
  },
}, () => [1, 2, 3]);

const lie = mcpTool({
  name: "lie",
  description: "Breaks its own schema.",
  output: struct({ sum: float("required") }),
}, () => ({ sum: "three" }));

const routed = mcpTool({
  name: "routed",
  description: "Repeats arguments in headers.",
  input: struct({ region: text("required"), shard: int() }),
  headers: { region: "Region", shard: "Shard" },
}, ({ region }) => region);

const remove = tool({
  name: "delete",
  description: "Deletes a note.",
  input: struct({ id: int("required") }),
  needsApproval: true,
}, ({ id }) => `Deleted ${id}`);

export function kitchen(options: Partial<McpServerOptions> = {}): McpServer {
  return mcpServer({
    name: "kitchen",
    version: "1.2.3",
    title: "Kitchen",
    instructions: "Use what you like.",
    tools: [
      ...[echo, add, media, fail, refuse, correct, progress, greet],
      ...[visit, think, folders, wait, list, lie, routed, remove],
    ],
    resources: [
      resource({ uri: "note://1", name: "first", mimeType: "text/markdown" }, () => "# Milk"),
      resource({ uri: "file://pixel", name: "pixel", mimeType: "image/png" }, () => pixel),
      resourceTemplate(
        {
          uriTemplate: "event://{id}",
          name: "event",
          complete: { id: (typed) => ["10", "11", "20"].filter((id) => id.startsWith(typed)) },
        },
        ({ id }) => id === "404" ? undefined : JSON.stringify({ id }),
      ),
    ],
    prompts: [
      prompt({
        name: "review",
        description: "Reviews code.",
        arguments: [
          { name: "code", required: true },
          {
            name: "language",
            complete: (typed) => ["deno", "dart"].filter((each) => each.startsWith(typed)),
          },
        ],
      }, ({ code, language = "any" }) => `Review this ${language}:\n${code}`),
      prompt({ name: "talk" }, () => [
        { role: "user", content: "Hello" },
        { role: "assistant", content: imageContent(pixel, { mimeType: "image/png" }) },
      ]),
    ],
    ...options,
  });
}
