import { App, type Ctx, struct, text } from "@fw/fw";
import { mcpServer, mcpTool } from "@fw/fw/mcp";

const port = Number(Deno.env.get("PORT"));

const echo = mcpTool({
  name: "echo",
  description: "Returns the text.",
  input: struct({ text: text("required") }),
}, ({ text }) => text);
const server = mcpServer({ name: "bench", version: "1.0.0", tools: [echo] });

interface Call {
  readonly id: number;
  readonly params: { readonly arguments: { readonly text: string } };
}

/** A route that handles the same JSON: it reads it, validates the arguments and responds. */
async function answer(c: Ctx): Promise<Response> {
  const { id, params }: Call = await c.request.json();
  const { text } = params.arguments;
  if (typeof text !== "string" || text === "") return c.json(422, { error: "text" });
  return c.json(200, {
    jsonrpc: "2.0",
    id,
    result: {
      resultType: "complete",
      content: [{ type: "text", text }],
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "bench", version: "1.0.0" } },
    },
  });
}

const app = new App({ addr: `127.0.0.1:${port}` });
app.route({ pattern: "/", methods: { GET: (c) => c.text(200, "up") } });
app.route({ pattern: "/route", methods: { POST: answer }, kind: "api" });
app.route({ pattern: "/mcp", methods: server.handlers, kind: "api" });
await app.listenAndServe();
