import { assertAlmostEquals, assertEquals, assertExists, assertGreaterOrEqual } from "@std/assert";
import { theme } from "../../ui/files/mod.ts";
import { contrast, type Oklch, parseOklch } from "../../cli/project/theme.ts";

const base = Deno.readTextFileSync(new URL("../../ui/style/base/base.css", import.meta.url));

const looks = ["badge", "alert"].map((name) =>
  Deno.readTextFileSync(new URL(`../../ui/style/content/${name}.css`, import.meta.url))
).join("\n");

// The order of the shadcn format; a pasted theme sets exactly these.
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
  // The framework's own additions: text and marks in the brand's colour.
  "link",
];

const light = readBlock(theme, ":root");
const dark = readBlock(theme, ".dark");
const withoutScript = readBlock(theme.slice(theme.indexOf("@media")), ":root:not(.light)");

Deno.test("ui.theme.css: both blocks have the variables of the format, in its order", () => {
  assertEquals([[...light.keys()], [...dark.keys()]], [["radius", ...names], names]);
});

Deno.test("ui.theme.css: every colour is an oklch()", () => {
  for (const block of [light, dark]) {
    for (const [name, value] of block) if (name !== "radius") readColor(value);
  }
});

Deno.test("ui.theme.css: dark systems without a script get the same dark colours", () => {
  assertEquals([...withoutScript], [...dark]);
});

/** Returns the colours of one theme, including those that the stylesheet adds. */
function paletteOf(scheme: "light" | "dark"): (name: string) => Oklch {
  const block = scheme === "light" ? light : dark;
  const added = new Map(tones.map((tone) => {
    const found = new RegExp(
      `--ui-${tone}: var\\(\\s*--${tone},\\s*light-dark\\((oklch\\([^)]*\\)), (oklch\\([^)]*\\))\\)`,
    ).exec(base);
    return [tone as string, found?.[scheme === "light" ? 1 : 2] ?? ""];
  }));
  return (name) => {
    const { lightness, chroma, hue } = readColor(
      block.get(name === "bad" ? "destructive" : name) ?? added.get(name) ?? "",
    );
    // Red as text: the stylesheet makes it lighter in dark mode.
    return name === "bad" && scheme === "dark"
      ? { lightness: Math.max(lightness, 0.75), chroma: Math.min(chroma, 0.14), hue }
      : { lightness, chroma, hue };
  };
}

function readColor(text: string): Oklch {
  const color = parseOklch(text);
  assertExists(color, `"${text}" is not an oklch()`);
  return color;
}

/** `color-mix(in oklab, top share, under)`. */
function mix(top: Oklch, under: Oklch, { share }: { readonly share: number }): Oklch {
  const part = (read: (color: Oklch) => number): number =>
    read(top) * share + read(under) * (1 - share);
  const a = part(({ chroma, hue }) => chroma * Math.cos(hue * Math.PI / 180));
  const b = part(({ chroma, hue }) => chroma * Math.sin(hue * Math.PI / 180));
  const hue = Math.atan2(b, a) * 180 / Math.PI;
  return { lightness: part(({ lightness }) => lightness), chroma: Math.hypot(a, b), hue };
}

/** Returns the custom properties of the first block with this selector. */
function readBlock(css: string, selector: string): ReadonlyMap<string, string> {
  const [, block = ""] = css.slice(css.indexOf(`${selector} {`)).match(/\{([^}]*)\}/) ?? [];
  return new Map(
    [...block.matchAll(/--([\w-]+):\s*([^;]+);/g)]
      .map(([, name = "", value = ""]) => [name, value]),
  );
}

/** Text and its background; WCAG 2.2 AA requires 4.5 (1.4.3). */
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
  // A tooltip has inverted colours.
  ["background", "foreground"],
  ...tones.flatMap((tone): [string, string][] => [[tone, "card"], [tone, "background"], [
    tone,
    "muted",
  ]]),
];

/** Shapes that must be visible: the border of a control, the focus ring (1.4.11). */
const shapes: [shape: string, ground: string][] = ["input", "ring", "primary"].flatMap((shape) =>
  ["background", "card", "popover"].map((ground): [string, string] => [shape, ground])
);

for (const scheme of ["light", "dark"] as const) {
  const colorOf = paletteOf(scheme);

  for (const [text, ground] of texts) {
    Deno.test(`ui.theme.css, ${scheme}: ${text} is legible on ${ground}`, () => {
      assertGreaterOrEqual(contrast(colorOf(text), colorOf(ground)), 4.5);
    });
  }

  for (const [shape, ground] of shapes) {
    Deno.test(`ui.theme.css, ${scheme}: ${shape} is visible on ${ground}`, () => {
      assertGreaterOrEqual(contrast(colorOf(shape), colorOf(ground)), 3);
    });
  }

  for (const tone of [...tones, "bad"]) {
    for (const share of sharesOf(looks)) {
      Deno.test(`ui.css, ${scheme}: ${tone} is legible on ${share} of itself`, () => {
        const [text, card] = [colorOf(tone), colorOf("card")];
        assertGreaterOrEqual(contrast(text, mix(text, card, { share })), 4.5);
      });
    }
  }

  Deno.test(`ui.css, ${scheme}: a hovered button is legible`, () => {
    for (const name of ["primary", "secondary", "destructive"]) {
      const face = mix(colorOf(name), colorOf("foreground"), { share: 0.94 });
      assertGreaterOrEqual(contrast(colorOf(`${name}-foreground`), face), 4.5);
    }
  });
}

/** The share of its own tone behind a text, in badges and alerts. */
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
    assertAlmostEquals(contrast(readColor(one), readColor(other)), want, 0.02);
  });
}
