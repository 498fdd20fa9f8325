/** The island modules, filled by the generated file, so that the props of `c.island` are checked. */
// deno-lint-ignore no-empty-interface -- the generated file adds the members
export interface Islands {}

/** The module of an island: one listed in the generated file, or any other in the public folder. */
export type IslandSource = (keyof Islands & string) | (string & Record<never, never>);

/** The props that a module accepts: those of its source in `islands/`, or any object. */
export type IslandProps<S extends string> = S extends keyof Islands
  // A function that takes the element alone leaves the props unknown.
  ? Islands[S] extends (el: never, props: infer P, context: never) => unknown
    ? unknown extends P ? object : P
  : object
  : object;

/** The element of an island, if the DOM types are available. */
export type IslandElement = typeof globalThis extends { HTMLElement: { prototype: infer E } } ? E
  : unknown;

/** The third argument of an island. */
export interface IslandContext {
  /** Aborts when a swap or a navigation has removed the element: for listeners, timers and requests. */
  readonly signal: AbortSignal;
}

/** The result of an island that lives on when the page around it changes. */
export interface LivingIsland<Props extends object = object> {
  /**
   * Called with the new props when the server renders the island again. The element keeps its state; an
   * island without `update` is mounted again.
   */
  readonly update?: (props: Props) => void | Promise<void>;
  /** Called when a swap or a navigation has removed the element, after the signal has aborted. */
  readonly unmount?: () => void;
}

/**
 * The default export of an island's module, called once for each element. If it throws or rejects, the
 * fallback stays and the error is logged to the console. The signal in the third argument aborts when the
 * element is gone; an island that returns `update` stays through swaps.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import type { Island } from "@fw/fw";
 *
 * const told: string[] = [];
 * const mount: Island<{ readonly name: string }> = (_el, { name }) => void told.push(name);
 *
 * // What the page's script does, with the element, for what a module exports by default.
 * await mount(Object.create(null), { name: "Ada" }, { signal: new AbortController().signal });
 * assertEquals(told, ["Ada"]);
 * ```
 */
export type Island<Props extends object = object> = (
  el: IslandElement,
  props: Props,
  context: IslandContext,
) => void | LivingIsland<Props> | Promise<void | LivingIsland<Props>>;
