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

export interface ErrorOutput {
  /** Adds output of the process; returns the part that may be shown now. */
  push(bytes: Uint8Array): Uint8Array;
  /** Stops holding back output; returns the part held back so far. */
  release(): Uint8Array;
  /** Returns the error message without colours, or `""`, and the output still to be shown. */
  finish(): { readonly message: string; readonly rest: Uint8Array };
}

/**
 * Holds back the text after a line that starts with `error: `, with which the runtime reports a
 * fatal error, until {@linkcode ErrorOutput.release}.
 */
export function errorOutput(): ErrorOutput {
  let held: Uint8Array<ArrayBufferLike> = new Uint8Array();
  let tail: Uint8Array<ArrayBufferLike> = new Uint8Array();
  let isReleased = false;
  return { push, release, finish };

  function push(bytes: Uint8Array): Uint8Array {
    tail = joinBytes(tail, bytes);
    if (tail.length > maxHeldBytes) tail = tail.slice(tail.length - maxHeldBytes);
    if (isReleased) return bytes;
    held = joinBytes(held, bytes);
    const start = startOfError(held);
    const shown = held.slice(0, held.length - start > maxHeldBytes ? held.length : start);
    held = held.slice(shown.length);
    return shown;
  }

  function release(): Uint8Array {
    isReleased = true;
    const shown = held;
    held = new Uint8Array();
    return shown;
  }

  function finish(): { readonly message: string; readonly rest: Uint8Array } {
    const text = plain(isReleased ? tail : held);
    // The last report ended the process; earlier ones were only output.
    const last = text.lastIndexOf(`\n${marker}`);
    const start = last === -1 ? 0 : last + 1;
    if (!text.startsWith(marker, start)) return { message: "", rest: release() };
    const message = text.slice(start);
    if (isReleased) return { message, rest: new Uint8Array() };
    return { message, rest: new TextEncoder().encode(text.slice(0, start)) };
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
