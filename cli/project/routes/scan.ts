/**
 * Reads the tree of `app/`: which folders there are, what they stand for, and which convention files
 * they hold. No file is opened.
 *
 * @module
 */
import { appFolder, conventionFiles, type FolderKind, parseFolder } from "@fw/fw/conventions";
import { join, relative } from "@std/path";
import type { Messages } from "../../messages/catalog.ts";
import {
  compareText,
  errorAt,
  type Problem,
  type ProblemCode,
  type ProblemText,
  startOfFile,
} from "../../problem.ts";

/** One folder of the app. */
export interface AppFolder {
  /** Where it lies, relative to the project, with `/`. */
  readonly path: string;
  /** Its own name. */
  readonly name: string;
  /** What it stands for. */
  readonly kind: FolderKind;
  /** The convention files by base name: `page` gives `page.tsx`. */
  readonly files: ReadonlyMap<string, string>;
  /** The other files, by name. */
  readonly others: readonly string[];
  /** The folders in it that may hold routes, in the order of their names. */
  readonly folders: readonly AppFolder[];
}

/** What {@linkcode scanApp} found. */
export interface AppScan {
  /** The folder `app/`, or `undefined` where there is none. */
  readonly app: AppFolder | undefined;
  /** What is wrong with names and places. */
  readonly problems: readonly Problem[];
}

interface ScanState {
  readonly root: string;
  /** The real path of the app folder: links are followed inside it alone. */
  readonly realApp: string;
  readonly texts: Messages["problems"];
  readonly problems: Problem[];
}

interface Listing {
  readonly files: string[];
  readonly folders: string[];
}

const rootOnly: ReadonlySet<string> = new Set(["not_found", "error", "setup"]);

/** Convention names without their separators, so that `NotFound.ts` is seen as a slip. */
const plainNames: ReadonlyMap<string, string> = new Map(
  Object.keys(conventionFiles).map((base) => [base.replaceAll("_", ""), base]),
);

/**
 * Reads the tree of `app/` below a project.
 *
 * @param root The project's folder, absolute.
 * @param texts The generation errors in the reader's language.
 */
export function scanApp(root: string, texts: Messages["problems"]): AppScan {
  const path = join(root, appFolder);
  const problems: Problem[] = [];
  if (!isFolder(path)) {
    problems.push(errorAt({ file: appFolder, ...startOfFile }, "E_NO_APP", texts.noApp(root)));
    return { app: undefined, problems };
  }
  const realApp = Deno.realPathSync(path);
  const state: ScanState = { root, realApp, texts, problems };
  const kind: FolderKind = { kind: "group", name: appFolder };
  const app = scanFolder(state, { path: appFolder, name: appFolder, kind, above: [realApp] });
  return { app, problems };
}

interface FolderPlace {
  readonly path: string;
  readonly name: string;
  readonly kind: FolderKind;
  /** The real paths of this folder and those above it, so that a link cannot run in a circle. */
  readonly above: readonly string[];
}

function scanFolder(state: ScanState, place: FolderPlace): AppFolder {
  const { path, name, kind } = place;
  const listing = listFolder(state, place);
  const folders: AppFolder[] = [];
  for (const child of listing.folders) {
    const inner = parseFolder(child);
    if (inner.kind === "ignored") continue;
    const childPath = `${path}/${child}`;
    if (inner.kind === "hidden") {
      reportHidden(state, { path: childPath, hidden: childPath });
      continue;
    }
    const real = Deno.realPathSync(join(state.root, childPath));
    if (place.above.includes(real)) continue;
    const above = [...place.above, real];
    folders.push(scanFolder(state, { path: childPath, name: child, kind: inner, above }));
  }
  const files = findConventions(state, path, listing);
  const others = listing.files.filter((file) => findConvention(file) === undefined);
  return { path, name, kind, files, others, folders };
}

