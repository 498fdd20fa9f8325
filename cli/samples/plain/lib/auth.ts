import { keycloak } from "@fw/fw/auth";

const missing: string[] = [];

/** Reads a variable. Development and tests use the example if it is not set. */
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

if (missing.length > 0 && Deno.env.get("FW_ENV") !== "dev") {
  const error = new Error(
    `Cannot start the sign-in: set ${missing.join(", ")} as the identity provider says.`,
  );
  // No stack, because the fault is not in the code: only the message is printed.
  error.stack = "";
  throw error;
}

/** The sign-in. With a store, sessions can be ended from elsewhere: docs/auth.md. */
export const auth = keycloak(client, { afterLogin: "/account" });
