/**
 * Collects what a process writes.
 *
 * @module
 */

/** What a process has written. */
export interface CollectedOutput {
  /** Both outputs so far, in the order in which they came. */
  text(): string;
  /** Waits for the end of both outputs; the process has ended. */
  done(): Promise<void>;
}

/** What is kept; a process that floods its output must not fill the memory. */
const maxChars = 65_536;

// A process that the other one started may hold the outputs open: it is not waited for.
const maxDrainMs = 500;

/** Collects both outputs of a process. */
export function collectOutput(child: Deno.ChildProcess): CollectedOutput {
  let text = "";
  const collect = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> => {
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      // The start says where the application listens, the end why it failed.
      if (text.length > 2 * maxChars) {
        text = `${text.slice(0, maxChars)}\n…\n${text.slice(-maxChars / 2)}`;
      }
    }
  };
  const collected = Promise.all([collect(child.stdout), collect(child.stderr)]);
  const done = async (): Promise<void> => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise((resolve) => timer = setTimeout(resolve, maxDrainMs));
    await Promise.race([collected, late]);
    clearTimeout(timer);
  };
  return { text: () => text, done };
}
