/** Drawings for pages that have nothing else to show. */

import * as h from "../../html/mod.ts";
import type { Node } from "../../html/mod.ts";

/** The paths of a drawing: `d`, and its colours as attributes. */
type Stroke = readonly [d: string, attributes: Readonly<Record<string, string>>];

const line = { stroke: "var(--input)" };
const sheet = { stroke: "var(--input)", fill: "var(--card)" };
const accent = { stroke: "var(--link)" };
const leaf = { fill: "var(--chart-5)", stroke: "none" };
const shade = { fill: "var(--muted)", stroke: "none" };
const pot = { fill: "var(--primary)", stroke: "none" };

/**
 * A folder tree with a missing folder, a leaking kettle, a plant with one leaf, an open box, and a lens over rows.
 */
const scenes = {
  missing: [240, 120, [
    ["M8 16v76M8 38h24M8 78h24", line],
    ["M32 24h15l6 6h35v24H32z", sheet],
    ["M32 64h15l6 6h35v24H32z", sheet],
    ["M94 79h34", { ...accent, "stroke-dasharray": "2 6" }],
    ["M136 56h18l7 8h43v44h-68z", { ...accent, "stroke-dasharray": "4 6" }],
    ["M163 81a7 7 0 1 1 9.5 6.5c-1.7.8-2.5 1.9-2.5 3.7M170 97.5v.1", accent],
  ]],
  broken: [240, 120, [
    ["M10 100h220", { stroke: "var(--border)" }],
    ["M54 100c-4-26 2-52 36-52s40 26 36 52z", sheet],
    ["M120 66c14 0 14-18 24-22", { ...line, "stroke-width": "6" }],
    ["M64 48c2-24 50-24 52 0", { ...line, "stroke-width": "4" }],
    ["M82 68l8 8-8 8 8 8", { stroke: "var(--destructive)" }],
    ["M152 30c6-5 0-10 6-16M166 36c6-5 0-10 6-16", line],
    ["M128 100c6 0 8 5 16 5s10-3 18-3", { stroke: "var(--chart-1)", "stroke-width": "3" }],
  ]],
  seedling: [240, 260, [
    ["M151 118c-16-34-52-42-84-30 8 34 48 50 84 30z", { ...line, "stroke-dasharray": "2 6" }],
    ["M148 78c-22-18-24-48-10-72 20 16 26 46 10 72z", { ...line, "stroke-dasharray": "2 6" }],
    ["M150 156c0-34-3-52 4-86", { stroke: "var(--chart-5)", "stroke-width": "5" }],
    ["M153 92c10-44 48-62 84-56-2 40-40 66-84 56z", leaf],
    ["M165 84c18-20 36-30 56-38", { stroke: "var(--card)" }],
    ["M64 252a87 7 0 1 0 174 0a87 7 0 1 0-174 0", shade],
    ["M92 140h118v22H92zM100 162h102l-12 78c-1 8-7 13-15 13h-48c-8 0-14-5-15-13z", pot],
  ]],
  box: [170, 120, [
    ["M27 108a58 6 0 1 0 116 0a58 6 0 1 0-116 0", shade],
    ["M45 62h80v36a6 6 0 0 1-6 6H51a6 6 0 0 1-6-6z", sheet],
    ["M45 62 30 46l36-8 19 18M125 62l15-16-36-8-19 18z", { ...line, fill: "var(--secondary)" }],
    ["M73 74h24", line],
    ["M85 40V16M77 24l8-8 8 8", accent],
    ["M118 18l3-7M128 26l7-3M52 18l-3-7M42 26l-7-3", { stroke: "var(--chart-3)" }],
  ]],
  search: [170, 120, [
    ["M33 110a52 5 0 1 0 104 0a52 5 0 1 0-104 0", shade],
    ["M34 20h82v20H34zM34 48h82v20H34zM34 76h82v20H34z", { ...sheet, stroke: "var(--border)" }],
    ["M44 30h34M44 58h24M44 86h30", { ...line, opacity: "0.6" }],
    ["M83 62a23 23 0 1 0 46 0a23 23 0 1 0-46 0", { ...accent, fill: "var(--background)" }],
    ["M123 79l15 15", { ...accent, "stroke-width": "5" }],
    ["M100 56l12 12M112 56l-12 12", accent],
  ]],
} satisfies Record<string, readonly [width: number, height: number, readonly Stroke[]]>;

/**
 * Draws a scene for a missing page, a failed one, a new app, a list without rows, or a search without
 * matches, in the colours of the theme.
 *
 * @param name The drawing.
 * @returns An `svg`, which screen readers skip.
 *
 * @example
 * ```ts
 * import * as ui from "@fw/fw/ui";
 *
 * ui.fault("There is no page here", ui.scene("missing"), ui.buttonLink("/", "Home"));
 * ```
 */
export function scene(name: "missing" | "broken" | "seedling" | "box" | "search"): Node {
  const [width, height, paths] = scenes[name];
  return h.svg(
    h.viewBox(`0 0 ${width} ${height}`),
    h.height(height),
    h.aria("hidden", "true"),
    h.attr("fill", "none"),
    h.attr("stroke-width", "2"),
    h.attr("stroke-linecap", "round"),
    h.attr("stroke-linejoin", "round"),
    h.map(
      paths,
      ([d, attributes]) =>
        h.path(h.d(d), ...Object.entries(attributes).map(([key, value]) => h.attr(key, value))),
    ),
  );
}
