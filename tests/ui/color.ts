/** Colours as stylesheets write them, and how well one is read on another. */

/** A colour in Oklab (CSS Color 4, section 9.2). */
export interface Oklab {
  readonly lightness: number;
  readonly a: number;
  readonly b: number;
}

/** Reads `oklch(L C H)`. */
export function parseOklch(text: string): Oklab {
  const found = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(text);
  if (found === null) throw new TypeError(`"${text}" is not an oklch()`);
  const [, lightness, chroma, hue] = found.map(Number);
  const angle = (hue ?? 0) * Math.PI / 180;
  return {
    lightness: lightness ?? 0,
    a: (chroma ?? 0) * Math.cos(angle),
    b: (chroma ?? 0) * Math.sin(angle),
  };
}

/** `color-mix(in oklab, top share, under)`. */
export function mix(top: Oklab, under: Oklab, { share }: { readonly share: number }): Oklab {
  const part = (name: keyof Oklab): number => top[name] * share + under[name] * (1 - share);
  return { lightness: part("lightness"), a: part("a"), b: part("b") };
}

/** The contrast of two colours (WCAG 2.2), from 1 to 21; what sRGB cannot show is clipped. */
export function contrast(one: Oklab, other: Oklab): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

function luminance({ lightness, a, b }: Oklab): number {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function clip(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}

/** The custom properties of the first block whose selector this is. */
export function readBlock(css: string, selector: string): ReadonlyMap<string, string> {
  const start = css.indexOf(`${selector} {`);
  if (start < 0) throw new TypeError(`the stylesheet has no block "${selector}"`);
  const block = css.slice(css.indexOf("{", start) + 1, css.indexOf("}", start));
  return new Map(
    [...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map((
      [, name = "", value = ""],
    ) => [name, value]),
  );
}
