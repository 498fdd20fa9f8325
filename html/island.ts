/**
 * Living islands: views of a state that the server and the browser render alike.
 *
 * ```ts
 * // islands/counter.ts
 * import * as h from "@fw/fw/h";
 * import { live } from "@fw/fw/island";
 *
 * export default live({
 *   view: ({ count }: { count: number }) => h.button(h.on("click", "add"), String(count)),
 *   add: ({ count }) => ({ count: count + 1 }),
 * });
 * ```
 *
 * @module
 */
import { type Action, type LiveElement, startIsland } from "./island_browser.ts";
import type { Child } from "./node.ts";

export type { Action, ActionContext, Change } from "./island_browser.ts";
export { type Store, store } from "./island_store.ts";

/** The parts of a living island: its view, and its actions by name. */
export type LiveParts<State, Name extends string> =
  & {
    /** Renders the state on both sides: a pure function of the state and of stores. */
    readonly view: (state: State) => Child;
  }
  & { readonly [N in Name]: N extends "view" ? unknown : Action<State> };

/** The default export of a living island's module. */
export interface LiveIsland<State extends object> {
  /** Mounts the island in the browser. */
  (el: unknown, props: State, context: { readonly signal: AbortSignal }): Promise<{
    readonly update: (props: State) => void;
  }>;
}

/** `runtime/render/island.ts` finds the parts by this name without loading browser code. */
const partsKey = Symbol.for("fw.live");

/**
 * Creates a living island: the default export of a module in `islands/`. `c.island` renders its
 * view on the server with the initial state. In the browser, an event that `h.on` names runs an
 * action, and the island is morphed to the new state. The page must load the kit's script.
 *
 * @param parts The view, and the actions by name.
 * @returns The default export.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import { live } from "@fw/fw/island";
 *
 * const counter = live({
 *   view: ({ count }: { count: number }) => h.button(h.on("click", "add"), String(count)),
 *   add: ({ count }) => ({ count: count + 1 }),
 * });
 * assert(typeof counter === "function");
 * ```
 */
export function live<State extends object, Name extends string>(
  parts: LiveParts<State, Name>,
): LiveIsland<State> {
  const mount: LiveIsland<State> = (el, props, { signal }) =>
    startIsland(parts, el as LiveElement, { props, signal });
  return Object.assign(mount, { [partsKey]: parts });
}
