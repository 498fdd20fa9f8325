export type Change =
  | { readonly kind: "tools" | "prompts" | "resources" }
  | { readonly kind: "resource"; readonly uri: string };

export class Changes {
  readonly #listeners: Set<(change: Change) => void> = new Set();
  readonly #max: number;
  #streams = 0;

  constructor(max: number) {
    this.#max = max;
  }

  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Adds a stream of a client.
   *
   * @returns A function that removes it; `undefined` when there are too many.
   */
  listenAsClient(listener: (change: Change) => void): (() => void) | undefined {
    if (this.#streams >= this.#max) return undefined;
    this.#streams++;
    const remove = this.listen(listener);
    return () => {
      this.#streams--;
      remove();
    };
  }

  emit(change: Change): void {
    for (const listener of [...this.#listeners]) listener(change);
  }
}

export function notificationOf(
  change: Change,
): { readonly method: string; readonly params: Readonly<Record<string, unknown>> } {
  return change.kind === "resource"
    ? { method: "notifications/resources/updated", params: { uri: change.uri } }
    : { method: `notifications/${change.kind}/list_changed`, params: {} };
}
