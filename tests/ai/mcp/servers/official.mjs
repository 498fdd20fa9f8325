// deno-lint-ignore-file explicit-function-return-type explicit-module-boundary-types -- plain JavaScript
import { z } from "npm:zod@4";

const form = {
  message: "Who are you?",
  requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};

/** What both official servers offer; the older SDK and the newer one share these calls. */
export function buildOfficial({ McpServer, ResourceTemplate, inputRequired }) {
  const server = new McpServer({ name: "official", version: "1.0.0" }, {
    capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } },
    instructions: "Be kind.",
  });
  const input = (shape) => z.object(shape);
  server.registerTool(
    "echo",
    { description: "Echoes.", inputSchema: input({ text: z.string() }) },
    ({ text }) => ({
      content: [{ type: "text", text }],
    }),
  );
  server.registerTool("add", {
    description: "Adds.",
    inputSchema: input({ a: z.number(), b: z.number() }),
    outputSchema: input({ sum: z.number() }),
  }, ({ a, b }) => ({
    content: [{ type: "text", text: String(a + b) }],
    structuredContent: { sum: a + b },
  }));
  server.registerTool("fail", { description: "Fails.", inputSchema: input({}) }, () => {
    throw new Error("no luck");
  });
  server.registerTool(
    "progress",
    { description: "Progress.", inputSchema: input({}) },
    async (_args, extra) => {
      const token = extra._meta?.progressToken ?? extra.mcpReq?._meta?.progressToken;
      const notify = extra.sendNotification ?? ((each) => extra.mcpReq.notify(each));
      for (let progress = 1; progress <= 3; progress++) {
        if (token !== undefined) {
          await notify({
            method: "notifications/progress",
            params: { progressToken: token, progress, total: 3 },
          });
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return { content: [{ type: "text", text: "done" }] };
    },
  );
  server.registerTool(
    "wait",
    { description: "Waits.", inputSchema: input({}) },
    async (_args, extra) => {
      const signal = extra.signal ?? extra.mcpReq?.signal;
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { content: [] };
    },
  );
  server.registerTool("unlock", { description: "Adds a tool.", inputSchema: input({}) }, () => {
    server.registerTool("secret", { description: "New.", inputSchema: input({}) }, () => ({
      content: [{ type: "text", text: "open" }],
    }));
    return { content: [{ type: "text", text: "unlocked" }] };
  });
  if (inputRequired !== undefined) {
    server.registerTool(
      "greet",
      { description: "Asks.", inputSchema: input({}) },
      (_args, extra) => {
        const answer = extra.mcpReq.inputResponses?.name;
        if (answer === undefined) {
          return inputRequired({
            inputRequests: { name: inputRequired.elicit(form) },
            requestState: "opaque",
          });
        }
        return { content: [{ type: "text", text: `Hi ${answer.content.name}` }] };
      },
    );
  } else {
    server.registerTool("greet", { description: "Asks.", inputSchema: input({}) }, async () => {
      const answer = await server.server.elicitInput(form);
      return { content: [{ type: "text", text: `Hi ${answer.content.name}` }] };
    });
  }
  server.registerResource("note", "note://1", { mimeType: "text/plain" }, (uri) => ({
    contents: [{ uri: uri.href, text: "Milk" }],
  }));
  const template = new ResourceTemplate("event://{id}", {
    list: undefined,
    complete: { id: () => ["10", "11"] },
  });
  server.registerResource("event", template, {}, (uri, { id }) => ({
    contents: [{ uri: uri.href, text: `event ${id}` }],
  }));
  server.registerPrompt("review", {
    description: "Reviews.",
    argsSchema: inputRequired === undefined ? { code: z.string() } : input({ code: z.string() }),
  }, ({ code }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Review ${code}` } }],
  }));
  return server;
}
