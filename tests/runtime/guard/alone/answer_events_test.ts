import { assertEquals } from "@std/assert";
import { App, httpError, notFound, Off, redirect } from "../../../../mod.ts";
import type { Ctx, SecurityEvent, Settings } from "../../../../mod.ts";
import { throwing } from "../../app/support.ts";

/** Results and their security events: the kind and the reason. */
const answers: readonly [name: string, handler: (c: Ctx) => unknown, events: string[]][] = [
  ["a returned 401", () => httpError(401, "x"), ["auth 401"]],
  ["a thrown 403", throwing(httpError(403, "x")), ["auth 403"]],
  ["a 401 that the context built", (c) => c.json(401, {}), ["auth 401"]],
  ["a foreign 403", () => new Response(null, { status: 403 }), ["auth 403"]],
  ["a 403 that was already reported", (c) => {
    c.app.security.report(c, "auth", { reason: "role" });
    return httpError(403, "x");
  }, ["auth role"]],
  ["a 404", () => httpError(404, "x"), []],
  ["a 413", () => httpError(413, "x"), ["body undefined"]],
  ["a failure", throwing(new Error("x")), ["panic uncaught-error"]],
  ["a rejected string", () => Promise.reject("x"), ["panic uncaught-error"]],
  ["a 403 caused by a missing row", throwing(new Error("x", { cause: notFound() })), []],
  ["a redirect", throwing(redirect("/x")), []],
  ["an intended 500", () => httpError(500, "x"), []],
  ["a success", (c) => c.text(200, ""), []],
];

for (const [name, handler, want] of answers) {
  Deno.test(`security events of ${name}: ${want.join() || "none"}`, async () => {
    const events: SecurityEvent[] = [];
    const lines: string[] = [];
    const logger: NonNullable<Settings["logger"]> = {
      debug: () => {},
      info: () => {},
      warn: (message, fields) => void lines.push(`${message} ${fields?.["kind"]}`),
      error: () => {},
      with: () => logger,
    };
    const app = new App({ logger, logRequest: Off, onSecurityEvent: (e) => void events.push(e) });
    app.route({ pattern: "/x", methods: { GET: handler as (c: Ctx) => Response } });
    await app.fetch(
      new Request("http://localhost/x?secret", { headers: { "x-request-id": "id" } }),
    );
    assertEquals(events.map(({ kind, reason }) => `${kind} ${reason}`), want);
    assertEquals(lines, want.map((event) => `security ${event.split(" ")[0]}`));
    for (const { path, requestId } of events) assertEquals([path, requestId], ["/x", "id"]);
  });
}
