import type { LineBuffer } from "../telemetry/line_buffer.ts";
import type { LogFields } from "../base/observe/logger.ts";
import type { MatchedRoute } from "../base/ctx/target.ts";
import type { RequestCtx } from "../request/request_ctx.ts";

/** The line of one handled request. */
export interface AccessEntry {
  /** Its context. */
  readonly c: RequestCtx;
  /** The status of the response. */
  readonly status: number;
  /** The duration of the request, in milliseconds. */
  readonly durationMs: number;
}

/** Writes a line; returns whether it could. */
export type AccessLineWriter = (entry: AccessEntry) => boolean;

/** What stands around the path in the lines of one route, method and status. */
interface Frame {
  readonly method: string;
  readonly status: number;
  readonly beforePath: Uint8Array;
  readonly afterPath: Uint8Array;
}

/** The most bytes of a line beside its path and its frame: time, duration, ids. */
const maxOtherBytes = 512;

const encoder = new TextEncoder();
const beforeId = encoder.encode(',"request_id":"');
const beforeTrace = encoder.encode('","trace_id":"');
const lineEnd = encoder.encode('"}\n');

const zero = 0x30;

/**
 * Creates the writer of JSON lines, which joins the bytes of prepared parts: building and encoding a text for
 * each request costs twice as much (`bench/http`).
 *
 * @returns `undefined` where those are not the same for every line.
 */
export function createAccessLines(
  buffer: LineBuffer,
  fields: LogFields,
): AccessLineWriter | undefined {
  const ownFields = formatFields(fields);
  if (ownFields === undefined) return undefined;
  const findFrame = createFrames(ownFields);
  const clock = new StampClock();
  return ({ c, status, durationMs }) => {
    const frame = findFrame(c, status);
    if (frame === undefined) return false;
    const { requestId, traceId } = c;
    const { url, pathStart, pathEnd } = c.target;
    const { beforePath, afterPath } = frame;
    const length = beforePath.length + afterPath.length + pathEnd - pathStart + maxOtherBytes;
    if (!buffer.beginLine(length)) return false;
    buffer.block(clock.read(c.endMs));
    buffer.block(beforePath);
    if (!buffer.jsonPart(url, pathStart, pathEnd)) return false;
    buffer.block(afterPath);
    writeDuration(buffer, durationMs);
    buffer.block(beforeId);
    buffer.ascii(requestId);
    if (traceId !== undefined) {
      buffer.block(beforeTrace);
      buffer.ascii(traceId);
    }
    buffer.block(lineEnd);
    buffer.endLine();
    return true;
  };
}

/** The beginning of a line, as far as its time. */
class StampClock {
  #endMs = -1;
  #second = -1;
  #bytes: Uint8Array = new Uint8Array(0);

  /** @param endMs The time of the durations' clock, which shows at no cost whether the other clock has moved on. */
  read(endMs: number): Uint8Array {
    const wholeMs = Math.floor(endMs);
    if (wholeMs === this.#endMs) return this.#bytes;
    this.#endMs = wholeMs;
    const nowMs = Date.now();
    const second = Math.floor(nowMs / 1_000);
    if (second === this.#second) this.#setMillis(nowMs - second * 1_000);
    else {
      this.#second = second;
      this.#bytes = encoder.encode(`{"time":"${new Date(nowMs).toISOString()}`);
    }
    return this.#bytes;
  }

  /**
   * Updates the milliseconds in place: writing the whole text anew each millisecond costs as much as several
   * lines (`bench/http`).
   */
  #setMillis(millis: number): void {
    const bytes = this.#bytes;
    const end = bytes.length - 1;
    bytes[end - 3] = zero + Math.floor(millis / 100);
    bytes[end - 2] = zero + Math.floor(millis / 10) % 10;
    bytes[end - 1] = zero + millis % 10;
  }
}

/** The names that a line has by itself. */
const lineFields = /^(?:time|level|msg|method|path|route|status|duration_ms|request_id|trace_id)$/;

/** Fields as members of JSON, each with its comma; `undefined` for values that may change. */
function formatFields(fields: LogFields): string | undefined {
  let text = "";
  for (const [name, value] of Object.entries(fields)) {
    const isFixed = /^(?:string|number|boolean)$/.test(typeof value);
    if (!isFixed || lineFields.test(name)) return undefined;
    text += `${JSON.stringify(name)}:${JSON.stringify(value)},`;
  }
  return text;
}

/**
 * Finds the frame of a line; returns `undefined` for non-standard methods, to keep the set of frames bounded.
 */
type FrameFinder = (c: RequestCtx, status: number) => Frame | undefined;

function createFrames(ownFields: string): FrameFinder {
  const frames = new Map<MatchedRoute, Frame[]>();
  return ({ route, method }, status) => {
    if (route === undefined) return undefined;
    const known = frames.get(route);
    if (known !== undefined) {
      // A route has few methods and statuses.
      for (const frame of known) {
        if (frame.status === status && frame.method === method) return frame;
      }
    }
    // Its path is not written as it was sent.
    if (route.secretSegments !== undefined) return undefined;
    if (!/^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method)) return undefined;
    const level = status >= 500 ? "error" : "info";
    const frame: Frame = {
      method,
      status,
      beforePath: encoder.encode(
        `","level":"${level}","msg":"request",${ownFields}"method":"${method}","path":"`,
      ),
      afterPath: encoder.encode(
        `","route":${JSON.stringify(route.label)},"status":${status},"duration_ms":`,
      ),
    };
    if (known === undefined) frames.set(route, [frame]);
    else known.push(frame);
    return frame;
  };
}

/** Writes milliseconds with three decimals: finding the shortest text of a number takes much longer. */
function writeDuration(buffer: LineBuffer, durationMs: number): void {
  const micros = Math.max(0, Math.round(durationMs * 1_000));
  const whole = Math.floor(micros / 1_000);
  const rest = micros - whole * 1_000;
  if (whole < 10) buffer.byte(zero + whole);
  else buffer.ascii(String(whole));
  buffer.byte(0x2e);
  buffer.byte(zero + Math.floor(rest / 100));
  buffer.byte(zero + Math.floor(rest / 10) % 10);
  buffer.byte(zero + rest % 10);
}
