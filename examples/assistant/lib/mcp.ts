import { key } from "@fw/fw";
import { type McpServer, mcpServer } from "@fw/fw/mcp";
import { eventTools } from "@/lib/assistant.ts";
import type { EventBook } from "@/lib/events.ts";

/** Where the route finds the server. */
export const Mcp = key<McpServer>("mcp");

/** Offers the tools that read to any client of the Model Context Protocol; booking stays in the chat. */
export function eventServer(events: EventBook): McpServer {
  return mcpServer({
    name: "events",
    version: "1.0.0",
    instructions: "Use search_events for events of this week, then event_details for one of them.",
    tools: eventTools(events).reading,
  });
}
