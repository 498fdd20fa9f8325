import type { Node } from "../../../html/node.ts";
import type { CorsPolicy } from "../config/settings.ts";
import type { FwError, ProblemDocument } from "../errors/errors.ts";
import type { Application } from "./application.ts";
import type { Ctx } from "./ctx.ts";

/** The kind of a route, for browsers or for programs; determines the format of its errors. */
export type Kind = "page" | "api";

/** The {@link Kind} of a subtree whose routes are for browsers. */
export const KindPage = "page" as const;

/** The {@link Kind} of a subtree whose routes are for programs. */
export const KindAPI = "api" as const;

/** Every method that a route can serve by a function of its own. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/** The values of a pattern's parameters, by name. */
export type Params = Readonly<Record<string, string>>;

/**
 * The return value of a page, a handler or a middleware: a response, a node that is rendered with the
 * route's layouts, an error (returned or thrown, which means the same), or nothing.
 *
 * The response of `fetch` can be returned as it is. A copy, such as `new Response(r.body, r)`, must omit the headers
 * `content-encoding` and `content-length`, because `fetch` has decoded the body.
 */
export type Result = Response | Node | FwError | void | null;

/** Handles one method of a route; `Handler<"/events/{slug}">` is a handler of that route. */
export type Handler<P extends string = string> = (c: Ctx<P>) => Result | Promise<Result>;

/**
 * The named form handlers of a `page.ts`, beside or instead of its `POST`: `export const Actions = { borrow,
 * giveBack }`. A form names one by `c.action(name)`. For `satisfies` import the type under another name:
 * `import type { Actions as PageActions } from "@fw/fw"`.
 */
export type Actions<P extends string = string> = Readonly<Record<string, Handler<P>>>;

/** Runs the rest of the chain; rejects with the inner error, whether it was returned or thrown. */
export type Next = () => Promise<Response>;

/** Runs around the routes of its folder and of all folders below. */
export type MiddlewareHandler = (c: Ctx, next: Next) => Result | Promise<Result>;

/** Wraps the result of a page or an inner layout. */
export type LayoutHandler = (c: Ctx, children: Node) => Node | Promise<Node>;

/** Renders an error for people; `NotFound` gets no error. */
export type ErrorHandler = (c: Ctx, error: unknown) => Result | Promise<Result>;

/**
 * Returns the JSON that an API sends for an error, in place of the problem document: the `Problems` of a
 * `kind.ts`. Status and headers stay. If it throws, or returns a promise, a `Response` or another value that
 * is not JSON, the problem document is sent and the reason is logged.
 *
 * @example
 * ```ts
 * import { App, type ProblemsHandler } from "@fw/fw";
 * import { assertEquals } from "@std/assert";
 *
 * const problems: ProblemsHandler = ({ code, title, detail }) => ({
 *   error: { code, message: detail ?? title },
 * });
 * const app = new App({}, { problems: { "/api": problems } });
 * const response = await app.fetch(new Request("http://localhost/api/nothing"));
 * assertEquals(await response.json(), { error: { code: "not_found", message: "Not Found" } });
 * ```
 */
export type ProblemsHandler = (
  problem: ProblemDocument,
  c: Ctx,
) => (object & { readonly then?: never }) | string | number | boolean | null;

/**
 * Returns the parameters of the pages that a static export writes, one object per page. A page without
 * parameters is written for each empty object; an empty list omits it.
 */
export type PathsHandler = (app: Application) =>
  | Iterable<PathParams>
  | AsyncIterable<PathParams>
  | Promise<Iterable<PathParams> | AsyncIterable<PathParams>>;

/** The values of a pattern's parameters, by name, before they are encoded into a path. */
export type PathParams = Readonly<Record<string, string | number>>;

/**
 * The exports of one `middleware.ts`: `Middleware` runs for every method, `MiddlewareGET` for `GET` and
 * `HEAD`, and each of the others for its own method, after every `Middleware` of the chain.
 */
export type MiddlewareModule = {
  readonly [Name in "Middleware" | `Middleware${Method}`]?: MiddlewareHandler;
};

/** One URL of the application, as `fw_gen.ts` lists it and `app.route` takes it. */
export interface Route {
  /** The path as a template, such as `/blog/{slug}` or `/files/{path...}`. */
  readonly pattern: string;
  /** The `Page` of a `page.ts`; it makes the route a page regardless of its `kind`. */
  readonly page?: Handler;
  /** The handlers by method: of a `route.ts`, or the form handlers beside a `Page`. */
  readonly methods?: Readonly<Partial<Record<Method, Handler>>>;
  /** The form handlers of a `page.ts` by name; each checks what `POST` checks. */
  readonly actions?: Actions;
  /** The layouts from the outermost to the innermost. */
  readonly layouts?: readonly LayoutHandler[];
  /** The middleware from the outermost to the innermost folder. */
  readonly middleware?: readonly MiddlewareModule[];
  /** The deepest `Kind` that was declared above the route. */
  readonly kind?: Kind;
  /** The deepest `Problems` that was declared above the route; a page does not use it. */
  readonly problems?: ProblemsHandler;
  /** `false` where the route opted out of the CSRF check. */
  readonly csrf?: false;
  /** Which other sites may call the route; replaces the application's policy. */
  readonly cors?: CorsPolicy;
  /** Source of the parameter values for a static export. */
  readonly paths?: PathsHandler;
  /**
   * The `maxSizeBytes` of the file fields that no `allowBody` covers: boot warns about those above
   * `config.maxBodyBytes`.
   */
  readonly fileLimits?: Readonly<Record<string, number>>;
  /** The file that declares the route, for messages. */
  readonly source?: string;
}

/**
 * Returns an export of a convention file as a handler. The generated file calls it, so that the compiler
 * checks the export and its message names the file.
 *
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

/** The export itself if it is a handler of the route, else a sentence with the fix. */
// The first tests decide for nearly every handler without comparing the members of two contexts (an
// application has one per route) and without a tuple, whose members the compiler instantiates for each
// type (`bench/types`).
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
    : never}: return a node such as h.p(…), or a response such as c.json(200, …)`
  : F extends (...args: never) => unknown
    ? `${Place} takes other arguments than a handler gets: take c: Ctx<"${Pattern}"> alone`
  : `${Place} is not a function: export a handler`;
