import { createMcpHandler, McpServer } from "npm:@modelcontextprotocol/server@2.4.0";
import { z } from "npm:zod@4";

const port = Number(Deno.env.get("PORT"));

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  const inputSchema = z.object({ text: z.string().min(1) });
  server.registerTool("echo", { description: "Returns the text.", inputSchema }, ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  return server;
});

Deno.serve(
  { port, hostname: "127.0.0.1" },
  (request) => request.method === "GET" ? new Response("up") : handler.fetch(request),
);
