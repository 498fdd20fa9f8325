/** Developer mistakes that a server, or a transport, refuses at boot. */
import { assertMatch, assertThrows } from "@std/assert";
import { tool } from "../../../ai/mod.ts";
import {
  http,
  mcpServer,
  mcpTool,
  prompt,
  resource,
  resourceTemplate,
  stdio,
} from "../../../ai/mcp/mod.ts";
import type { McpToolDefinition } from "../../../ai/mcp/mod.ts";
import { struct, text } from "../../../mod.ts";
import { kitchen } from "./kitchen.ts";

const about = { name: "plain", description: "" };
// Values that plain JavaScript or a cast gets past the compiler.
const plain = JSON.parse('{ "city": "string" }');

const toolWith = (more: Partial<McpToolDefinition<unknown, unknown>>) => () =>
  mcpTool({ ...about, ...more }, () => "");

const promptWith = (args: readonly { name: string }[]) => () =>
  prompt({ name: "p", arguments: args }, () => "");
const aPrompt = promptWith([])();
const note = resource({ uri: "note://1", name: "note" }, () => "");
const nameless = { uriTemplate: "note://{id}", name: "" };
const auth = { authorizationServers: ["https://auth.example"], verify: () => undefined };
const scoped = (scope: string) => toolWith({ scopes: [scope] })();

const badOptions: [name: string, make: () => unknown, message: RegExp][] = [
  ["a timeout over the limit of timers", () => kitchen({ callTimeoutMs: 1e10 }), /callTimeoutMs/],
  ["a server without a name", () => kitchen({ name: "" }), /without a name: set "name"/],
  ["a server named by a space", () => kitchen({ name: " " }), /without a name/],
  [
    "a server without a version",
    () => kitchen({ version: "" }),
    /without a version: set "version"/,
  ],
  ["a version that is a number", () => kitchen({ version: JSON.parse("1") }), /without a version/],
  ["a tool without a name", toolWith({ name: "" }), /name the tool ""/],
  ["a prompt without a name", () => prompt({ name: "" }, () => ""), /name the prompt ""/],
  ["an argument without a name", promptWith([{ name: "" }]), /each argument needs a name/],
  [
    "arguments of one name",
    promptWith([{ name: "a" }, { name: "a" }]),
    /each argument needs a name/,
  ],
  ["a resource without a name", () => resource({ uri: "a:b", name: "" }, () => ""), /set "name"/],
  ["a template without a name", () => resourceTemplate(nameless, () => ""), /set "name"/],
  ["two prompts of one name", () => kitchen({ prompts: [aPrompt, aPrompt] }), /two prompts "p"/],
  ["two resources of one URI", () => kitchen({ resources: [note, note] }), /two resources "note:/],
  [
    "two scopes in one string",
    () => kitchen({ tools: [scoped("a b")] }),
    /one item for each scope/,
  ],
  ["a scope with a quote", () => kitchen({ auth: { ...auth, scopes: ['a"'] } }), /scope "a\\""/],
  [
    "an empty scope",
    () => resource({ ...note, scopes: [""] }, () => ""),
    /one item for each scope/,
  ],
  ["tools of one name", () => kitchen({ tools: [echoTool(), echoTool()] }), /two tools "twice"/],
  ["a name with a space", toolWith({ name: "a b" }), /name the tool "a b"/],
  ["a name of a megabyte", toolWith({ name: "a".repeat(1_000_000) }), /a{80}…/],
  ["a header without its argument", toolWith({ headers: { b: "B" } }), /no such argument/],
  ["an output without a schema", toolWith({ output: plain }), /not a schema/],
  ["an input without a schema", toolWith({ input: plain }), /not a schema/],
  ["an agent's tool, no schema", () => tool({ ...about, input: plain }, String), /not a schema/],
  ["no size of a message", () => http("https://a.example", { maxMessageBytes: NaN }), /NaN/],
  ["no time of a server's answer", () => http("https://a.example", { probeMs: 0 }), /probeMs/],
  ["no size of a child's message", () => stdio("a", [], { maxMessageBytes: NaN }), /NaN/],
  ["no time of a child's answer", () => stdio("a", [], { probeMs: NaN }), /probeMs/],
  ["a relative resource", () => resource({ uri: "notes", name: "n" }, () => ""), /absolute URI/],
];

Deno.test("mcpServer accepts tools without a description, as other servers list them", () => {
  kitchen({ tools: [toolWith({ description: "" })()] });
});

function echoTool(): ReturnType<typeof mcpTool> {
  return mcpTool({ name: "twice", description: "", input: struct({ text: text() }) }, () => "");
}

for (const [name, make, message] of badOptions) {
  Deno.test(`MCP refuses at boot: ${name}`, () => {
    assertMatch(assertThrows(make, Error).message, message);
  });
}

for (const timeoutMs of [0, -5, NaN, 2 ** 31]) {
  Deno.test(`mcpServer and tool refuse a timeout of ${timeoutMs}, which timers do not support`, () => {
    const about = { name: "slow", description: "", timeoutMs };
    assertThrows(() => tool(about, () => ""), RangeError, "slow");
    const tools = [mcpTool(about, () => "")];
    assertThrows(() => mcpServer({ name: "s", version: "1", tools }), RangeError, "slow");
  });
}
