import { type Application, provide } from "@fw/fw";
import { aiFromEnv } from "@fw/fw/ai";
import { Assistant, eventAgent } from "@/lib/assistant.ts";
import { embeddedModel } from "@/lib/embedded_model.ts";
import { EventBook } from "@/lib/events.ts";
import { eventServer, Mcp } from "@/lib/mcp.ts";

/** Opens the model at `AI_BASE_URL`, else the embedded one, which needs no network. */
export function Setup(app: Application): void {
  const events = new EventBook();
  const hasServer = (Deno.env.get("AI_BASE_URL") ?? "") !== "";
  const model = hasServer ? aiFromEnv({ metrics: app.metrics }) : embeddedModel();
  provide(app, Assistant, { model, agent: eventAgent(events) });
  provide(app, Mcp, eventServer(events));
}
