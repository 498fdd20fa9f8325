import { type FolderKind, middlewareExports, parseFolder, routeMethods } from "@fw/fw/conventions";
import type { Messages } from "../../messages/catalog.ts";
import {
  compareText,
  type ProblemText,
  type Report,
  shownName,
  startOfFile,
} from "../../problem.ts";
import type { ConventionFile } from "./convention_file.ts";
import type { AppFolder } from "./scan.ts";

export interface Route {
  readonly pattern: string;
  /** The parameters in order; `isRest` marks the catch-all. */
  readonly params: readonly { readonly name: string; readonly isRest: boolean }[];
  readonly file: ConventionFile;
  /** The methods, without `HEAD`, in the order of `Allow`. */
  readonly methods: readonly string[];
  /** The layouts, outermost first. */
  readonly layouts: readonly ConventionFile[];
  /** The middleware, outermost first. */
  readonly middleware: readonly ConventionFile[];
  readonly kindFile: ConventionFile | undefined;
  readonly kind: "page" | "api";
  readonly checksCsrf: boolean;
}

export interface BuildOptions {
  readonly files: ReadonlyMap<string, ConventionFile>;
  readonly texts: Messages["problems"];
  readonly report: Report;
}

interface State extends BuildOptions {
  readonly routes: Route[];
  readonly sources: Map<string, string>;
  readonly dynamic: Map<string, { readonly name: string; readonly path: string }>;
}

interface Place {
  readonly pattern: string;
  /** The pattern without parameter names, which identifies a place of the URL tree. */
  readonly shape: string;
  readonly params: Route["params"];
  readonly layouts: readonly ConventionFile[];
  readonly middleware: readonly ConventionFile[];
  readonly kindFile: ConventionFile | undefined;
  /** The catch-all folder above, which makes everything below unreachable. */
  readonly catchAll: string | undefined;
}

interface Served {
  readonly methods: Set<string>;
  /** A file could not be read, so that the methods are incomplete. */
  isUnsure: boolean;
}

export function buildRoutes(app: AppFolder, options: BuildOptions): Route[] {
  const state: State = { ...options, routes: [], sources: new Map(), dynamic: new Map() };
  visit(state, app, {
    pattern: "",
    shape: "",
    params: [],
    layouts: [],
    middleware: [],
    kindFile: undefined,
    catchAll: undefined,
  });
  return state.routes.sort((a, b) => comparePatterns(a.pattern, b.pattern));
}

function visit(state: State, folder: AppFolder, above: Place): Served {
  const served: Served = { methods: new Set(), isUnsure: false };
  const place = enterFolder(state, folder, above);
  if (place === undefined) return { methods: new Set(), isUnsure: true };
  const page = fileIn(state, folder, "page");
  const route = fileIn(state, folder, "route");
  if (page !== undefined && route !== undefined) {
    state.report(route.path, "E_PAGE_AND_ROUTE", state.texts.pageAndRoute(page.path, route.path));
  }
  const file = page ?? route;
  if (file !== undefined) addRoute(state, file, { place, folder });
  for (const each of [page, route]) {
    if (each === undefined) continue;
    served.isUnsure ||= each.isBroken;
    for (const method of methodsOf(each)) served.methods.add(method);
  }
  for (const child of folder.folders) {
    const below = visit(state, child, place);
    served.isUnsure ||= below.isUnsure;
    for (const method of below.methods) served.methods.add(method);
  }
  checkMethodMiddleware(state, fileIn(state, folder, "middleware"), served);
  return served;
}

/** Returns the place of a folder in the URL tree; reports an invalid name and returns `undefined`. */
function enterFolder(state: State, folder: AppFolder, above: Place): Place | undefined {
  const { kind, path } = folder;
  const hasRoutes = holdsRoute(folder);
  if (kind.kind === "bad") {
    if (hasRoutes) {
      state.report(path, "E_BAD_SEGMENT", badSegmentText(state, folder, kind));
    }
    return undefined;
  }
  const inherited = inherit(state, folder, above);
  if (kind.kind === "literal") {
    // File systems differ in the normalisation of accents; URLs use the composed form.
    const step = `/${kind.text.normalize("NFC")}`;
    return { ...inherited, pattern: above.pattern + step, shape: above.shape + step };
  }
  if (kind.kind !== "param" && kind.kind !== "rest") return inherited;
  const isRest = kind.kind === "rest";
  const step = isRest ? `/{${kind.name}...}` : `/{${kind.name}}`;
  const pattern = above.pattern + step;
  const shape = `${above.shape}/${isRest ? "{...}" : "{}"}`;
  if (hasRoutes) checkDynamic(state, folder, { above, pattern, shape, name: kind.name });
  return {
    ...inherited,
    pattern,
    shape,
    params: [...above.params, { name: kind.name, isRest }],
    catchAll: above.catchAll ?? (isRest ? path : undefined),
  };
}

function inherit(state: State, folder: AppFolder, above: Place): Place {
  const layout = fileIn(state, folder, "layout");
  const middleware = fileIn(state, folder, "middleware");
  const hasMiddleware = middleware !== undefined &&
    middlewareExports.some((name) => middleware.names.has(name));
  return {
    ...above,
    layouts: layout?.names.has("Layout") ? [...above.layouts, layout] : above.layouts,
    middleware: hasMiddleware ? [...above.middleware, middleware] : above.middleware,
    kindFile: kindOfFolder(state, folder) ?? above.kindFile,
  };
}

