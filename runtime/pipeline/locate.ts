import { decodePath, stripBase } from "../base/url/path.ts";
import type { Languages, PrefixedPath } from "../i18n/languages.ts";
import type { Location, Target } from "../base/ctx/target.ts";
import type { Router } from "../request/router.ts";
import type { Endpoint, EndpointPath } from "./probes.ts";
import type { CompiledRoute } from "./runtime.ts";

/** The destination of a target; a file may still take the place of anything but a literal route. */
export type Located =
  & Location
  & (
    | {
      /** Discriminates the variants: a probe, or the metrics. */
      readonly kind: "endpoint";
      readonly endpoint: Endpoint;
      readonly route: undefined;
    }
    | {
      /** Discriminates the variants: a route without or with parameters. */
      readonly kind: "literal" | "parameters";
      readonly route: CompiledRoute;
    }
    | {
      /**
       * Discriminates the variants: the path of a route but for a trailing slash, or for the spelling of its
       * language; no match; a path outside the base path; a malformed path.
       */
      readonly kind: "slash" | "spelling" | "nothing" | "outside" | "malformed";
      readonly route: undefined;
    }
  );

/** Finds where a target leads. */
export type Locate = (target: Target) => Located;

export interface Places {
  /** The application's URL prefix. */
  readonly base: string;
  readonly router: Router<CompiledRoute>;
  /** The endpoints by the length of their paths. */
  readonly endpoints: readonly (readonly EndpointPath[] | undefined)[];
  readonly languages: Languages | undefined;
}

/** Creates the single lookup of a request: endpoint, route, or the redirect to one. */
export function createLocate({ base, router, endpoints, languages }: Places): Locate {
  return ({ path: sent }) => {
    const near = endpoints[sent.length];
    if (near !== undefined) {
      for (const { path, endpoint } of near) {
        if (path === sent) {
          return { kind: "endpoint", path, endpoint, route: undefined, captures: undefined };
        }
      }
    }
    // A path that equals a literal route is canonical as it stands: no scan (`bench/http`).
    let path = base === "" ? sent : stripBase(base, sent);
    let match = path === undefined ? undefined : router.find(path);
    if (match?.isLiteral !== true) {
      const decoded = decodePath(sent);
      if (decoded === undefined) return placeless("malformed", sent);
      if (decoded !== sent) {
        path = stripBase(base, decoded);
        match = path === undefined ? undefined : router.find(path);
      }
      if (path === undefined) return placeless("outside", decoded);
      // No literal route starts with a language: `compileRoutes` refuses it.
      const prefixed = match?.isLiteral === true ? undefined : languages?.parsePrefix(path);
      if (prefixed !== undefined) return locateBehind(prefixed, path);
      if (match === undefined) return withoutRoute(path);
    }
    const kind = match.isLiteral ? "literal" : "parameters";
    return { kind, path: path ?? sent, route: match.value, captures: match.params };
  };

  /** Finds where the path behind a language leads. */
  function locateBehind({ language, rest, isCanonical }: PrefixedPath, outer: string): Located {
    const path = rest === "" ? "/" : rest;
    const match = router.find(path);
    if (match === undefined) return { ...withoutRoute(path), language, outer };
    if (!isCanonical || rest === "") {
      return { ...placeless("spelling", path), near: match.value, language, outer };
    }
    const kind = match.isLiteral ? "literal" : "parameters";
    return { kind, path, route: match.value, captures: match.params, language, outer };
  }

  /** Returns what a path is that no route matches: that of one with a slash at its end, or nothing. */
  function withoutRoute(path: string): Located & { readonly kind: "slash" | "nothing" } {
    const isSlashed = path.length > 1 && path.endsWith("/");
    const near = isSlashed ? router.find(path.slice(0, -1))?.value : undefined;
    return near === undefined ? placeless("nothing", path) : { ...placeless("slash", path), near };
  }
}

function placeless<K extends "slash" | "spelling" | "nothing" | "outside" | "malformed">(
  kind: K,
  path: string,
): Located & { readonly kind: K } {
  return { kind, path, route: undefined, captures: undefined };
}
