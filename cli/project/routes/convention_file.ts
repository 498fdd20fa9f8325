import { findNearest } from "@fw/fw/addon";
import {
  middlewareExports,
  pageMethods,
  routeMethods,
  unroutableMethods,
} from "@fw/fw/conventions";
import { basename } from "@std/path";
import type { Messages } from "../../messages/catalog.ts";
import { type Position, type ProblemText, type Report, startOfFile } from "../../problem.ts";
import {
  type ModuleExport,
  type ModuleNames,
  type ShownValue,
  shownValue,
} from "../sources/module_names.ts";
import type { Names } from "../sources/names.ts";
import type { Sources } from "../sources/sources.ts";

export interface ConventionFile {
  readonly path: string;
  readonly base: string;
  readonly names: ReadonlyMap<string, ModuleExport>;
  readonly actions: readonly string[];
  readonly kind: "page" | "api" | undefined;
  /** Whether the file fails to parse, so that its exports are unknown. */
  readonly isBroken: boolean;
}

interface Convention {
  readonly required: readonly string[];
  readonly code: string;
  readonly optional: readonly string[];
}

export const conventions: Readonly<Record<string, Convention>> = {
  page: {
    required: ["Page"],
    code: "E_NO_PAGE_FUNC",
    optional: [...pageMethods, "Actions", "Paths", "CSRF", "Kind"],
  },
  route: { required: routeMethods, code: "E_NO_METHOD", optional: ["CORS", "CSRF", "Kind"] },
  layout: { required: ["Layout"], code: "E_NO_LAYOUT_FUNC", optional: ["Kind"] },
  middleware: { required: middlewareExports, code: "E_NO_MIDDLEWARE_FUNC", optional: ["Kind"] },
  not_found: { required: ["NotFound"], code: "E_NO_NOT_FOUND_FUNC", optional: ["Kind"] },
  error: { required: ["Error"], code: "E_NO_ERROR_FUNC", optional: ["Kind"] },
  setup: {
    required: ["Setup"],
    code: "E_NO_SETUP_FUNC",
    optional: ["Config", "Shutdown", "Kind"],
  },
  kind: { required: ["Kind", "Problems"], code: "E_NO_KIND", optional: [] },
};

/** The files in which an export has an effect. */
const homes: ReadonlyMap<string, string> = new Map([
  ["Actions", "page.ts"],
  ["CORS", "route.ts"],
  ["CSRF", "page.ts, route.ts"],
  ["Problems", "kind.ts"],
]);

const writeMethods: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);

export function isWriteMethod(method: string): boolean {
  return writeMethods.has(method);
}

export interface CheckOptions {
  readonly origins: Names;
  readonly sources: Sources;
  readonly texts: Messages["problems"];
  readonly report: Report;
}

interface FileCheck extends Omit<CheckOptions, "report"> {
  readonly path: string;
  readonly base: string;
  readonly convention: Convention;
  readonly exports: ModuleNames;
  report(at: Position, code: string, text: ProblemText, file?: string): void;
}

export function checkConventionFile(
  { path, base }: Pick<ConventionFile, "path" | "base">,
  options: CheckOptions,
): ConventionFile {
  const exports = options.sources.read(path)?.exports;
  const convention = conventions[base];
  const nothing = { path, base, names: new Map(), actions: [], kind: undefined, isBroken: true };
  if (exports === undefined || convention === undefined) return nothing;
  const { texts } = options;
  const report: FileCheck["report"] = ({ line, column }, code, text, file = path) =>
    options.report({ file, line, column }, code, text);
  for (const fault of exports.faults) report(fault, "E_PARSE", texts.parse(fault.message));
  if (exports.faults.length > 0) return nothing;
  for (const star of exports.stars) {
    const wanted = convention.required[0] ?? "";
    report(star, "E_EXPORT_ALL", texts.exportAll(basename(path), `{ ${wanted} }`));
  }
  const check: FileCheck = { ...options, path, base, convention, exports, report };
  const names = pickNames(check);
  const hasRequired = convention.required.some((name) => names.has(name));
  const refused = checkForeignExports(check);
  if (hasRequired) checkCapitals(check);
  if (!hasRequired && exports.stars.length === 0 && !refused) reportMissing(check);
  checkCsrf(names.get("CSRF"), check);
  const kind = checkKind(names, check);
  const actions = checkActions(names.get("Actions"), check);
  return { path, base, names, actions, kind, isBroken: exports.stars.length > 0 };
}

