import { assertAlmostEquals, assertEquals, assertGreaterOrEqual } from "@std/assert";
import { theme } from "../../ui/files/mod.ts";
import { contrast, mix, type Oklab, parseOklch, readBlock } from "./color.ts";

const base = Deno.readTextFileSync(new URL("../../ui/style/base/base.css", import.meta.url));

const looks = ["badge", "alert"].map((name) =>
  Deno.readTextFileSync(new URL(`../../ui/style/content/${name}.css`, import.meta.url))
).join("\n");

// The order of the shadcn format; a pasted theme writes these and nothing else.
const surfaces = ["card", "popover", "primary", "secondary", "muted", "accent", "destructive"];
const tones = ["success", "warning", "info"] as const;
const names = [
  "background",
  "foreground",
  ...surfaces.flatMap((name) => [name, `${name}-foreground`]),
  "border",
  "input",
  "ring",
  ...[1, 2, 3, 4, 5].map((at) => `chart-${at}`),
  "sidebar",
  "sidebar-foreground",
  ...["primary", "accent"].flatMap((name) => [`sidebar-${name}`, `sidebar-${name}-foreground`]),
  "sidebar-border",
  "sidebar-ring",
  // The framework's own: text and marks in the brand's colour.
  "link",
];

const light = readBlock(theme, ":root");
const dark = readBlock(theme, ".dark");
const withoutScript = readBlock(theme.slice(theme.indexOf("@media")), ":root:not(.light)");

Deno.test("ui.theme.css: both blocks have the names of the format, in its order", () => {
  assertEquals([...light.keys()], ["radius", ...names]);
  assertEquals([...dark.keys()], names);
});

Deno.test("ui.theme.css: every colour is an oklch()", () => {
  for (const block of [light, dark]) {
    for (const [name, value] of block) if (name !== "radius") parseOklch(value);
  }
});

Deno.test("ui.theme.css: without a script a dark system gets the same dark colours", () => {
  assertEquals([...withoutScript], [...dark]);
});

/** The colours of one theme, with those that the stylesheet adds. */
function paletteOf(scheme: "light" | "dark"): (name: string) => Oklab {
  const block = scheme === "light" ? light : dark;
  const added = new Map(tones.map((tone) => {
    const found = new RegExp(
      `--ui-${tone}: var\\(\\s*--${tone},\\s*light-dark\\((oklch\\([^)]*\\)), (oklch\\([^)]*\\))\\)`,
    ).exec(base);
    return [tone as string, found?.[scheme === "light" ? 1 : 2] ?? ""];
  }));
  return (name) => {
    const color = parseOklch(
      block.get(name === "bad" ? "destructive" : name) ?? added.get(name) ?? "",
    );
    // Red as a text: the sheet makes it lighter in the dark.
    return name === "bad" && scheme === "dark" ? lighter(color) : color;
  };
}

/** `oklch(from color max(l, 0.75) min(c, 0.14) h)`. */
function lighter({ lightness, a, b }: Oklab): Oklab {
  const share = Math.min(1, 0.14 / Math.hypot(a, b));
  return { lightness: Math.max(lightness, 0.75), a: a * share, b: b * share };
}

/** Text on its ground; 4.5 is what WCAG 2.2 AA asks for (1.4.3). */
const texts: [text: string, ground: string][] = [
  ["foreground", "background"],
  ...surfaces.map((name): [string, string] => [`${name}-foreground`, name]),
  ["foreground", "muted"],
  ...["background", "card", "popover", "sidebar"].flatMap((ground): [string, string][] => [
    ["muted-foreground", ground],
    ["link", ground],
    ["bad", ground],
  ]),
  ["foreground", "secondary"],
  ["sidebar-foreground", "sidebar"],
  ["sidebar-primary-foreground", "sidebar-primary"],
  ["sidebar-accent-foreground", "sidebar-accent"],
  // A tip is drawn the other way round.
  ["background", "foreground"],
  ...tones.flatMap((tone): [string, string][] => [[tone, "card"], [tone, "background"], [
    tone,
    "muted",
  ]]),
];

/** What is not a string but must be seen: the edge of a control, the ring of the focus (1.4.11). */
const shapes: [shape: string, ground: string][] = ["input", "ring", "primary"].flatMap((shape) =>
  ["background", "card", "popover"].map((ground): [string, string] => [shape, ground])
);

for (const scheme of ["light", "dark"] as const) {
  const colorOf = paletteOf(scheme);

  for (const [text, ground] of texts) {
    Deno.test(`ui.theme.css, ${scheme}: ${text} is read on ${ground}`, () => {
      assertGreaterOrEqual(contrast(colorOf(text), colorOf(ground)), 4.5);
    });
  }

  for (const [shape, ground] of shapes) {
    Deno.test(`ui.theme.css, ${scheme}: ${shape} is seen on ${ground}`, () => {
      assertGreaterOrEqual(contrast(colorOf(shape), colorOf(ground)), 3);
    });
  }

  for (const tone of [...tones, "bad"]) {
    for (const share of sharesOf(looks)) {
      Deno.test(`ui.css, ${scheme}: ${tone} is read on ${share} of itself`, () => {
        const [text, card] = [colorOf(tone), colorOf("card")];
        assertGreaterOrEqual(contrast(text, mix(text, card, { share })), 4.5);
      });
    }
  }

  Deno.test(`ui.css, ${scheme}: a button that is pointed at is read`, () => {
    for (const name of ["primary", "secondary", "destructive"]) {
      const face = mix(colorOf(name), colorOf("foreground"), { share: 0.94 });
      assertGreaterOrEqual(contrast(colorOf(`${name}-foreground`), face), 4.5);
    }
  });
}

/** How much of its own tone stands behind a text, in the looks of badges and alerts. */
function sharesOf(css: string): number[] {
  return [...css.matchAll(/background: color-mix\(in oklab, var\(--ui-tone\) (\d+)%/g)]
    .map(([, percent]) => Number(percent) / 100);
}

const known: [one: string, other: string, want: number][] = [
  ["oklch(1 0 0)", "oklch(0 0 0)", 21],
  // #767676 on white, the usual example of 4.54.
  ["oklch(0.5659 0 0)", "oklch(1 0 0)", 4.54],
  // #0000ff on white.
  ["oklch(0.45201 0.31321 264.052)", "oklch(1 0 0)", 8.59],
];
for (const [one, other, want] of known) {
  Deno.test(`contrast: ${one} on ${other} is ${want}`, () => {
    assertAlmostEquals(contrast(parseOklch(one), parseOklch(other)), want, 0.02);
  });
}
