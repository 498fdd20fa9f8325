/** A real nginx that caches whatever it may, in front of pages that hold a token or a nonce. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { join } from "@std/path";
import { App, csrfInput, type Ctx, nonceAttr, type Result } from "../../../mod.ts";
import * as h from "../../../html/mod.ts";
import { testUnless } from "../../../tools/skip.ts";
import { freePort } from "../../free_port.ts";
import { listen, listenSettings } from "../../security/raw_client.ts";
import { startNginx, writeNginxConfig } from "./nginx.ts";
import { reasonWithout } from "./proxied_app.ts";

const script = (c: Ctx): h.Node => h.script(nonceAttr(c), h.raw("1"));

/** Pages, and whether they hold what is one visitor's. */
const pages: Readonly<Record<string, (c: Ctx) => Result | Promise<Result>>> = {
  "/token": (c) => h.form(csrfInput(c)),
  "/nonce": (c) => h.main(script(c)),
  "/both": (c) => h.main(script(c), h.form(csrfInput(c))),
  "/json": (c) => c.json(200, { token: c.csrfToken() }),
  "/foreign": (c) =>
    new Response(`<script nonce="${c.nonce}"></script>`, {
      headers: { "content-type": "text/html" },
    }),
  "/late": async (c) => {
    const response = await c.render(200, h.p("made before"));
    response.headers.set("x-token", c.nonce);
    return response;
  },
  "/dated": (c) => {
    if (c.lastModified(new Date(1e12))) return;
    return h.main(script(c));
  },
  "/missing": (c) => {
    void c.nonce;
    return c.text(404, c.nonce);
  },
  // Their policy holds a nonce, although they do not.
  "/plain": () => h.p("the same for all"),
  "/plain-foreign": () => new Response("<p>", { headers: { "content-type": "text/html" } }),
  "/static": (c) => c.text(200, crypto.randomUUID()),
};

testUnless(await reasonWithout("nginx"), {
  name: "behind a caching nginx no visitor gets another's token or nonce",
  fn: async () => {
    const folder = await Deno.makeTempDir();
    const lines: string[] = [];
    const app = new App(listenSettings(lines));
    for (const [pattern, page] of Object.entries(pages)) app.route({ pattern, page });
    await using server = await listen(app, lines);
    const port = freePort();
    const args = await writeNginxConfig(
      folder,
      `proxy_cache_path ${join(folder, "cache")} keys_zone=all:1m;
server {
  listen 127.0.0.1:${port};
  location / {
    proxy_pass http://127.0.0.1:${server.port};
    proxy_cache all;
    proxy_cache_valid any 10m;
    proxy_ignore_headers Vary Set-Cookie;
    add_header X-Cache $upstream_cache_status always;
  }
}
`,
    );
    try {
      await using _nginx = await startNginx(args, { hostname: "127.0.0.1", port });
      for (const path of Object.keys(pages)) {
        const first = await ask(port, path);
        const second = await ask(port, path);
        if (path === "/static") {
          // The proxy does cache: otherwise this test would prove nothing.
          assertEquals([second.cache, second.text], ["HIT", first.text]);
          continue;
        }
        assertEquals(second.cache, "MISS", path);
        assertEquals(first.control, "private", path);
        assertNotEquals(second.own, first.own, path);
        assert(first.own.length > 0, path);
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

async function ask(
  port: number,
  path: string,
): Promise<Record<"cache" | "control" | "text" | "own", string>> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  const text = await answer.text();
  const tokens = [...text.matchAll(/[\w+/-]{20,}=*/g)].map(([token]) => token);
  return {
    cache: answer.headers.get("x-cache") ?? "",
    control: answer.headers.get("cache-control") ?? "",
    text,
    own: tokens.join(" ") + (answer.headers.get("x-token") ?? "") +
      (/'nonce-[^']+'/.exec(answer.headers.get("content-security-policy") ?? "")?.[0] ?? ""),
  };
}
