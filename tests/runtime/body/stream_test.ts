import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { App, type MiddlewareHandler, Off } from "../../../mod.ts";
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

for (const [name, headers] of kinds) {
  Deno.test(`a copy of c.request in a middleware has the limit too: ${name}`, async () => {
    const app = new App({ logRequest: Off, maxBodyBytes: 4 });
    const Middleware: MiddlewareHandler = async (c) =>
      c.text(200, await new Request(c.request).text());
    app.route({ pattern: "/", middleware: [{ Middleware }], methods: { POST: () => null } });
    const request = new Request("http://localhost/", { method: "POST", body: "hello", headers });
    assertEquals((await app.fetch(request)).status, 413);
  });
}
