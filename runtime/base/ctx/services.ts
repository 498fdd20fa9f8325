import type { Child, Node } from "../../../html/node.ts";
import type { Upgrade, UpgradeOptions } from "./answers.ts";
import type { DeferOptions } from "./streams.ts";
import type { Ctx } from "./ctx.ts";

/** The sender of a request, as reported by trusted proxies. */
export interface Client {
  /** The address in its canonical form; `undefined` where there is no connection. */
  readonly ip: string | undefined;
  /** Whether a trusted proxy reports that it received the request over HTTPS. */
  readonly isSecure: boolean;
}

/**
 * What the context delegates to layers above it: built once at boot by `runtime/app`, handed to
 * every context. The context comes first in each.
 */
export interface Services<C extends Ctx = Ctx> {
  /** Answers with a node inside the route's layouts. */
  render(c: C, status: number, node: Node): Response | Promise<Response>;
  /** Responds with several nodes, each of which replaces the element with its id. */
  renderAll(c: C, status: number, nodes: readonly Node[]): Response | Promise<Response>;
  /** Answers with a whole document. */
  document(c: C, status: number, node: Node): Response;
  /** Creates the connection a WebSocket. */
  upgrade(c: C, options: UpgradeOptions): Upgrade;
  /** Returns the placeholder of a part until it arrives. */
  defer(c: C, part: Promise<Child>, options: DeferOptions & { readonly fallback: Child }): Node;
  /** What a script brings to life. */
  island(
    c: C,
    island: { readonly src: string; readonly props: unknown; readonly children: readonly Child[] },
  ): Node;
  /** The CSRF token of the browser, whose cookie it sets where there is none. */
  csrfToken(c: C): string;
  /** The nonce of the request's Content Security Policy. */
  nonce(c: C): string;
  /** Who sent the request. */
  client(c: C): Client;
  /** The URL of a static file. */
  asset(c: C, path: string): string;
}
