/** Tools that need a user's approval, called by MCP clients of both eras. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { agent, run, tool, type ToolContext } from "../../../ai/mod.ts";
import { scriptedModel } from "../../../ai/testing.ts";
import { dial, http, McpError, mcpServer, mcpTool } from "../../../ai/mcp/mod.ts";
import type { DialOptions, FormAnswer, FormQuestion, McpClient } from "../../../ai/mcp/mod.ts";
import { type App, int, struct, text } from "../../../mod.ts";
import { appOf, endpointOf, type Json, meta } from "./endpoint.ts";
import { asFetch } from "./support.ts";

const eras = ["stateless", "session"] as const;

/** Creates an application whose tools record that they ran. */
function shop(): { readonly app: App; readonly ran: string[] } {
  const ran: string[] = [];
  const note = (name: string) => (args: unknown): string => {
    ran.push(`${name} ${JSON.stringify(args)}`);
    return "done";
  };
  const input = struct({ id: int("required"), note: text() });
  const about = { description: "Cancels an order.", input };
  const server = mcpServer({
    name: "shop",
    version: "1.0.0",
    tools: [
      tool({ ...about, name: "always", needsApproval: true }, note("always")),
      mcpTool({ ...about, name: "always_mcp", needsApproval: true }, note("always_mcp")),
      tool({ ...about, name: "above_9", needsApproval: ({ id }) => id > 9 }, note("above_9")),
      mcpTool({ ...about, name: "mcp_above_9", needsApproval: ({ id }) => id > 9 }, note("mcp")),
      tool({
        ...about,
        name: "broken_rule",
        needsApproval: () => {
          throw new Error("no database");
        },
      }, note("broken_rule")),
      mcpTool({ ...about, name: "asks_more", needsApproval: true }, async ({ id }, call) => {
        const answer = await call.elicit({ message: "Why?", schema: struct({ why: text() }) });
        return note("asks_more")({ id, why: answer.action === "accept" ? answer.value.why : "" });
      }),
    ],
  });
  return { app: appOf(server), ran };
}

async function withClient(
  app: App,
  options: DialOptions,
  fn: (client: McpClient) => Promise<void>,
): Promise<void> {
  const fetch = asFetch(app.fetch);
  await using client = await dial(http("http://localhost/mcp", { fetch }), options);
  await fn(client);
}

const guarded: [tool: string, args: Json, ran: string][] = [
  ["always", { id: 1 }, 'always {"id":1,"note":""}'],
  ["always_mcp", { id: 1 }, 'always_mcp {"id":1,"note":""}'],
  ["above_9", { id: 10 }, 'above_9 {"id":10,"note":""}'],
  ["mcp_above_9", { id: 10 }, 'mcp {"id":10,"note":""}'],
  ["broken_rule", { id: 1 }, 'broken_rule {"id":1,"note":""}'],
];

