/** Checks the contrast of a theme, `public/ui.theme.css`, and applies a brand colour. */

/** A colour in OKLCH (CSS Color 4, section 9.4); the hue in degrees. */
export interface Oklch {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

export function parseOklch(text: string): Oklch | undefined {
  const found = /^oklch\(\s*([\d.]+)(%?)\s+([\d.]+)\s+([\d.]+)(?:deg)?\s*\)$/.exec(text.trim());
  if (found === null) return undefined;
  const [, lightness, percent, chroma, hue] = found;
  const scale = percent === "%" ? 100 : 1;
  return { lightness: Number(lightness) / scale, chroma: Number(chroma), hue: Number(hue) };
}

export function parseHex(text: string): Oklch | undefined {
  if (!/^#(?:[\da-f]{3}|[\da-f]{6})$/i.test(text)) return undefined;
  const digits = text.length === 4 ? text.slice(1).replace(/./g, "$&$&") : text.slice(1);
  const [red = 0, green = 0, blue = 0] = [0, 2, 4]
    .map((at) => linear(Number.parseInt(digits.slice(at, at + 2), 16) / 255));
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  const hue = Math.atan2(b, a) * 180 / Math.PI;
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, b),
    hue: hue < 0 ? hue + 360 : hue,
  };
}

export function formatOklch({ lightness, chroma, hue }: Oklch): string {
  const round = (value: number, digits: number): number => Number(value.toFixed(digits));
  return `oklch(${round(lightness, 3)} ${round(chroma, 3)} ${round(hue, 1)})`;
}

/** Returns the contrast of two colours (WCAG 2.2), from 1 to 21, clipped to sRGB. */
export function contrast(one: Oklch, other: Oklch): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function luminance({ lightness, chroma, hue }: Oklch): number {
  const a = chroma * Math.cos(hue * Math.PI / 180);
  const b = chroma * Math.sin(hue * Math.PI / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number): number => Math.min(Math.max(value, 0), 1);
  return 0.2126 * clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s) +
    0.7152 * clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s) +
    0.0722 * clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
}

const themeBlocks = [":root", ".dark"] as const;

function parseColors(css: string, selector: typeof themeBlocks[number]): Map<string, Oklch> {
  const plain = css.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, "");
  const start = plain.indexOf(`${selector} {`);
  if (start < 0) return new Map();
  const block = plain.slice(plain.indexOf("{", start) + 1, plain.indexOf("}", start));
  const colors = new Map<string, Oklch>();
  for (const each of block.split(";")) {
    const [, name = "", value = ""] = /^\s*--([\w-]+):([^:]+)$/.exec(each) ?? [];
    const color = parseOklch(value);
    if (color !== undefined) colors.set(name, color);
  }
  return colors;
}

/** Pairs with their minimum contrast: 4.5 for text, 3 for edges and the ring (WCAG 2.2 AA). */
const pairs: readonly (readonly [front: string, ground: string, least: number])[] = [
  ["foreground", "background", 4.5],
  ...["card", "popover", "primary", "secondary", "accent", "destructive"]
    .map((name) => [`${name}-foreground`, name, 4.5] as const),
  ...["background", "card", "sidebar"].map((name) => ["muted-foreground", name, 4.5] as const),
  ...["background", "card"].map((name) => ["link", name, 4.5] as const),
  ...["background", "card"].map((name) => ["input", name, 3] as const),
  ...["background", "card"].map((name) => ["ring", name, 3] as const),
];

export function contrastFaults(css: string): {
  readonly block: typeof themeBlocks[number];
  readonly front: string;
  readonly ground: string;
  readonly ratio: number;
  readonly least: number;
}[] {
  return themeBlocks.flatMap((block) => {
    const colors = parseColors(css, block);
    return pairs.flatMap(([front, ground, least]) => {
      // Without `--link`, links have the colour `--primary`.
      const one = colors.get(front) ?? (front === "link" ? colors.get("primary") : undefined);
      const other = colors.get(ground);
      if (one === undefined || other === undefined) return [];
      const ratio = contrast(one, other);
      return ratio >= least ? [] : [{ block, front, ground, ratio, least }];
    });
  });
}

const white: Oklch = { lightness: 1, chroma: 0, hue: 0 };

const names = ["primary", "link", "ring", "chart-1"] as const;

/** Sets a brand colour in both blocks, adjusted for contrast; `undefined` without the blocks. */
export function brandTheme(css: string, brand: Oklch): string | undefined {
  let text = css;
  for (const block of themeBlocks) {
    const colors = parseColors(css, block);
    const grounds = ["background", "card", "sidebar"].flatMap((name) => colors.get(name) ?? []);
    if (grounds.length === 0 || !colors.has("primary")) return undefined;
    const isDark = block === ".dark";
    const made = new Map(names.map((name) => [name, tune(brand, { name, grounds, isDark })]));
    for (const [name, color] of made) {
      const value = formatOklch(color);
      text = setColor(text, { block, name, value });
      if (name === "primary" || name === "ring") {
        text = setColor(text, { block, name: `sidebar-${name}`, value });
      }
    }
    const onPrimary = formatOklch(white);
    text = setColor(text, { block, name: "primary-foreground", value: onPrimary });
    text = setColor(text, { block, name: "sidebar-primary-foreground", value: onPrimary });
  }
  return text;
}

/** Changes the lightness of a colour by small steps until its contrast suffices. */
function tune(
  { lightness, chroma, hue }: Oklch,
  { name, grounds, isDark }: {
    readonly name: typeof names[number];
    readonly grounds: readonly Oklch[];
    readonly isDark: boolean;
  },
): Oklch {
  const least = name === "link" ? 4.5 : 3;
  // In the dark block, links and marks are light and soft, while the fill stays deep.
  const isSoft = isDark && name !== "primary";
  let color: Oklch = {
    lightness: isSoft
      ? (name === "link" ? 0.78 : 0.7)
      // The fill is never white, nor black in the dark block.
      : Math.min(Math.max(lightness, isDark ? 0.42 : 0), 0.98),
    chroma: isSoft && name === "link" ? Math.min(chroma, 0.11) : chroma,
    hue,
  };
  const fits = (): boolean =>
    name === "primary"
      // The margin leaves room for the hover colour.
      ? contrast(white, color) >= (isDark ? 5 : 4.6)
      : grounds.every((ground) => contrast(color, ground) >= least);
  const step = isSoft ? 0.005 : -0.005;
  while (!fits() && color.lightness > 0.01 && color.lightness < 0.99) {
    color = { ...color, lightness: color.lightness + step };
  }
  return color;
}

/** Sets a colour in a block, and for `.dark` also in its copy for browsers without a script. */
function setColor(
  css: string,
  { block, name, value }: { readonly block: string; readonly name: string; readonly value: string },
): string {
  const escaped = block.replace(".", "\\.");
  const own = new RegExp(`(^${escaped} \\{[^}]*?--${name}:)[^;]*`, "m");
  const dark = String.raw`^@media [^{]*\{\s*:root(?::not\(\.light\))? \{`;
  const copy = new RegExp(`(${dark}[^}]*?--${name}:)[^;]*`, "m");
  const set = (text: string, pattern: RegExp): string =>
    text.replace(pattern, (_, before: string) => `${before} ${value}`);
  return block === ".dark" ? set(set(css, own), copy) : set(css, own);
}
