import { keycloak } from "@fw/fw/auth";
import { sessions } from "./sessions.ts";

/** The variables of the provider that are not set. In production `lib/variables.ts` refuses to start. */
export const missing: string[] = [];

/** Reads a variable. In development and in tests the example stands in for one that is not set. */
function read(name: string, example: string): string {
  const value = Deno.env.get(name) ?? "";
  if (value === "") missing.push(name);
  return value || example;
}

const client = {
  // each member
  url: read("FW_KEYCLOAK_URL", "https://sso.example"),
  realm: read("FW_KEYCLOAK_REALM", "main"),
  // end
  clientId: read("FW_OIDC_CLIENT_ID", "app"),
  clientSecret: Deno.env.get("FW_OIDC_CLIENT_SECRET"),
  redirectUrl: read("FW_OIDC_REDIRECT_URL", "http://localhost:3000/auth/callback"),
};

/** The sign-in of the provider's users, in the sessions of the accounts. */
export const auth = keycloak(client, { sessions, afterLogin: "/account" });
