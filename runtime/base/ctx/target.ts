import type { CorsHeaders } from "../headers.ts";
import type { Kind, LayoutHandler, ProblemsHandler } from "./route.ts";

export interface Target {
  readonly url: string;
  /** The method as it was sent. */
  readonly method: string;
  readonly host: string;
  /** The header `Host` where parsing the target needed it; `undefined` while it is unread. */
  readonly hostHeader: string | null | undefined;
  /** The path as it was sent. */
  readonly path: string;
  readonly pathStart: number;
  readonly pathEnd: number;
}

/** The parts of a route that the context and the rendering need. */
export interface MatchedRoute {
  readonly pattern: string;
  /** The name in log and metrics: the pattern, with the action that runs. */
  readonly label: string;
  /** The names of its parameters, in order. */
  readonly names: readonly string[];
  /** Its segments in logs: `{name}` for a parameter whose name looks secret; `undefined` without one. */
  readonly secretSegments: readonly (string | undefined)[] | undefined;
  readonly actionNames: readonly string[];
  /** Whether a `page.ts` declares it. */
  readonly isPage: boolean;
  /** The format of its errors: that of a page, else the deepest `Kind` above it; `undefined` to negotiate. */
  readonly kind: Kind | undefined;
  /** Builds the JSON of its errors; `undefined` for problem documents and pages. */
  readonly problems: ProblemsHandler | undefined;
  /** Its layouts, the outermost first. */
  readonly layouts: readonly LayoutHandler[];
  readonly source: string;
  readonly corsHeaders: CorsHeaders | undefined;
}

export interface Location {
  /** The path inside the application, in canonical form. */
  readonly path: string;
  readonly route: MatchedRoute | undefined;
  readonly near?: MatchedRoute | undefined;
  /** Builds the JSON of errors at a path without a route. */
  readonly problems?: ProblemsHandler | undefined;
  /** The captured parameters, undecoded. */
  readonly captures: readonly string[] | undefined;
  /** The language prefix of the target, which `path` lacks. */
  readonly language?: string | undefined;
  /** The path with the language prefix, by which static files are found. */
  readonly outer?: string | undefined;
}
