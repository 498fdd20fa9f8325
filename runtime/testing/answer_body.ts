import { type ServerEvent, ServerEventParser } from "../request/sse/parser.ts";
import type { RequestPlan } from "./options.ts";

const maxBodyBytes = 268_435_456;
const noLimits = { maxLineChars: Infinity, maxEventChars: Infinity };

export interface ReadBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly events: readonly ServerEvent[];
}

/** Reads the body to its end, or to the requested number of events; fails for an endless one. */
export async function readBody(
  response: Response,
  target: string,
  { maxEvents, timeoutMs }: Pick<RequestPlan, "maxEvents" | "timeoutMs">,
): Promise<ReadBody> {
  if (response.body === null) return { bytes: new Uint8Array(), events: [] };
  const type = response.headers.get("content-type") ?? "";
  const parser = /^text\/event-stream\b/i.test(type) ? new ServerEventParser(noLimits) : undefined;
  const events: ServerEvent[] = [];
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  const startMs = performance.now();
  const late = Promise.withResolvers<"late">();
  // A timer with an infinite delay would fire at once.
  const timer = timeoutMs === Infinity ? 0 : setTimeout(() => late.resolve("late"), timeoutMs);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let readBytes = 0;
  const leave = (): void => void reader.cancel().catch(() => {});
  const giveUp = (limit: string): never => {
    leave();
    const fix = parser === undefined
      ? "read an endless body yourself, from app.fetch(new Request(…))"
      : "give withMaxEvents(2) to read that many events and disconnect";
    const amount = `${count(readBytes)} bytes of ${type || "no type"}`;
    throw new Error(
      `Cannot read the answer to ${target} to its end: it has not ended ${limit} ` +
        `(${amount}); ${fix}, or withTimeoutMs(20_000) for one that only takes longer.`,
    );
  };
  try {
    while (events.length < maxEvents) {
      const step = await Promise.race([reader.read(), late.promise]);
      // A body without pauses never lets the timer run.
      if (step === "late" || performance.now() - startMs > timeoutMs) {
        return giveUp(`after ${count(timeoutMs)} ms`);
      }
      if (step.done) return { bytes: await new Blob(chunks).bytes(), events };
      chunks.push(step.value);
      readBytes += step.value.byteLength;
      if (readBytes > maxBodyBytes) return giveUp(`after ${count(maxBodyBytes)} bytes`);
      const text = parser && decoder.decode(step.value, { stream: true });
      for (const event of parser?.push(text ?? "") ?? []) events.push(event);
    }
  } finally {
    clearTimeout(timer);
  }
  leave();
  return { bytes: await new Blob(chunks).bytes(), events: events.slice(0, maxEvents) };
}

function count(amount: number): string {
  return amount.toLocaleString("en");
}
