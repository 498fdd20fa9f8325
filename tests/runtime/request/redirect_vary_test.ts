import { assertEquals } from "@std/assert";
import { newSite } from "../app/support.ts";

const rows: readonly (readonly [path: string, status: number, vary: string | null])[] = [
  ["/kept", 303, "FW-Fragment"],
  ["/own", 302, "FW-Fragment"],
  ["/moved", 301, "FW-Fragment"],
  ["/moved/", 301, "FW-Fragment"],
  ["/passing", 303, null],
  ["/unkept", 303, null],
];

for (const [path, status, want] of rows) {
  Deno.test(`the redirect ${status} of a route ${path} varies by ${want}`, async () => {
    const { app } = newSite([
      {
        pattern: "/kept",
        methods: {
          GET: (c) => {
            c.cacheControl("public, max-age=60");
            return c.redirect("/");
          },
        },
      },
      {
        pattern: "/unkept",
        methods: {
          GET: (c) => {
            c.cacheControl("no-store");
            return c.redirect("/");
          },
        },
      },
      {
        pattern: "/own",
        methods: {
          GET: () =>
            new Response(null, {
              status: 302,
              headers: { location: "/", "cache-control": "max-age=60" },
            }),
        },
      },
      { pattern: "/moved", methods: { GET: (c) => c.redirect("/", 301) } },
      { pattern: "/passing", methods: { GET: (c) => c.redirect("/") } },
    ]);
    const response = await app.fetch(new Request(`http://localhost${path}`));
    assertEquals([response.status, response.headers.get("vary")], [status, want]);
  });
}
