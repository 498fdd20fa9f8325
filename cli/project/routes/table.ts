import { appFolder, type FolderKind, middlewareExports, routeMethods } from "@fw/fw/conventions";
import { compareText, type ProblemText, shownName, startOfFile } from "../../problem.ts";
import type { CheckOptions, ConventionFile } from "./convention_file.ts";
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
  /** The `Problems` above an API, outermost first; the last one applies. A group has no pattern. */
  readonly problems: readonly {
    readonly file: ConventionFile;
    readonly pattern: string | undefined;
  }[];
  readonly checksCsrf: boolean;
}

type Options = Pick<CheckOptions, "texts" | "report">;

interface State extends Options {
  readonly routes: Route[];
  readonly sources: Map<string, string>;
  readonly dynamic: Map<string, { readonly name: string; readonly path: string }>;
}

type Inherited = "pattern" | "params" | "layouts" | "middleware" | "kindFile" | "problems";

interface Place extends Pick<Route, Inherited> {
  /** The pattern without parameter names, which identifies a place of the URL tree. */
  readonly shape: string;
  /** The catch-all folder above, which makes everything below unreachable. */
  readonly catchAll: string | undefined;
}

interface Served {
  readonly methods: ReadonlySet<string>;
  /** A file could not be read, so the methods are incomplete. */
  readonly isUnsure: boolean;
}

export function buildRoutes(app: AppFolder, options: Options): Route[] {
  const state: State = { ...options, routes: [], sources: new Map(), dynamic: new Map() };
  visit(state, app, {
    pattern: "",
    shape: "",
    params: [],
    layouts: [],
    middleware: [],
    kindFile: undefined,
    problems: [],
    catchAll: undefined,
  });
  return state.routes.sort((a, b) => comparePatterns(a.pattern, b.pattern));
}

function visit(state: State, folder: AppFolder, above: Place): Served {
  const entered = enterFolder(state, folder, above);
  if (entered === undefined) return { methods: new Set(), isUnsure: true };
  const place = { ...entered, problems: findProblems(folder, entered) };
  const { files } = folder;
  const own = ["page", "route"].flatMap((base) => files.get(base) ?? []);
  const [file, other] = own;
  if (file !== undefined && other !== undefined) {
    state.report(other.path, "E_PAGE_AND_ROUTE", state.texts.pageAndRoute(file.path, other.path));
  }
  if (file !== undefined) addRoute(state, file, { place, folder });
  const below = folder.folders.map((child) => visit(state, child, place));
  const served = {
    methods: new Set([...own.flatMap(methodsOf), ...below.flatMap(({ methods }) => [...methods])]),
    isUnsure: own.some(({ isBroken }) => isBroken) || below.some(({ isUnsure }) => isUnsure),
  };
  checkMethodMiddleware(state, files.get("middleware"), served);
  return served;
}

function enterFolder(state: State, folder: AppFolder, above: Place): Place | undefined {
  const { kind, path } = folder;
  const hasRoutes = holdsRoute(folder);
  if (kind.kind === "bad") {
    if (hasRoutes) state.report(path, "E_BAD_SEGMENT", badSegmentText(state, folder, kind));
    return undefined;
  }
  const inherited = inherit(state, folder, above);
  if (kind.kind === "literal") {
    // File systems differ in the normalisation of accents; URLs use the composed form.
    const step = `/${kind.text.normalize("NFC")}`;
    return { ...inherited, pattern: above.pattern + step, shape: above.shape + step };
  }
  if (kind.kind !== "param" && kind.kind !== "rest") return inherited;
  const { name } = kind;
  const isRest = kind.kind === "rest";
  const pattern = `${above.pattern}/{${name}${isRest ? "..." : ""}}`;
  const shape = `${above.shape}/${isRest ? "{...}" : "{}"}`;
  if (hasRoutes) {
    if (above.params.some((param) => param.name === name)) {
      state.report(path, "E_BAD_SEGMENT", state.texts.repeatedParameter(pattern, name));
    }
    const other = state.dynamic.getOrInsert(shape, { name, path });
    if (other.name !== name) {
      const text = state.texts.ambiguousSegment(path, other.path);
      state.report(path, "E_AMBIGUOUS_SEGMENT", text);
    }
  }
  return {
    ...inherited,
    pattern,
    shape,
    params: [...above.params, { name, isRest }],
    catchAll: above.catchAll ?? (isRest ? path : undefined),
  };
}

