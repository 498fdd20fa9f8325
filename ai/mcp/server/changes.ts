/** What has changed: one of the lists, or one resource. */
export type Change =
  | { readonly kind: "tools" | "prompts" | "resources" }
  | { readonly kind: "resource"; readonly uri: string };

/** Tells listeners what has changed. */
export class Changes {
  readonly #listeners: Set<(change: Change) => void> = new Set();
  readonly #max: number;

  /** @param max How many listeners there may be. */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Adds a listener.
   *
   * @returns A function that removes it; `undefined` when there are too many.
   */
  listen(listener: (change: Change) => void): (() => void) | undefined {
    if (this.#listeners.size >= this.#max) return undefined;
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells all listeners. */
  emit(change: Change): void {
    for (const listener of [...this.#listeners]) listener(change);
  }
}

/** The notification that tells a client of a change. */
export function notificationOf(
  change: Change,
): { readonly method: string; readonly params: Readonly<Record<string, unknown>> } {
  return change.kind === "resource"
    ? { method: "notifications/resources/updated", params: { uri: change.uri } }
    : { method: `notifications/${change.kind}/list_changed`, params: {} };
}
