import { assert, assertEquals, assertRejects } from "@std/assert";
import { readCapped } from "../../../runtime/addon.ts";

/** A body in parts that records whether it was cancelled; `end` says how it ends. */
function bodyOf(
  parts: readonly string[],
  end: "closes" | "breaks" | "hangs",
): { readonly body: ReadableStream<Uint8Array>; readonly isCancelled: () => boolean } {
  let cancelled = false;
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const part = parts[at++];
      if (part !== undefined) return controller.enqueue(new TextEncoder().encode(part));
      if (end === "closes") return controller.close();
      if (end === "breaks") return controller.error(new Error("reset"));
      return new Promise(() => {});
    },
    cancel: () => void (cancelled = true),
  });
  return { body, isCancelled: () => cancelled };
}

const rows:
  readonly (readonly [parts: readonly string[], maxBytes: number, want: string | undefined])[] = [
    [[], 0, ""],
    [["a", "", "b"], 2, "ab"],
    [["ab", "c"], 3, "abc"],
    [["ab", "cd"], 3, undefined],
    [["x".repeat(1_000)], 999, undefined],
  ];

for (const [parts, maxBytes, want] of rows) {
  Deno.test(`readCapped: ${parts.length} parts, at most ${maxBytes} bytes`, async () => {
    const { body, isCancelled } = bodyOf(parts, "closes");
    const bytes = await readCapped(body, { maxBytes });
    assertEquals(bytes && new TextDecoder().decode(bytes), want);
    assertEquals(isCancelled(), want === undefined);
  });
}

Deno.test("readCapped: returns nothing for no body and rejects for a broken one", async () => {
  assertEquals(await readCapped(null, { maxBytes: 1 }), new Uint8Array());
  const { body } = bodyOf(["a"], "breaks");
  await assertRejects(() => readCapped(body, { maxBytes: 9 }), Error, "reset");
});

for (const isEarly of [true, false]) {
  const when = isEarly ? "before the read" : "while the body hangs";
  Deno.test(`readCapped: an abort ${when} rejects, and the part read so far is dropped`, async () => {
    const { body, isCancelled } = bodyOf(["a"], "hangs");
    const controller = new AbortController();
    if (isEarly) controller.abort(new Error("late"));
    const read = readCapped(body, { maxBytes: 9, signal: controller.signal });
    controller.abort(new Error("late"));
    await assertRejects(() => read, Error, "late");
    assert(isCancelled());
  });
}
