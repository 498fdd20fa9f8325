/** Reads a channel until its last message: values, and gaps by their size. */
import { type Application, type Channel, channel, subscribe } from "../../../mod.ts";

export const Counts: Channel<number> = channel<number>("counts");

/** The message that ends the reading. */
export const lastCount = -1;

export async function readCounts(app: Application, after: string): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const event of subscribe(app, Counts, { after })) {
    seen.push(event.kind === "gap" ? `gap ${event.missed}` : event.value);
    if (seen.at(-1) === lastCount) break;
  }
  return seen;
}
