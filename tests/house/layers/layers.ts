/** Layers are folders: which layer may import which, and imports form no cycle. */
import { dirname, join } from "@std/path";
import type { FoundImport } from "./imports.ts";

/** The files of the packages by path relative to the root, each with its imports. */
export type ImportGraph = ReadonlyMap<string, readonly FoundImport[]>;

/** Further input of the rules. */
export interface LayerOptions {
  /** Path by published specifier: `"@fw/fw/h"` gives `"html/mod.ts"`. */
  entries: ReadonlyMap<string, string>;
  /** The names in the import maps, such as `"@std/path"`. */
  mapped: ReadonlySet<string>;
}

/** The layers of the runtime from the bottom up; layers of one row never import each other. */
const runtimeRows: readonly (readonly string[])[] = [
  ["html"],
  ["runtime/base"],
  ["runtime/i18n"],
  ["runtime/telemetry"],
  ["runtime/schema"],
  ["runtime/body"],
  ["runtime/request"],
  ["runtime/guard", "runtime/serve", "runtime/render"],
  ["runtime/pipeline"],
  ["runtime/listen", "runtime/export"],
  ["runtime/app"],
  ["runtime/testing"],
];

/** The layers of the command line, in the same form. */
const cliRows: readonly (readonly string[])[] = [
  ["cli/io.ts", "cli/problem.ts", "cli/samples.json"],
  ["cli/messages"],
  ["cli/help.ts", "cli/printer.ts"],
  ["cli/stop.ts"],
  ["cli/args.ts"],
  ["cli/project"],
  ["cli/facts"],
  ["cli/gen", "cli/islands"],
  ["cli/audit", "cli/dev", "cli/export", "cli/incident", "cli/scaffold"],
  ["cli/describe"],
  ["cli/build"],
  ["cli/check"],
  ["cli/mcp"],
  ["cli/commands"],
  ["cli/main.ts"],
];

/** Returns each layer with the layers of every row below its own. */
function stack(rows: readonly (readonly string[])[]): Record<string, readonly string[]> {
  return Object.fromEntries(
    rows.flatMap((row, at) => row.map((layer) => [layer, rows.slice(0, at).flat()])),
  );
}

const runtimeStack = stack(runtimeRows);

/** The layers that each layer may import, except itself. */
const allowedLayers: Readonly<Record<string, readonly string[]>> = {
  ...runtimeStack,
  ...stack(cliRows),
  "runtime/addon.ts": runtimeStack["runtime/pipeline"] ?? [],
  "mod.ts": runtimeStack["runtime/testing"] ?? [],
  "cache": ["html"],
  "ui": ["html"],
  "auth": ["html"],
  "ai": ["html"],
  "tmpl": ["html"],
  "data": ["html"],
  // Only its interface: applications pass in the engines.
  "jobs": ["html", "data"],
  "mail": ["html", "jobs"],
  "docs": [],
};

export const layers: readonly string[] = Object.keys(allowedLayers);

const addOns = new Set(["cache", "ui", "auth", "ai", "tmpl", "data", "jobs", "mail"]);

/** Returns the layer of a file, or `undefined`. A layer of one file has its parts in a folder. */
export function layerOf(path: string): string | undefined {
  return layers.find((layer) =>
    path === layer || path.startsWith(`${layer.replace(/\.ts$/, "")}/`)
  );
}

/** Resolves a relative specifier to a path relative to the root. */
export function resolveImport(from: string, specifier: string): string {
  return join(dirname(from), specifier).replaceAll("\\", "/");
}

/** The platform's compiler, the only npm package that a published package may import. */
const compiler = "npm:typescript@6.0.3";

/** Lists every import that violates a rule, as `file:line message`. */
export function findLayerFaults(graph: ImportGraph, options: LayerOptions): string[] {
  const faults: string[] = [];
  for (const [path, imports] of graph) {
    if (layerOf(path) === undefined) faults.push(`${path}:1 belongs to no layer`);
    for (const found of imports) {
      const fault = faultOf(path, found.specifier, options);
      if (fault !== undefined) faults.push(`${path}:${found.line} ${fault}`);
    }
  }
  return faults;
}

