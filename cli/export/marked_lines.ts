/**
 * Tells what the export program says from what the application writes on the same output.
 *
 * @module
 */

/** Who takes what of an output. */
export interface MarkedLines {
  /** Begins what the program says; a line holds it at most once. */
  readonly mark: string;
  /** Takes what the application writes, without empty lines; a long line comes in parts. */
  readonly onText: (text: string) => void;
  /** Takes what stands behind the mark, up to the end of its line. */
  readonly onMarked: (text: string) => void;
}

/** A line of the application that is longer is not waited for: it must not fill the memory. */
const maxLineChars = 65_536;

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
    // What the program says, a report of a large site, may be long.
    if (text.length <= maxLineChars || text.includes(mark)) continue;
    const end = endOfPart(text, mark.length);
    take(text.slice(0, end));
    text = text.slice(end);
  }
  if (text !== "") take(text);
}

/** Where a text can be parted: the mark may have begun, and two halves of a character stay together. */
function endOfPart(text: string, markChars: number): number {
  const end = text.length - markChars;
  return /[\uDC00-\uDFFF]/.test(text.charAt(end)) ? end - 1 : end;
}
