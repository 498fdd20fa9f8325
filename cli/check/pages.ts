/**
 * The no-script proof: every link and form of the pages that the tests received works without a
 * script.
 */
import { findNearest } from "@fw/fw/addon";
import { publicFolder } from "@fw/fw/conventions";
import { fromFileUrl, join } from "@std/path";
import { servesPublicAlone } from "../build/assets.ts";
import { errorAt, type Place, type Problem, type ProblemText, sortProblems } from "../problem.ts";
import { listSync, statIfThereSync, textOfFile } from "../project/files/look.ts";
import { memberOf, objectOf, parseJson } from "../project/json.ts";
import type { Project } from "../project/project.ts";
import { createMatcher, type RouteMatcher } from "../project/routes/match.ts";
import { configuredLanguages } from "../project/settings/settings.ts";
import { pathInProject } from "../project/sources/graph.ts";

interface RecordedRoute {
  readonly pattern: string;
  readonly methods: readonly string[];
  readonly actions: readonly string[];
  readonly source?: string;
}

interface RecordedPage {
  readonly test: string;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly base: string;
  readonly routes: readonly RecordedRoute[];
  readonly targets: readonly {
    readonly kind: "link" | "form" | "script";
    readonly element: string;
    readonly method: string;
    readonly url?: string;
  }[];
}

export async function checkPages(
  project: Project,
  folder: string,
): Promise<{ readonly problems: readonly Problem[]; readonly pages: number }> {
  const { root, messages: { check: { links: texts } } } = project;
  const findFault = await createFaultFinder(project);
  const matchers = new Map<string, RouteMatcher<RecordedRoute>>();
  const found = new Map<string, Problem>();
  const pages = readRecords(folder);
  for (const { routes, base, ...page } of pages) {
    const key = JSON.stringify(routes);
    const match = matchers.getOrInsertComputed(key, () => createMatcher(routes));
    const { origin, pathname, href } = new URL(page.url);
    const test = pathInProject(root, fromFileUrl(page.test)) ?? page.test;
    const shown = `${page.method} ${href.slice(origin.length)}`;
    const file = match(pathname.slice(base.length) || "/")?.source;
    for (const { kind, element, method, url } of page.targets) {
      const place = file === undefined ? { file: test, line: 1 } : findElement(root, file, element);
      let id = element;
      let text: ProblemText | undefined;
      if (kind === "script" || url === undefined) text = texts.scriptOnly(element, shown, test);
      else {
        const { pathname: path, search } = new URL(url);
        const isOwn = url.startsWith(`${origin}/`) && `${path}/`.startsWith(`${base}/`);
        const inApp = { path: path.slice(base.length) || "/", search, method };
        const fault = isOwn ? findFault(inApp, routes, match) : undefined;
        if (fault === undefined) continue;
        id = `${method} ${inApp.path} ${fault.message}`;
        text = { ...fault, message: texts.onPage(element, shown, test, fault.message) };
      }
      // A layout's link is on every page, so report only the first one.
      if (!found.has(id)) found.set(id, errorAt(place, "E_NO_SCRIPT", text));
    }
  }
  return { problems: sortProblems([...found.values()]), pages: pages.length };
}

function readRecords(folder: string): RecordedPage[] {
  const pages = listSync(folder).filter(({ name }) => name.endsWith(".json"))
    // A killed test leaves a partial file, and a test may write anything.
    .map(({ name }) => parseJson(textOfFile(join(folder, name)))).filter(isRecord);
  // The files have random names, so sort by content.
  const key = ({ test, url, status }: RecordedPage): string => `${url}\n${test}\n${status}`;
  return pages.sort((a, b) => key(a) < key(b) ? -1 : 1);
}

