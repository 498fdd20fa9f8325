/**
 * The picture of the layers, `docs/layers.svg`, drawn from the imports of the code. An arrow points
 * from a layer to one that it imports; an arrow that follows from two others is left out.
 *
 * `deno task map` writes the file; a house test compares it.
 */
import { join } from "@std/path";
import { layerOf, resolveImport, runtimeRows } from "../tests/house/layers/layers.ts";
import type { ImportGraph } from "../tests/house/layers/layers.ts";
import { readGraph } from "../tests/house/layers/package_graph.ts";
import { readEntries, root } from "./workspace.ts";

export const mapPath = "docs/layers.svg";

const rows: readonly (readonly string[])[] = [
  ...runtimeRows.slice(0, -1).map((row) =>
    row.includes("runtime/listen") ? [...row, "runtime/addon.ts"] : row
  ),
  ["mod.ts", "runtime/testing"],
  ["cache", "ui", "auth", "ai", "tmpl", "data"],
  ["cli"],
];

type Edges = ReadonlyMap<string, ReadonlySet<string>>;

function readEdges(graph: ImportGraph, entries: ReadonlyMap<string, string>): Edges {
  const edges = new Map<string, Set<string>>();
  for (const [path, imports] of graph) {
    const from = layerOf(path);
    if (from === undefined) continue;
    for (const { specifier } of imports) {
      const target = specifier.startsWith(".")
        ? resolveImport(path, specifier)
        : entries.get(specifier);
      const to = target === undefined ? undefined : layerOf(target);
      if (to === undefined || to === from) continue;
      const known = edges.get(from) ?? new Set();
      edges.set(from, known.add(to));
    }
  }
  return edges;
}

function reduceEdges(edges: Edges): [from: string, to: string][] {
  const reaches = (from: string, to: string): boolean =>
    [...edges.get(from) ?? []].some((next) => next === to || reaches(next, to));
  return [...edges].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((other) => other !== to && reaches(other, to)))
      .map((to): [string, string] => [from, to])
  ).sort((a, b) => a.join().localeCompare(b.join(), "en"));
}

interface Box {
  readonly x: number;
  readonly y: number;
}

const width = 780;
const boxWidth = 136;
const boxHeight = 30;
const rowHeight = 58;

function placeBoxes(): Map<string, Box> {
  const boxes = new Map<string, Box>();
  for (const [index, row] of rows.entries()) {
    const y = 20 + (rows.length - 1 - index) * rowHeight;
    const step = width / row.length;
    for (const [at, name] of row.entries()) {
      boxes.set(name, { x: Math.round(step * (at + 0.5)), y });
    }
  }
  return boxes;
}

function boxText(name: string, { x, y }: Box): string {
  const left = x - boxWidth / 2;
  return `<rect x="${left}" y="${y}" width="${boxWidth}" height="${boxHeight}" rx="6"/>` +
    `<text x="${x}" y="${y + 20}">${name.replace("runtime/", "")}</text>`;
}

function arrowText(from: Box, to: Box): string {
  const [x1, y1, x2, y2] = [from.x, from.y + boxHeight, to.x, to.y - 3];
  const bend = Math.max(18, (y2 - y1) / 3);
  return `<path d="M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}"/>`;
}

export async function drawMap(): Promise<string> {
  const entries = new Map((await readEntries()).map(({ specifier, path }) => [specifier, path]));
  const boxes = placeBoxes();
  const arrows = reduceEdges(readEdges(await readGraph(), entries)).flatMap(([from, to]) => {
    const [start, end] = [boxes.get(from), boxes.get(to)];
    return start === undefined || end === undefined ? [] : [arrowText(start, end)];
  });
  const height = 40 + rows.length * rowHeight - (rowHeight - boxHeight);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    "<title>The layers of fw: an arrow points to what a layer imports</title>",
    "<style>rect{fill:#eef2f7;stroke:#5b6b80}text{font:14px sans-serif;text-anchor:middle;" +
    "fill:#16202c}path{fill:none;stroke:#5b6b80;marker-end:url(#a)}</style>",
    `<rect width="${width}" height="${height}" style="fill:#fff;stroke:none"/>`,
    '<marker id="a" viewBox="0 0 6 6" refX="5" refY="3" markerWidth="6" markerHeight="6" ' +
    'orient="auto"><path d="M0 0L6 3L0 6z" style="fill:#5b6b80;stroke:none"/></marker>',
    ...arrows,
    ...[...boxes].map(([name, box]) => boxText(name, box)),
    "</svg>",
    "",
  ].join("\n");
}

if (import.meta.main) await Deno.writeTextFile(join(root, mapPath), await drawMap());
