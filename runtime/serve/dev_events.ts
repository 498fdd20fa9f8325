import { eventsPath, reloadScript, reloadScriptPath } from "../base/conventions.ts";

/** The endpoints that let open pages follow a restart in development. */
export interface DevEvents {
  /** Returns the event stream or its script; `undefined` for any other path. */
  answer(path: string, request: Request): Response | undefined;
  close(): void;
}

/**
 * Creates the endpoints for an application that runs in development without the development server, which
 * handles the same paths itself. The stream carries the id of the process, so that a page that reconnects to
 * another one reloads itself.
 */
export function createDevEvents(): DevEvents {
  const boot = crypto.randomUUID();
  const open = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const encoder = new TextEncoder();
  return {
    answer: (path, request) => {
      if (path !== reloadScriptPath && path !== eventsPath) return undefined;
      const headers = new Headers({ "cache-control": "no-store" });
      if (path === reloadScriptPath) {
        headers.set("content-type", "text/javascript; charset=utf-8");
        return new Response(reloadScript, { headers });
      }
      headers.set("content-type", "text/event-stream");
      if (request.method === "HEAD") return new Response(null, { headers });
      let own: ReadableStreamDefaultController<Uint8Array>;
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          own = controller;
          open.add(controller);
          controller.enqueue(encoder.encode(`retry: 300\nevent: boot\ndata: ${boot}\n\n`));
        },
        cancel: () => {
          open.delete(own);
        },
      });
      return new Response(body, { headers });
    },
    close: () => {
      for (const controller of open) controller.close();
      open.clear();
    },
  };
}
