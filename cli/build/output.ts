/**
 * Collects the output of a process.
 *
 * @module
 */

export interface CollectedOutput {
  /** Returns both outputs so far, in order. */
  text(): string;
  /** Waits for the end of both outputs after the process has ended. */
  done(): Promise<void>;
}

/** The part that is kept: the start and the end of an output that is too long. */
const maxChars = 65_536;

// A grandchild process may hold the outputs open, so do not wait for it.
const maxDrainMs = 500;

export function collectOutput(child: Deno.ChildProcess): CollectedOutput {
  let text = "";
  const collect = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> => {
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      // The start contains the listen address, the end the reason of a failure.
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
