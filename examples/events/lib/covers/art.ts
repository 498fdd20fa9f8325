import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import type { Category } from "../categories.ts";
import { motifs } from "./motifs.ts";

/** The colours of a cover: ground, figure, second figure, and the sun. */
type Palette = readonly [ground: string, figure: string, second: string, sun: string];

const palettes: Readonly<Record<Category, Palette>> = {
  music: ["#f0e9d8", "#1f3f95", "#8fb0dd", "#e2a23b"],
  stage: ["#f4e6dc", "#7d2136", "#d79a86", "#e9b949"],
  film: ["#e8e2d3", "#22303c", "#7d99a8", "#d8603f"],
  art: ["#efe8ee", "#4a2f7c", "#b39fd0", "#ee9f43"],
  talks: ["#edeedd", "#23574a", "#92b8a2", "#dd9c4e"],
  food: ["#f8ead6", "#ad4428", "#e6a77c", "#61793a"],
  outdoors: ["#ebf0df", "#1b6468", "#83bcae", "#f0b445"],
  workshops: ["#f2e7d6", "#594331", "#c39b72", "#2c7682"],
};

/** The side of a tile, and the numbers of columns and rows of a cover. */
const side = 120;
const columns = 8;
const rows = 5;

/** Tiles overlap by half a unit, so that the ground does not show between them as a hairline. */
const overlap = h.transform("translate(-0.6 -0.6) scale(1.01)");

/** The event data from which a cover is drawn. */
export interface CoverSubject {
  readonly slug: string;
  readonly category: Category;
}

/** Returns a short text that changes with the cover of an event: the `v` of its URL. */
export function coverVersion(subject: CoverSubject): string {
  return hashOf(`${subject.category}/${subject.slug}`).toString(36);
}

/**
 * Draws the cover of an event: a wall of tiles in the colours of its category, and a sun in front of
 * it. The same event always has the same cover.
 *
 * @returns An SVG document, 960 by 600.
 */
export function drawCover(subject: CoverSubject): string {
  const [ground, figure, second, sun] = palettes[subject.category];
  const seed = hashOf(subject.slug);
  const first = motifs[seed % motifs.length] ?? plain;
  const other = motifs[(seed + 1 + (seed >>> 8) % (motifs.length - 1)) % motifs.length] ?? plain;
  const width = side * columns;
  const height = side * rows;
  return h.render(h.svg(
    h.xmlns("http://www.w3.org/2000/svg"),
    h.viewBox(`0 0 ${width} ${height}`),
    h.width(width),
    h.height(height),
    h.defs(
      h.g(h.id("a"), overlap, first(figure, second)),
      h.g(h.id("b"), overlap, other(second, figure)),
    ),
    h.rect(h.width(width), h.height(height), h.fill(ground)),
    h.map(cells(), (cell) => drawTile(cell, seed)),
    drawSun(seed, sun),
  ));
}

interface Cell {
  readonly column: number;
  readonly row: number;
}

function cells(): Cell[] {
  return Array.from({ length: columns * rows }, (_, index) => ({
    column: index % columns,
    row: Math.floor(index / columns),
  }));
}

/** Draws one tile, rotated by one of three rules. */
function drawTile({ column, row }: Cell, seed: number): Node {
  const isFirst = (column + row * ((seed >>> 4) % 2)) % 2 === 0;
  const quarters = [
    (column % 2) + (row % 2) * (column % 2 === 0 ? 3 : 1),
    (column + row) % 4,
    hashOf(`${seed}:${column}:${row}`) % 4,
  ][(seed >>> 12) % 3] ?? 0;
  const turn = quarters === 0 ? "" : ` rotate(${quarters * 90} ${side / 2} ${side / 2})`;
  return h.use(
    h.href(isFirst ? "#a" : "#b"),
    h.transform(`translate(${column * side} ${row * side})${turn}`),
  );
}

function drawSun(seed: number, color: string): Node {
  const column = 2 + (seed >>> 16) % 5;
  const row = 1 + (seed >>> 20) % 4;
  return h.circle(h.cx(column * side), h.cy(row * side), h.r(side), h.fill(color));
}

function plain(): Node {
  return h.g();
}

/** Returns a 32-bit FNV-1a hash, so that the same text always gives the same image. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  // The low bits of FNV are weak, so mix in the high ones.
  return (hash ^ (hash >>> 15)) >>> 0;
}