for (const revisions of eras) {
  Deno.test(`needsApproval, ${revisions}: the tool runs once after the user approves`, async () => {
    for (const [name, args, wanted] of guarded) {
      const { app, ran } = shop();
      const questions: FormQuestion[] = [];
      const onElicit = (question: FormQuestion): FormAnswer => {
        questions.push(question);
        assertEquals(ran, [], "nothing runs before the answer");
        return { action: "accept", content: {} };
      };
      await withClient(app, { revisions, onElicit }, async (client) => {
        const result = await client.callTool(name, args);
        assertEquals([result.isError, ran], [false, [wanted]], name);
      });
      assertEquals(questions.length, 1, name);
      assertStringIncludes(questions[0]?.message ?? "", `"${name}"`);
      assertStringIncludes(questions[0]?.message ?? "", `"id": ${args.id}`);
      assertEquals(questions[0]?.schema, { type: "object", properties: {} });
    }
  });

  Deno.test(`needsApproval, ${revisions}: the tool does not run if the user declines or closes the question`, async () => {
    for (const action of ["decline", "cancel"] as const) {
      for (const [name, args] of guarded) {
        const { app, ran } = shop();
        await withClient(app, { revisions, onElicit: () => ({ action }) }, async (client) => {
          const { isError, content } = await client.callTool(name, args);
          assertEquals([isError, ran], [true, []], `${name}, ${action}`);
          assert(content[0]?.type === "text");
          assertStringIncludes(content[0].text, "user");
        });
      }
    }
  });

  Deno.test(`needsApproval, ${revisions}: a client without elicitation is refused`, async () => {
    for (const [name, args] of guarded) {
      const { app, ran } = shop();
      await withClient(app, { revisions }, async (client) => {
        const error = await assertRejects(() => client.callTool(name, args), McpError, "approval");
        const want = [-32021, { requiredCapabilities: { elicitation: { form: {} } } }, []];
        assertEquals([error.code, error.data, ran], want, name);
      });
    }
  });

  Deno.test(`needsApproval, ${revisions}: calls that are invalid or need no approval ask no user`, async () => {
    const { app, ran } = shop();
    await withClient(app, { revisions }, async (client) => {
      assert(!(await client.callTool("above_9", { id: 9 })).isError);
      assert(!(await client.callTool("mcp_above_9", { id: 9 })).isError);
      assertEquals(ran.length, 2);
      assert((await client.callTool("above_9", { id: "many" })).isError);
      assert((await client.callTool("mcp_above_9", { id: "many" })).isError);
    });
    assertEquals(ran.length, 2);
  });

  Deno.test(`needsApproval, ${revisions}: the tool asks its own question after the approval`, async () => {
    const { app, ran } = shop();
    const asked: string[] = [];
    const onElicit = ({ message }: FormQuestion): FormAnswer => {
      asked.push(message.slice(0, 4));
      return { action: "accept", content: message === "Why?" ? { why: "rain" } : {} };
    };
    await withClient(app, { revisions, onElicit }, async (client) => {
      await client.callTool("asks_more", { id: 1 });
    });
    assertEquals([asked, ran], [["Allo", "Why?"], ['asks_more {"id":1,"why":"rain"}']]);
  });

  Deno.test(`needsApproval, ${revisions}: the question shows hostile arguments in full`, async () => {
    const { app } = shop();
    const messages: string[] = [];
    const onElicit = ({ message }: FormQuestion): FormAnswer => {
      messages.push(message);
      return { action: "decline" };
    };
    await withClient(app, { revisions, onElicit }, async (client) => {
      await client.callTool("always", { id: 1, note: "\u202ehidden\u2028\u200b\u{e0041}" });
      await client.callTool("always", { id: 1, note: "x".repeat(100_000) });
    });
    assertStringIncludes(messages[0] ?? "", "\\u{202e}hidden\\u{2028}\\u{200b}\\u{e0041}");
    assert((messages[1]?.length ?? Infinity) < 5_000);
    assertStringIncludes(messages[1] ?? "", "characters are not shown");
  });
}

Deno.test("needsApproval, session: the user may take longer than the tool's timeout", async () => {
  const slow = mcpServer({
    name: "slow",
    version: "1.0.0",
    tools: [
      tool({ name: "quick", description: "", needsApproval: true, timeoutMs: 60 }, () => "done"),
      tool({ name: "stuck", description: "", needsApproval: true, timeoutMs: 60 }, () => hang),
    ],
  });
  const hang = new Promise<void>(() => {});
  const app = appOf(slow);
  const onElicit = async (): Promise<FormAnswer> => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    return { action: "accept", content: {} };
  };
  await withClient(app, { revisions: "session", onElicit }, async (client) => {
    assert(!(await client.callTool("quick")).isError);
    await assertRejects(() => client.callTool("stuck"), McpError, "longer than 60 ms");
  });
});

