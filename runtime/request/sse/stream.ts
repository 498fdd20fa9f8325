import type {
  EventStream,
  SendOptions,
  StreamHandler,
  StreamOptions,
} from "../../base/ctx/streams.ts";
import type { OpenLimits } from "../../base/config/settings.ts";
import { decodeHeader } from "../../base/headers.ts";
import { keepContext } from "../../base/node.ts";
import { type OpenBound, OpenCounter, openRefusal } from "../../base/open_counter.ts";
import { runInScope } from "../../base/texts.ts";
import { toJson } from "../answer.ts";
import { checkMs, failureFields, isRefused, logPath, type RequestCtx } from "../request_ctx.ts";

/** The number of bytes buffered for the client before `send` waits as well. */
const highWaterBytes = 64 * 1_024;

/** The number of seconds that a client may leave buffered data unread. */
const maxStalledTicks = 120;

/** The number of bytes buffered when `send` is not awaited, beyond which the stream is closed. */
const maxBufferedBytes = 1_048_576;

/** The seconds without an event after which a comment shows proxies that the connection is alive. */
const heartbeatTicks = 15;

/** Creates the response. The handler starts at the first read, so after the head and not for `HEAD`. */
export function openStream(
  c: RequestCtx,
  handler: StreamHandler,
  options: StreamOptions & { readonly registry: StreamRegistry },
): Response {
  const { registry } = options;
  const limits = { ...c.app.config.openLimits, ...options.limits };
  const bound = registry.reached(c.clientIp, limits);
  if (bound !== undefined) throw openRefusal(c, "stream", bound);
  const stream = new ServerEvents(c, { registry, limits, handler });
  return new Response(stream.body, {
    headers: {
      "content-type": "text/event-stream",
      // Reverse proxies (nginx) buffer responses by default.
      "x-accel-buffering": "no",
      ...(c.answer.headers?.has("cache-control") ? {} : { "cache-control": "no-store" }),
    },
  });
}

class Ending extends DOMException {
  constructor(message: string) {
    super(message, "AbortError");
    // Added once: a rejection of `send` that an application leaves unhandled must not end the process.
    globalThis.addEventListener("unhandledrejection", ignoreEnding);
  }
}

function ignoreEnding(event: PromiseRejectionEvent): void {
  if (event.reason instanceof Ending) event.preventDefault();
}

interface OpenOptions {
  readonly handler: StreamHandler;
  readonly limits: OpenLimits;
  readonly registry: StreamRegistry;
}