function inherit(state: State, folder: AppFolder, above: Place): Place {
  const [layout, middleware] = [folder.files.get("layout"), folder.files.get("middleware")];
  const hasMiddleware = middleware !== undefined &&
    middlewareExports.some((name) => middleware.names.has(name));
  return {
    ...above,
    layouts: layout?.names.has("Layout") ? [...above.layouts, layout] : above.layouts,
    middleware: hasMiddleware ? [...above.middleware, middleware] : above.middleware,
    kindFile: kindOfFolder(state, folder) ?? above.kindFile,
  };
}

/** Returns the `Problems` that apply in a folder: none below a folder of pages. */
function findProblems(
  { files, kind, path }: AppFolder,
  { pattern, kindFile, problems }: Place,
): Route["problems"] {
  if (kindFile?.kind === "page") return [];
  const file = files.get("kind");
  if (file?.names.has("Problems") !== true) return problems;
  const isGroup = kind.kind === "group" && path !== appFolder;
  return [...problems, { file, pattern: isGroup ? undefined : pattern || "/" }];
}

function kindOfFolder(state: State, { files }: AppFolder): ConventionFile | undefined {
  const bases = ["kind", "layout", "middleware", "setup", "not_found", "error", "page", "route"];
  const [first, ...others] = bases.flatMap((base) => files.get(base) ?? [])
    .filter(({ names }) => names.has("Kind") || names.has("Problems"));
  for (const { base, path, names } of others) {
    // A page's or a route's own Kind applies to that file only.
    if (base === "page" || base === "route") continue;
    const { line, column } = names.get("Kind") ?? startOfFile;
    const text = state.texts.duplicateKind(first?.path ?? "");
    state.report({ file: path, line, column }, "E_DUPLICATE_KIND", text);
  }
  return first;
}

function addRoute(
  state: State,
  file: ConventionFile,
  { place, folder }: { readonly place: Place; readonly folder: AppFolder },
): void {
  const { catchAll, params, layouts, middleware } = place;
  const pattern = place.pattern === "" ? "/" : place.pattern;
  if (catchAll !== undefined && (folder.kind.kind !== "rest" || folder.path !== catchAll)) {
    const below = folder.path.slice(catchAll.length + 1).split("/");
    // A group inside a catch-all folder adds nothing to the URL.
    if (!below.every((name) => name.endsWith("-"))) {
      state.report(file.path, "E_CATCHALL_NOT_LEAF", state.texts.catchallNotLeaf(catchAll));
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
  const kind = file.base === "page" ? "page" : kindFile?.kind ?? "api";
  state.routes.push({
    pattern,
    params,
    file,
    methods: methodsOf(file),
    layouts,
    middleware,
    kindFile,
    kind,
    problems: kind === "page" ? [] : place.problems,
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
  { texts }: State,
  folder: AppFolder,
  kind: FolderKind & { readonly kind: "bad" },
): ProblemText {
  const [name, part] = [shownName(folder.name), shownName(kind.part)];
  return {
    parameter: texts.badParameter(name, part),
    "dynamic-group": part === "" ? texts.emptyGroup(name) : texts.dynamicGroup(name, part),
    "empty-group": texts.emptyGroup(name),
    character: texts.badCharacter(name, JSON.stringify(kind.part)),
  }[kind.cause];
}

function holdsRoute(folder: AppFolder): boolean {
  return folder.files.has("page") || folder.files.has("route") || folder.folders.some(holdsRoute);
}

/** Compares by segments: a literal before a parameter before a catch-all, then by text. */
export function comparePatterns(a: string, b: string): number {
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
