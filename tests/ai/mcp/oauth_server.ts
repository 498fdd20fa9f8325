/**
 * An authorization server and a protected MCP server in one function, for the tests of the sign-in.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { dial, http, type McpClient, type OAuthOptions } from "../../../ai/mcp/mod.ts";

/** What differs from a good server. */
export interface Quirks {
  /** Members of the metadata of the resource; `undefined` leaves one out. */
  readonly resource?: Record<string, unknown>;
  /** Members of the metadata of the authorization server. */
  readonly server?: Record<string, unknown>;
  /** Members of the token response. */
  readonly token?: Record<string, unknown>;
  /** Parameters of the redirect; `undefined` leaves one out. */
  readonly redirect?: Record<string, string | undefined>;
  /** The challenge of a 401. @default with the address of the metadata */
  readonly challenge?: string;
  /** The issuer. @default "https://auth.example" */
  readonly issuer?: string;
  /** The well-known path that has the metadata of the server. */
  readonly serverPath?: string;
  /** The well-known path that has the metadata of the resource. */
  readonly resourcePath?: string;
  /** The scopes that a call of a tool needs. */
  readonly toolScopes?: readonly string[];
  /** What a refresh token gives. @default a new token */
  readonly refresh?: "refused";
  /** A token whose expiry is told. */
  readonly expiresIn?: number;
  /** Whether the MCP server speaks a revision with sessions. */
  readonly hasSessions?: true;
}

const mcpUrl = "https://mcp.example/mcp";

/** One pair of servers, with what they have seen. */
export class OAuthWorld {
  readonly asked: string[] = [];
  readonly authorized: URLSearchParams[] = [];
  readonly tokenForms: URLSearchParams[] = [];
  readonly tokenHeaders: Headers[] = [];
  readonly registrations: Record<string, unknown>[] = [];
  /** The tokens that the MCP server takes now. */
  readonly valid: Map<string, readonly string[]> = new Map();
  /** How many sessions the MCP server has opened; it knows the last one. */
  sessions = 0;
  /** Whether the MCP server has forgotten its last session. */
  isSessionLost = false;
  readonly #codes: Map<string, URLSearchParams> = new Map();
  readonly #quirks: Quirks;
  #next = 1;

  constructor(quirks: Quirks = {}) {
    this.#quirks = quirks;
  }

  get issuer(): string {
    return this.#quirks.issuer ?? "https://auth.example";
  }

  /** Lets the user agree; returns where the browser ends. */
  readonly authorize = (url: URL): URL => {
    this.authorized.push(url.searchParams);
    const code = `code-${this.#next++}`;
    this.#codes.set(code, url.searchParams);
    const target = new URL(url.searchParams.get("redirect_uri") ?? "");
    const params = {
      code,
      state: url.searchParams.get("state") ?? "",
      iss: this.issuer,
      ...this.#quirks.redirect,
    };
    for (const [name, value] of Object.entries(params)) {
      if (value !== undefined) target.searchParams.set(name, value);
    }
    return target;
  };

  readonly fetch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    if (url.href !== mcpUrl) this.asked.push(url.href);
    if (url.href === mcpUrl) return await this.#mcp(request);
    if (
      url.href ===
        (this.#quirks.resourcePath ??
          "https://mcp.example/.well-known/oauth-protected-resource/mcp")
    ) {
      return Response.json({
        resource: mcpUrl,
        authorization_servers: [this.issuer],
        scopes_supported: ["events:read"],
        ...this.#quirks.resource,
      });
    }
    if (
      url.href ===
        (this.#quirks.serverPath ?? `${this.issuer}/.well-known/oauth-authorization-server`)
    ) {
      return Response.json({
        issuer: this.issuer,
        authorization_endpoint: "https://auth.example/authorize",
        token_endpoint: "https://auth.example/token",
        registration_endpoint: "https://auth.example/register",
        code_challenge_methods_supported: ["S256"],
        authorization_response_iss_parameter_supported: true,
        ...this.#quirks.server,
      });
    }
    if (url.pathname === "/register") {
      this.registrations.push(await request.json());
      return Response.json({ client_id: `client-${this.#next++}` }, { status: 201 });
    }
    if (url.pathname === "/token") return await this.#token(request);
    return new Response("not found", { status: 404 });
  };

