import { contrast, formatOklch, type Oklch, parseColors, themeBlocks } from "./theme.ts";

const white: Oklch = { lightness: 1, chroma: 0, hue: 0 };

const names = ["primary", "link", "ring", "chart-1"] as const;

/** Puts a brand's colour into both blocks of a theme, as light as reading it needs; `undefined` without the blocks. */
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

/** Moves the lightness of a colour by small steps until it is read where it stands. */
function tune(
  { lightness, chroma, hue }: Oklch,
  { name, grounds, isDark }: {
    readonly name: typeof names[number];
    readonly grounds: readonly Oklch[];
    readonly isDark: boolean;
  },
): Oklch {
  const least = name === "link" ? 4.5 : 3;
  // In the dark a string is light and soft, while the fill stays deep.
  const isSoft = isDark && name !== "primary";
  let color: Oklch = {
    lightness: isSoft
      ? (name === "link" ? 0.78 : 0.7)
      // White never becomes the fill, nor black in the dark.
      : Math.min(Math.max(lightness, isDark ? 0.42 : 0), 0.98),
    chroma: isSoft && name === "link" ? Math.min(chroma, 0.11) : chroma,
    hue,
  };
  const fits = (): boolean =>
    name === "primary"
      // The step that hovering takes lies within this.
      ? contrast(white, color) >= (isDark ? 5 : 4.6)
      : grounds.every((ground) => contrast(color, ground) >= least);
  const step = isSoft ? 0.005 : -0.005;
  while (!fits() && color.lightness > 0.01 && color.lightness < 0.99) {
    color = { ...color, lightness: color.lightness + step };
  }
  return color;
}

/** Sets a colour in a block, and for the dark one in its copy for browsers without a script. */
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