/** Lists a folder, sorted; refuses names that other systems would not tell apart. */
function listFolder(state: ScanState, place: { readonly path: string }): Listing {
  const listing: Listing = { files: [], folders: [] };
  for (const entry of Deno.readDirSync(join(state.root, place.path))) {
    const path = `${place.path}/${entry.name}`;
    if (entry.isSymlink) {
      const target = followLink(state, path);
      if (target !== undefined) listing[target].push(entry.name);
    } else if (entry.isDirectory) listing.folders.push(entry.name);
    else if (entry.isFile) listing.files.push(entry.name);
  }
  listing.files.sort(compareText);
  listing.folders.sort(compareText);
  const byLower = new Map<string, string>();
  for (const name of listing.folders) {
    const other = byLower.get(name.toLowerCase());
    if (other !== undefined) {
      report(state, {
        file: `${place.path}/${name}`,
        code: "E_CASE_CLASH",
        text: state.texts.caseClash(other, name),
      });
    }
    byLower.set(name.toLowerCase(), name);
  }
  return listing;
}

/** What a link points to, or `undefined` where it leads out of the app or to nothing. */
function followLink(state: ScanState, path: string): keyof Listing | undefined {
  try {
    const real = Deno.realPathSync(join(state.root, path));
    const inside = relative(state.realApp, real);
    const isFolderLink = Deno.statSync(real).isDirectory;
    if (inside !== ".." && !/^\.\.[\\/]/.test(inside) && !/^([A-Za-z]:|[\\/])/.test(inside)) {
      return isFolderLink ? "folders" : "files";
    }
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (isFolderLink ? !isPassedOver(name) : findConvention(name) !== undefined) {
      report(state, { file: path, code: "E_OUTSIDE_LINK", text: state.texts.outsideLink(real) });
    }
  } catch (error) {
    // A dangling link or a circle of links is no part of the app.
    if (!(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.FilesystemLoop)) {
      throw error;
    }
  }
  return undefined;
}

function isPassedOver(name: string): boolean {
  const { kind } = parseFolder(name);
  return kind === "ignored" || kind === "hidden";
}

function findConventions(
  state: ScanState,
  path: string,
  listing: Listing,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const name of listing.files) {
    const match = findConvention(name);
    if (match === undefined) continue;
    const file = `${path}/${name}`;
    const isMisplaced = rootOnly.has(match.base) && path !== appFolder;
    if (match.wanted !== name) {
      if (!isMisplaced) {
        report(state, {
          file,
          code: "E_BAD_FILE_NAME",
          text: state.texts.badFileName(name, match.wanted),
        });
      }
      continue;
    }
    if (isMisplaced) {
      report(state, { file, code: "E_MISPLACED_FILE", text: state.texts.misplaced(name) });
    } else if (found.has(match.base)) {
      const other = found.get(match.base) ?? "";
      report(state, { file, code: "E_TWO_FILES", text: state.texts.twoFiles(other, name) });
    } else found.set(match.base, name);
  }
  return found;
}

/** Which convention a file name stands for, or comes close to, and how it should be written. */
function findConvention(
  name: string,
): { readonly base: string; readonly wanted: string } | undefined {
  const match = /^(.+?)(\.[mc]?[jt]sx?)$/i.exec(name);
  if (match === null) return undefined;
  const [, written = "", extension = ""] = match;
  const base = plainNames.get(written.toLowerCase().replaceAll(/[-_]/g, ""));
  if (base === undefined) return undefined;
  const allowed = conventionFiles[base] ?? [".ts"];
  const isJsx = /x$/i.test(extension) && allowed.includes(".tsx");
  return { base, wanted: base + (isJsx ? ".tsx" : ".ts") };
}

/** A page or a route in a hidden folder is a slip that would otherwise go unseen. */
function reportHidden(state: ScanState, place: { path: string; hidden: string }): void {
  for (const entry of Deno.readDirSync(join(state.root, place.path))) {
    const path = `${place.path}/${entry.name}`;
    if (entry.isDirectory && parseFolder(entry.name).kind !== "ignored") {
      reportHidden(state, { path, hidden: place.hidden });
    } else if (entry.isFile && /^(page\.tsx?|route\.ts)$/.test(entry.name)) {
      report(state, {
        file: path,
        code: "E_HIDDEN_ROUTE",
        text: state.texts.hiddenRoute(place.hidden),
      });
    }
  }
}

function report(
  state: ScanState,
  problem: { readonly file: string; readonly code: ProblemCode; readonly text: ProblemText },
): void {
  const { file, code, text } = problem;
  state.problems.push(errorAt({ file, ...startOfFile }, code, text));
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
