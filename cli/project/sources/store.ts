/**
 * The parsed files of one project, each parsed again only after it changed.
 *
 * @module
 */
import { join } from "@std/path";
import { statIfThereSync } from "../files/if_there_sync.ts";
import { type ModuleExport, type ModuleExports, parseExports } from "./exports.ts";
import type { TypeScript } from "./exports.ts";

/** What became of an exported name that was followed to its source. */
export type Lookup =
  | { readonly kind: "found"; readonly literal?: string }
  | { readonly kind: "broken"; readonly from: string; readonly name: string }
  | { readonly kind: "missing-module"; readonly from: string };

/** The parsed files of one project. */
export interface ModuleStore {
  /** What a file exports, or `undefined` where there is no such file. */
  read(path: string): ModuleExports | undefined;
  /** Follows a re-exported name to the file that declares it. */
  follow(path: string, exported: ModuleExport): Lookup;
  /** Every file that was read by following since the last call of `startRound`. */
  followed(): readonly string[];
  /** Starts a new generation: looks at every file's date again, and drops what is named. */
  startRound(changed: readonly string[]): void;
}

interface Entry {
  readonly exports: ModuleExports;
  readonly mtimeMs: number;
  readonly size: number;
  round: number;
}

/**
 * Makes the store of one project.
 *
 * @param root The project's folder, absolute.
 * @param ts The parser.
 */
export function createModuleStore(root: string, ts: TypeScript): ModuleStore {
  const entries = new Map<string, Entry>();
  const followed = new Set<string>();
  let round = 0;
  return { read, follow, followed: () => [...followed], startRound };

  function startRound(changed: readonly string[]): void {
    for (const [path, entry] of entries) {
      if (entry.round < round) entries.delete(path);
    }
    for (const path of changed) entries.delete(path);
    followed.clear();
    round++;
  }

  function read(path: string): ModuleExports | undefined {
    const entry = entries.get(path);
    if (entry?.round === round) return entry.exports;
    const info = statIfThereSync(join(root, path));
    if (!info?.isFile) return undefined;
    const mtimeMs = info.mtime?.getTime() ?? NaN;
    if (entry !== undefined && entry.mtimeMs === mtimeMs && entry.size === info.size) {
      entry.round = round;
      return entry.exports;
    }
    const text = Deno.readTextFileSync(join(root, path));
    const exports = parseExports(ts, path, { text });
    entries.set(path, { exports, mtimeMs, size: info.size, round });
    return exports;
  }

  function follow(path: string, exported: ModuleExport): Lookup {
    const found = exported.literal === undefined
      ? { kind: "found" as const }
      : { kind: "found" as const, literal: exported.literal };
    if (exported.from === undefined) return found;
    return look(resolveSpecifier(path, exported.from.specifier), exported.from.name, new Set());
  }

  function look(path: string | undefined, name: string, seen: Set<string>): Lookup {
    // What a package exports is the compiler's to check.
    if (path === undefined) return { kind: "found" };
    const broken: Lookup = { kind: "broken", from: path, name };
    if (seen.has(`${path}\n${name}`)) return broken;
    seen.add(`${path}\n${name}`);
    const exports = /\.[mc]?[jt]sx?$/.test(path) ? read(path) : undefined;
    if (exports === undefined) return { kind: "missing-module", from: path };
    followed.add(path);
    if (exports.faults.length > 0) return { kind: "found" };
    const exported = exports.names.get(name);
    if (exported !== undefined) {
      if (exported.isNamespace) return broken;
      if (exported.from === undefined) return follow(path, exported);
      return look(resolveSpecifier(path, exported.from.specifier), exported.from.name, seen);
    }
    for (const star of exports.stars) {
      const result = look(resolveSpecifier(path, star.specifier), name, seen);
      if (name !== "default" && result.kind === "found") return result;
    }
    return broken;
  }
}

/**
 * The path that a relative specifier names, relative to the project; `undefined` for a package, a
 * URL, or what lies outside the project.
 */
export function resolveSpecifier(from: string, specifier: string): string | undefined {
  if (!/^\.\.?\//.test(specifier)) return undefined;
  const parts = from.split("/").slice(0, -1);
  for (const part of decodePath(specifier).split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

function decodePath(specifier: string): string {
  const path = specifier.replace(/[?#].*$/, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
