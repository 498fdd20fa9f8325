import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import { gzipSync } from "node:zlib";
import { style, theme } from "../../ui/files/mod.ts";

/** The parts of `ui.css`, each with its layer and text. */
const folder = new URL("../../ui/style/", import.meta.url);
const main = Deno.readTextFileSync(new URL("main.css", folder));
const parts = [...main.matchAll(/^@import "\.\/([\w/-]+\.css)" layer\(ui\.\w+\);$/gm)]
  .map(([, name = ""]) => name);
const source = parts.map((name) => Deno.readTextFileSync(new URL(name, folder))).join("\n");

const sizes: [name: string, text: string, maxBytes: number][] = [
  ["ui.css", style, 14 * 1024],
  ["ui.theme.css", theme, 1.25 * 1024],
];
for (const [name, text, maxBytes] of sizes) {
  Deno.test(`${name}: at most ${maxBytes} bytes in gzip`, () => {
    assertLessOrEqual(gzipSync(text, { level: 9 }).length, maxBytes);
  });
}

/** The rules without comments and strings. */
const rules = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/"[^"]*"/g, '""');

Deno.test("ui.css: every part is in a layer, so an application's own rules override it", () => {
  const files = [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory
      ? [...Deno.readDirSync(new URL(`${name}/`, folder))].map((file) => `${name}/${file.name}`)
      : [name]
  );
  assertEquals(files.sort(), [...parts, "main.css"].sort());
  const found = main.replace(/^@import .* layer\(ui\.\w+\);$/gm, "").trim();
  assertEquals(found, "@layer starter, ui.base, ui.parts, ui.looks;");
});

Deno.test("ui.css: every class starts with ui- or is a theme's", () => {
  const classes = new Set([...rules.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = ""]) => name));
  assertEquals([...classes].filter((name) => !name.startsWith("ui-") && name !== "dark"), []);
});

Deno.test("ui.css: uses start and end, not left and right", () => {
  const sided =
    /(?<![-\w])(?:(?:margin|padding|border|scroll-margin)-(?:left|right)|left|right|float: (?:left|right)|text-align: (?:left|right))\s*:/g;
  assertEquals([...rules.matchAll(sided)].map(([text]) => text), []);
});

Deno.test("ui.css: animates only if the user did not ask for reduced motion", () => {
  const still = withoutMedia(rules, "prefers-reduced-motion: no-preference")
    // Elements that show progress keep moving, slowly.
    .replace(/\[aria-busy="?"?[^{}]*\{[^{}]*\}/g, "")
    .replace(/@keyframes [\w-]+ \{(?:[^{}]|\{[^{}]*\})*\}/g, "");
  assertEquals([...still.matchAll(/(?<![-\w])(?:transition|animation)\b[^;]*;/g)], []);
  assert(rules.includes("prefers-reduced-motion"));
});

for (const feature of ["forced-colors: active", "print", "scripting: none", "pointer: coarse"]) {
  Deno.test(`ui.css: has rules for ${feature}`, () => {
    assert(withoutMedia(rules, feature).length < rules.length);
  });
}

Deno.test("ui.css: loads nothing, so no policy blocks it", () => {
  assertEquals([...style.matchAll(/url\(|@import/g)], []);
});

function withoutMedia(css: string, feature: string): string {
  let out = "";
  let rest = css;
  for (;;) {
    const start = rest.search(/@media/);
    if (start < 0) return out + rest;
    const open = rest.indexOf("{", start);
    let depth = 1;
    let end = open + 1;
    for (; depth > 0; end++) depth += rest[end] === "{" ? 1 : rest[end] === "}" ? -1 : 0;
    out += rest.slice(0, start);
    if (!rest.slice(start, open).includes(feature)) out += rest.slice(start, end);
    rest = rest.slice(end);
  }
}
