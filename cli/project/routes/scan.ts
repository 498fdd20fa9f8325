/** Reads the folders of `app/` and checks their convention files. */
import { appFolder, conventionFiles, type FolderKind, parseFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import { isUnnameable, statIfThereSync } from "../files/look.ts";
import { compareText, shownName } from "../../problem.ts";
import {
  checkConventionFile,
  type CheckOptions,
  type ConventionFile,
  conventions,
} from "./convention_file.ts";

export interface AppFolder {
  readonly path: string;
  readonly name: string;
  readonly kind: FolderKind;
  /** The convention files by their base, such as `page`. */
  readonly files: ReadonlyMap<string, ConventionFile>;
  readonly folders: readonly AppFolder[];
}

interface ScanOptions extends CheckOptions {
  readonly root: string;
}

const rootOnly: ReadonlySet<string> = new Set(["not_found", "error", "setup"]);

/** Convention names without separators, to recognise `NotFound.ts` as a typo. */
const plainNames: ReadonlyMap<string, string> = new Map(
  Object.keys(conventionFiles).map((base) => [base.replaceAll("_", ""), base]),
);

/** Returns the folder `app/`, or reports that it is missing. */
export function scanApp(root: string, options: CheckOptions): AppFolder | undefined {
  const path = join(root, appFolder);
  if (statIfThereSync(path)?.isDirectory !== true) {
    return void options.report(appFolder, "E_NO_APP", options.texts.noApp(root));
  }
  const kind: FolderKind = { kind: "group", name: appFolder };
  return scanFolder({ path: appFolder, name: appFolder, kind }, { ...options, root });
}

function scanFolder(
  { path, name, kind }: Pick<AppFolder, "path" | "name" | "kind">,
  options: ScanOptions,
): AppFolder {
  const listing = listFolder(path, options);
  const folders: AppFolder[] = [];
  for (const child of listing.folders) {
    const inner = parseFolder(child);
    const childPath = `${path}/${child}`;
    if (inner.kind === "hidden") reportHidden(childPath, childPath, options);
    else if (inner.kind !== "ignored") {
      folders.push(scanFolder({ path: childPath, name: child, kind: inner }, options));
    }
  }
  const files = new Map<string, ConventionFile>();
  for (const [base, file] of findConventions(path, listing.files, options)) {
    files.set(base, checkConventionFile({ path: `${path}/${file}`, base }, options));
  }
  reportNearFiles(path, { ...options, names: listing.files, files });
  return { path, name, kind, files, folders };
}

/** Plurals and names of other frameworks, with the conventions that they may mean. */
const nearNames = new Map<string, readonly string[]>([
  ["index", ["page", "route"]],
  ["server", ["route"]],
  ...["page", "route", "layout", "middleware"].map((name): [string, string[]] => [name, [name]]),
]);

/** Reports misnamed files, judged by their exports: a helper may have such a name. */
function reportNearFiles(
  folder: string,
  { names, files, sources, texts, report }: ScanOptions & {
    readonly names: readonly string[];
    readonly files: ReadonlyMap<string, ConventionFile>;
  },
): void {
  for (const name of names) {
    const [, stem = ""] = /^[+_]?(.+?)s?\.[jt]sx?$/.exec(name) ?? [];
    const meant = findConvention(name) === undefined ? nearNames.get(stem) : undefined;
    const exports = meant && sources.read(`${folder}/${name}`)?.exports.names;
    const wanted = meant?.find((base) => {
      const rivals = base === "page" || base === "route" ? ["page", "route"] : [base];
      if (rivals.some((rival) => files.has(rival))) return false;
      const signs = [
        ...conventions[base]?.required ?? [],
        ...name.endsWith("x") ? ["default"] : [],
      ];
      // A file with only re-exports is taken as a collection of helpers.
      return signs.map((sign) => exports?.get(sign)).some((found) =>
        found !== undefined && (found.from ?? found.namespace) === undefined
      );
    });
    if (wanted === undefined) continue;
    const text = texts.badFileName(name, conventionName(wanted, name.endsWith("x")));
    report(`${folder}/${name}`, "E_BAD_FILE_NAME", text);
  }
}

function listFolder(folder: string, options: ScanOptions): Record<"files" | "folders", string[]> {
  const { root, texts, report } = options;
  const [files, folders]: [string[], string[]] = [[], []];
  for (const entry of Deno.readDirSync(join(root, folder))) {
    const path = `${folder}/${entry.name}`;
    if (isUnnameable(join(root, folder), entry.name)) {
      const character = JSON.stringify("\ufffd");
      const text = texts.badCharacter(shownName(entry.name), character);
      report(path, "E_BAD_SEGMENT", text);
    } else if (entry.isSymlink) reportLink(path, entry.name, options);
    else if (entry.isDirectory) folders.push(entry.name);
    else if (entry.isFile) files.push(entry.name);
  }
  return { files: files.sort(compareText), folders: folders.sort(compareText) };
}

/** Reports a link in place of a route. Links are not followed: they may leave the app or loop. */
function reportLink(path: string, name: string, { root, texts, report }: ScanOptions): void {
  const info = statIfThereSync(join(root, path));
  const counts = info?.isDirectory
    ? !["ignored", "hidden"].includes(parseFolder(name).kind)
    : info !== undefined && findConvention(name) !== undefined;
  if (counts) report(path, "E_OUTSIDE_LINK", texts.outsideLink());
}

function findConventions(
  folder: string,
  names: readonly string[],
  { texts, report }: ScanOptions,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const name of names) {
    const match = findConvention(name);
    if (match === undefined) continue;
    const { base, wanted } = match;
    const file = `${folder}/${name}`;
    const isMisplaced = rootOnly.has(base) && folder !== appFolder;
    const other = found.get(base);
    if (wanted !== name) {
      if (!isMisplaced) report(file, "E_BAD_FILE_NAME", texts.badFileName(name, wanted));
    } else if (isMisplaced) report(file, "E_MISPLACED_FILE", texts.misplaced(name));
    else if (other !== undefined) report(file, "E_TWO_FILES", texts.twoFiles(other, name));
    else found.set(base, name);
  }
  return found;
}

function findConvention(
  name: string,
): { readonly base: string; readonly wanted: string } | undefined {
  const [, written = "", extension = ""] = /^(.+?)(\.[mc]?[jt]sx?)$/i.exec(name) ?? [];
  const base = plainNames.get(written.toLowerCase().replaceAll(/[-_]/g, ""));
  return base === undefined
    ? undefined
    : { base, wanted: conventionName(base, /x$/i.test(extension)) };
}

function conventionName(base: string, hasJsx: boolean): string {
  return base + (hasJsx && conventionFiles[base]?.includes(".tsx") ? ".tsx" : ".ts");
}

/** Reports pages and routes in a hidden folder, which would not be served. */
function reportHidden(folder: string, hidden: string, options: ScanOptions): void {
  for (const entry of Deno.readDirSync(join(options.root, folder))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory && parseFolder(entry.name).kind !== "ignored") {
      reportHidden(path, hidden, options);
    } else if (entry.isFile && /^(page\.tsx?|route\.ts)$/.test(entry.name)) {
      options.report(path, "E_HIDDEN_ROUTE", options.texts.hiddenRoute(shownName(hidden)));
    }
  }
}
