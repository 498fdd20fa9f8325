import { assertEquals } from "@std/assert";
import * as h from "../../../html/mod.ts";
import { App, createLogger, type Env } from "../../../mod.ts";
import * as ui from "../../../ui/mod.ts";

/** Returns the warnings of an application whose page reads these assets, requested twice. */
async function warningsOf(
  names: readonly string[],
  { env = "dev", files = true }: { readonly env?: Env; readonly files?: boolean } = {},
): Promise<readonly [message: string, fix: string][]> {
  const lines: string[] = [];
  const app = new App({
    env,
    secret: "k".repeat(32),
    logger: createLogger({ format: "json", write: (line) => void lines.push(line) }),
    ...(files ? { public: new URL("../../../examples/gallery/public/", import.meta.url) } : {}),
  });
  app.route({
    pattern: "/",
    page: (c) =>
      h.p(names.map((name) => c.asset(name)).join(" "), names.length === 0 && ui.head(c)),
  });
  for (let turn = 0; turn < 2; turn++) {
    await (await app.fetch(new Request("http://localhost/"))).text();
  }
  await app.shutdown();
  return lines.flatMap((text) => text.trim().split("\n")).map((line) => JSON.parse(line))
    .filter(({ level }) => level === "WARN" || level === "warn")
    .map(({ msg, message, fix }) => [msg ?? message, fix]);
}

const rows: readonly [
  name: string,
  assets: readonly string[],
  options: Parameters<typeof warningsOf>[1],
  missing: readonly string[],
][] = [
  ["files that are there", ["/ui.css", "gallery.css", "/ui.js?x=1#y"], {}, []],
  ["a misspelt name", ["/galery.css"], {}, ["galery.css"]],
  [
    "ui.head without the kit's files",
    [],
    { files: false },
    ["ui.theme.css", "ui.css", "ui.js", "ui.swap.js", "ui.live.js", "ui.parts.js"],
  ],
  ["no warning in production", ["/galery.css"], { env: "prod" }, []],
];

for (const [name, assets, options, missing] of rows) {
  Deno.test(`c.asset in development: ${name}`, async () => {
    assertEquals(
      await warningsOf(assets, options),
      missing.map((file) => [
        `Cannot find the asset "/${file}": public/${file} does not exist`,
        "create the file, or correct the name; `deno task ui` writes those of the component kit, " +
        "with --passkeys also passkeys.js",
      ]),
    );
  });
}

Deno.test("c.asset in development: remembers a limited number of names from clients", async () => {
  const names = Array.from({ length: 500 }, (_, at) => `/none-${at}-${"x".repeat(40)}.css`);
  assertEquals((await warningsOf(names)).length, 100);
});
