/**
 * A recorded answer of a model: a stream of about 5 MB with text and a tool call, in the format of
 * servers.
 *
 * @module
 */

const words = "The harbour opens at nine and the boats leave with the tide, não é? 🌊 ".split(" ");

/** Writes one chunk with the members that servers send. */
function chunk(delta: object, finish: string | null = null): string {
  const json = JSON.stringify({
    id: "chatcmpl-9Qx2vL4nT7bZkR1sYw3mEeJ8",
    object: "chat.completion.chunk",
    created: 1_763_800_000,
    model: "recorded-model-2026-01",
    service_tier: "default",
    system_fingerprint: "fp_44709d6fcb",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    usage: null,
  });
  return `data: ${json}\n\n`;
}

/** A recording. */
export interface Recording {
  /** The stream, in pieces as received. */
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
  /** The size in bytes. */
  readonly bytes: number;
  /** The number of characters of text. */
  readonly chars: number;
}

/** Creates the recording. */
export function record(bytes = 5_000_000, pieceBytes = 4_096): Recording {
  const frames = [chunk({ role: "assistant", content: "", refusal: null })];
  let size = 0;
  let chars = 0;
  for (let at = 0; size < bytes; at++) {
    const content = `${words[at % words.length]} `;
    const frame = chunk({ content });
    frames.push(frame);
    chars += content.length;
    size += frame.length;
  }
  const name = { index: 0, id: "call_1", type: "function", function: { name: "f", arguments: "" } };
  frames.push(chunk({ tool_calls: [name] }));
  frames.push(chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] }));
  frames.push(chunk({}, "tool_calls"), "data: [DONE]\n\n");
  const whole = new TextEncoder().encode(frames.join(""));
  const pieces = [];
  for (let at = 0; at < whole.length; at += pieceBytes) {
    pieces.push(whole.slice(at, at + pieceBytes));
  }
  return { pieces, bytes: whole.length, chars };
}

/** Returns a `fetch` that replays the recording. */
export function play({ pieces }: Recording): typeof fetch {
  return () => {
    const waiting = pieces.values();
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller): void {
        const { value, done } = waiting.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    });
    const headers = { "content-type": "text/event-stream; charset=utf-8" };
    return Promise.resolve(new Response(body, { headers }));
  };
}
