import { type ServerEvent, ServerEventParser } from "../request/sse/parser.ts";

const maxBodyBytes = 268_435_456;
const maxBodyMs = 30_000;

export interface ReadBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly events: readonly ServerEvent[];
}

/** Reads the body to its end, or to the requested number of events; fails for an endless one. */
export async function readBody(
  response: Response,
  target: string,
  { maxEvents, maxMs = maxBodyMs }: { readonly maxEvents: number; readonly maxMs?: number },
): Promise<ReadBody> {
  if (response.body === null) return { bytes: new Uint8Array(), events: [] };
  const type = response.headers.get("content-type") ?? "";
  const isStream = /^text\/event-stream\b/i.test(type);
  const parser = new ServerEventParser({ maxLineChars: Infinity, maxEventChars: Infinity });
  const decoder = new TextDecoder();
  const events: ServerEvent[] = [];
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body.getReader();
  const leave = (): void => void reader.cancel().catch(() => {});
  const startMs = performance.now();
  let isLate = false;
  let readBytes = 0;
  const timer = setTimeout(() => {
    isLate = true;
    leave();
  }, maxMs);
  try {
    while (events.length < maxEvents) {
      const { done, value } = await reader.read();
      // A body without pauses never lets the timer run.
      if (isLate || performance.now() - startMs > maxMs || readBytes > maxBodyBytes) {
        const fix = isStream
          ? "give withMaxEvents(2) to read that many events and disconnect"
          : "read an endless body yourself, from app.fetch(new Request(…))";
        throw new Error(
          `Cannot read the answer to ${target} to its end: it has not ended after ` +
            `${readBytes.toLocaleString("en")} bytes of ${type || "no type"}; ${fix}.`,
        );
      }
      if (done) break;
      chunks.push(value);
      readBytes += value.byteLength;
      if (isStream) events.push(...parser.push(decoder.decode(value, { stream: true })));
    }
  } finally {
    clearTimeout(timer);
    leave();
  }
  return { bytes: await new Blob(chunks).bytes(), events: events.slice(0, maxEvents) };
}
