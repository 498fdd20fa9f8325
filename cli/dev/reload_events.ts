import type { ServerResponse } from "node:http";

/** The event stream of one server. Its build ids differ from those of any other server. */
export class ReloadEvents {
  readonly #session = crypto.randomUUID();
  readonly #pages = new Set<ServerResponse>();
  // Changes with each event, so that a page detects the events that it missed.
  #state = 0;

  get #boot(): string {
    return `${this.#session}-${this.#state}`;
  }

  add(response: ServerResponse): void {
    response.writeHead(200, {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    });
    // Browsers reconnect within half a second of a restart.
    response.write(`retry: 500\nevent: boot\ndata: ${this.#boot}\n\n`);
    this.#pages.add(response);
    response.on("close", () => this.#pages.delete(response));
  }

  /** Announces a new build: pages of another build reload, hidden ones once they are shown. */
  announce(): void {
    this.#send("boot", () => this.#boot);
  }

  reload(): void {
    this.#send("reload", () => "");
  }

  /** Swaps a stylesheet by its path below `public/`, such as `/style.css`. */
  swapStyle(path: string): void {
    const version = Date.now().toString(36);
    this.#send("css", () => JSON.stringify({ path, version, boot: this.#boot }));
  }

  close(): void {
    for (const response of this.#pages) response.end();
    this.#pages.clear();
  }

  #send(event: string, data: () => string): void {
    this.#state++;
    for (const response of this.#pages) response.write(`event: ${event}\ndata: ${data()}\n\n`);
  }
}
