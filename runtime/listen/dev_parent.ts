import { devPeerHeader, devReadyVariable } from "../base/conventions.ts";
import { equalSecrets } from "../base/crypto.ts";
import { readVariable } from "../base/env.ts";
import { flushLines } from "../telemetry/log_sink.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";

/** The development server that started this process. */
export interface DevParent {
  report(port: number): Promise<void>;
  /** Refuses requests that bypass the dev server, because only that server blocks other sites and hosts. */
  takePeer(pipeline: Pipeline): Pipeline;
  /** Disconnects, so that this process can end by itself. */
  leave(): void;
}

// A process has one parent, however many applications it creates.
let parent: Promise<DevParent> | undefined;

/**
 * Finds the development server that started this process, and ends the process when that server is gone.
 * `boot` calls it first, so that it also covers a `Setup` that hangs. Throws if the variable was set by hand.
 */
export function findDevParent(): Promise<DevParent> | undefined {
  const ready = readVariable(devReadyVariable);
  if (ready === undefined) return undefined;
  return parent ??= connectParent(ready);
}

async function connectParent(ready: string): Promise<DevParent> {
  const match = /^127\.0\.0\.1:(\d{1,5})\/([A-Za-z0-9_-]+)$/.exec(ready);
  if (match === null) {
    throw new TypeError(`Cannot report to "${ready}": ${devReadyVariable} is for the dev command.`);
  }
  const token = match[2] ?? "";
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(match[1]) });
  let hasLeft = false;
  connection.read(new Uint8Array(1)).catch(() => null).then(() => {
    if (hasLeft) return;
    flushLines();
    Deno.exit(0);
  });
  return {
    report: async (port) => {
      await connection.write(new TextEncoder().encode(`${token} ${port}\n`));
    },
    takePeer: (pipeline) => (request, info) => {
      const [given = "", hostname, port] = request.headers.get(devPeerHeader)?.split(" ") ?? [];
      if (!equalSecrets(given, token) || hostname === undefined || port === undefined) {
        return refuseStranger();
      }
      const remoteAddr: Deno.NetAddr = { transport: "tcp", hostname, port: Number(port) };
      const completed = info?.completed ?? Promise.resolve();
      return pipeline(request, { remoteAddr, completed });
    },
    leave: () => {
      hasLeft = true;
      connection.close();
    },
  };
}

function refuseStranger(): Response {
  return new Response("This port is for the dev command: open the address that it prints.\n", {
    status: 403,
    headers: { "cache-control": "no-store", "x-content-type-options": "nosniff" },
  });
}
