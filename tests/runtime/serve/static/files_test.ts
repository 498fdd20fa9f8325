import { App, type Env, Off, type Route, type Settings } from "../../../../mod.ts";
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { testRequest, withHeader } from "../../../../runtime/testing/mod.ts";
import { newSite, type Site, textRoute } from "../../app/support.ts";
import { newFolder } from "../../../new_folder.ts";

const big = "0123456789".repeat(20_000);

/** The files of the folder, and what lies beside it. */
const files: Readonly<Record<string, string>> = {
  "public/app.css": "body{}",
  "public/big.txt": big,
  "public/a b.txt": "space",
  "public/café.txt": "accent",
  "public/100%.txt": "percent",
  "public/%2e%2e.txt": "escaped name",
  "public/deep/er/x.js": "1",
  "public/empty.txt": "",
  "public/noextension": "bytes",
  "public/page.html": "<p>",
  "public/.env": "secret",
  "public/.git/config": "secret",
  "public/deep/.hidden": "secret",
  "public/.well-known/security.txt": "contact",
  "public/.well-known/.hidden": "secret",
  "public/.well-known/x/y": "nested",
  "secret.txt": "secret",
};

async function withFiles(test: (dir: string) => Promise<void>): Promise<void> {
  await using folder = await newFolder();
  const dir = folder.path;
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(`${dir}/${path.slice(0, path.lastIndexOf("/") + 1)}`, { recursive: true });
    await Deno.writeTextFile(`${dir}/${path}`, text);
  }
  await Deno.symlink(`${dir}/secret.txt`, `${dir}/public/out.txt`);
  await Deno.symlink(`${dir}/public/app.css`, `${dir}/public/in.css`);
  await Deno.symlink(dir, `${dir}/public/up`);
  await Deno.symlink(`${dir}/public/deep`, `${dir}/public/linked`);
  await Deno.symlink(`${dir}/public`, `${dir}/public/loop`);
  await Deno.symlink(`${dir}/nowhere`, `${dir}/public/broken.txt`);
  await test(dir);
}

function siteOf(dir: string, env: Env, options: {
  readonly routes?: readonly Route[];
  readonly config?: Settings;
} = {}): Site {
  const config: Settings = { env, public: `${dir}/public`, devReload: Off, ...options.config };
  return newSite(options.routes ?? [], { config });
}

/** Paths and what answers: a text is the file's, a number is a status without a file. */
const paths: readonly [path: string, answer: string | number][] = [
  ["/app.css", "body{}"],
  ["/app.css?v=x&y", "body{}"],
  ["/big.txt", big],
  ["/a%20b.txt", "space"],
  ["/caf%C3%A9.txt", "accent"],
  ["/100%25.txt", "percent"],
  ["/%252e%252e.txt", "escaped name"],
  ["/deep/er/x.js", "1"],
  ["/empty.txt", ""],
  ["/noextension", "bytes"],
  ["/.well-known/security.txt", "contact"],
  ["/.well-known/x/y", "nested"],
  ["/in.css", "body{}"],
  ["/", 404],
  ["/deep", 404],
  ["/deep/", 404],
  ["/app.css/", 404],
  ["/APP.CSS", 404],
  ["/nothing.css", 404],
  ["//app.css", 404],
  ["/deep//er/x.js", 404],
  ["/deep%2Fer%2Fx.js", 404],
  ["/deep%5Cer%5Cx.js", 404],
  ["/.env", 404],
  ["/%2eenv", 404],
  ["/.git/config", 404],
  ["/deep/.hidden", 404],
  ["/.well-known/.hidden", 404],
  ["/.well-known", 404],
  ["/out.txt", 404],
  ["/broken.txt", 404],
  ["/linked/er/x.js", "1"],
  ["/up/secret.txt", 404],
  ["/..%2Fsecret.txt", 400],
  ["/..%5Csecret.txt", 400],
  ["/deep%2F..%2F..%2Fsecret.txt", 400],
  ["/app.css%00.txt", 400],
  ["/app.css%0a", 400],
  [`/${"x".repeat(5_000)}`, 404],
  [`/${"x/".repeat(2_000)}x`, 404],
];

