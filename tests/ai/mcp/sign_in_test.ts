/** The sign-in of the official SDK as the `fetch` of a transport, against servers on loopback. */
import { assertEquals, assertRejects } from "@std/assert";
import { createHash, randomUUID } from "node:crypto";
import { auth, UnauthorizedError } from "npm:@modelcontextprotocol/sdk@1.32.2/client/auth.js";
import type { OAuthClientProvider } from "npm:@modelcontextprotocol/sdk@1.32.2/client/auth.js";
import { withOAuth } from "npm:@modelcontextprotocol/sdk@1.32.2/client/middleware.js";
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from "npm:@modelcontextprotocol/sdk@1.32.2/shared/auth.js";
import { dial, http, McpClientError, mcpServer, mcpTool } from "../../../ai/mcp/mod.ts";
import { App, Off } from "../../../mod.ts";
import { quiet } from "./support.ts";
import { serveLocal } from "../../serve_local.ts";

/**
 * An authorization server whose user always consents, and an MCP server that accepts its tokens.
 */
function servers(): AsyncDisposable & { url: string; tokens: Set<string>; grants: string[] } {
  const tokens = new Set<string>();
  const grants: string[] = [];
  const codes = new Map<string, URLSearchParams>();
  const issue = (): Response => {
    const access_token = randomUUID();
    tokens.add(access_token);
    return Response.json({ access_token, token_type: "Bearer", refresh_token: "r1" });
  };
  const authorize = (asked: URLSearchParams): Response => {
    const code = randomUUID();
    codes.set(code, asked);
    const target = new URL(asked.get("redirect_uri") ?? "");
    target.searchParams.set("code", code);
    return new Response(null, { status: 302, headers: { location: target.href } });
  };
  const exchange = (form: URLSearchParams): Response => {
    grants.push(form.get("grant_type") ?? "");
    if (form.get("grant_type") === "refresh_token") return issue();
    const asked = codes.get(form.get("code") ?? "");
    const verifier = form.get("code_verifier") ?? "";
    const isProven = asked?.get("code_challenge") ===
        createHash("sha256").update(verifier).digest("base64url") &&
      asked?.get("resource") === form.get("resource");
    return isProven ? issue() : Response.json({ error: "invalid_grant" }, { status: 400 });
  };
  const authorization = serveLocal(async (request) => {
    const { pathname, searchParams, origin } = new URL(request.url);
    if (pathname === "/authorize") return authorize(searchParams);
    if (pathname === "/token") return exchange(new URLSearchParams(await request.text()));
    if (pathname === "/register") {
      return Response.json({ ...await request.json(), client_id: "c1" }, { status: 201 });
    }
    if (!pathname.startsWith("/.well-known/oauth-authorization-server")) {
      return new Response(null, { status: 404 });
    }
    return Response.json({
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
    });
  });
  const mcp = mcpServer({
    name: "guarded",
    version: "1.0.0",
    auth: {
      authorizationServers: [authorization.origin],
      verify: (token) => tokens.has(token) ? { subject: "ada" } : undefined,
    },
    tools: [mcpTool({ name: "who", description: "Who" }, (_, { caller }) => caller?.subject ?? "")],
  });
  const app = new App({ logRequest: Off, logger: quiet });
  app.route({ pattern: "/mcp", methods: mcp.handlers, kind: "api" });
  const pattern = "/.well-known/oauth-protected-resource/mcp";
  app.route({ pattern, methods: mcp.metadata, kind: "api" });
  const server = serveLocal(app.handler());
  return {
    url: `${server.origin}/mcp`,
    tokens,
    grants,
    [Symbol.asyncDispose]: async () => {
      await server.shutdown();
      await authorization.shutdown();
    },
  };
}

/** A user whose browser follows the redirect; `code` is the returned authorization code. */
class User implements OAuthClientProvider {
  code = "";
  readonly redirectUrl = "http://127.0.0.1/callback";
  readonly clientMetadata = { redirect_uris: [this.redirectUrl], client_name: "Test" };
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = "";

  clientInformation = (): OAuthClientInformationMixed | undefined => this.#client;
  saveClientInformation = (client: OAuthClientInformationMixed): void =>
    void (this.#client = client);
  tokens = (): OAuthTokens | undefined => this.#tokens;
  saveTokens = (tokens: OAuthTokens): void => void (this.#tokens = tokens);
  codeVerifier = (): string => this.#verifier;
  saveCodeVerifier = (verifier: string): void => void (this.#verifier = verifier);
  redirectToAuthorization = async (url: URL): Promise<void> => {
    const response = await fetch(url, { redirect: "manual" });
    await response.body?.cancel();
    const target = new URL(response.headers.get("location") ?? "");
    this.code = target.searchParams.get("code") ?? "";
  };
}

for (const revisions of ["stateless", "session"] as const) {
  Deno.test(`dial signs in with withOAuth of the official SDK, ${revisions}`, async () => {
    await using world = servers();
    const { url, tokens, grants } = world;
    await assertRejects(() => dial(http(url), { revisions }), McpClientError, "401");
    const user = new User();
    const transport = http(url, { fetch: withOAuth(user, url)(fetch) });
    await assertRejects(() => dial(transport, { revisions }), UnauthorizedError);
    assertEquals(await auth(user, { serverUrl: url, authorizationCode: user.code }), "AUTHORIZED");
    await using client = await dial(transport, { revisions });
    const who = async (): Promise<unknown> => (await client.callTool("who")).content;
    assertEquals(await who(), [{ type: "text", text: "ada" }]);
    tokens.clear();
    assertEquals(await who(), [{ type: "text", text: "ada" }]);
    assertEquals(grants, ["authorization_code", "refresh_token"]);
  });
}
