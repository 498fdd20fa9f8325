// A server of the official packages for revision 2026-07-28.
import { inputRequired, McpServer, ResourceTemplate } from "npm:@modelcontextprotocol/server@2.4.0";
import { serveStdio } from "npm:@modelcontextprotocol/server@2.4.0/stdio";
import { buildOfficial } from "./official.mjs";

serveStdio(() => buildOfficial({ McpServer, ResourceTemplate, inputRequired }), {
  legacy: "reject",
});
