import type { ServerResponse } from "node:http";

export interface ReloadEvents {
  add(response: ServerResponse): void;
  /** Announces a new build: pages of another build reload, hidden ones once they are shown. */
  announce(): void;
  reload(): void;
  /** Swaps a stylesheet by its path below `public/`, such as `/style.css`. */
  swapStyle(path: string): void;
  close(): void;
}

/** Creates the event stream of one server. Its build ids differ from those of any other server. */
export function reloadEvents(): ReloadEvents {
  const session = crypto.randomUUID();
  const pages = new Set<ServerResponse>();
  // Changes with each event, so that a page detects the events that it missed.
  let state = 0;
  const boot = (): string => `${session}-${state}`;
  return {
    add: (response) => {
      response.writeHead(200, {
        "Content-Type": "text/event-stream",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
      });
      // Browsers reconnect within half a second of a restart.
      response.write(`retry: 500\nevent: boot\ndata: ${boot()}\n\n`);
      pages.add(response);
      response.on("close", () => pages.delete(response));
    },
    announce: () => {
      state++;
      send("boot", boot());
    },
    reload: () => {
      state++;
      send("reload", "");
    },
    swapStyle: (path) => {
      state++;
      send("css", JSON.stringify({ path, version: Date.now().toString(36), boot: boot() }));
    },
    close: () => {
      for (const response of pages) response.end();
      pages.clear();
    },
  };

  function send(event: string, data: string): void {
    for (const response of pages) response.write(`event: ${event}\ndata: ${data}\n\n`);
  }
}
