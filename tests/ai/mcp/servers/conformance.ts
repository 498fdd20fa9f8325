/**
 * Serves what the official conformance suite asks for, on the port of its argument:
 *
 * `deno run -A tests/ai/mcp/servers/conformance.ts 8931`, and in another terminal
 * `deno run -A npm:@modelcontextprotocol/conformance@0.2.0-alpha.12 server --requirements 2026-07-28
 * --url http://127.0.0.1:8931/mcp`
 */
import { jsonSchema, type JsonSchemaValidator } from "../../../../ai/mod.ts";
import {
  audioContent,
  imageContent,
  type McpCall,
  type McpPrompt,
  mcpServer,
  type McpTool,
  mcpTool,
  prompt,
  resource,
  resourceContent,
  resourceTemplate,
  toolResult,
} from "../../../../ai/mcp/mod.ts";
import { App, createLogger, type JsonSchema, Off } from "../../../../mod.ts";

const description = "Asked for by the conformance suite.";
const pixel = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
);
const image = imageContent(pixel, { mimeType: "image/png" });
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

function form(properties: Record<string, JsonSchema>): JsonSchemaValidator<unknown> {
  return jsonSchema<unknown>({ type: "object", properties });
}

const enums: Record<string, unknown> = {
  untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
  titledSingle: {
    type: "string",
    oneOf: [
      { const: "value1", title: "First Option" },
      { const: "value2", title: "Second Option" },
      { const: "value3", title: "Third Option" },
    ],
  },
  legacyEnum: {
    type: "string",
    enum: ["opt1", "opt2", "opt3"],
    enumNames: ["Option One", "Option Two", "Option Three"],
  },
  untitledMulti: {
    type: "array",
    items: { type: "string", enum: ["option1", "option2", "option3"] },
  },
  titledMulti: {
    type: "array",
    items: {
      anyOf: [{ const: "value1", title: "First Choice" }, {
        const: "value2",
        title: "Second Choice",
      }, { const: "value3", title: "Third Choice" }],
    },
  },
};

