import { mcpServer, mcpTool } from "../../../../ai/mcp/mod.ts";

const noisy = mcpTool({ name: "noisy", description: "Writes to the console." }, () => {
  console.log("one");
  console.info("two");
  console.debug("three");
  return "done";
});
await mcpServer({ name: "noisy", version: "1.0.0", tools: [noisy] }).serveStdio();
