import type { OAuthOptions } from "./oauth/options.ts";

/** Options of {@link http}. */
export interface HttpOptions {
  /** Headers of every request, such as `Authorization` with a token that is known already. @default none */
  readonly headers?: HeadersInit;
  /** Signs in where the server wants it. @default not at all */
  readonly auth?: OAuthOptions;
  /** Sends the requests. @default the global `fetch` */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** The most bytes of one message. @default 16777216 (16 MiB) */
  readonly maxMessageBytes?: number;
  /** How long the server has to answer `server/discover`, in milliseconds. @default 30000 */
  readonly probeMs?: number;
}
