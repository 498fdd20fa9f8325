import { abortable } from "../../http/wait.ts";
import { isJsonObject } from "../../json.ts";
import { invalidParams } from "../protocol/errors.ts";
import { metaKeys, type RpcParams, wireNotification } from "../protocol/messages.ts";
import type { CallContext } from "./call_context.ts";
import { isUri, maxUriChars, maxWatched, wireUpdate } from "./changes.ts";
import { takesStream } from "./incoming.ts";

/** The method of a stream of changes, which the client ends. */
export const listening = "subscriptions/listen";

/** Sends changes until the client ends the request ("Subscriptions" of revision 2026-07-28). */
export async function listen({ incoming, signal }: CallContext): Promise<RpcParams> {
  const { core, c, request: { id, params }, send } = incoming;
  const uris = parseWatched(params);
  if (c !== undefined && !takesStream(c)) {
    throw invalidParams(`${listening} needs Accept: text/event-stream`);
  }
  const _meta = { [metaKeys.subscriptionId]: id };
  const stop = await core.changes.watch(c?.app, (uri) => {
    if (uris.has(uri)) send(wireUpdate(uri, _meta));
  });
  try {
    const notifications = uris.size > 0 ? { resourceSubscriptions: [...uris] } : {};
    send(wireNotification("notifications/subscriptions/acknowledged", { notifications, _meta }));
    return await abortable(new Promise<never>(() => {}), signal);
  } finally {
    stop();
  }
}

function parseWatched({ notifications }: RpcParams): ReadonlySet<string> {
  if (!isJsonObject(notifications)) throw invalidParams("The parameter notifications is missing");
  const { resourceSubscriptions: uris = [] } = notifications;
  const isList = Array.isArray(uris) && uris.length <= maxWatched && uris.every(isUri);
  if (isList) return new Set(uris);
  throw invalidParams(
    `resourceSubscriptions takes up to ${maxWatched} URIs of ${maxUriChars} characters each`,
  );
}
