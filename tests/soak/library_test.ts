/**
 * An application whose `deno.json` has `exports`, mounted under a base path by a host in a separate
 * project.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { shareFolder } from "../cli/shared_folder.ts";
import { deno, type Files, runCli, writeFiles } from "../cli/support.ts";
import { checkTypes } from "../cli/type_check.ts";
import { type RunningApp, startApp } from "../e2e/running_app.ts";

const shopFiles: Files = {
  "app/items/id_/page.ts": `import { csrfInput, type Ctx, type Result } from "@fw/fw";
import * as h from "@fw/fw/h";

export function Page(c: Ctx): Result {
  c.title = "Item " + c.param("id");
  return h.form(
    h.method("post"),
    h.action(c.href("/items/{id}", { id: c.param("id") })),
    csrfInput(c),
    h.button("Buy"),
  );
}

export async function POST(c: Ctx): Promise<Result> {
  c.flash("success", \`Bought \${await c.form("count") ?? 1}\`);
  return c.redirect(c.href("/items/{id}", { id: c.param("id") }));
}
`,
  "app/setup.ts": `import type { Application } from "@fw/fw";
export function Setup(_app: Application): void {}
export function Shutdown(app: Application): void {
  app.log.info("the shop has closed");
}
`,
  "public/price.txt": "12 EUR",
};

/** Another application, whose handler contains the library. */
const host = `import { App } from "@fw/fw";
import { newApp } from "@acme/shop";

const shop = await newApp({ basePath: "/shop" });
const host = new App({ addr: "127.0.0.1:0" }, { setup: { Shutdown: () => shop.shutdown() } });
for (const pattern of ["/", "/shopping", "/price.txt"]) {
  host.route({ pattern, methods: { GET: (c) => c.text(200, "host of " + c.url.pathname) } });
}
const toHost = host.handler();
const handler = shop.handler({ next: (request, info) => toHost(request, info) });
const server = Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => console.log(\`"url":"http://127.0.0.1:\${port}/"\`),
}, handler);
Deno.addSignalListener("SIGTERM", async () => {
  await server.shutdown();
  await host.shutdown();
  Deno.exit(0);
});
`;

/** The library and its host, which no test changes. */
const shared = shareFolder("library", async (folder) => {
  await runCli(["new", "shop"], { cwd: folder });
  const shop = join(folder, "shop");
  await writeFiles(shop, shopFiles);
  const manifest = JSON.parse(await Deno.readTextFile(join(shop, "deno.json")));
  const library = {
    ...manifest,
    name: "@acme/shop",
    version: "1.0.0",
    exports: "./fw_gen.ts",
    // The typed links of the generated file extend an interface of fw, which counts as slow.
    lint: { rules: { exclude: ["no-slow-types"] } },
  };
  await writeFiles(shop, { "deno.json": JSON.stringify(library) });
  assertEquals((await runCli(["gen"], { cwd: shop })).code, 0);
  await writeFiles(join(folder, "host"), {
    "deno.json": JSON.stringify({
      imports: { "@fw/fw": manifest.imports["@fw/fw"], "@acme/shop": "jsr:@acme/shop@^1.0" },
      links: [...manifest.links, "../shop"],
      compilerOptions: manifest.compilerOptions,
    }),
    "app.ts": host,
  });
});

function folders(): { readonly shop: string; readonly host: string } {
  return { shop: join(shared(), "shop"), host: join(shared(), "host") };
}

/** Behaviour of the mounted application, and of the host. */
async function checkMounted(app: RunningApp): Promise<void> {
  const text = async (path: string): Promise<string> => {
    const response = await app.get(path);
    return `${response.status} ${await response.text()}`;
  };
  assertEquals(await text("/"), "200 host of /");
  assertEquals(await text("/shopping"), "200 host of /shopping");
  assertEquals(await text("/shop/price.txt"), "200 12 EUR");
  assertEquals(await text("/price.txt"), "200 host of /price.txt");
  assertStringIncludes(await text("/shop"), "Your app is running");
  assertStringIncludes(await text("/shop/api/hello"), "Hello, world!");
  assertStringIncludes(await text("/shop/_fw/health/live"), '"status":"pass"');
  await checkForm(app);
  assertStringIncludes(app.output(), '"path":"/shop/items/7"');
}

/** A form posts to the base path, its cookie is limited to it, and its redirect stays there. */
async function checkForm(app: RunningApp): Promise<void> {
  const page = await app.get("/shop/items/7");
  const html = await page.text();
  assertStringIncludes(html, 'action="/shop/items/7"');
  const cookie = page.headers.getSetCookie().find((each) => each.startsWith("fw_csrf.shop=")) ?? "";
  assertStringIncludes(cookie, "Path=/shop");
  const token = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const send = async (body: Record<string, string>): Promise<Response> =>
    await app.get("/shop/items/7", {
      method: "POST",
      redirect: "manual",
      headers: { cookie: cookie.split(";")[0] ?? "" },
      body: new URLSearchParams(body),
    });
  const refused = await send({});
  await refused.body?.cancel();
  assertEquals(refused.status, 403);
  const taken = await send({ _csrf: token, count: "2" });
  await taken.body?.cancel();
  assertEquals([taken.status, taken.headers.get("location")], [303, "/shop/items/7"]);
}

Deno.test("an application mounts a library under a base path", async () => {
  const cwd = folders().host;
  const { code, output } = await checkTypes(["app.ts"], cwd);
  assertEquals(code, 0, output);
  const env = { FW_SECRET: "x".repeat(32) };
  await using app = startApp("deno run -A --no-check app.ts", { cwd, env });
  await checkMounted(app);
  app.kill("SIGTERM");
  assertEquals((await app.ended()).code, 0);
  assertEquals(app.output().match(/the shop has closed/g)?.length, 1);
});

Deno.test("a library starts no server, is a package, and its tests run", async () => {
  const { shop } = folders();
  const generated = await Deno.readTextFile(join(shop, "fw_gen.ts"));
  assert(!generated.includes("import.meta.main"));
  for (const args of [["lint"], ["task", "test", "--no-check"]]) {
    const { code, output } = await deno(args, shop);
    assertEquals(code, 0, output);
  }
  const { code, output } = await checkTypes(["."], shop);
  assertEquals(code, 0, output);
});

Deno.test("dev and build explain why they do not apply to a library", async () => {
  for (const command of ["dev", "build"]) {
    const { code, stdout, stderr } = await runCli([command], { cwd: folders().shop });
    const reason = 'deno.json has "exports", so this application is a library that a host mounts';
    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(stderr, `Cannot run "${command}" here: ${reason}. Run "${command}" in`);
  }
});
