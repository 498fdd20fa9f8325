import type { Ctx } from "../../../mod.ts";
import { hideCredentials, requestHeaders } from "../../../runtime/addon.ts";
import { errorBody, invalidRequest } from "../protocol/errors.ts";
import { type RequestId, wireError } from "../protocol/messages.ts";
import type { McpCaller } from "./call.ts";

/** Options `auth` of `mcpServer`, for access control as an OAuth 2.1 resource server. */
export interface BearerOptions {
  /**
   * Verifies an access token: signature or introspection, expiry, and above all that it was issued for
   * `resource`. Returns the caller; `undefined` for an invalid token.
   */
  readonly verify: (
    token: string,
    c: Ctx,
  ) => McpCaller | undefined | Promise<McpCaller | undefined>;
  /** The URLs of the authorization servers that issue tokens, at least one. */
  readonly authorizationServers: readonly string[];
  /** The URL of the MCP endpoint. @default the URL of the request, without its query */
  readonly resource?: string;
  /** The scopes that every request needs. @default none */
  readonly scopes?: readonly string[];
}

export class BearerGuard {
  readonly #options: BearerOptions;

  constructor(options: BearerOptions) {
    const { authorizationServers, resource, scopes } = options;
    checkScopeNames(scopes, "the MCP server");
    if (authorizationServers.length === 0) {
      throw new TypeError(
        "Cannot guard the MCP server: auth.authorizationServers is empty; use the URL of " +
          "the server that issues the tokens.",
      );
    }
    for (const url of [...authorizationServers, ...(resource === undefined ? [] : [resource])]) {
      const parsed = URL.parse(url);
      if (parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.hash === "") continue;
      const shown = hideCredentials(url);
      const fix = "use an absolute URL without a fragment";
      throw new TypeError(`Cannot guard the MCP server with the URL "${shown}": ${fix}.`);
    }
    this.#options = options;
  }

  /** Returns the caller of a request. @throws {Response} without a valid token that has the scopes. */
  async admit(c: Ctx): Promise<McpCaller> {
    const { verify, scopes = [] } = this.#options;
    const header = requestHeaders(c).get("authorization");
    if (header === null) throw this.#refuse(c, "token-missing", scopes);
    const [, token] = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header) ?? [];
    const caller = token === undefined ? undefined : await verify(token, c);
    if (caller === undefined) throw this.#refuse(c, "token-invalid", scopes);
    if (allows(caller, scopes)) return caller;
    throw this.#refuse(c, "scope-missing", scopes);
  }

  /** Checks the scopes of one call. @throws {Response} if the caller lacks one. */
  checkScopes(c: Ctx, caller: McpCaller | undefined, needed: readonly string[]): void {
    if (caller !== undefined && allows(caller, needed)) return;
    // Name all scopes at once, so that the user is asked only once.
    const scopes = [...new Set([...this.#options.scopes ?? [], ...needed])];
    throw this.#refuse(c, "scope-missing", scopes);
  }

  metadata(resource: string): Readonly<Record<string, unknown>> {
    const { authorizationServers, scopes = [] } = this.#options;
    return {
      resource: this.#options.resource ?? resource,
      authorization_servers: authorizationServers,
      bearer_methods_supported: ["header"],
      // An empty list must be left out (RFC 9728, section 3.2). Scopes of single tools are requested when needed.
      scopes_supported: scopes.length === 0 ? undefined : scopes,
    };
  }

  #refuse(c: Ctx, reason: keyof typeof refusals, scopes: readonly string[]): Response {
    c.app.security.report(c, "auth", { reason });
    const { status, error, message } = refusals[reason];
    const params = [
      ...(error === undefined ? [] : [`error="${error}"`]),
      ...(scopes.length === 0 ? [] : [`scope="${scopes.join(" ")}"`]),
      `resource_metadata="${this.#metadataUrl(c)}"`,
    ];
    c.header("WWW-Authenticate", `Bearer ${params.join(", ")}`);
    return failure(c, { status, error: invalidRequest(message) });
  }

  /** Returns the well-known URL, whose path precedes the resource's (RFC 9728, section 3.1). */
  #metadataUrl(c: Ctx): string {
    const { origin, pathname } = new URL(this.#options.resource ?? c.url);
    return `${origin}${wellKnown}${pathname === "/" ? "" : pathname}`;
  }
}

const needed = "An access token is needed";

const refusals = {
  "token-missing": { status: 401, error: undefined, message: needed },
  "token-invalid": { status: 401, error: "invalid_token", message: needed },
  "scope-missing": {
    status: 403,
    error: "insufficient_scope",
    message: "The access token does not allow this",
  },
} as const;

export const wellKnown = "/.well-known/oauth-protected-resource";

/** Checks the syntax of scopes (RFC 6749, section 3.3). @throws {TypeError} for one that no token can have. */
export function checkScopeNames(scopes: readonly string[] | undefined, subject: string): void {
  const wrong = scopes?.find((scope) => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
  if (wrong === undefined) return;
  const fix = "use one item for each scope, without spaces and quotes";
  throw new TypeError(`Cannot guard ${subject} with the scope ${JSON.stringify(wrong)}: ${fix}.`);
}

function allows({ scopes = [] }: McpCaller, needed: readonly string[]): boolean {
  return needed.every((scope) => scopes.includes(scope));
}

/** Builds a refusal. Inner functions throw it, and the endpoint returns it. */
export function failure(
  c: Ctx,
  { status, error, id }: {
    readonly status: number;
    readonly error: unknown;
    readonly id?: RequestId | undefined;
  },
): Response {
  return c.json(status, wireError(id, errorBody(error)));
}
