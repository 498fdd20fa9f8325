import type { AppTexts } from "../base/texts.ts";
import type { Spoken } from "../i18n/languages.ts";
import type { Upgrade } from "../base/ctx/answers.ts";
import type { Ctx } from "../base/ctx/ctx.ts";
import type { Kind, LayoutHandler } from "../base/ctx/route.ts";
import type { Node } from "../../html/node.ts";
import type { RequestBody } from "../body/body.ts";
import type { CorsHeaders, DefaultHeaders } from "./default_headers.ts";

/** The target of a request, read once from the server's request. */
export interface Target {
  /** The whole URL as the server provided it. */
  readonly url: string;
  /** The method as it was sent. */
  readonly method: string;
  /** The host with its port, as the URL has it. */
  readonly host: string;
  /** The header `Host` where parsing the target needed it; `undefined` while it is unread. */
  readonly hostHeader: string | null | undefined;
  /** The path as it was sent. */
  readonly path: string;
  /** Where the path starts in `url`. */
  readonly pathStart: number;
  /** Where the path ends in `url`. */
  readonly pathEnd: number;
}

/** The parts of a route that the context and the rendering need. */
export interface MatchedRoute {
  /** The template. */
  readonly pattern: string;
  /** What the log and the metrics call it: the template, with the action that runs. */
  readonly label: string;
  /** The names of its parameters, in order. */
  readonly names: readonly string[];
  /**
   * What logs have in place of its segments, by position: `{name}` for a parameter whose name looks secret.
   * `undefined` where none does.
   */
  readonly secretSegments: readonly (string | undefined)[] | undefined;
  /** The names of its actions. */
  readonly actionNames: readonly string[];
  /** Whether a `page.ts` declares it. */
  readonly isPage: boolean;
  /** The deepest `Kind` above it. */
  readonly kind: Kind | undefined;
  /** Its layouts, the outermost first. */
  readonly layouts: readonly LayoutHandler[];
  /** The file that declares it. */
  readonly source: string;
  /** The headers that its CORS policy adds to responses. */
  readonly corsHeaders: CorsHeaders | undefined;
}

/** The location that the target of a request resolves to. */
export interface Location {
  /** The path inside the application, in canonical form. */
  readonly path: string;
  /** The route at the path. */
  readonly route: MatchedRoute | undefined;
  /** The route to which the path is redirected. */
  readonly near?: MatchedRoute | undefined;
  /** The captured parameters, undecoded. */
  readonly captures: readonly string[] | undefined;
  /** The language with which the target starts, which `path` lacks. */
  readonly language?: string | undefined;
  /** The path with that language in front: static files are found by it. */
  readonly outer?: string | undefined;
}

/**
 * The headers already on a response that the context built: the default headers and, for `page`, also the
 * `Vary` of a fragment. A `stream` is a page whose body takes time: it is not read to measure it.
 */
export type Carried = "nothing" | "defaults" | "page" | "stream";

/**
 * Whom a response is made for: any client, one browser (it holds a token), a user who is signed in, or a
 * user who passed a guard.
 */
export type Audience = "anybody" | "browser" | "user" | "guarded";

/** The last response that the context built: it may be changed, since no other code holds it. */
export interface OwnResponse {
  /** The response. */
  readonly response: Response;
  /** What it carries already. */
  readonly carries: Carried;
}

/**
 * One request and its response, as the layers of the framework see them. Handlers get the same object
 * as a {@link Ctx}.
 */
export interface Exchange extends Ctx {
  /** What the request asks for. */
  readonly target: Target;
  /** The header `Cookie`, read once; `""` for none. */
  readonly cookieHeader: string;
  /** The connection, if a server provided it. */
  readonly info: Deno.ServeHandlerInfo | undefined;
  /** The value of `performance.now()` at the start; 0 while not needed. */
  readonly startMs: number;
  /** Its value when the end was first read; cached because reading the clock is costly (`bench/http`). */
  readonly endMs: number;
  /** Whether the end was counted already. */
  isMeasured: boolean;
  /** Where the target leads, once it was located. */
  location: Location | undefined;
  /** The language of the response; `undefined` until something asked for it. */
  readonly spoken: Spoken | undefined;
  /** The application's texts in that language. */
  readonly texts: AppTexts;
  /** The route that runs. */
  route: MatchedRoute | undefined;
  /** The path inside the application in canonical form; as it was sent until it was located. */
  readonly path: string;
  /** The headers as they came: `request` of a method with a body makes a guarded copy. */
  readonly headers: Headers;
  /** The body, with its limit and what was read of it. */
  readonly body: RequestBody;
  /** The body, if anything has asked for it. */
  readonly touchedBody: RequestBody | undefined;
  /** Origins besides its own to which the page may send forms. */
  readonly formActions: readonly string[] | undefined;
  /** Adds origins to which the page may send forms. */
  allowFormActions(origins: readonly string[]): void;
  /** Whether the request came with a valid `X-Request-ID`. */
  readonly broughtRequestId: boolean;
  /** Whether the client sent the request over HTTPS. */
  readonly isSecure: boolean;
  /** Whether a static export asks. */
  readonly isExport: boolean;
  /** The application's folder in development. */
  readonly appDir: string | undefined;
  /** Whether the handler has a deadline. */
  readonly hasWriteDeadline: boolean;
  /** The upgraded connection: no other response can be sent then. */
  readonly upgraded: Upgrade | undefined;

  /** The headers that the response carries unless the application sets its own. */
  readonly defaults: DefaultHeaders;
  /** The nonce for the response's policy: reading it does not say that the page holds it. */
  readonly policyNonce: string;
  /** What the CORS policy adds to the response. */
  readonly cors: CorsHeaders | undefined;
  /** The status that was staged, 0 for none. */
  stagedStatus: number;
  /** The headers that were staged. */
  stagedHeaders: Headers | undefined;
  /** The staged response that waits to be handed out. */
  readonly stagedResponse: Response | undefined;
  /** Hands out the staged response, once. */
  takeStaged(): Response | undefined;
  /** The last response that the context built. */
  own: OwnResponse | undefined;
  /** Whom the response is made for. */
  audience: Audience;
  /**
   * Notes that the context has built a response.
   *
   * @param carries What it carries already. @default "nothing"
   * @returns The response.
   */
  keep<R extends Response>(response: R, carries?: Carried): R;
  /** Checks whether the response must still say that a fragment request to its URL gets another one. */
  lacksVary(response: Response): boolean;
  /** Renders without a promise where every layout is synchronous. */
  renderNow(status: number, node: Node): Response | Promise<Response>;
  /** Answers with finished HTML. */
  writeHtml(status: number, html: BodyInit): Response;

  /** Whether the head has been sent. */
  readonly isSealed: boolean;
  /** Whether the client is known to have disconnected; only detected once the signal has been accessed. */
  readonly hasClientLeft: boolean;
  /** Ends the time in which the response can be changed, and in which the signal can abort. */
  seal(): void;
  /** Marks the response as streaming after its head: until `finish` the signal can abort again. */
  resume(): void;
  /** Ends the time in which the signal can abort. */
  finish(): void;
  /** Aborts the signal, if it was accessed. */
  abort(reason: unknown): void;
}
