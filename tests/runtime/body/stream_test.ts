import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { inHandler } from "./case.ts";

const kinds = [["of known length", { "content-length": "5" }], ["chunked", {}]] as const;

for (const [name, headers] of kinds) {
  Deno.test(`c.request.body is a single stream that can be read once: ${name}`, async () => {
    await inHandler({ body: "hello", headers }, async (c) => {
      const { body } = c.request;
      assertStrictEquals(c.request.body, body);
      assertEquals(await new Response(body).text(), "hello");
      await assertRejects(() => c.request.text(), TypeError);
    });
  });

  Deno.test(`c.request.body supports readers with their own buffer: ${name}`, async () => {
    await inHandler({ body: "hello", headers }, async (c) => {
      const reader = c.request.body?.getReader({ mode: "byob" });
      let read = "";
      for (;;) {
        const piece = await reader?.read(new Uint8Array(2));
        if (piece === undefined || piece.done) break;
        read += new TextDecoder().decode(piece.value);
      }
      assertEquals(read, "hello");
    });
  });
}
