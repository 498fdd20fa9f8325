const maxHeldChars = 64 * 1024;
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
  readonly #decoder = new TextDecoder();
  #held = "";
  #tail = "";
  #isReleased = false;

  /** Adds output of the process; returns the part that may be shown now. */
  push(bytes: Uint8Array): string {
    const text = this.#decoder.decode(bytes, { stream: true });
    this.#tail = (this.#tail + text).slice(-maxHeldChars);
    if (this.#isReleased) return text;
    const held = this.#held + text;
    const start = startOfError(held);
    const end = held.length - start > maxHeldChars ? held.length : start;
    this.#held = held.slice(end);
    return held.slice(0, end);
  }

  /** Stops holding back output; returns the part held back so far. */
  release(): string {
    this.#isReleased = true;
    const shown = this.#held;
    this.#held = "";
    return shown;
  }

  /** Returns the error message without colours, or `""`, and the output still to be shown. */
  finish(): { readonly message: string; readonly rest: string } {
    const text = (this.#isReleased ? this.#tail : this.#held).replaceAll(colours, "");
    // The last report ended the process; earlier ones were only output.
    const start = text.lastIndexOf(`\n${marker}`) + 1;
    if (!text.startsWith(marker, start)) return { message: "", rest: this.release() };
    return { message: text.slice(start), rest: this.#isReleased ? "" : text.slice(0, start) };
  }
}

function startOfError(text: string): number {
  let at = 0;
  for (const line of text.split(/(?<=\n)/)) {
    const plain = line.replaceAll(colours, "");
    const isCut = !line.endsWith("\n") && marker.startsWith(plain.split("\u001b", 1)[0] ?? "");
    if (isCut || plain.startsWith(marker)) return at;
    at += line.length;
  }
  return at;
}
