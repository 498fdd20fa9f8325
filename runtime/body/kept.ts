import { ByteBuffer } from "./buffer.ts";

/** What was kept of a body: all of it, nothing because it is large, or nothing because it was not read. */
export type KeptBytes = Uint8Array | "large" | "unread";

/** Keeps the pieces of a body up to a limit. */
export class KeptPieces {
  readonly #maxBytes: number;
  readonly #onKept: (kept: KeptBytes) => void;
  #held: ByteBuffer | undefined = new ByteBuffer();

  constructor(maxBytes: number, onKept: (kept: KeptBytes) => void) {
    this.#maxBytes = maxBytes;
    this.#onKept = onKept;
    onKept("unread");
  }

  /** Adds a piece. */
  add(piece: Uint8Array): void {
    if (this.#held === undefined) return;
    if (this.#held.length + piece.length <= this.#maxBytes) return this.#held.append(piece);
    this.#held = undefined;
    this.#onKept("large");
  }

  /** Marks the end of the body. */
  end(): void {
    if (this.#held !== undefined) this.#onKept(this.#held.view());
  }
}
