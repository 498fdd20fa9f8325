import type { Ctx } from "./ctx.ts";
import type { Handler, Result } from "./route.ts";

/**
 * Returns an export of a convention file as a handler. The generated file calls it, so that the compiler
 * checks the export and its message names the file, since an error cannot be reported in the file itself.
 *
 * @param handler The export.
 * @returns The same function.
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { checkedHandler } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 *
 * const Page = (c: Ctx<"/events/{slug}">) => h.h1(c.param("slug"));
 * checkedHandler<typeof Page, "/events/{slug}", "app/events/slug_/page.ts: Page">(Page);
 * ```
 */
export function checkedHandler<F, Pattern extends string, Place extends string>(
  handler: HandlerCheck<F, Pattern, Place>,
): Handler {
  return handler as unknown as Handler;
}

/** The export itself where it is a handler of the route, else a sentence that says what to change. */
// The first tests decide for nearly every handler without comparing the members of two contexts, of which
// an application has as many as routes, and without a tuple, whose members the compiler makes anew for
// each type (`bench/types`).
export type HandlerCheck<F, Pattern extends string, Place extends string> = F extends
  (c: infer C) => infer Returned
  ? Awaited<Returned> extends Result ? C extends Ctx<infer Taken> ? Pattern extends Taken ? F
      : `${Place} takes Ctx<"${Taken}">, but its route is "${Pattern}": write Ctx<"${Pattern}">`
    : F extends Handler<Pattern> ? F
    : `${Place} takes other arguments than a handler gets: take c: Ctx<"${Pattern}"> alone`
  : `${Place} returns ${Awaited<Returned> extends infer Value ? Value extends string ? "a string"
    : Value extends number | bigint ? "a number"
    : Value extends boolean ? "a boolean"
    : Value extends readonly unknown[] ? "an array"
    : Value extends Result ? never
    : "an object"
    : never}: return a node such as h.p(…), or a response such as c.text(200, …)`
  : F extends (...args: never) => unknown
    ? `${Place} takes other arguments than a handler gets: take c: Ctx<"${Pattern}"> alone`
  : `${Place} is no function: export a handler`;
