/** Developer mistakes that a server, or a transport, refuses at boot. */
import { assertMatch, assertThrows } from "@std/assert";
import { tool } from "../../../ai/mod.ts";
import { http, mcpServer, mcpTool, resource, stdio } from "../../../ai/mcp/mod.ts";
import type { McpToolDefinition } from "../../../ai/mcp/mod.ts";
import { struct, text } from "../../../mod.ts";
import { kitchen } from "./kitchen.ts";

const about = { name: "plain", description: "" };
// Values that plain JavaScript or a cast gets past the compiler.
const plain = JSON.parse('{ "city": "string" }');

const toolWith = (more: Partial<McpToolDefinition<unknown, unknown>>) => () =>
  mcpTool({ ...about, ...more }, () => "");

const badOptions: [name: string, make: () => unknown, message: RegExp][] = [
  ["a timeout over the limit of timers", () => kitchen({ callTimeoutMs: 1e10 }), /callTimeoutMs/],
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
