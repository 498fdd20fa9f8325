import { type Application, provide } from "@fw/fw";
import { aiFromEnv } from "@fw/fw/ai";
import { Assistant, eventAgent } from "@/lib/assistant.ts";
import { embeddedModel } from "@/lib/embedded_model.ts";
import { EventBook, Events } from "@/lib/events.ts";

/** Opens the model: the one of `AI_BASE_URL`, else the embedded one, which needs no network. */
export function Setup(app: Application): void {
  const events = new EventBook();
  const hasServer = (Deno.env.get("AI_BASE_URL") ?? "") !== "";
  const model = hasServer ? aiFromEnv({ metrics: app.metrics }) : embeddedModel();
  provide(app, Events, events);
  provide(app, Assistant, { model, agent: eventAgent(events) });
}
