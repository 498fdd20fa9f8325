import { Memoirist } from "npm:memoirist@1.2.2";
import createFindMyWay from "npm:find-my-way@9.10.1";
import { addRoute, createRouter as createRou3, findRoute } from "npm:rou3@1.0.0";
import { RegExpRouter } from "npm:hono@4.13.19/router/reg-exp-router";
import { SmartRouter } from "npm:hono@4.13.19/router/smart-router";
import { TrieRouter } from "npm:hono@4.13.19/router/trie-router";
import { decodeParam, decodePath } from "../../runtime/base/url/path.ts";
import { Router } from "../../runtime/request/router.ts";
import type { BenchRoute } from "./routes.ts";

/** Looks up every path, reads every parameter by name, and returns the sum of their lengths. */
export type Lookup = (paths: readonly string[]) => number;

/** A router under test. */
export interface Contender {
  readonly name: string;
  readonly prepare: (routes: readonly BenchRoute[]) => Lookup;
}

/** The target of a route, which each contender stores and must return. */
interface Target {
  readonly names: readonly string[];
  readonly methods: { readonly GET: number };
}

function toTarget(route: BenchRoute): Target {
  return { names: route.names, methods: { GET: 1 } };
}

function lost(path: string): Error {
  return new Error(`no route for ${path}`);
}

/** Converts `/a/{id}/{path...}` to colons before names and the peer's catch-all at the end. */
function toColons(pattern: string, rest: string): string {
  return pattern.replace(/\{\w+\.\.\.\}/, rest).replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Returns the route with parameter names for peers that call the catch-all `*`. */
function withStar(route: BenchRoute): BenchRoute {
  return {
    ...route,
    names: route.names.map((name) => route.pattern.includes(`{${name}...}`) ? "*" : name),
  };
}

function sumOf(params: Record<string, string | undefined>, names: readonly string[]): number {
  let sum = 0;
  for (const name of names) sum += params[name]?.length ?? Number.NaN;
  return sum;
}

function prepareFw(routes: readonly BenchRoute[]): Lookup {
  const router = new Router<Target>();
  for (const route of routes) router.add(route.pattern, toTarget(route));
  return (paths) => {
    let sum = 0;
    for (const path of paths) {
      const match = router.find(path);
      if (match === undefined) throw lost(path);
      const { names, methods } = match.value;
      sum += methods.GET;
      if (match.params === undefined) continue;
      for (const name of names) {
        sum += decodeParam(match.params[names.indexOf(name)] ?? "").length;
      }
    }
    return sum;
  };
}

// Duplicated, because a loop shared with prepareFw would be optimised for both.
function prepareFwDecoding(routes: readonly BenchRoute[]): Lookup {
  const router = new Router<Target>();
  for (const route of routes) router.add(route.pattern, toTarget(route));
  return (paths) => {
    let sum = 0;
    for (const path of paths) {
      const match = router.find(decodePath(path) ?? "");
      if (match === undefined) throw lost(path);
      const { names, methods } = match.value;
      sum += methods.GET;
      if (match.params === undefined) continue;
      for (const name of names) {
        sum += decodeParam(match.params[names.indexOf(name)] ?? "").length;
      }
    }
    return sum;
  };
}

function prepareMemoirist(routes: readonly BenchRoute[]): Lookup {
  const router = new Memoirist<Target>();
  for (const route of routes) {
    router.add("GET", toColons(route.pattern, "*"), toTarget(withStar(route)));
  }
  return (paths) => {
    let sum = 0;
    for (const path of paths) {
      const match = router.find("GET", path);
      if (match === null) throw lost(path);
      sum += match.store.methods.GET + sumOf(match.params, match.store.names);
    }
    return sum;
  };
}

function prepareFindMyWay(routes: readonly BenchRoute[]): Lookup {
  const router = createFindMyWay();
  for (const route of routes) {
    router.on("GET", toColons(route.pattern, "*"), () => {}, toTarget(withStar(route)));
  }
  return (paths) => {
    let sum = 0;
    for (const path of paths) {
      const match = router.find("GET", path);
      if (match === null) throw lost(path);
      sum += match.store.methods.GET + sumOf(match.params, match.store.names);
    }
    return sum;
  };
}

function prepareRou3(routes: readonly BenchRoute[]): Lookup {
  const router = createRou3<Target>();
  for (const route of routes) {
    addRoute(router, "GET", toColons(route.pattern, "**:path"), toTarget(route));
  }
  return (paths) => {
    let sum = 0;
    for (const path of paths) {
      const match = findRoute(router, "GET", path);
      if (match === undefined) throw lost(path);
      sum += match.data.methods.GET + sumOf(match.params ?? {}, match.data.names);
    }
    return sum;
  };
}

function prepareHono(routes: readonly BenchRoute[]): Lookup {
  const router = new SmartRouter<Target>({ routers: [new RegExpRouter(), new TrieRouter()] });
  for (const route of routes) {
    router.add("GET", toColons(route.pattern, ":path{.+}"), toTarget(route));
  }
  return (paths) => {
    let sum = 0;
    for (const path of paths) {
      const [handlers, stash] = router.match("GET", path);
      const [target, params] = handlers[0] ?? [];
      if (target === undefined) throw lost(path);
      sum += target.methods.GET;
      for (const name of target.names) {
        const at = params?.[name];
        sum += (typeof at === "number" ? stash?.[at] : at)?.length ?? Number.NaN;
      }
    }
    return sum;
  };
}

/** The contenders; the others are compared with the first. */
export const CONTENDERS: readonly Contender[] = [
  { name: "fw", prepare: prepareFw },
  { name: "fw with decodePath", prepare: prepareFwDecoding },
  { name: "memoirist 1.2.2", prepare: prepareMemoirist },
  { name: "find-my-way 9.10.1", prepare: prepareFindMyWay },
  { name: "rou3 1.0.0", prepare: prepareRou3 },
  { name: "hono 4.13.19 SmartRouter", prepare: prepareHono },
];
