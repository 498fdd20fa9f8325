import { setTimeout as pause } from "node:timers/promises";
import { type Application, type Channel, channel, publish, subscribe } from "../../../../mod.ts";
import { digestOf, findStores } from "../../../../runtime/addon.ts";
import type { RequestId, RpcFailure, RpcResult } from "../../protocol/messages.ts";

/** What a client sent for a call that runs on another replica: an answer, or the call that it cancels. */
export interface Letter {
  readonly answer?: RpcResult | RpcFailure;
  readonly cancelled?: RequestId;
}

const pauseMs = 1_000;

/** Number of letters of a session that are kept, since clients cause them, and as long as an answer may take. */
const bounds = { keep: 256, keepMs: 3_600_000 };

function boxOf(sessionId: string): Channel<Letter> {
  return channel<Letter>(`mcp:${digestOf(sessionId)}`, undefined, bounds);
}

/** Posts a letter to the other replicas, where they share channels; a failure is logged. */
export async function postLetter(
  app: Application,
  sessionId: string,
  letter: Letter,
): Promise<void> {
  if (findStores(app).channels === undefined) return;
  try {
    await publish(app, boxOf(sessionId), letter);
  } catch (error) {
    app.log.error("mcp message not sent to the other replicas", { error });
  }
}

/** Reads the letters of a session until the returned function is called. */
export function followLetters(
  app: Application,
  sessionId: string,
  take: (letter: Letter) => void,
): () => void {
  if (findStores(app).channels === undefined) return () => {};
  const controller = new AbortController();
  const { signal } = controller;
  const read = async (): Promise<void> => {
    // From the first that is kept: an answer must not come before the reading.
    for (let after = "0-0"; !signal.aborted;) {
      try {
        for await (const event of subscribe(app, boxOf(sessionId), { after, signal })) {
          after = event.id;
          if (event.kind === "message") take(event.value);
        }
      } catch {
        await pause(pauseMs, undefined, { signal }).catch(() => {});
      }
    }
  };
  void read();
  return () => controller.abort();
}