const _meta = { ...meta, "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };

/** Calls a tool with a raw request of revision 2026-07-28. */
async function raw(app: App, { name = "always", ...params }: Json = {}): Promise<Json> {
  const about = { arguments: { id: 1 }, _meta, ...params };
  return (await (await endpointOf(app).call(String(name), about)).json()).result;
}

function accept({ inputRequests, requestState }: Json): Json {
  const keys = Object.keys(inputRequests as Json);
  const inputResponses = keys.map((key) => [key, { action: "accept", content: {} }]);
  return { inputResponses: Object.fromEntries(inputResponses), requestState };
}

Deno.test("needsApproval: an answer to a question that the server did not send approves nothing", async () => {
  const { app, ran } = shop();
  const { inputResponses, requestState } = accept(await raw(app));
  const guessed = await raw(app, { inputResponses });
  assertEquals([guessed.resultType, ran], ["input_required", []]);
  const other = await raw(app, {
    inputResponses: { "question-1": { action: "accept", content: {} } },
    requestState,
  });
  assertEquals([other.resultType, ran], ["input_required", []]);
});

Deno.test("needsApproval: an approval is valid once", async () => {
  const { app, ran } = shop();
  const answer = accept(await raw(app));
  assertEquals([(await raw(app, answer)).resultType, ran.length], ["complete", 1]);
  const again = await Promise.all([raw(app, answer), raw(app, answer)]);
  assertEquals(again.map(({ resultType }) => resultType), ["input_required", "input_required"]);
  assertEquals(ran.length, 1);
});

Deno.test("needsApproval: an approval is valid once for a tool with its own questions", async () => {
  const { app, ran } = shop();
  const ask = (more: Json): Promise<Json> => raw(app, { name: "asks_more", ...more });
  const approved = accept(await ask({}));
  const explained = accept(await ask(approved));
  const again = await ask(approved);
  assertEquals(Object.keys(again.inputRequests as Json), ["fw.approval"]);
  assertEquals((await ask(explained)).resultType, "complete");
  assertEquals([(await ask(explained)).resultType, ran.length], ["input_required", 1]);
});

Deno.test("needsApproval: two concurrent requests with one approval run the tool once", async () => {
  const { app, ran } = shop();
  const answer = accept(await raw(app));
  const both = await Promise.all([raw(app, answer), raw(app, answer)]);
  assertEquals(both.map(({ resultType }) => resultType).toSorted(), ["complete", "input_required"]);
  assertEquals(ran.length, 1);
});

Deno.test("needsApproval: without a secret, an approval is valid in one application only", async () => {
  const ran: string[] = [];
  const server = mcpServer({
    name: "shared",
    version: "1.0.0",
    tools: [
      tool({ name: "always", description: "", needsApproval: true }, () => {
        ran.push("always");
        return "done";
      }),
    ],
  });
  const [first, second] = [appOf(server, { env: "prod" }), appOf(server, { env: "prod" })];
  const answer = { arguments: {}, ...accept(await raw(first, { arguments: {} })) };
  assertEquals([await raw(second, answer), ran], [undefined, []]);
  assertEquals([(await raw(first, answer)).resultType, ran], ["complete", ["always"]]);
});

Deno.test("a tool serves agents and MCP clients, with the caller in its context", async () => {
  interface Caller {
    readonly user: string;
  }
  const whoAmI = tool({
    name: "who_am_i",
    description: "Returns who asks.",
    needsApproval: (_, { user }: Caller) => user !== "Ada",
  }, (_, { context }: ToolContext<Caller>) => context.user);
  const options = { name: "desk", version: "1.0.0" };
  const server = mcpServer({
    ...options,
    tools: [whoAmI, mcpTool({ name: "time", description: "Returns the time." }, () => "noon")],
    context: ({ c }) => ({ user: c?.request.headers.get("x-user") ?? "" }),
  });
  const call = async (user: string): Promise<string> => {
    const fetch = asFetch((request) => {
      request.headers.set("x-user", user);
      return appOf(server).fetch(request);
    });
    await using client = await dial(http("http://localhost/mcp", { fetch }));
    const result = await client.callTool("who_am_i", {}).catch(String);
    return typeof result === "string" ? result : JSON.stringify(result.content);
  };
  assertEquals(await call("Ada"), '[{"type":"text","text":"Ada"}]');
  assertStringIncludes(await call("Bob"), "approval");
  const model = scriptedModel([{ toolCalls: [{ name: "who_am_i" }] }, "done"]);
  const helper = agent({ name: "helper", instructions: "Help.", tools: [whoAmI] });
  const { steps } = await run(model, helper, "Who?", { context: { user: "Ada" } });
  assertEquals(steps[0]?.output, "Ada");
  // Never called: only the types matter.
  const calls = (): unknown[] => [
    // @ts-expect-error the tool needs a context
    mcpServer({ ...options, tools: [whoAmI] }),
    // @ts-expect-error it is of another type
    mcpServer({ ...options, tools: [whoAmI], context: () => ({ user: 42 }) }),
  ];
  assertEquals(typeof calls, "function");
});
