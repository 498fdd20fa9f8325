/** The order inside `cli/`: a row imports the rows above it in this list, never one of its own. */
import { type ImportGraph, resolveImport } from "./layers.ts";

/** The layers from the bottom up; those of one row do not import each other. */
export const cliOrder: readonly (readonly string[])[] = [
  ["cli/io.ts", "cli/problem.ts"],
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

// Each command is a layer of its own: what two of them need belongs below.
const commandsFolder = "cli/commands";

/** Lists every import inside `cli/` that breaks the order, as `file:line message`. */
export function findCliFaults(graph: ImportGraph): string[] {
  const faults: string[] = [];
  for (const [path, imports] of graph) {
    if (!path.startsWith("cli/")) continue;
    const own = layerOf(path);
    if (own === undefined) faults.push(`${path}:1 belongs to no layer of cli/`);
    for (const { specifier, line } of imports) {
      if (own === undefined || !specifier.startsWith(".")) continue;
      const target = resolveImport(path, specifier);
      const other = layerOf(target);
      if (other === undefined || mayImport(own, other)) continue;
      faults.push(`${path}:${line} imports ${target}: ${own.name} may not import ${other.name}`);
    }
  }
  return faults;
}

interface Layer {
  readonly name: string;
  readonly row: number;
}

function layerOf(path: string): Layer | undefined {
  const row = cliOrder.findIndex((names) => names.some((name) => holds(name, path)));
  const folder = cliOrder[row]?.find((name) => holds(name, path));
  if (folder === undefined) return undefined;
  return { name: folder === commandsFolder ? path : folder, row };
}

function holds(layer: string, path: string): boolean {
  return path === layer || path.startsWith(`${layer}/`);
}

function mayImport(from: Layer, to: Layer): boolean {
  return from.name === to.name || to.row < from.row;
}