function kindOfFolder(state: State, folder: AppFolder): ConventionFile | undefined {
  const declaring = ["kind", "layout", "middleware", "setup", "not_found", "error", "page", "route"]
    .map((base) => fileIn(state, folder, base))
    .filter((file) => file !== undefined && file.names.has("Kind"));
  const [first, ...others] = declaring;
  for (const other of others) {
    // A page's or a route's own Kind applies to that file only.
    if (other === undefined || other.base === "page" || other.base === "route") continue;
    const { line, column } = other.names.get("Kind") ?? startOfFile;
    const text = state.texts.duplicateKind(first?.path ?? "");
    state.report({ file: other.path, line, column }, "E_DUPLICATE_KIND", text);
  }
  return first;
}

function checkDynamic(state: State, folder: AppFolder, { above, pattern, shape, name }: {
  readonly above: Place;
  readonly pattern: string;
  readonly shape: string;
  readonly name: string;
}): void {
  if (above.params.some((param) => param.name === name)) {
    state.report(folder.path, "E_BAD_SEGMENT", state.texts.repeatedParameter(pattern, name));
  }
  const other = state.dynamic.get(shape);
  if (other === undefined) state.dynamic.set(shape, { name, path: folder.path });
  else if (other.name !== name) {
    const text = state.texts.ambiguousSegment(folder.path, other.path);
    state.report(folder.path, "E_AMBIGUOUS_SEGMENT", text);
  }
}

function addRoute(
  state: State,
  file: ConventionFile,
  at: { readonly place: Place; readonly folder: AppFolder },
): void {
  const { place, folder } = at;
  const pattern = place.pattern === "" ? "/" : place.pattern;
  if (
    place.catchAll !== undefined && (folder.kind.kind !== "rest" || folder.path !== place.catchAll)
  ) {
    const below = folder.path.slice(place.catchAll.length + 1).split("/");
    // A group inside a catch-all folder adds nothing to the URL.
    if (!below.every((name) => name.endsWith("-"))) {
      state.report(file.path, "E_CATCHALL_NOT_LEAF", state.texts.catchallNotLeaf(place.catchAll));
      return;
    }
  }
  const other = state.sources.get(pattern);
  if (other !== undefined) {
    state.report(file.path, "E_DUPLICATE_ROUTE", state.texts.duplicateRoute(pattern, other));
    return;
  }
  state.sources.set(pattern, file.path);
  const kindFile = file.names.has("Kind") ? file : place.kindFile;
  state.routes.push({
    pattern,
    params: place.params,
    file,
    methods: methodsOf(file),
    layouts: place.layouts,
    middleware: place.middleware,
    kindFile,
    kind: file.base === "page" ? "page" : kindFile?.kind ?? "api",
    checksCsrf: !file.names.has("CSRF"),
  });
}

/** Returns the methods of a file; a page's `Page` is its GET, its `Actions` are a POST. */
function methodsOf(file: ConventionFile): string[] {
  return routeMethods.filter((method) => {
    if (file.base === "page" && method === "GET") return file.names.has("Page");
    return file.names.has(method) || (method === "POST" && file.names.has("Actions"));
  });
}

function checkMethodMiddleware(
  state: State,
  file: ConventionFile | undefined,
  served: Served,
): void {
  if (file === undefined || served.isUnsure) return;
  for (const method of routeMethods) {
    const exported = file.names.get(`Middleware${method}`);
    if (exported === undefined || served.methods.has(method)) continue;
    const { line, column, name } = exported;
    const text = state.texts.unusedMiddleware(name, method);
    state.report({ file: file.path, line, column }, "E_UNUSED_METHOD_MIDDLEWARE", text);
  }
}

function badSegmentText(
  state: State,
  folder: AppFolder,
  kind: FolderKind & { readonly kind: "bad" },
): ProblemText {
  const { texts } = state;
  const name = shownName(folder.name);
  const part = shownName(kind.part);
  switch (kind.cause) {
    case "parameter":
      return texts.badParameter(name, part);
    case "dynamic-group":
      return part === "" ? texts.emptyGroup(name) : texts.dynamicGroup(name, part);
    case "empty-group":
      return texts.emptyGroup(name);
    case "character":
      return texts.badCharacter(name, JSON.stringify(kind.part), plainNameOf(folder.name));
    case "foreign-style":
      return texts.foreignStyle(name, part);
  }
}

function plainNameOf(name: string): string | undefined {
  const plain = name.replaceAll(/[^\p{L}\p{N}\p{M}._~-]+/gu, "-").replaceAll(/^-+|-+(?=_*$)/g, "");
  if (plain === "") return undefined;
  const { kind } = parseFolder(plain);
  return kind === "literal" || kind === "param" || kind === "rest" ? plain : undefined;
}

function holdsRoute(folder: AppFolder): boolean {
  return folder.files.has("page") || folder.files.has("route") || folder.folders.some(holdsRoute);
}

function fileIn(state: State, folder: AppFolder, base: string): ConventionFile | undefined {
  const name = folder.files.get(base);
  return name === undefined ? undefined : state.files.get(`${folder.path}/${name}`);
}

/** Compares by segments: a literal before a parameter before a catch-all, then by text. */
function comparePatterns(a: string, b: string): number {
  const left = a.split("/");
  const right = b.split("/");
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const [one = "", other = ""] = [left[index], right[index]];
    const order = rankOf(one) - rankOf(other) || compareText(one, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function rankOf(segment: string): number {
  return !segment.startsWith("{") ? 0 : segment.endsWith("...}") ? 2 : 1;
}
