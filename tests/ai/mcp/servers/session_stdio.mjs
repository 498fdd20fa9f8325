// A server of the official SDK for revision 2025-11-25.
import { McpServer, ResourceTemplate } from "npm:@modelcontextprotocol/sdk@1.32.2/server/mcp.js";
import { StdioServerTransport } from "npm:@modelcontextprotocol/sdk@1.32.2/server/stdio.js";
import { buildOfficial } from "./official.mjs";

await buildOfficial({ McpServer, ResourceTemplate }).connect(new StdioServerTransport());