  async #token(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    this.tokenForms.push(form);
    this.tokenHeaders.push(request.headers);
    if (form.get("grant_type") === "refresh_token") {
      if (this.#quirks.refresh === "refused") {
        return Response.json({ error: "invalid_grant" }, { status: 400 });
      }
      return this.#give(["events:read"]);
    }
    const asked = this.#codes.get(form.get("code") ?? "");
    this.#codes.delete(form.get("code") ?? "");
    const verifier = createHash("sha256").update(form.get("code_verifier") ?? "").digest(
      "base64url",
    );
    if (asked === undefined || asked.get("code_challenge") !== verifier) {
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    }
    return this.#give(asked.get("scope")?.split(" ") ?? []);
  }

  #give(scopes: readonly string[]): Response {
    const token = `token-${this.#next++}`;
    this.valid.set(token, scopes);
    return Response.json({
      access_token: token,
      token_type: "Bearer",
      refresh_token: `refresh-${token}`,
      ...(this.#quirks.expiresIn === undefined ? {} : { expires_in: this.#quirks.expiresIn }),
      ...this.#quirks.token,
    });
  }

  async #mcp(request: Request): Promise<Response> {
    const token = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
    const scopes = this.valid.get(token);
    const where =
      'resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/mcp"';
    if (scopes === undefined) {
      const challenge = this.#quirks.challenge ?? `Bearer ${where}`;
      return new Response(null, { status: 401, headers: { "www-authenticate": challenge } });
    }
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const { id, method } = await request.json();
    if (this.#quirks.hasSessions) {
      const answer = this.#inSession(method, id);
      if (answer !== undefined) return answer;
    }
    if (method === "server/discover") {
      const result = {
        resultType: "complete",
        supportedVersions: ["2026-07-28"],
        capabilities: { tools: {} },
      };
      return Response.json({ jsonrpc: "2.0", id, result });
    }
    const needed = this.#quirks.toolScopes ?? [];
    if (!needed.every((scope) => scopes.includes(scope))) {
      const challenge = `Bearer error="insufficient_scope", scope="${needed.join(" ")}", ${where}`;
      return new Response(null, { status: 403, headers: { "www-authenticate": challenge } });
    }
    const result = { resultType: "complete", content: [{ type: "text", text: token }] };
    return Response.json({ jsonrpc: "2.0", id, result });
  }

  #inSession(method: string, id: unknown): Response | undefined {
    if (method === "server/discover") return new Response(null, { status: 400 });
    if (id === undefined) return new Response(null, { status: 202 });
    if (method !== "initialize") {
      return this.isSessionLost ? new Response(null, { status: 404 }) : undefined;
    }
    this.isSessionLost = false;
    const headers = { "mcp-session-id": `session-${++this.sessions}` };
    const result = { protocolVersion: "2025-11-25", capabilities: { tools: {} } };
    return Response.json({ jsonrpc: "2.0", id, result }, { headers });
  }
}

/** Dials the MCP server of a world. */
export async function signIn(
  world: OAuthWorld,
  options: Partial<OAuthOptions> = {},
): Promise<McpClient> {
  return await dial(http("https://mcp.example/mcp", {
    fetch: world.fetch,
    auth: {
      clientName: "Test",
      redirectUri: "http://127.0.0.1:4711/callback",
      authorize: world.authorize,
      ...options,
    },
  }));
}

/** Calls a tool; the text is the token that the server saw. */
export async function callText(client: McpClient): Promise<string> {
  return JSON.stringify((await client.callTool("any")).content);
}
