/**
 * The files of a sign-in that `fw generate auth` writes.
 *
 * @module
 */
import accountMiddleware from "./auth/account_middleware.ts.tmpl" with { type: "text" };
import accountPage from "./auth/account_page.ts.tmpl" with { type: "text" };
import accounts from "./auth/accounts.ts.tmpl" with { type: "text" };
import credentials from "./auth/credentials.ts.tmpl" with { type: "text" };
import loginMiddleware from "./auth/login_middleware.ts.tmpl" with { type: "text" };
import loginPage from "./auth/login_page.ts.tmpl" with { type: "text" };
import loginTest from "./auth/login_test.ts.tmpl" with { type: "text" };
import logoutRoute from "./auth/logout_route.ts.tmpl" with { type: "text" };
import passkeyAdd from "./auth/passkey_add.ts.tmpl" with { type: "text" };
import passkeyLogin from "./auth/passkey_login.ts.tmpl" with { type: "text" };
import passkeys from "./auth/passkeys.ts.tmpl" with { type: "text" };
import providerCallback from "./auth/provider_callback.ts.tmpl" with { type: "text" };
import providerLogin from "./auth/provider_login.ts.tmpl" with { type: "text" };
import providerLogout from "./auth/provider_logout.ts.tmpl" with { type: "text" };
import providerMiddleware from "./auth/provider_middleware.ts.tmpl" with { type: "text" };
import providerPage from "./auth/provider_page.ts.tmpl" with { type: "text" };
import providerTest from "./auth/provider_test.ts.tmpl" with { type: "text" };
import sessions from "./auth/sessions.ts.tmpl" with { type: "text" };
import signupMiddleware from "./auth/signup_middleware.ts.tmpl" with { type: "text" };
import signupPage from "./auth/signup_page.ts.tmpl" with { type: "text" };

/** A file to write, as `writeNew` takes it. */
export interface AuthFile {
  /** The path relative to the project. */
  readonly file: string;
  /** The text. */
  readonly text: string;
}

/** What of a provider is told apart: its function, and the members beside those of every client. */
interface ProviderPlan {
  readonly name: string;
  /** The variable and a value with which an application starts, by member. */
  readonly members: Readonly<Record<string, readonly [variable: string, example: string]>>;
}

const plans: Readonly<Record<string, ProviderPlan>> = {
  oidc: { name: "oidc", members: { issuer: ["FW_OIDC_ISSUER", "https://id.example"] } },
  entra: {
    name: "entraId",
    members: { tenant: ["FW_ENTRA_TENANT", "00000000-0000-4000-8000-000000000000"] },
  },
  keycloak: {
    name: "keycloak",
    members: {
      url: ["FW_KEYCLOAK_URL", "https://sso.example"],
      realm: ["FW_KEYCLOAK_REALM", "main"],
    },
  },
  cognito: {
    name: "cognito",
    members: {
      region: ["FW_COGNITO_REGION", "eu-west-1"],
      poolId: ["FW_COGNITO_POOL", "eu-west-1_Example01"],
      logoutDomain: ["FW_COGNITO_DOMAIN", "example.auth.eu-west-1.amazoncognito.com"],
    },
  },
  clerk: {
    name: "clerk",
    members: { frontendApiUrl: ["FW_CLERK_FRONTEND_API", "clerk.app.example"] },
  },
};

/** The names of the providers. */
export const providerNames: readonly string[] = Object.keys(plans);

/**
 * The files of a sign-in at an identity provider.
 *
 * @param provider One of {@linkcode providerNames}.
 */
export function providerFiles(provider: string): readonly AuthFile[] {
  return [
    { file: "lib/auth.ts", text: providerSource(plans[provider] ?? { name: "oidc", members: {} }) },
    { file: "app/login/route.ts", text: providerLogin },
    { file: "app/auth/callback/route.ts", text: providerCallback },
    { file: "app/logout/route.ts", text: providerLogout },
    { file: "app/account/middleware.ts", text: providerMiddleware },
    { file: "app/account/page.ts", text: providerPage },
    { file: "app/account/page_test.ts", text: providerTest },
  ];
}

/**
 * The files of a sign-in by passwords.
 *
 * @param options Whether passkeys belong to it.
 */
export function passwordFiles(
  options: { readonly hasPasskeys: boolean },
): readonly AuthFile[] {
  const { hasPasskeys } = options;
  const files: readonly AuthFile[] = [
    { file: "lib/accounts.ts", text: accounts },
    { file: "lib/sessions.ts", text: sessions },
    { file: "views/credentials.ts", text: credentials },
    { file: "app/login/page.ts", text: loginPage },
    { file: "app/login/middleware.ts", text: loginMiddleware },
    { file: "app/login/page_test.ts", text: loginTest },
    { file: "app/signup/page.ts", text: signupPage },
    { file: "app/signup/middleware.ts", text: signupMiddleware },
    { file: "app/logout/route.ts", text: logoutRoute },
    { file: "app/account/middleware.ts", text: accountMiddleware },
    { file: "app/account/page.ts", text: accountPage },
    ...hasPasskeys
      ? [
        { file: "lib/passkeys.ts", text: passkeys },
        { file: "app/login/passkey/route.ts", text: passkeyLogin },
        { file: "app/account/passkeys/route.ts", text: passkeyAdd },
      ]
      : [],
  ];
  return files.map(({ file, text }) => ({ file, text: chooseLines(text, hasPasskeys) }));
}

/** Keeps the lines that are marked for passkeys, or those that are marked against them. */
function chooseLines(text: string, hasPasskeys: boolean): string {
  const [kept, dropped] = hasPasskeys ? ["+", "-"] : ["-", "+"];
  return text.split("\n")
    .filter((line) => !line.endsWith(` //${dropped}passkeys`))
    .map((line) => line.replace(` //${kept}passkeys`, ""))
    .join("\n");
}

function providerSource({ name, members }: ProviderPlan): string {
  const own = Object.entries(members).map(([member, [variable, example]]) =>
    `  ${member}: read(${JSON.stringify(variable)}, ${JSON.stringify(example)}),`
  );
  return `import { ${name} } from "@fw/fw/auth";

/** Reads a variable; the value beside it lets the application start before there is a provider. */
function read(variable: string, example: string): string {
  return Deno.env.get(variable) ?? example;
}

/** The sign-in. Give it a store to end sessions from elsewhere: docs/auth.md. */
export const auth = ${name}({
${own.join("\n")}
  clientId: read("FW_OIDC_CLIENT_ID", "app"),
  clientSecret: Deno.env.get("FW_OIDC_CLIENT_SECRET"),
  redirectUrl: read("FW_OIDC_REDIRECT_URL", "http://localhost:3000/auth/callback"),
});
`;
}

/** What the layout of a new project has in its bar, and the same with a link to the account. */
const bar = 'h.nav(h.a(h.href(c.href("/api/hello")), "API"))';
const barWithAccount = `h.nav(
          h.a(h.href(c.href("/account")), "Account"),
          h.a(h.href(c.href("/api/hello")), "API"),
        )`;

/**
 * Adds a link to the account to the layout of a new project.
 *
 * @returns `undefined` for a layout that has changed since.
 */
export function linkAccount(layout: string): string | undefined {
  return layout.includes(bar) ? layout.replace(bar, barWithAccount) : undefined;
}
