import { isJsonObject } from "../../json.ts";
import { invalidParams } from "../protocol/errors.ts";
import {
  type McpChange,
  metaKeys,
  type RequestId,
  type RpcParams,
  type WireMessage,
  wireNotification,
} from "../protocol/messages.ts";

export class Changes {
  readonly max: number;
  streams = 0;
  readonly ends: Set<() => void> = new Set();
  readonly #listeners: Set<(change: McpChange) => void> = new Set();

  constructor(max: number) {
    this.max = max;
  }

  listen(listener: (change: McpChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(change: McpChange): void {
    for (const listener of [...this.#listeners]) listener(change);
  }
}

export function notificationOf(
  change: McpChange,
): { readonly method: string; readonly params: Readonly<Record<string, unknown>> } {
  return change.kind === "resource"
    ? { method: "notifications/resources/updated", params: { uri: change.uri } }
    : { method: `notifications/${change.kind}/list_changed`, params: {} };
}

interface Filter {
  readonly lists: readonly string[];
  readonly uris: ReadonlySet<string>;
}

const lists = ["tools", "prompts", "resources"] as const;

/** Maximum number of resources that one stream may watch, and of the length of their addresses together. */
const maxUris = 1_000;
const maxUriChars = 262_144;

export function parseFilter({ notifications }: RpcParams): Filter {
  if (!isJsonObject(notifications)) throw invalidParams("The parameter notifications is missing");
  const { resourceSubscriptions: uris = [] } = notifications;
  const isList = Array.isArray(uris) && uris.length <= maxUris &&
    uris.every((uri) => typeof uri === "string") && uris.join("").length <= maxUriChars;
  if (!isList) {
    throw invalidParams(
      `resourceSubscriptions takes up to ${maxUris} URIs of ${maxUriChars} characters together`,
    );
  }
  const wanted = lists.filter((list) => notifications[`${list}ListChanged`] === true);
  return { lists: wanted, uris: new Set(uris) };
}

/**
 * Opens a stream of changes ("Subscriptions" of revision 2026-07-28): it acknowledges, then sends what the
 * client wants. Returns what ends it; `undefined` when there are too many.
 */
export function openListener(
  changes: Changes,
  { id, filter, send }: {
    readonly id: RequestId;
    readonly filter: Filter;
    readonly send: (message: WireMessage) => void;
  },
): (() => void) | undefined {
  const meta = { [metaKeys.subscriptionId]: id };
  if (changes.streams >= changes.max) return undefined;
  changes.streams++;
  const remove = changes.listen((change) => {
    const isWanted = change.kind === "resource"
      ? filter.uris.has(change.uri)
      : filter.lists.includes(change.kind);
    if (!isWanted) return;
    const { method, params } = notificationOf(change);
    send(wireNotification(method, { ...params, _meta: meta }));
  });
  const { uris } = filter;
  const notifications = {
    ...Object.fromEntries(filter.lists.map((list) => [`${list}ListChanged`, true])),
    ...(uris.size > 0 ? { resourceSubscriptions: [...uris] } : {}),
  };
  const acknowledged = { notifications, _meta: meta };
  send(wireNotification("notifications/subscriptions/acknowledged", acknowledged));
  return () => {
    changes.streams--;
    remove();
  };
}