/** Returns the exports of the convention. A broken re-export is reported and kept. */
function pickNames(check: FileCheck): Map<string, ModuleExport> {
  const { convention, path, origins, sources, texts, exports, report } = check;
  const names = new Map<string, ModuleExport>();
  for (const name of [...convention.required, ...convention.optional]) {
    const exported = exports.names.get(name);
    if (exported === undefined || exported.namespace !== undefined) continue;
    names.set(name, exported);
    const origin = origins.exported(path, name);
    const code = name === "Kind"
      ? "E_NO_KIND"
      : name === "Problems"
      ? "E_BAD_PROBLEMS"
      : convention.code;
    if (origin.kind === "unread") report(exported, code, texts.missingModule(origin.file));
    if (origin.kind === "broken") {
      const { names: others, faults = [] } = sources.read(origin.file)?.exports ?? {};
      const near = findNearest(origin.name, [...others?.keys() ?? []]);
      // The exports of a file with errors are unknown.
      if (faults.length === 0) {
        report(exported, code, texts.brokenExport(origin.file, origin.name, near));
      }
    }
    if (shownOf(name, check)?.isUncallable && !isIn(values, name)) {
      report(exported, code, texts.notFunction(name, basename(path)));
    }
  }
  return names;
}

/** Returns what the code reveals of an export, `{}` for a package's; `undefined` if missing. */
function shownOf(
  name: string,
  { origins, sources, path }: FileCheck,
): Partial<ShownValue> & { readonly file?: string } | undefined {
  const origin = origins.exported(path, name);
  if (origin.kind === "broken" || origin.kind === "unread") return undefined;
  if (origin.kind !== "declaration") return { isUncallable: origin.kind === "module" };
  const { file, node } = origin.declaration;
  const exports = sources.read(file)?.exports;
  return { file, ...(exports && shownValue(node, exports)) };
}

const settings: readonly string[] = ["Actions", "CORS", "CSRF", "Paths"];

/** The exports that need not be functions. */
const values: readonly string[] = [...settings, "Config", "Kind"];

/** Reports forbidden exports; returns whether one of them explains a missing export. */
function checkForeignExports({ base, path, texts, exports, report }: FileCheck): boolean {
  const file = basename(path);
  const isPage = base === "page";
  const hasMethod = routeMethods.some((each) => exports.names.has(each));
  for (const exported of exports.names.values()) {
    const { name } = exported;
    const refuse = (code: string, text: ProblemText): void => report(exported, code, text);
    const method = base === "middleware" ? /^Middleware(.+)$/.exec(name)?.[1] ?? "" : name;
    const isServed = ["page", "route", "middleware"].includes(base);
    if (isServed && isIn(unroutableMethods, method)) {
      refuse("E_UNROUTABLE_METHOD", texts.unroutable(name));
    }
    if (isPage && isIn(routeMethods, name) && !isIn(pageMethods, name)) {
      refuse("E_UNROUTABLE_METHOD", texts.methodOnPage(name));
    }
    // Report a guard in a file where it has no effect.
    const home = isIn(middlewareExports, name) ? "middleware.ts" : homes.get(name);
    if (isPage && name === "CORS") refuse("E_CORS_ON_PAGE", texts.corsOnPage());
    else if (home !== undefined && !home.includes(`${base}.ts`)) {
      refuse("E_MISPLACED_EXPORT", texts.misplacedExport(name, file, home));
    }
    if (base === "route" && name === "Page" && hasMethod) {
      refuse("E_PAGE_AND_ROUTE", texts.pageInRoute(file));
    }
  }
  return isPage && exports.names.has("GET");
}

