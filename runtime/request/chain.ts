import { isNode } from "../../html/node.ts";
import type { Answered } from "../base/ctx/answer.ts";
import type { FwError } from "../base/errors/errors.ts";
import type { Ctx } from "../base/ctx/ctx.ts";
import type { Method, MiddlewareHandler, Next, Result, Route } from "../base/ctx/route.ts";
import { buildEmpty } from "./answer.ts";
import type { RequestCtx } from "./request_ctx.ts";

/** A chain, synchronous if possible: an `await` costs a tenth of a small request (`bench/http`). */
export type Chain = (c: RequestCtx) => Answered;

/** The innermost part of a chain: the handler, or a check around it. */
export type Step = (c: RequestCtx) => Result | Promise<Result>;

/** Compiles a chain: the outermost folder's middleware first, then that of the method, then the handler. */
export function composeChain(route: Route, method: Method, handler: Step): Chain {
  const modules = route.middleware ?? [];
  const around = [
    ...modules.map((module) => module.Middleware),
    ...modules.map((module) => module[`Middleware${method}`]),
  ].filter((middleware) => middleware !== undefined);
  return around.reduceRight<Chain>(wrap, handlerChain(handler, method !== "GET"));
}

function handlerChain(handler: Step, hasBody: boolean): Chain {
  return (c) => {
    // A body announced over the limit gets a 413 before the handler; a chunked one is counted.
    if (hasBody) c.body.refuseOversize();
    const result = handler(c);
    // A response that the framework built needs no check.
    if (result instanceof Response && result === c.answer.response) return result;
    if (!isPromiseLike(result)) return answer(c, result);
    return Promise.resolve(result).then((value) => answer(c, value));
  };
}

/** Decides whether a route runs: a returned or thrown value is the refusal, `undefined` lets it run. */
export type Gate = (c: Ctx) => FwError | undefined | Promise<FwError | undefined>;

const gates: WeakMap<MiddlewareHandler, Gate> = new WeakMap();

/** Marks a middleware that is only a gate: its chain needs no promise for `next`. */
export function setGate<T extends MiddlewareHandler>(middleware: T, gate: Gate): T {
  gates.set(middleware, gate);
  return middleware;
}

function wrapGate(inner: Chain, gate: Gate): Chain {
  const pass = (c: RequestCtx, refusal: FwError | undefined): Answered => {
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
          new TypeError(`Cannot call next() twice: keep the result of the first call.`),
        );
      }
      given = start(inner, c);
      // A rejection that a middleware does not await must not end the process.
      given.catch(() => {});
      return given;
    };
    const result: Result | Promise<Result> = middleware(c, next);
    if (!isPromiseLike(result)) return answer(c, result, given);
    return Promise.resolve(result).then((value) => answer(c, value, given));
  };
}

/** Runs the chain so that a throw becomes a rejection; `Promise.try` would wrap its promise (`bench/http`). */
function start(chain: Chain, c: RequestCtx): Promise<Response> {
  try {
    return Promise.resolve(chain(c));
  } catch (error) {
    return Promise.reject(error);
  }
}

export function isPromiseLike<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === "object" && value !== null && "then" in value &&
    typeof value.then === "function";
}

/** Turns the result of a handler into a response, or throws the error that it returned. */
export function answer(c: RequestCtx, result: Result, given?: Promise<Response>): Answered {
  if (result instanceof Response) {
    // A middleware may have read a body that the context created in an inner step.
    const isForeign = result !== c.answer.response || given !== undefined;
    return isForeign ? usable(c, result) : result;
  }
  if (result === undefined || result === null) {
    const { given: staged } = c.answer;
    c.answer.given = undefined;
    if (staged === undefined) return given?.then((value) => usable(c, value)) ?? nothing(c);
    return staged === c.answer.response ? staged : usable(c, staged);
  }
  if (isNode(result)) return c.renderNow(c.answer.status || 200, result);
  // A plain error counts too, although the types exclude it, because returning means the same as throwing.
  if (result instanceof Error) throw result;
  throw new TypeError(
    `Cannot answer with ${describe(result)}: ${
      handlerPlace(c)
    } must return a node such as h.p(…), ` +
      "a response such as c.json(200, …), an error or nothing.",
  );
}

function handlerPlace({ pattern, route }: RequestCtx): string {
  return `the route "${pattern}" (${route?.source ?? "no file"})`;
}

function nothing(c: RequestCtx): Response {
  if (c.answer.response !== undefined) {
    throw new TypeError(
      `Cannot answer with nothing: ${handlerPlace(c)} made a response; return it, as in ` +
        "`return c.json(200, …)`.",
    );
  }
  if (isEndless(c, c.answer.status)) {
    throw new TypeError(`Cannot set the status "205": ${endlessReason}.`);
  }
  return buildEmpty(c, c.answer.status || 204);
}

/**
 * Prepares a foreign response for sending. `fetch` decodes a body but keeps the headers of the encoded one,
 * which only Deno's own server handles. It does not decode part of a body.
 *
 * @throws {TypeError} if its body was read, or if it is a network error.
 */
function usable(c: RequestCtx, response: Response): Response {
  const reason = response.bodyUsed
    ? "its body has been read already; build a new Response for each request"
    : response.type === "error"
    ? "Response.error() stands for a failed fetch"
    : isEndless(c, response.status)
    ? endlessReason
    : undefined;
  if (reason !== undefined) {
    throw new TypeError(
      `Cannot send the Response of the route "${c.pattern}" (${
        c.route?.source ?? "no file"
      }): ${reason}.`,
    );
  }
  if (response.url === "" || response.status === 206) return response;
  if (!/^(?:gzip|br)$/i.test(response.headers.get("content-encoding") ?? "")) return response;
  const decoded = new Response(response.body, response);
  for (const name of ["content-encoding", "content-length"]) decoded.headers.delete(name);
  return decoded;
}

const endlessReason =
  'with config.listener "deno" a 205 has no length, so clients wait for its end; use 204';

/** Reports whether the listener drops the length that the client needs (RFC 9110, section 15.3.6). */
function isEndless(c: RequestCtx, status: number): boolean {
  return status === 205 && c.app.config.listener === "deno";
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return `a ${typeof value}`;
}
