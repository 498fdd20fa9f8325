import { type App, createLogger } from "@fw/fw";
import { newApp } from "@/fw_gen.ts";

/** The day of every test, a Thursday: on it the sample events start. */
const now = "2026-05-14T10:00";

/**
 * Runs a test on the application with sample data in memory, and shuts it down.
 *
 * @param run Gets the application.
 */
export async function withApp(run: (app: App) => Promise<void>): Promise<void> {
  Deno.env.set("EVENTS_DB", ":memory:");
  Deno.env.set("EVENTS_NOW", now);
  const app = await newApp({ logger: createLogger({ write: () => {} }) });
  try {
    await run(app);
  } finally {
    await app.shutdown();
  }
}