/** Reports a name in the wrong case: requests would get a 405, a 404 or skip the middleware. */
function checkCapitals(check: FileCheck): void {
  const { convention: { required, optional }, texts, exports, report } = check;
  for (const exported of exports.names.values()) {
    const { name, namespace } = exported;
    const wanted = [...required, ...optional]
      .find((each) => each.toLowerCase() === name.toLowerCase());
    if (wanted === undefined || exports.names.has(wanted) || namespace !== undefined) continue;
    const shown = shownOf(name, check);
    // Values named `kind` or `config` have other uses.
    if (shown === undefined || (shown.isUncallable && !isIn(settings, wanted))) continue;
    const isMethod = isIn([...routeMethods, ...middlewareExports], wanted);
    const code = isMethod ? "E_UNROUTABLE_METHOD" : "E_MISPLACED_EXPORT";
    report(exported, code, texts.exportCase(name, wanted));
  }
}

function reportMissing({ base, path, convention, texts, exports, report }: FileCheck): void {
  const { required: [expected = ""], code } = convention;
  const other = [...exports.names.values()].find(({ namespace }) => namespace === undefined);
  const file = basename(path);
  const text = base === "kind"
    ? texts.noKind(file)
    : base === "route"
    ? texts.noMethod(file, other?.name, routeMethods.join(", "))
    : texts.noFunction(file, expected, other?.name);
  report(other ?? startOfFile, code, text);
}

/** Reports a `CSRF` other than a literal `false`, because `audit` could not read it. */
function checkCsrf(exported: ModuleExport | undefined, check: FileCheck): void {
  const shown = exported && shownOf(exported.name, check);
  if (exported === undefined || shown === undefined || shown.literal === "false") return;
  check.report(exported, "E_BAD_CSRF", check.texts.badCsrf(shown.literal));
}

/** Returns the names of `Actions` from the syntax, for the compiler, `routes` and the log. */
function checkActions(exported: ModuleExport | undefined, check: FileCheck): readonly string[] {
  const shown = exported && shownOf(exported.name, check);
  if (exported === undefined || shown === undefined) return [];
  const { members = [{ ...exported, name: undefined, isUncallable: false }], file } = shown;
  const { texts } = check;
  const refuse = (place: Position, text: ProblemText): void =>
    check.report(place, "E_BAD_ACTIONS", text, file);
  if (members.length === 0) refuse(exported, texts.badActions(undefined));
  for (const member of members) {
    const { name, isUncallable } = member;
    if (name === undefined) refuse(member, texts.badActions(undefined));
    else if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) refuse(member, texts.badAction(name));
    else if (isUncallable) refuse(member, texts.badActions(name));
  }
  return members.flatMap(({ name }) => name ?? []);
}

function checkKind(
  names: ReadonlyMap<string, ModuleExport>,
  check: FileCheck,
): "page" | "api" | undefined {
  const [exported, problems] = [names.get("Kind"), names.get("Problems")];
  if (exported === undefined && problems !== undefined) return "api";
  const literal = exported && shownOf(exported.name, check)?.literal;
  if (exported === undefined || literal === undefined) return undefined;
  const value = literal.slice(1, -1);
  if (value === "page" && problems !== undefined) {
    check.report(problems, "E_BAD_PROBLEMS", check.texts.problemsOfPages());
  }
  if (value === "page" || value === "api") return value;
  check.report(exported, "E_BAD_KIND", check.texts.badKind(literal));
  return undefined;
}

function isIn(list: readonly string[], name: string): boolean {
  return list.includes(name);
}
