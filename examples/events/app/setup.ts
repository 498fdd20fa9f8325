import { type Application, type Config as Settings, provide, use } from "@fw/fw";
import { fromFileUrl } from "@std/path";
import { cityClock } from "@/lib/clock.ts";
import { openDatabase } from "@/lib/database.ts";
import { EventStore, Store } from "@/lib/event_store.ts";
import { fillWithSamples } from "@/lib/samples/fill.ts";

/** Leaves the covers out of the request log: a page asks for a dozen of them. */
export function Config(config: Settings): void {
  config.logRequest = (c, status) => status >= 400 || c.pattern !== "/events/{slug}/cover.svg";
}

/** Opens the database; on the first start it is made and filled with sample events. */
export function Setup(app: Application): void {
  const clock = cityClock(Deno.env.get("EVENTS_NOW"));
  const db = openDatabase(Deno.env.get("EVENTS_DB") ?? defaultPath());
  fillWithSamples(db, clock().toPlainDate());
  provide(app, Store, new EventStore(db, clock));
}

/** Closes the database when the last request has been answered. */
export function Shutdown(app: Application): void {
  use(app, Store).close();
}

function defaultPath(): string {
  return fromFileUrl(new URL("../data/events.sqlite", import.meta.url));
}