for (const env of ["dev", "prod"] as const) {
  Deno.test(`${env}: only the files of the folder are served, however the path is written`, async () => {
    await withFiles(async (dir) => {
      const { app } = siteOf(dir, env);
      for (const [path, answer] of paths) {
        const response = await testRequest(app, "GET", path);
        const shown = `${env} ${path.slice(0, 60)}`;
        if (typeof answer === "number") assertEquals(response.status, answer, shown);
        else assertEquals([response.status, response.body], [200, answer], shown);
        assert(!response.body.includes("secret"), shown);
      }
    });
  });

  Deno.test(`${env}: a file has type, length, tag and date; HEAD has the same and no body`, async () => {
    await withFiles(async (dir) => {
      const { app } = siteOf(dir, env);
      for (
        const [path, type] of [
          ["/app.css", "text/css; charset=utf-8"],
          ["/deep/er/x.js", "text/javascript; charset=utf-8"],
          ["/page.html", "text/html; charset=utf-8"],
          ["/noextension", "application/octet-stream"],
          ["/big.txt", "text/plain; charset=utf-8"],
        ] as const
      ) {
        const get = (await testRequest(app, "GET", path)).wantStatus(200)
          .wantHeader("content-type", type)
          .wantHeader("x-content-type-options", "nosniff")
          .wantHeader("content-length", String(files[`public${path}`]?.length));
        assertMatch(get.header("etag") ?? "", /^"[A-Za-z0-9_-]{12}"$/);
        assert(!Number.isNaN(Date.parse(get.header("last-modified") ?? "")));
        const head = await testRequest(app, "HEAD", path).wantStatus(200);
        assertEquals([head.body, [...head.headers]], ["", [...get.headers]]);
      }
    });
  });

  Deno.test(`${env}: If-None-Match with the tag is 304 without a body, anything else the file`, async () => {
    await withFiles(async (dir) => {
      const { app } = siteOf(dir, env);
      const tag = (await testRequest(app, "GET", "/app.css")).header("etag") ?? "";
      for (const value of [tag, `W/${tag}`, `"x", ${tag}`, "*", ` ${tag} `]) {
        for (const method of ["GET", "HEAD"]) {
          const response = await testRequest(
            app,
            method,
            "/app.css",
            withHeader("if-none-match", value),
          )
            .wantStatus(304).wantHeader("etag", value.startsWith("W/") ? value : tag);
          assertEquals([response.body, response.header("content-length")], ["", undefined]);
        }
      }
      for (const value of ['"x"', tag.replaceAll('"', ""), "", '"', tag.slice(0, -1)]) {
        await testRequest(app, "GET", "/app.css", withHeader("if-none-match", value)).wantStatus(
          200,
        );
      }
    });
  });

  Deno.test(`${env}: a literal route wins over a file, a file over a parameter and a catch-all`, async () => {
    await withFiles(async (dir) => {
      const literal = siteOf(dir, env, { routes: [textRoute("/app.css", "route")] });
      assertEquals((await testRequest(literal.app, "GET", "/app.css")).body, "route");
      for (const pattern of ["/{name}", "/{path...}"]) {
        const { app } = siteOf(dir, env, { routes: [textRoute(pattern, "route")] });
        assertEquals((await testRequest(app, "GET", "/app.css")).body, "body{}");
        assertEquals((await testRequest(app, "GET", "/other.css")).body, "route");
      }
    });
  });

  Deno.test(`${env}: another method than GET and HEAD is 405 on a file, or the route's`, async () => {
    await withFiles(async (dir) => {
      const { app } = siteOf(dir, env);
      for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
        await testRequest(app, method, "/app.css").wantStatus(405).wantHeader("allow", "GET, HEAD");
      }
      const routed = siteOf(dir, env, {
        routes: [{ pattern: "/{name}", methods: { POST: (c) => c.text(200, "route") } }],
      });
      await testRequest(routed.app, "POST", "/app.css").wantContains("route");
    });
  });

  Deno.test(`${env}: c.asset carries the fingerprint that is also the tag`, async () => {
    await withFiles(async (dir) => {
      const { app } = siteOf(dir, env, {
        routes: [{
          pattern: "/assets",
          methods: {
            GET: (c) =>
              c.json(200, ["/app.css", "app.css", "/a b.txt", "/.env", "/no"].map(c.asset, c)),
          },
        }],
      });
      const tag = (await testRequest(app, "GET", "/app.css")).header("etag")?.replaceAll('"', "");
      const urls: string[] = JSON.parse((await testRequest(app, "GET", "/assets")).body);
      assertEquals(urls.slice(0, 2), [`/app.css?v=${tag}`, `/app.css?v=${tag}`]);
      assertMatch(urls[2] ?? "", /\?v=[A-Za-z0-9_-]{12}$/);
      assertEquals(urls.slice(3), ["/.env", "/no"]);
    });
  });

  Deno.test(`${env}: files pass no middleware and are not in the request log`, async () => {
    await withFiles(async (dir) => {
      const site = siteOf(dir, env);
      await testRequest(site.app, "GET", "/app.css").wantStatus(200);
      assertEquals(site.lines, []);
    });
  });

  Deno.test(`${env}: a folder that does not exist has no files`, async () => {
    const { app } = siteOf("/nonexistent", env);
    await testRequest(app, "GET", "/app.css").wantStatus(404);
  });

  Deno.test(`${env}: config.public accepts a path, a file: URL and its text`, async () => {
    await withFiles(async (dir) => {
      for (
        const folder of [`${dir}/public`, new URL(`file://${dir}/public`), `file://${dir}/public/`]
      ) {
        const { app } = siteOf(dir, env, { config: { public: folder } });
        await testRequest(app, "GET", "/app.css").wantStatus(200);
      }
    });
  });
}

