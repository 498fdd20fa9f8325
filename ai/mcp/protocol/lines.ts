import { bodyChunks } from "../../http/body_chunks.ts";

/**
 * Reads the lines of a stream as UTF-8, each up to LF or CR LF; what follows the last line break is not a line.
 *
 * @throws {RangeError} for a line over the limit, so that a peer that never ends one cannot fill the memory.
 */
export async function* readLines(
  stream: ReadableStream<Uint8Array>,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal?: AbortSignal },
): AsyncGenerator<string, void, void> {
  // What is not UTF-8 becomes replacement characters, and then fails as JSON or as a message.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  let bytes = 0;
  const add = (part: Uint8Array, options?: TextDecodeOptions): void => {
    bytes += part.length;
    if (bytes > maxBytes) throw new RangeError(`a line is longer than ${maxBytes} bytes`);
    text += decoder.decode(part, options);
  };
  for await (const chunk of bodyChunks(stream, signal)) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      add(chunk.subarray(start, end));
      yield text.endsWith("\r") ? text.slice(0, -1) : text;
      text = "";
      bytes = 0;
      start = end + 1;
    }
    add(chunk.subarray(start), { stream: true });
  }
}

const lineFeed = 10;
