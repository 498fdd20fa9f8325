import type { Cors } from "../guard/cors.ts";
import type { Chain } from "../request/chain.ts";
import type { MatchedRoute } from "../request/exchange.ts";

/** A route with everything that could be computed before its first request. */
export interface CompiledRoute extends MatchedRoute {
  /** Which other sites may call it. */
  readonly cors: Cors | undefined;
  /** The chains by method, on an object without a prototype. */
  readonly chains: Readonly<Record<string, Chain>>;
  /** The chain of `GET`, the method that most requests have. */
  readonly get: Chain | undefined;
  /** The `Allow` header of a 405. */
  readonly allow: string;
  /** The actions of a page: the same route, each with a `POST` of its own. */
  readonly actions: ReadonlyMap<string, CompiledRoute> | undefined;
}