class ServerEvents implements EventStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #c: RequestCtx;
  readonly #options: OpenOptions;
  readonly #inCaller = keepContext();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #abort: AbortController | undefined;
  #drained: PromiseWithResolvers<void> | undefined;
  #ended: Ending | undefined;
  #isStarted = false;
  #isDone = false;
  #hasFailed = false;
  /** Random, so that the streams of clients that connected at once are not all checked in one second. */
  #ticks = Math.floor(Math.random() * checkMs / tickMs);
  #idleTicks = 0;
  #stalledTicks = 0;

  constructor(c: RequestCtx, options: OpenOptions) {
    this.#c = c;
    this.#options = options;
    this.body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => this.#pulled(),
      cancel: () => {
        if (this.#isStarted) this.#end(new Ending("The client has gone."), { isClient: true });
      },
      // Nothing is pulled before the first read: the handler must not start earlier.
    }, { highWaterMark: 0, size: (chunk) => chunk.byteLength });
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.#ended !== undefined) this.#abort.abort(this.#ended);
    }
    return this.#abort.signal;
  }

  get lastEventId(): string | undefined {
    const header = this.#c.request.headers.get("last-event-id");
    // A browser sends the header only when it reconnects by itself; `ui.live` opens a stream again.
    if (header === null || header === "") return this.#c.query("last_event_id") || undefined;
    return decodeHeader(header);
  }

  send(event: string, data: string, options: SendOptions = {}): Promise<void> {
    return this.#write(() => eventFrame(data, { ...options, event }), event);
  }

  json(event: string, value: unknown, options: SendOptions = {}): Promise<void> {
    return this.#write(() => eventFrame(toJson(value), { ...options, event }), event);
  }

  comment(text: string): Promise<void> {
    return this.#write(() => commentFrame(text));
  }

  done(): Promise<void> {
    if (this.#ended !== undefined) return Promise.resolve();
    if (!this.#isDone) this.#enqueue(eventFrame("", { event: "done" }));
    this.#end(new Ending("The stream is done."));
    return Promise.resolve();
  }

  /** Writes a frame; a failed write ends the stream, since the caller may not await it. */
  #write(frame: () => string, event?: string): Promise<void> {
    if (this.#ended !== undefined) return quiet(Promise.reject(this.#ended));
    try {
      this.#enqueue(frame());
    } catch (error) {
      this.#fail(error);
      return quiet(Promise.reject(error));
    }
    if (event === "done") this.#isDone = true;
    if (this.#ended !== undefined) return quiet(Promise.reject(this.#ended));
    if (this.#waitingBytes <= highWaterBytes) return Promise.resolve();
    this.#drained ??= Promise.withResolvers<void>();
    return quiet(this.#drained.promise);
  }

  get #waitingBytes(): number {
    return -(this.#controller?.desiredSize ?? 0);
  }

  #enqueue(frame: string): void {
    this.#idleTicks = 0;
    if (this.#waitingBytes > maxBufferedBytes) {
      this.#cut("the handler sends faster than the client reads: await what send gives");
      return;
    }
    this.#controller?.enqueue(encoder.encode(frame));
  }

  #cut(reason: string): void {
    this.#c.log.warn("stream cut off", { path: logPath(this.#c), route: this.#c.pattern, reason });
    this.#end(new Ending(`The stream was cut off: ${reason}.`));
  }

  /** Resumes once the client has received everything and is ready for more. */
  #pulled(): void {
    this.#stalledTicks = 0;
    this.#drained?.resolve();
    this.#drained = undefined;
    if (!this.#isStarted) this.#start();
  }

  #start(): void {
    this.#isStarted = true;
    const { clientIp } = this.#c;
    const { handler, limits, registry } = this.#options;
    // Checked again, because many requests may pass the first check before one of their streams starts.
    if (registry.reached(clientIp, limits) !== undefined) {
      return this.#end(new Ending("Too many streams are open."));
    }
    if (!registry.add(this, clientIp)) return this.#end(new Ending("The server is shutting down."));
    this.#c.resume();
    const finished = (): void => this.#end(new Ending("The stream is over."));
    // A separate task, so that the head is sent however long the handler computes.
    setImmediate(() => {
      if (this.#ended !== undefined) return;
      // The server reads the body outside the context of the request, such as its tenant.
      this.#inCaller(() => runInScope({ facts: this.#c }, async () => await handler(this)))
        .then(finished, (error) => this.#fail(error));
    });
  }

  #fail(error: unknown): void {
    if (!this.#hasFailed && !this.#isStopped(error)) {
      this.#hasFailed = true;
      this.#c.log.error("stream failed", failureFields(this.#c, error));
    }
    this.#end(new Ending("The stream has failed."));
  }

  #isStopped(error: unknown): boolean {
    return error instanceof Ending ||
      (this.#abort?.signal.aborted === true && error instanceof Error &&
        error.name === "AbortError");
  }

  #end(reason: Ending, options: { readonly isClient?: boolean } = {}): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#options.registry.delete(this);
    if (options.isClient) this.#c.abort(reason);
    this.#c.finish();
    this.#drained?.reject(reason);
    this.#drained = undefined;
    // A client that disconnected has already closed the stream.
    if (!options.isClient) this.#controller?.close();
    this.#abort?.abort(reason);
  }

  tick(): void {
    if (++this.#ticks % (checkMs / tickMs) === 0 && this.#c.checks.length > 0) this.#check();
    if (this.#waitingBytes > 0) {
      if (++this.#stalledTicks > maxStalledTicks) this.#cut("the client does not read");
      return;
    }
    if (++this.#idleTicks >= heartbeatTicks) this.#enqueue(heartbeatFrame);
  }

  /** Ends the stream of a user who was signed out; when it reconnects, the guard refuses it. */
  async #check(): Promise<void> {
    if (!await isRefused(this.#c)) return;
    const reason = new Ending("The user was signed out.");
    this.#c.abort(reason);
    this.#end(reason);
  }

  ask(): void {
    const reason = new Ending("The server is shutting down.");
    this.#c.abort(reason);
    this.#abort?.abort(reason);
  }

  close(): void {
    this.#end(new Ending("The server is shutting down."));
  }
}

const tickMs = 1_000;

/** The time that a stream has to end by itself at shutdown, in milliseconds. */
const graceMs = 1_000;

/** One interval for all open streams: a timer for each would cost memory and wake-ups. */
export class StreamRegistry {
  readonly #open: Map<ServerEvents, () => void> = new Map();
  readonly #counter: OpenCounter = new OpenCounter();
  #timer: ReturnType<typeof setInterval> | undefined;
  #emptied: (() => void) | undefined;
  #isEnding = false;

  reached(ip: string | undefined, limits: OpenLimits): OpenBound | undefined {
    return this.#counter.reached(ip, limits);
  }

  /** Registers a stream until {@link StreamRegistry.delete}; returns false once the application is stopping. */
  add(stream: ServerEvents, ip: string | undefined): boolean {
    if (this.#isEnding) return false;
    this.#open.set(stream, this.#counter.open(ip));
    this.#timer ??= setInterval(() => this.#tick(), tickMs);
    return true;
  }

  delete(stream: ServerEvents): void {
    this.#open.get(stream)?.();
    if (!this.#open.delete(stream) || this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#emptied?.();
  }

  #tick(): void {
    for (const stream of this.#open.keys()) stream.tick();
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    for (const stream of [...this.#open.keys()]) stream.ask();
    if (this.#open.size === 0) return;
    const emptied = Promise.withResolvers<void>();
    this.#emptied = emptied.resolve;
    const timer = setTimeout(() => {
      for (const stream of [...this.#open.keys()]) stream.close();
    }, graceMs);
    await emptied.promise;
    clearTimeout(timer);
  }
}

const encoder = new TextEncoder();

/** Makes a promise safe to leave unawaited. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** The fields of an event besides its data. */
export interface EventFields extends SendOptions {
  /** The name; if it is absent or empty, the client sees `message`. */
  readonly event?: string;
}

/**
 * Writes one event in the grammar of the HTML standard, section 9.2.5. Data of several lines becomes several
 * `data` fields, which the client joins again, so no text in it can start a field. The id comes last, so that
 * a client that stores it at once cannot skip an event that was cut off.
 *
 * @throws {TypeError} for a name or an id that holds a line break, which would start another field.
 */
export function eventFrame(data: string, fields: EventFields = {}): string {
  const { event = "", id } = fields;
  const name = event === "" ? "" : `event: ${oneLine(event, "event")}\n`;
  const last = id === undefined ? "" : `id: ${oneLine(id, "id")}\n`;
  return name + prefixLines(data, "data: ") + last + "\n";
}

/** Writes a comment, which clients ignore; each of its lines becomes a comment line. */
export function commentFrame(text: string): string {
  return prefixLines(text, ": ") + "\n";
}

/** The heartbeat sent while a stream is idle: one empty comment. */
export const heartbeatFrame = ":\n\n";

function prefixLines(text: string, prefix: string): string {
  // Most data is a single line of JSON.
  if (!/[\r\n]/.test(text)) return `${prefix}${text}\n`;
  return text.split(/\r\n|\r|\n/).map((line) => `${prefix}${line}\n`).join("");
}

function oneLine(text: string, field: "event" | "id"): string {
  if (typeof text === "string" && !/[\r\n\0]/.test(text)) return text;
  throw new TypeError(
    `Cannot send the ${field} ${JSON.stringify(text)}: a line break or a NUL in it would start ` +
      "another field; put such text into the data.",
  );
}
