import { randomToken } from "../../runtime/addon.ts";
import { signJws } from "./jws.ts";
import type { ProviderPlan } from "./provider_plan.ts";

/**
 * Authentication of the application at the provider (OpenID Connect Core, section 9): by its secret in a header
 * or in the form, not at all, or by a key that signs (RSASSA-PKCS1-v1_5, or ECDSA on P-256 or P-384).
 */
export type ClientAuth =
  | ("basic" | "client_secret_basic")
  | ("post" | "client_secret_post")
  | "none"
  | { readonly privateKey: CryptoKey; readonly keyId: string };

const assertionSeconds = 60;

/** Chooses the method where the application names none: RFC 6749 has `basic` as the default. */
function chooseMethod(
  clientSecret: string,
  supported: readonly unknown[] = ["client_secret_basic"],
): ClientAuth {
  if (clientSecret === "") return "none";
  const isPost = supported.includes("client_secret_post") &&
    !supported.includes("client_secret_basic");
  return isPost ? "post" : "basic";
}

/** Adds what proves who the application is to a request to the token endpoint. */
export async function authenticateClient(
  form: URLSearchParams,
  client: {
    readonly plan: ProviderPlan;
    readonly settings: { readonly clientAuth: ClientAuth | undefined; readonly now: () => number };
  },
  supported: readonly unknown[] | undefined,
): Promise<Record<string, string>> {
  const { plan: { clientId, clientSecret = "", issuer }, settings } = client;
  const { clientAuth = chooseMethod(clientSecret, supported) } = settings;
  if (clientAuth === "basic" || clientAuth === "client_secret_basic") {
    // RFC 6749, section 2.3.1: both are form-encoded before they are joined.
    const encode = (text: string): string => new URLSearchParams({ v: text }).toString().slice(2);
    return { authorization: `Basic ${btoa(`${encode(clientId)}:${encode(clientSecret)}`)}` };
  }
  form.set("client_id", clientId);
  if (clientAuth === "post" || clientAuth === "client_secret_post") {
    form.set("client_secret", clientSecret);
  }
  if (typeof clientAuth === "object") {
    const seconds = Math.floor(settings.now() / 1_000);
    form.set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    form.set(
      "client_assertion",
      await signJws({ typ: "JWT", kid: clientAuth.keyId }, {
        iss: clientId,
        sub: clientId,
        // The issuer alone: an assertion for an endpoint could be taken to another provider.
        aud: issuer,
        jti: randomToken(16),
        iat: seconds,
        exp: seconds + assertionSeconds,
      }, clientAuth.privateKey),
    );
  }
  return {};
}
