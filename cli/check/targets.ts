/**
 * Decides whether a URL of the application leads somewhere.
 *
 * @module
 */
import { findNearest } from "@fw/fw/addon";
import { publicFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import { servesPublicAlone } from "../build/assets.ts";
import type { Messages } from "../messages/catalog.ts";
import type { ProblemText } from "../problem.ts";
import { statIfThereSync } from "../project/files/look.ts";
import type { Project } from "../project/project.ts";
import type { ProductionSettings } from "../project/settings/production.ts";
import {
  anySegment,
  createMatcher,
  type Matched,
  type RouteMatcher,
} from "../project/routes/match.ts";

/** A route as far as a target needs it. */
export interface TargetRoute extends Matched {
  readonly methods: readonly string[];
  readonly actions: readonly string[];
  /** The file that declares it. */
  readonly source?: string;
}

/** What a link or a form asks for. */
export interface Target {
  readonly method: string;
  /** The path and the query, base path removed; {@linkcode anySegment} for what code fills in. */
  readonly path: string;
}

/** Finds out where targets lead. */
export interface TargetFinder {
  readonly matcher: RouteMatcher<TargetRoute>;
  /** Returns what is wrong with a target; `undefined` if it leads somewhere. */
  fault(target: Target): ProblemText | undefined;
}

/**
 * Creates a finder for the routes and static files of a project.
 *
 * @param project The project.
 * @param routes The routes. @default those of the project
 */
export async function createTargets(
  project: Project,
  routes?: readonly TargetRoute[],
): Promise<TargetFinder> {
  const table = routes ?? await tableOf(project);
  const settings = await project.settings({});
  const matcher = withLanguages(createMatcher(table), settings);
  const texts = project.messages.check.links;
  const isAlone = servesPublicAlone(settings);
  const own = settings.possible("observability.metrics").flatMap((value) =>
    value.kind === "known" && typeof value.value === "string" ? [value.value] : []
  );
  const patterns = table.filter(({ methods }) => methods.includes("GET")).map((each) =>
    each.pattern
  );
  const fault = ({ method, path }: Target): ProblemText | undefined => {
    const [bare = "", query = ""] = path.split("#")[0]?.split("?") ?? [];
    if (bare.startsWith("/_fw/") || own.includes(bare)) return undefined;
    const route = matcher.match(bare);
    const shown = bare.replaceAll(anySegment, "…");
    if (route === undefined) {
      if (method === "GET" && (!isAlone || isFile(project.root, bare))) return undefined;
      return noRoute(shown, { patterns, texts, method });
    }
    const action = /^\/([A-Za-z_]\w*)(?:&|=|$)/.exec(query)?.[1];
    if (method === "POST" && action !== undefined && route.actions.length > 0) {
      if (route.actions.includes(action)) return undefined;
      return texts.noAction(action, route.pattern, findNearest(action, route.actions));
    }
    if (route.methods.includes(method)) return undefined;
    return texts.noMethod(method, shown, route.source ?? route.pattern);
  };
  return { matcher, fault };
}

/** Finds the routes behind a language too, such as `/pt-PT/events`. */
function withLanguages(
  matcher: RouteMatcher<TargetRoute>,
  settings: ProductionSettings,
): RouteMatcher<TargetRoute> {
  const isPrefixed = settings.possible("languagePrefix").some((value) =>
    value.kind === "unknown" || (value.kind === "known" && value.value === true)
  );
  if (!isPrefixed) return matcher;
  const lists = settings.possible("languages");
  const isOpen = lists.some(({ kind }) => kind === "unknown");
  const tags = new Set(
    lists.flatMap((value) =>
      value.kind === "known" && Array.isArray(value.value)
        ? value.value.map((tag) => String(tag).toLowerCase())
        : []
    ),
  );
  const isLanguage = (segment: string): boolean =>
    segment === anySegment || tags.has(segment.toLowerCase()) || (isOpen && isTag(segment));
  const match = (path: string): TargetRoute | undefined => {
    const [, segment = "", rest = ""] = /^\/([^/]*)(.*)$/.exec(path) ?? [];
    return (isLanguage(segment) ? matcher.match(rest === "" ? "/" : rest) : undefined) ??
      matcher.match(path);
  };
  return { match };
}

/** Reports whether a segment may be a language that is known only at run time. */
function isTag(segment: string): boolean {
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(segment);
}

async function tableOf(project: Project): Promise<TargetRoute[]> {
  const { routes } = await project.routes();
  return routes.map(({ pattern, methods, file }) => ({
    pattern,
    methods,
    actions: file.actions,
    source: file.path,
  }));
}

function isFile(root: string, path: string): boolean {
  if (path.includes(anySegment)) return true;
  try {
    return statIfThereSync(join(root, publicFolder, decodeURIComponent(path)))?.isFile ?? false;
  } catch {
    return false;
  }
}

function noRoute(
  path: string,
  { patterns, texts, method }: {
    readonly patterns: readonly string[];
    readonly texts: Messages["check"]["links"];
    readonly method: string;
  },
): ProblemText {
  const nearest = findNearest(path, patterns);
  return texts.noRoute(path, { nearest, method });
}
