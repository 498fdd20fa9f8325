import { McpServer } from "npm:@modelcontextprotocol/sdk@1.32.2/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport as Transport } from "npm:@modelcontextprotocol/sdk@1.32.2/server/webStandardStreamableHttp.js";
import { z } from "npm:zod@4";

const port = Number(Deno.env.get("PORT"));
const open = new Map<string, Transport>();

async function connect(): Promise<Transport> {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  const inputSchema = { text: z.string().min(1) };
  server.registerTool(
    "echo",
    { description: "Returns the text.", inputSchema },
    ({ text }: { text: string }) => ({
      content: [{ type: "text", text }],
    }),
  );
  const transport: Transport = new Transport({
    // Without it, the transport responds to every request with an event stream.
    enableJsonResponse: Deno.args.includes("json"),
    sessionIdGenerator: () => crypto.randomUUID(),
    onsessioninitialized: (id: string) => void open.set(id, transport),
  });
  await server.connect(transport);
  return transport;
}

Deno.serve({ port, hostname: "127.0.0.1" }, async (request) => {
  if (request.method === "GET") return new Response("up");
  const known = open.get(request.headers.get("mcp-session-id") ?? "");
  return await (known ?? await connect()).handleRequest(request);
});
