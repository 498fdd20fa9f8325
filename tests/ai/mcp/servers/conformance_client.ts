/**
 * A client that does what the official conformance suite asks for:
 *
 * `deno run -A npm:@modelcontextprotocol/conformance@0.2.0-alpha.12 client --requirements 2026-07-28
 * --command "deno run -A tests/ai/mcp/servers/conformance_client.ts"`
 */
import {
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
  UnauthorizedError,
  withOAuth,
} from "npm:@modelcontextprotocol/client@2.4.0";
import { isJsonObject } from "../../../../ai/json.ts";
import { dial, http, type RemoteTool } from "../../../../ai/mcp/mod.ts";
import type { JsonSchema } from "../../../../mod.ts";

const [url = ""] = Deno.args;
const scenario = Deno.env.get("MCP_CONFORMANCE_SCENARIO") ?? "";
const context = JSON.parse(Deno.env.get("MCP_CONFORMANCE_CONTEXT") ?? "{}");

/** Returns a value valid under a schema: its default, or a value of its type. */
function valueOf({ default: preset, type, properties = {}, required }: JsonSchema): unknown {
  if (preset !== undefined) return preset;
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries(properties)
          .filter(([name, each]) => required?.includes(name) || each.default !== undefined)
          .map(([name, each]) => [name, valueOf(each)]),
      );
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    default:
      return "text";
  }
}

async function callTools(client: Awaited<ReturnType<typeof dial>>): Promise<void> {
  const tools = await client.tools();
  const first = tools[0];
  const calls: { name: string; arguments: Record<string, unknown> }[] = context.toolCalls ??
    tools.map(({ remoteName: name, inputSchema }: RemoteTool) => {
      const args = valueOf(inputSchema);
      // The suite compares the returned schema with the one it sent.
      const echoed = inputSchema.properties?.schema === undefined
        ? {}
        : { schema: first?.inputSchema };
      return { name, arguments: { ...(isJsonObject(args) ? args : {}), ...echoed } };
    });
  await Promise.all(calls.map((call) => client.callTool(call.name, call.arguments)));
}

/** Uses everything that a server offers: tools, resources and prompts. */
async function useAll(fetch: typeof globalThis.fetch): Promise<void> {
  await using client = await dial(http(url, { fetch }), {
    onElicit: ({ schema }) => ({
      action: "accept",
      content: valueOf({ ...schema, type: "object" }) as Record<string, unknown>,
    }),
    onWarning: (message) => console.error(message),
  });
  // A tool whose schema references another document is listed but cannot be called.
  if (scenario === "json-schema-ref-no-deref") return void await client.tools();
  if (client.capabilities.tools !== undefined) await callTools(client);
  if (client.capabilities.resources !== undefined) {
    for (const { uri } of await client.resources()) await client.readResource(uri);
  }
  if (client.capabilities.prompts !== undefined) {
    for (const { name } of await client.prompts()) await client.prompt(name);
  }
}

/**
 * A user whose browser follows the redirect immediately, and whom the issuer of a sign-in
 * remembers.
 */
class User implements OAuthClientProvider {
  readonly redirectUrl = "http://127.0.0.1/callback";
  readonly clientMetadataUrl = "https://conformance-test.local/client-metadata.json";
  readonly clientMetadata = {
    redirect_uris: [this.redirectUrl],
    client_name: "Conformance",
    application_type: "native",
    grant_types: ["authorization_code", "refresh_token"],
  };
  answer = new URLSearchParams();
  readonly #clients = new Map<string, Client>();
  readonly #tokens = new Map<string, Tokens>();
  #verifier = "";
  #discovered: Discovered;

  clientInformation = ({ issuer = "" } = {}): Client => {
    const { client_id, client_secret } = context;
    return client_id === undefined ? this.#clients.get(issuer) : { client_id, client_secret };
  };
  saveClientInformation = (client: Client, { issuer = "" } = {}): void =>
    void this.#clients.set(issuer, client);
  tokens = ({ issuer = "" } = {}): Tokens =>
    issuer === "" ? [...this.#tokens.values()].at(-1) : this.#tokens.get(issuer);
  saveTokens = (tokens: Tokens, { issuer = "" } = {}): void =>
    void this.#tokens.set(issuer, tokens);
  saveCodeVerifier = (verifier: string): void => void (this.#verifier = verifier);
  codeVerifier = (): string => this.#verifier;
  saveDiscoveryState = (state: Discovered): void => void (this.#discovered = state);
  discoveryState = (): Discovered => this.#discovered;
  invalidateCredentials = (scope: string): void => {
    if (scope === "all" || scope === "discovery") this.#discovered = undefined;
    if (scope === "all" || scope === "client") this.#clients.clear();
    if (scope === "all" || scope === "tokens") this.#tokens.clear();
  };
  redirectToAuthorization = async (url: URL): Promise<void> => {
    const response = await fetch(url, { redirect: "manual" });
    await response.body?.cancel();
    this.answer = new URL(response.headers.get("location") ?? "").searchParams;
  };
}

type Client = Awaited<ReturnType<OAuthClientProvider["clientInformation"]>>;
type Tokens = Awaited<ReturnType<OAuthClientProvider["tokens"]>>;
type Discovered = Awaited<ReturnType<NonNullable<OAuthClientProvider["discoveryState"]>>>;

/** Signs in with `withOAuth` of the official SDK, with more scopes if the server requires them. */
function signedIn(user: User): typeof globalThis.fetch {
  const send = withOAuth(user, url)(async (input, init) => {
    const response = await fetch(input, init);
    const isRefused = response.status === 401 && new Headers(init?.headers).has("authorization");
    // The server may have changed its issuer.
    if (isRefused) user.invalidateCredentials("discovery");
    return response;
  });
  return async (input, init) => {
    for (let tries = 0;; tries++) {
      try {
        const response = await send(input instanceof Request ? input.url : input, init);
        const { scope, error } = extractWWWAuthenticateParams(response);
        const isLacking = response.status === 403 && error === "insufficient_scope";
        if (!isLacking || tries >= 3) return response;
        await response.body?.cancel();
        const all = computeScopeUnion(user.tokens()?.scope, scope);
        const more = { ...(all === undefined ? {} : { scope: all }), forceReauthorization: true };
        await auth(user, { serverUrl: url, ...more });
      } catch (error) {
        if (!(error instanceof UnauthorizedError) || tries >= 3) throw error;
      }
      const [code, iss] = [user.answer.get("code"), user.answer.get("iss")];
      if (code === null) throw new Error("The user was not signed in");
      const given = iss === null ? {} : { iss };
      await auth(user, { serverUrl: url, authorizationCode: code, ...given });
    }
  };
}

await useAll(scenario.startsWith("auth/") ? signedIn(new User()) : globalThis.fetch);
