import { notFound } from "../base/errors/errors.ts";
import type { Handler, Route } from "../base/ctx/route.ts";
import { isActionName, parseAction } from "../base/url/action.ts";
import { sliceQuery } from "../base/url/path.ts";
import type { Chain, Step } from "../request/chain.ts";
import type { Target } from "../request/exchange.ts";
import type { CompiledRoute } from "./compiled_route.ts";

/**
 * Compiles the actions of a page: each is the route once more, with a label and a `POST` of its own.
 *
 * @param route The page.
 * @param compiled The page without its actions.
 * @param compose Composes the chain of a `POST`, with its checks.
 * @throws {TypeError} for a route without a page, for no actions, and for a name that no URL should carry.
 */
export function compileActions(
  route: Route,
  compiled: CompiledRoute,
  compose: (handler: Handler) => Chain,
): ReadonlyMap<string, CompiledRoute> | undefined {
  if (route.actions === undefined) return undefined;
  if (route.page === undefined) throw refused(route, "only a page has Actions; give it a page");
  const actions = new Map<string, CompiledRoute>();
  for (const [name, handler] of Object.entries(route.actions)) {
    if (!isActionName(name)) {
      throw refused(route, `the action ${JSON.stringify(name)} must be letters, digits and "_"`);
    }
    if (typeof handler !== "function") throw refused(route, `the action "${name}" is no function`);
    actions.set(name, {
      ...compiled,
      label: `${compiled.label}?/${name}`,
      chains: Object.assign(Object.create(null), compiled.chains, { POST: compose(handler) }),
    });
  }
  if (actions.size === 0) throw refused(route, "its Actions are empty; name one or leave them out");
  return actions;
}

function refused({ pattern }: Route, reason: string): TypeError {
  return new TypeError(`Cannot add the route "${pattern}": ${reason}.`);
}

/** Returns the route of the action that a request names; an unknown one leads to the page's `POST`. */
export function chooseAction(route: CompiledRoute, { url, pathEnd }: Target): CompiledRoute {
  const name = parseAction(sliceQuery(url, pathEnd));
  return name === undefined ? route : route.actions?.get(name) ?? route;
}

/**
 * Returns the `POST` of a page with actions: 404 for an unknown action, and for none where the page has no
 * `POST` itself. It runs behind the guards, so that a client learns nothing about a page closed to it.
 */
export function unnamedAction(post: Handler | undefined): Step {
  return (c) => {
    const { url, pathEnd } = c.target;
    const name = parseAction(sliceQuery(url, pathEnd));
    if (name === undefined && post !== undefined) return post(c);
    return notFound("the page has no such action");
  };
}
