/**
 * Separates the messages of the export program from the application's output.
 *
 * @module
 */

export interface MarkedLines {
  /** The start of a message; a line contains it at most once. */
  readonly mark: string;
  /** Receives the application's output, without empty lines. */
  readonly onText: (text: string) => void;
  /** Receives the text after the mark, up to the end of its line. */
  readonly onMarked: (text: string) => void;
}

/** Reads an output to its end. */
export async function followMarkedLines(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  { mark, onText, onMarked }: MarkedLines,
): Promise<void> {
  const take = (line: string): void => {
    const at = line.indexOf(mark);
    const own = at < 0 ? line : line.slice(0, at);
    if (own.trim() !== "") onText(at < 0 ? own : `${own}\n`);
    if (at >= 0) onMarked(line.slice(at + mark.length));
  };
  let text = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (text + chunk).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) take(`${line}\n`);
  }
  if (text !== "") take(text);
}
