/** Reads the folders and file names of `app/`. No file is opened. */
import { appFolder, conventionFiles, type FolderKind, parseFolder } from "@fw/fw/conventions";
import { join, relative } from "@std/path";
import type { Messages } from "../../messages/catalog.ts";
import { isUnnameable, statIfThereSync } from "../files/look.ts";
import { compareText, type Report, shownName } from "../../problem.ts";

export interface AppFolder {
  readonly path: string;
  readonly name: string;
  readonly kind: FolderKind;
  readonly files: ReadonlyMap<string, string>;
  readonly others: readonly string[];
  readonly folders: readonly AppFolder[];
}

interface ScanState {
  readonly root: string;
  /** The real path of the app folder. Links are followed only inside it. */
  readonly realApp: string;
  readonly texts: Messages["problems"];
  readonly report: Report;
}

interface Listing {
  readonly files: string[];
  readonly folders: string[];
  readonly linked: Set<string>;
}

const rootOnly: ReadonlySet<string> = new Set(["not_found", "error", "setup"]);

/** Convention names without separators, to recognise `NotFound.ts` as a typo. */
const plainNames: ReadonlyMap<string, string> = new Map(
  Object.keys(conventionFiles).map((base) => [base.replaceAll("_", ""), base]),
);

/** Returns the folder `app/`; reports where there is none. */
export function scanApp(
  root: string,
  { texts, report }: Pick<ScanState, "texts" | "report">,
): AppFolder | undefined {
  const path = join(root, appFolder);
  if (statIfThereSync(path)?.isDirectory !== true) {
    return void report(appFolder, "E_NO_APP", texts.noApp(root));
  }
  const realApp = Deno.realPathSync(path);
  const kind: FolderKind = { kind: "group", name: appFolder };
  const place = { path: appFolder, name: appFolder, kind, above: [realApp] };
  return scanFolder({ root, realApp, texts, report }, place);
}

interface FolderPlace {
  readonly path: string;
  readonly name: string;
  readonly kind: FolderKind;
  /** The real paths of this folder and its parents, to detect circular links. */
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
    const real = listing.linked.has(child)
      ? Deno.realPathSync(join(state.root, childPath))
      : join(place.above.at(-1) ?? "", child);
    if (place.above.includes(real)) continue;
    const above = [...place.above, real];
    folders.push(scanFolder(state, { path: childPath, name: child, kind: inner, above }));
  }
  const files = findConventions(state, path, listing);
  const others = listing.files.filter((file) => findConvention(file) === undefined);
  return { path, name, kind, files, others, folders };
}

/** Lists a folder, sorted; reports names that differ only in case. */
function listFolder(state: ScanState, place: { readonly path: string }): Listing {
  const listing: Listing = { files: [], folders: [], linked: new Set() };
  for (const entry of Deno.readDirSync(join(state.root, place.path))) {
    const path = `${place.path}/${entry.name}`;
    if (isUnnameable(join(state.root, place.path), entry.name)) {
      const text = state.texts.badCharacter(
        shownName(entry.name),
        JSON.stringify("\ufffd"),
        undefined,
      );
      state.report(path, "E_BAD_SEGMENT", text);
    } else if (entry.isSymlink) {
      const target = followLink(state, path);
      if (target !== undefined) listing[target].push(entry.name);
      if (target === "folders") listing.linked.add(entry.name);
    } else if (entry.isDirectory) listing.folders.push(entry.name);
    else if (entry.isFile) listing.files.push(entry.name);
  }
  listing.files.sort(compareText);
  listing.folders.sort(compareText);
  const byLower = new Map<string, string>();
  for (const name of listing.folders) {
    const other = byLower.get(name.toLowerCase());
    if (other !== undefined) {
      state.report(
        `${place.path}/${name}`,
        "E_CASE_CLASH",
        state.texts.caseClash(shownName(other), shownName(name)),
      );
    }
    byLower.set(name.toLowerCase(), name);
  }
  return listing;
}

/** Returns what a link points to; `undefined` if it is dangling or leads out of the app. */
function followLink(state: ScanState, path: string): "files" | "folders" | undefined {
  try {
    const real = Deno.realPathSync(join(state.root, path));
    const inside = relative(state.realApp, real);
    const isFolderLink = Deno.statSync(real).isDirectory;
    if (inside !== ".." && !/^\.\.[\\/]/.test(inside) && !/^([A-Za-z]:|[\\/])/.test(inside)) {
      return isFolderLink ? "folders" : "files";
    }
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (isFolderLink ? !isPassedOver(name) : findConvention(name) !== undefined) {
      state.report(path, "E_OUTSIDE_LINK", state.texts.outsideLink(shownName(real)));
    }
  } catch (error) {
    // A dangling or circular link is not part of the app.
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
        state.report(file, "E_BAD_FILE_NAME", state.texts.badFileName(name, match.wanted));
      }
      continue;
    }
    if (isMisplaced) {
      state.report(file, "E_MISPLACED_FILE", state.texts.misplaced(name));
    } else if (found.has(match.base)) {
      const other = found.get(match.base) ?? "";
      state.report(file, "E_TWO_FILES", state.texts.twoFiles(other, name));
    } else found.set(match.base, name);
  }
  return found;
}

/** Returns the convention that a file name means or resembles, and its correct spelling. */
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

/** Reports pages and routes in a hidden folder, which would not be served. */
function reportHidden(state: ScanState, place: { path: string; hidden: string }): void {
  for (const entry of Deno.readDirSync(join(state.root, place.path))) {
    const path = `${place.path}/${entry.name}`;
    if (entry.isDirectory && parseFolder(entry.name).kind !== "ignored") {
      reportHidden(state, { path, hidden: place.hidden });
    } else if (entry.isFile && /^(page\.tsx?|route\.ts)$/.test(entry.name)) {
      state.report(path, "E_HIDDEN_ROUTE", state.texts.hiddenRoute(shownName(place.hidden)));
    }
  }
}
