import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { App, type Ctx, Off, type Result } from "../../../mod.ts";

async function send(handler: (c: Ctx) => Promise<Result>, isChunked: boolean): Promise<string> {
  const app = new App({ logRequest: Off });
  app.route({ pattern: "/", methods: { POST: handler } });
  const response = await app.fetch(
    new Request("http://localhost/", {
      method: "POST",
      body: "hello",
      ...(isChunked ? {} : { headers: { "content-length": "5" } }),
    }),
  );
  assertEquals(response.status, 200);
  return await response.text();
}

const kinds = [["of known length", false], ["chunked", true]] as const;

for (const [name, isChunked] of kinds) {
  Deno.test(`c.request.body is a single stream that can be read once: ${name}`, async () => {
    const text = await send(async (c) => {
      const { body } = c.request;
      assertStrictEquals(c.request.body, body);
      const read = await new Response(body).text();
      await assertRejects(() => c.request.text(), TypeError);
      return c.text(200, read);
    }, isChunked);
    assertEquals(text, "hello");
  });

  Deno.test(`c.request.body supports readers with their own buffer: ${name}`, async () => {
    const text = await send(async (c) => {
      const reader = c.request.body?.getReader({ mode: "byob" });
      let read = "";
      for (;;) {
        const piece = await reader?.read(new Uint8Array(2));
        if (piece === undefined || piece.done) return c.text(200, read);
        read += new TextDecoder().decode(piece.value);
      }
    }, isChunked);
    assertEquals(text, "hello");
  });
}