function isRecord(value: unknown): value is RecordedPage {
  const isText = (each: unknown): boolean => typeof each === "string";
  const hasTexts = (of: unknown, names: string): boolean =>
    names.split(" ").every((name) => isText(memberOf(of, name)));
  const hasLists = (of: unknown, names: string): boolean =>
    names.split(" ").every((name) => [memberOf(of, name)].flat().every(isText));
  const { test, url, routes, targets } = objectOf(value) ?? {};
  return hasTexts(value, "test method url base") && /^file:\/\/\//.test(String(test)) &&
    URL.canParse(String(url)) && Array.isArray(routes) && Array.isArray(targets) &&
    routes.every((each) =>
      hasTexts({ source: "", ...each }, "pattern source") && hasLists(each, "methods actions")
    ) &&
    targets.every((each) =>
      hasTexts({ url, ...each }, "kind element method url") && URL.canParse(each.url ?? url)
    );
}

type FaultFinder = (
  target: { readonly path: string; readonly search: string; readonly method: string },
  routes: readonly RecordedRoute[],
  match: RouteMatcher<RecordedRoute>,
) => ProblemText | undefined;

async function createFaultFinder(project: Project): Promise<FaultFinder> {
  const settings = await project.settings({});
  const texts = project.messages.check.links;
  const isAlone = servesPublicAlone(settings);
  const metrics = settings.possible("observability.metrics").map((value) =>
    value.kind === "known" ? value.value : undefined
  );
  const languages = configuredLanguages(settings).map((tag) => tag.toLowerCase());
  const isPrefixed = settings.possible("languagePrefix").some((value) =>
    value.kind === "unknown" || (value.kind === "known" && value.value === true)
  );
  return ({ path, search, method }, routes, match) => {
    if (path.startsWith("/_fw/") || metrics.includes(path)) return undefined;
    const [, segment = "", rest = ""] = /^\/([^/]*)(.*)$/.exec(path) ?? [];
    const isLanguage = isPrefixed &&
      (languages.includes(segment.toLowerCase()) ||
        (languages.length === 0 && /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(segment)));
    const route = (isLanguage ? match(rest === "" ? "/" : rest) : undefined) ??
      match(path);
    if (route === undefined) {
      if (method === "GET" && (!isAlone || isFile(project.root, path))) return undefined;
      const patterns = routes.filter(({ methods }) => methods.includes("GET"));
      const nearest = findNearest(path, patterns.map(({ pattern }) => pattern));
      return texts.noRoute(path, nearest);
    }
    const action = /^\?\/([A-Za-z_]\w*)(?:&|=|$)/.exec(search)?.[1];
    if (method === "POST" && action !== undefined && route.actions.length > 0) {
      if (route.actions.includes(action)) return undefined;
      return texts.noAction(route.pattern, action, findNearest(action, route.actions));
    }
    if (route.methods.includes(method)) return undefined;
    const exported = method === "GET" ? "Page, GET" : method;
    return texts.noMethod(path, method, exported, route.source ?? route.pattern);
  };
}

function isFile(root: string, path: string): boolean {
  try {
    return statIfThereSync(join(root, publicFolder, decodeURIComponent(path)))?.isFile ?? false;
  } catch {
    return false;
  }
}

/** Returns the line of a file that writes an element, by its address, its id or its text. */
function findElement(root: string, file: string, element: string): Place {
  const [, attribute = "", address = ""] = / (href|action|formaction)="([^"]+)"/.exec(element) ??
    [];
  const id = / id="([^"]+)"/.exec(element)?.[1] ?? "";
  const text = />([^<]+)$/.exec(element)?.[1] ?? "";
  const lines = textOfFile(join(root, file)).split("\n");
  const wanted = [[address, attribute], [address], [id], [text]];
  // A single character would match almost every line.
  const at = wanted.filter(({ length, 0: first = "" }) => first.length >= (length === 2 ? 1 : 2))
    .map((words) => lines.findIndex((line) => words.every((word) => line.includes(word))));
  return { file, line: 1 + (at.find((index) => index >= 0) ?? 0) };
}
