import type { Ctx } from "../base/ctx/ctx.ts";
import type { Exchange } from "./exchange.ts";

/**
 * The base of the contexts that the framework makes, without state. It is apart from them, so that the command
 * line, which uses a few functions for add-ons, does not load everything that a request may need.
 */
export abstract class MadeContext {}

function isMade(c: Ctx): c is Exchange {
  return c instanceof MadeContext;
}

/**
 * Returns what the framework sees of a context that it made itself.
 *
 * @throws {TypeError} for any other, such as one that a test made up.
 */
export function exchangeOf(c: Ctx): Exchange {
  if (isMade(c)) return c;
  throw new TypeError("Cannot use this context: it is none that the framework made.");
}