const defaults: Record<string, JsonSchema> = {
  name: { type: "string", default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", default: true },
};

const addresses: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

const asking = (name: string, properties: Record<string, JsonSchema>) =>
  mcpTool({ name, description }, async (_, call) => {
    const answer = await call.elicit({ message: "Please fill in", schema: form(properties) });
    return `Elicitation completed: ${JSON.stringify(answer)}`;
  });

const elicit = (call: McpCall, key: string, name = "name") => {
  const schema = form({ [name]: { type: name === "ok" ? "boolean" : "string" } });
  return call.elicit({ message: `Your ${name}?`, schema, key });
};
const sample = (call: McpCall, key: string) =>
  call.sample({
    messages: [{ role: "user", content: { type: "text", text: "What is the capital of France?" } }],
    maxTokens: 100,
    key,
  });

/**
 * The calls that ask the client ("Multi Round-Trip Requests" of revision 2026-07-28), by tool name.
 */
const questions: Readonly<Record<string, (call: McpCall) => Promise<unknown>>> = {
  elicitation: (call) => elicit(call, "user_name"),
  sampling: (call) => sample(call, "capital_question"),
  list_roots: (call) => call.roots(),
  request_state: (call) => elicit(call, "confirm", "ok"),
  tampered_state: (call) => elicit(call, "confirm", "ok"),
  multiple_inputs: (call) =>
    Promise.all([elicit(call, "user_name"), sample(call, "greeting"), call.roots()]),
  multi_round: async (call) => [await elicit(call, "step1"), await elicit(call, "step2", "color")],
  capabilities: (call) =>
    Promise.all([
      ...call.can("elicit") ? [elicit(call, "user_name")] : [],
      ...call.can("sample") ? [sample(call, "greeting")] : [],
    ]),
};

const asks = (name: string, ask: (call: McpCall) => Promise<unknown>) =>
  mcpTool({ name, description }, async (_, call) => `state-ok ${JSON.stringify(await ask(call))}`);

const tools: McpTool[] = [
  ...Object.entries(questions).map(([name, ask]) =>
    asks(`test_input_required_result_${name}`, ask)
  ),
  asks("test_missing_capability", (call) => sample(call, "greeting")),
  asks("test_streaming_elicitation", (call) => elicit(call, "user_name")),
  mcpTool({ name: "test_logging_tool", description }, (_, call) => {
    call.log("info", "Seen by clients that want it alone");
    return "Done";
  }),
  mcpTool({
    name: "test_x_mcp_header",
    description,
    input: form({ region: { type: "string" } }) as JsonSchemaValidator<{ region?: string }>,
    headers: { region: "Region" },
  }, ({ region }) => region ?? ""),
  mcpTool(
    { name: "test_simple_text", description },
    () => "This is a simple text response for testing.",
  ),
  mcpTool({ name: "test_image_content", description }, () => image),
  mcpTool(
    { name: "test_audio_content", description },
    () => audioContent(new Uint8Array(44), { mimeType: "audio/wav" }),
  ),
  mcpTool(
    { name: "test_embedded_resource", description },
    () =>
      resourceContent("test://embedded-resource", {
        text: "This is an embedded resource content.",
      }),
  ),
  mcpTool({ name: "test_multiple_content_types", description }, () => [
    { type: "text", text: "Multiple content types test:" },
    image,
    resourceContent("test://mixed-content-resource", {
      mimeType: "application/json",
      text: '{"test":"data","value":123}',
    }),
  ]),
  mcpTool({ name: "test_tool_with_logging", description }, async (_, call) => {
    call.log("info", "Tool execution started");
    await pause();
    call.log("info", "Tool processing data");
    await pause();
    call.log("info", "Tool execution completed");
    return "Done";
  }),
  mcpTool({ name: "test_tool_with_progress", description }, async (_, call) => {
    for (const progress of [0, 50, 100]) {
      call.progress(progress, { total: 100 });
      await pause();
    }
    return "Done";
  }),
  mcpTool(
    { name: "test_error_handling", description },
    () =>
      toolResult({
        content: "This tool intentionally returns an error for testing",
        isError: true,
      }),
  ),
  mcpTool(
    {
      name: "test_sampling",
      description,
      input: jsonSchema<{ prompt: string }>({
        type: "object",
        properties: { prompt: { type: "string" } },
        required: ["prompt"],
      }),
    },
    async ({ prompt }, call) => {
      const { content } = await call.sample({
        messages: [{ role: "user", content: { type: "text", text: prompt } }],
        maxTokens: 100,
      });
      return `LLM response: ${JSON.stringify(content)}`;
    },
  ),
  asking("test_elicitation", { response: { type: "string", description: "The response" } }),
  asking("test_elicitation_sep1034_defaults", defaults),
  asking("test_elicitation_sep1330_enums", enums as Record<string, JsonSchema>),
  mcpTool(
    { name: "json_schema_2020_12_tool", description, input: jsonSchema(addresses) },
    () => "",
  ),
  mcpTool({ name: "test_reconnection", description }, pause),
];

const prompts: McpPrompt[] = [
  prompt({ name: "test_simple_prompt", description }, () => "This is a simple prompt for testing."),
  prompt({
    name: "test_prompt_with_arguments",
    description,
    arguments: [{ name: "arg1", required: true, complete: () => [] }, {
      name: "arg2",
      required: true,
    }],
  }, ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  prompt({
    name: "test_prompt_with_embedded_resource",
    description,
    arguments: [{ name: "resourceUri", required: true }],
  }, ({ resourceUri = "" }) => [
    { role: "user", content: resourceContent(resourceUri, { text: "Embedded resource content." }) },
    {
      role: "user",
      content: { type: "text", text: "Please process the embedded resource above." },
    },
  ]),
  prompt({ name: "test_prompt_with_image", description }, () => [
    { role: "user", content: image },
    { role: "user", content: { type: "text", text: "Please analyze the image above." } },
  ]),
  prompt(
    { name: "test_input_required_result_prompt", description },
    async (_, call) => JSON.stringify(await elicit(call, "user_context", "context")),
  ),
];

const server = mcpServer({
  name: "conformance",
  version: "1.0.0",
  tools,
  resources: [
    resource(
      { uri: "test://static-text", name: "text", mimeType: "text/plain" },
      () => "This is the content of the static text resource.",
    ),
    resource({ uri: "test://static-binary", name: "binary", mimeType: "image/png" }, () => pixel),
    resource({ uri: "test://watched-resource", name: "watched" }, () => "watched"),
    resourceTemplate({
      uriTemplate: "test://template/{id}/data",
      name: "template",
      mimeType: "application/json",
    }, ({ id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })),
  ],
  prompts,
});

const app = new App({ logRequest: Off, logger: createLogger({ write: () => {} }) });
app.route({ pattern: "/mcp", methods: server.handlers, kind: "api" });
Deno.serve({
  port: Number(Deno.args[0] ?? 8931),
  hostname: "127.0.0.1",
  onListen: ({ port }) => console.log(`http://127.0.0.1:${port}/mcp`),
}, app.handler());
