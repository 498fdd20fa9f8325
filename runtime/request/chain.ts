import type { FwError } from "../base/errors.ts";
import { isPromiseLike } from "../base/types.ts";
import type {
  Ctx,
  Handler,
  Method,
  MiddlewareHandler,
  MiddlewareModule,
  Next,
  Result,
} from "../base/types.ts";
import type { RequestContext } from "./context.ts";
import { answer } from "./respond.ts";

/**
 * A route's middleware and its handler, composed at boot. It answers without a promise where
 * nothing in it is asynchronous: an `await` costs a tenth of a small request (`bench/http`).
 */
export type Chain = (c: RequestContext) => Response | Promise<Response>;

/**
 * Composes the chain of one method: the `Middleware` of every folder from the outermost in, then
 * those of the method in the same order, then the handler.
 */
export function composeChain(
  modules: readonly MiddlewareModule[],
  options: { readonly method: Method; readonly handler: Handler },
): Chain {
  const around = [
    ...modules.map((module) => module.Middleware),
    ...modules.map((module) => module[`Middleware${options.method}`]),
  ].filter((middleware) => middleware !== undefined);
  return around.reduceRight<Chain>(wrap, handlerChain(options.handler));
}

function handlerChain(handler: Handler): Chain {
  return (c) => {
    const result = handler(c);
    if (result instanceof Response) return answer(c, result);
    if (!isPromiseLike(result)) return answer(c, result);
    return Promise.resolve(result).then((value) => answer(c, value));
  };
}

/**
 * Decides before a route runs: what it returns or throws is the refusal, nothing lets the request pass.
 */
export type Gate = (c: Ctx) => FwError | undefined | Promise<FwError | undefined>;

const gates: WeakMap<MiddlewareHandler, Gate> = new WeakMap();

/**
 * Says that a middleware does no more than its gate: the chain then runs the gate and what is further in
 * without the promise that `next` returns.
 */
export function setGate<T extends MiddlewareHandler>(middleware: T, gate: Gate): T {
  gates.set(middleware, gate);
  return middleware;
}

function wrapGate(inner: Chain, gate: Gate): Chain {
  const pass = (c: RequestContext, refusal: FwError | undefined): Response | Promise<Response> => {
    if (refusal !== undefined) throw refusal;
    return inner(c);
  };
  return (c) => {
    const refusal = gate(c);
    return isPromiseLike(refusal) ? refusal.then((value) => pass(c, value)) : pass(c, refusal);
  };
}

function wrap(inner: Chain, middleware: MiddlewareHandler): Chain {
  const gate = gates.get(middleware);
  if (gate !== undefined) return wrapGate(inner, gate);
  return (c) => {
    let given: Promise<Response> | undefined;
    const next: Next = () => {
      if (given !== undefined) {
        return Promise.reject(
          new TypeError(`Cannot call next() twice: keep what the first call gave.`),
        );
      }
      given = start(inner, c);
      // A middleware that answers without waiting for what it started must not end the process.
      given.catch(() => {});
      return given;
    };
    const result: Result | Promise<Result> = middleware(c, next);
    if (!isPromiseLike(result)) return answer(c, result, given);
    return Promise.resolve(result).then((value) => answer(c, value, given));
  };
}

/** Runs the chain so that a throw becomes a rejection. */
function start(chain: Chain, c: RequestContext): Promise<Response> {
  try {
    return Promise.resolve(chain(c));
  } catch (error) {
    return Promise.reject(error);
  }
}
