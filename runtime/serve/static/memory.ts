/** The maximum total size of the contents cached in memory, compressed forms included. */
const maxHeldTotalBytes = 32 * 1_024 * 1_024;

/** Counts what static files hold in memory. */
export class HeldMemory {
  #left: number;

  constructor(totalBytes: number = maxHeldTotalBytes) {
    this.#left = totalBytes;
  }

  /** Reserves memory; false where it is used up. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  /** Releases memory. */
  give(bytes: number): void {
    this.#left += bytes;
  }
}
