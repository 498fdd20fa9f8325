import { assert, assertEquals } from "@std/assert";
import { exposureChecks } from "../../../cli/audit/exposure.ts";
import { brandTheme, contrastFaults, formatOklch, parseHex } from "../../../cli/project/theme.ts";
import { theme } from "../../../ui/files/mod.ts";
import { cpuMs } from "../../cpu_time.ts";
import { measureSlowness } from "../../slowness.ts";
import { testRows } from "./rows.ts";

const faint = theme.replace("--muted-foreground: oklch(0.48", "--muted-foreground: oklch(0.78");

testRows("contrast", exposureChecks.contrast, [
  ["no theme", "ok"],
  ["the kit's own theme", "ok", { "public/ui.theme.css": theme }],
  [
    "text that is too faint, on each background",
    [
      "warning --muted-foreground on --background at public/ui.theme.css:7",
      "warning --muted-foreground on --card",
      "warning --muted-foreground on --sidebar",
    ],
    { "public/ui.theme.css": faint },
  ],
  ["colours in another format are skipped", "ok", {
    "public/ui.theme.css": ":root {\n  --background: #fff;\n  --foreground: #eee;\n}\n",
  }],
]);

for (const hex of ["#2563eb", "#ffd400", "#0f0", "#000", "#fff", "#dc2626", "#14b8a6", "#fce7f3"]) {
  Deno.test(`brandTheme: ${hex} is legible in both themes, with and without a script`, () => {
    const color = parseHex(hex);
    const painted = color && brandTheme(theme, color);
    assertEquals(painted && contrastFaults(painted), []);
    const [, dark, copy] = [...(painted ?? "").matchAll(/--primary: ([^;]*);/g)].map((m) => m[1]);
    assertEquals(dark, copy);
  });
}

const colors: readonly (readonly [hex: string, oklch: string | undefined])[] = [
  ["#fff", "oklch(1 0 89.9)"],
  ["#2563eb", "oklch(0.546 0.215 262.9)"],
  ["2563eb", undefined],
  ["#25", undefined],
  ["red", undefined],
];
for (const [hex, want] of colors) {
  Deno.test(`parseHex: ${hex}`, () => {
    const color = parseHex(hex);
    assertEquals(color && formatOklch(color), want);
  });
}

Deno.test("contrastFaults: skips declarations and comments without an end in one pass", () => {
  const limitMs = 500 * measureSlowness();
  for (const part of ["--a:", "/*", "--a: oklch( ", ":root {"]) {
    const startMs = cpuMs();
    assertEquals(contrastFaults(`:root {${part.repeat(100_000)}`), []);
    const spentMs = cpuMs() - startMs;
    assert(spentMs < limitMs, `${part}: ${spentMs} ms`);
  }
});

Deno.test("brandTheme refuses a sheet without the blocks of a theme", () => {
  assertEquals(brandTheme("body {}", { lightness: 0.5, chroma: 0.2, hue: 20 }), undefined);
});