function faultOf(path: string, specifier: string, options: LayerOptions): string | undefined {
  const layer = layerOf(path) ?? "";
  const isCli = layer.startsWith("cli/");
  if (specifier.startsWith(".")) {
    return relativeFault(layer, resolveImport(path, specifier), options);
  }
  if (specifier.startsWith("node:")) return undefined;
  // It is in no import map, because `deno task` would install it before every task.
  if (specifier === compiler) {
    return isCli ? undefined : `imports "${specifier}": only cli/ may`;
  }
  if (/^[a-z]+:/.test(specifier)) {
    return `imports "${specifier}": registry and remote names belong in the import map`;
  }
  if (specifier === "@fw/fw" || specifier.startsWith("@fw/")) {
    if (!isCli) {
      return `imports "${specifier}": inside the package, write the relative path`;
    }
    const isPublished = options.entries.has(specifier);
    return isPublished ? undefined : `imports "${specifier}", which is not a published entry`;
  }
  const mappedName = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  if (!options.mapped.has(mappedName)) return `imports "${specifier}", which no import map holds`;
  return undefined;
}

function relativeFault(layer: string, target: string, options: LayerOptions): string | undefined {
  const targetLayer = layerOf(target);
  // Code shared by two commands belongs in a lower layer.
  if (targetLayer === layer && layer !== "cli/commands") return undefined;
  if (targetLayer !== undefined && allowedLayers[layer]?.includes(targetLayer)) return undefined;
  const isPublic = [...options.entries.values()].includes(target) &&
    (targetLayer === "mod.ts" || target.startsWith("runtime/"));
  if (addOns.has(layer) && isPublic) return undefined;
  return `imports ${target}: ${layer === "" ? "a file without layer" : layer} may not import ` +
    `${targetLayer ?? "from outside the layers"}`;
}

/**
 * Finds cycles, as `a.ts → b.ts → a.ts`. Files of one folder may import each other's types, as
 * `Ctx` and `Application` do: the alternative is an interface that repeats part of another.
 */
export function findCircles(graph: ImportGraph): string[] {
  const targets = new Map<string, readonly string[]>();
  const edges: (readonly [from: string, to: string])[] = [];
  for (const [path, imports] of graph) {
    const inside = imports.filter(({ specifier }) => specifier.startsWith("."));
    targets.set(path, inside.map(({ specifier }) => resolveImport(path, specifier)));
    for (const { specifier, isType } of inside) {
      const target = resolveImport(path, specifier);
      const isNeighbour = dirname(target) === dirname(path) && target !== path;
      if (!isType || !isNeighbour) edges.push([path, target]);
    }
  }
  const circles = new Set<string>();
  for (const [from, to] of edges) {
    const way = findWay(targets, to, from);
    if (way !== undefined) circles.add(circleText(way));
  }
  return [...circles];
}

/** Finds the shortest import path, including both ends. */
function findWay(
  targets: ReadonlyMap<string, readonly string[]>,
  start: string,
  end: string,
): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[start, undefined]]);
  for (const path of cameFrom.keys()) {
    if (path === end) return trailTo(cameFrom, end);
    for (const target of targets.get(path) ?? []) {
      if (!cameFrom.has(target)) cameFrom.set(target, path);
    }
  }
  return undefined;
}

function trailTo(cameFrom: ReadonlyMap<string, string | undefined>, end: string): string[] {
  const trail: string[] = [];
  for (let at: string | undefined = end; at !== undefined; at = cameFrom.get(at)) trail.unshift(at);
  return trail;
}

// A cycle starts at its alphabetically first file, so it reads the same from every entry.
function circleText(circle: string[]): string {
  const first = circle.indexOf([...circle].sort()[0] ?? "");
  const turned = [...circle.slice(first), ...circle.slice(0, first)];
  return [...turned, turned[0]].join(" → ");
}