Deno.test("dev: a changed, added or removed file is noticed at once; the browser revalidates", async () => {
  await withFiles(async (dir) => {
    const { app } = siteOf(dir, "dev");
    const first = await testRequest(app, "GET", "/app.css").wantHeader("cache-control", "no-cache");
    await Deno.writeTextFile(`${dir}/public/app.css`, "body{color:red}");
    const second = await testRequest(app, "GET", "/app.css").wantContains("red");
    assert(first.header("etag") !== second.header("etag"));
    await Deno.writeTextFile(`${dir}/public/new.css`, "new");
    await testRequest(app, "GET", "/new.css").wantContains("new");
    await Deno.remove(`${dir}/public/new.css`);
    await testRequest(app, "GET", "/new.css").wantStatus(404);
  });
});

Deno.test("prod: with the right ?v= a file may be kept for ever, without it must be asked about", async () => {
  await withFiles(async (dir) => {
    const { app } = siteOf(dir, "prod");
    const plain = await testRequest(app, "GET", "/app.css")
      .wantHeader("cache-control", "public, max-age=0, must-revalidate");
    const version = plain.header("etag")?.replaceAll('"', "");
    await testRequest(app, "GET", `/app.css?v=${version}`)
      .wantHeader("cache-control", "public, max-age=31536000, immutable");
    await testRequest(app, "GET", "/app.css?v=old")
      .wantHeader("cache-control", "public, max-age=0, must-revalidate");
  });
});

Deno.test("prod: indexes the folder at boot; a removed file is a 404, not an error", async () => {
  await withFiles(async (dir) => {
    const site = siteOf(dir, "prod");
    await testRequest(site.app, "GET", "/app.css").wantStatus(200);
    await Deno.writeTextFile(`${dir}/public/late.css`, "late");
    await testRequest(site.app, "GET", "/late.css").wantStatus(404);
    await Deno.remove(`${dir}/public/big.txt`);
    await testRequest(site.app, "GET", "/big.txt").wantStatus(404);
    await testRequest(site.app, "GET", "/app.css").wantStatus(200);
    assertEquals(site.logged("handler failed"), []);
  });
});

Deno.test("config.public that is not a local folder is refused with the fix", () => {
  assertThrows(
    () => new App({ public: new URL("https://x.example/public") }).handler(),
    TypeError,
    'Cannot serve config.public "https://x.example/public": use a folder, a file: URL or a FileSource.',
  );
});
