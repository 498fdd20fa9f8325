import { assertEquals, assertStringIncludes } from "@std/assert";
import { App, type Settings } from "../../../mod.ts";
import { listen, listenSettings, sendRaw } from "../../security/raw_client.ts";

// Deno's listener sends a 205 without a length, whatever its headers.
for (const [listener, want] of [["deno", 500], ["node", 205]] as const) {
  Deno.test(`a client does not wait for the body of a 205: ${listener}`, async () => {
    const lines: string[] = [];
    const settings: Settings = { ...listenSettings(lines), listener };
    const app = new App(settings);
    app.route({ pattern: "/staged", methods: { POST: (c) => c.status(205) } });
    app.route({ pattern: "/own", methods: { POST: () => new Response(null, { status: 205 }) } });
    await using server = await listen(app, lines);
    for (const path of ["/staged", "/own"]) {
      const { status, headers } = await sendRaw(
        server,
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
      assertEquals(status, want, path);
      if (status === 205) assertEquals(headers.get("content-length"), "0", path);
    }
    if (listener === "deno") {
      assertStringIncludes(server.log(), 'Cannot set the status \\"205\\"');
      assertStringIncludes(server.log(), "clients wait for its end; use 204");
    }
  });
}
