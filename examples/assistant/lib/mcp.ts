import { key } from "@fw/fw";
import { type McpServer, mcpServer } from "@fw/fw/mcp";
import { eventTools } from "@/lib/assistant.ts";
import type { EventBook } from "@/lib/events.ts";

/** The key under which the route finds the server. */
export const Mcp = key<McpServer>("mcp");

/** Creates the MCP server, which offers only the reading tools; booking is possible only in the chat. */
export function eventServer(events: EventBook): McpServer {
  return mcpServer({
    name: "events",
    version: "1.0.0",
    instructions: "Use search_events for events of this week, then event_details for one of them.",
    tools: eventTools(events).reading,
  });
}
