const maxHeldBytes = 64 * 1024;
const marker = "error: ";
// deno-lint-ignore no-control-regex -- escape sequences are what is looked for
const colours = /\u001b\[[0-9;]*m/g;

export interface ProcessEnd {
  readonly code: number;
  readonly signal: Deno.Signal | undefined;
  /** The error message of the runtime; `""` if there is none. */
  readonly message: string;
}

/**
 * Holds back the text after a line that starts with `error: `, with which the runtime reports a
 * fatal error, until {@linkcode ErrorOutput.release}.
 */
export class ErrorOutput {
  #held: Uint8Array<ArrayBufferLike> = new Uint8Array();
  #tail: Uint8Array<ArrayBufferLike> = new Uint8Array();
  #isReleased = false;

  /** Adds output of the process; returns the part that may be shown now. */
  push(bytes: Uint8Array): Uint8Array {
    this.#tail = joinBytes(this.#tail, bytes).slice(-maxHeldBytes);
    if (this.#isReleased) return bytes;
    const held = joinBytes(this.#held, bytes);
    const start = startOfError(held);
    const end = held.length - start > maxHeldBytes ? held.length : start;
    this.#held = held.slice(end);
    return held.slice(0, end);
  }

  /** Stops holding back output; returns the part held back so far. */
  release(): Uint8Array {
    this.#isReleased = true;
    const shown = this.#held;
    this.#held = new Uint8Array();
    return shown;
  }

  /** Returns the error message without colours, or `""`, and the output still to be shown. */
  finish(): { readonly message: string; readonly rest: Uint8Array } {
    const text = plain(this.#isReleased ? this.#tail : this.#held);
    // The last report ended the process; earlier ones were only output.
    const start = text.lastIndexOf(`\n${marker}`) + 1;
    if (!text.startsWith(marker, start)) return { message: "", rest: this.release() };
    const before = this.#isReleased ? "" : text.slice(0, start);
    return { message: text.slice(start), rest: new TextEncoder().encode(before) };
  }
}

/** Returns the index of the first line that starts with the marker, or with a part of it. */
function startOfError(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0x0a, at);
    const line = plain(bytes.subarray(at, end === -1 ? bytes.length : end));
    if (line.startsWith(marker)) return at;
    if (end === -1) return isStartOfMarker(line) ? at : bytes.length;
    at = end + 1;
  }
  return bytes.length;
}

function isStartOfMarker(line: string): boolean {
  const [text = ""] = line.split("\u001b");
  return text.length < marker.length && marker.startsWith(text);
}

function plain(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replace(colours, "");
}

function joinBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
