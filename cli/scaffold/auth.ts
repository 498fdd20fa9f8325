/**
 * The files of a sign-in that `fw generate auth` writes.
 *
 * @module
 */
import { authWordings } from "./auth/texts.ts";
import accountMiddleware from "./auth/account_middleware.ts.tmpl" with { type: "text" };
import accountPage from "./auth/account_page.ts.tmpl" with { type: "text" };
import createAccounts from "./auth/passwords/create_accounts.sql.tmpl" with { type: "text" };
import accountTesting from "./auth/passwords/account_testing.ts.tmpl" with { type: "text" };
import accounts from "./auth/passwords/accounts.ts.tmpl" with { type: "text" };
import fields from "./auth/passwords/fields.ts.tmpl" with { type: "text" };
import loginMiddleware from "./auth/passwords/login_middleware.ts.tmpl" with { type: "text" };
import loginPage from "./auth/passwords/login_page.ts.tmpl" with { type: "text" };
import loginTest from "./auth/passwords/login_test.ts.tmpl" with { type: "text" };
import logoutRoute from "./auth/logout_route.ts.tmpl" with { type: "text" };
import mail from "./auth/passwords/mail.ts.tmpl" with { type: "text" };
import origin from "./auth/origin.ts.tmpl" with { type: "text" };
import passkeyAdd from "./auth/passkeys/add.ts.tmpl" with { type: "text" };
import passkeyLogin from "./auth/passkeys/login.ts.tmpl" with { type: "text" };
import passkeys from "./auth/passkeys/passkeys.ts.tmpl" with { type: "text" };
import passwordLink from "./auth/passwords/link.ts.tmpl" with { type: "text" };
import passwordMiddleware from "./auth/passwords/password_middleware.ts.tmpl" with { type: "text" };
import passwordPage from "./auth/passwords/password_page.ts.tmpl" with { type: "text" };
import provider from "./auth/provider/provider.ts.tmpl" with { type: "text" };
import providerCallback from "./auth/provider/callback.ts.tmpl" with { type: "text" };
import providerLogin from "./auth/provider/login.ts.tmpl" with { type: "text" };
import providerLogout from "./auth/provider/logout.ts.tmpl" with { type: "text" };
import providerMiddleware from "./auth/provider/middleware.ts.tmpl" with { type: "text" };
import providerPage from "./auth/provider/page.ts.tmpl" with { type: "text" };
import providerTest from "./auth/provider/test.ts.tmpl" with { type: "text" };
import resetPage from "./auth/passwords/reset_page.ts.tmpl" with { type: "text" };
import sessions from "./auth/sessions.ts.tmpl" with { type: "text" };
import setRole from "./auth/set_role.ts.tmpl" with { type: "text" };
import setup from "./auth/setup.ts.tmpl" with { type: "text" };
import signupMiddleware from "./auth/passwords/signup_middleware.ts.tmpl" with { type: "text" };
import signupPage from "./auth/passwords/signup_page.ts.tmpl" with { type: "text" };
import variables from "./auth/passwords/variables.ts.tmpl" with { type: "text" };
import { databaseCalls, type NewFile, type OwnCalls } from "./database.ts";
import { catalogModule, GeneratedTexts } from "./texts/generated_texts.ts";

/** How users sign in. */
export interface AuthPlan {
  /** Whether the application has accounts of its own, with passwords. */
  readonly hasAccounts: boolean;
  /** Whether the accounts have passkeys too. */
  readonly hasPasskeys: boolean;
  /** The identity provider, if there is one. */
  readonly provider: ProviderName | undefined;
  /** Whether the pages use the component kit. */
  readonly hasKit: boolean;
  /** The languages of the application; with two or more, the texts are in a catalog. */
  readonly languages: readonly string[];
}

/** What differs between providers: the function, and the members beside those of every client. */
interface ProviderPlan {
  readonly name: string;
  readonly title: string;
  /** The variable and an example value, by member. */
  readonly members: Readonly<Record<string, readonly [variable: string, example: string]>>;
}

const plans = {
  oidc: {
    name: "oidc",
    title: "your organisation",
    members: { issuer: ["FW_OIDC_ISSUER", "https://id.example"] },
  },
  entra: {
    name: "entraId",
    title: "Microsoft",
    members: { tenant: ["FW_ENTRA_TENANT", "00000000-0000-4000-8000-000000000000"] },
  },
  keycloak: {
    name: "keycloak",
    title: "Keycloak",
    members: {
      url: ["FW_KEYCLOAK_URL", "https://sso.example"],
      realm: ["FW_KEYCLOAK_REALM", "main"],
    },
  },
  cognito: {
    name: "cognito",
    title: "Cognito",
    members: {
      region: ["FW_COGNITO_REGION", "eu-west-1"],
      poolId: ["FW_COGNITO_POOL", "eu-west-1_Example01"],
      logoutDomain: ["FW_COGNITO_DOMAIN", "example.auth.eu-west-1.amazoncognito.com"],
    },
  },
  clerk: {
    name: "clerk",
    title: "Clerk",
    members: { frontendApiUrl: ["FW_CLERK_FRONTEND_API", "clerk.app.example"] },
  },
} as const satisfies Readonly<Record<string, ProviderPlan>>;

/** A provider that `--provider` takes. */
export type ProviderName = keyof typeof plans;

/** The names of the providers. */
export const providerNames: readonly string[] = Object.keys(plans);

/** Reports whether `--provider` takes this name. */
export function isProviderName(name: string): name is ProviderName {
  return Object.hasOwn(plans, name);
}

/** Finds the provider that a `lib/auth.ts` signs in at. */
export function findProvider(text: string): ProviderName | undefined {
  const [, called] = /^export const auth = (\w+)\(/m.exec(text) ?? [];
  const [name] = Object.entries(plans).find(([, plan]) => plan.name === called) ?? [];
  return name !== undefined && isProviderName(name) ? name : undefined;
}

/** Returns the variables that production needs, in the order of the files that read them. */
export function authVariables({ hasAccounts, hasPasskeys, provider }: AuthPlan): readonly string[] {
  return [
    ...hasAccounts ? ["FW_ORIGIN", "FW_MAIL_URL", "FW_MAIL_TOKEN", "FW_MAIL_FROM"] : [],
    ...provider === undefined ? [] : [
      ...Object.values<readonly string[]>(plans[provider].members).flatMap(([name]) => name ?? []),
      "FW_OIDC_CLIENT_ID",
      "FW_OIDC_CLIENT_SECRET",
      "FW_OIDC_REDIRECT_URL",
    ],
    ...hasPasskeys || provider !== undefined ? ["FW_SECRET"] : [],
  ];
}

/** The migration that makes the tables of the accounts. */
export const accountSchema = createAccounts;

/** The tables of the accounts. */
export const accountTables: readonly string[] = ["users", "password_links", "known_browsers"];

/** Returns what `Setup` and `Shutdown` call for a sign-in, in order. */
export function setupCalls({ hasAccounts }: AuthPlan): readonly OwnCalls[] {
  if (!hasAccounts) return [];
  return [
    { file: "lib/variables.ts", open: "checkVariables" },
    { file: "lib/mail.ts", open: "openMail" },
    databaseCalls,
    { file: "lib/accounts.ts", open: "openAccounts" },
  ];
}

/** Returns the files of a sign-in. */
export function authFiles(plan: AuthPlan): readonly NewFile[] {
  const { hasAccounts, hasPasskeys, hasKit, languages, provider: name } = plan;
  const texts = new GeneratedTexts(authWordings, { languages, name: "accountMessages" });
  const parts = new Set([
    ...hasAccounts ? ["accounts"] : [],
    ...hasPasskeys ? ["passkeys"] : [],
    ...name === undefined ? [] : ["provider"],
    ...hasKit ? ["kit"] : [],
    ...texts.hasCatalog ? ["languages"] : [],
  ]);
  const title = name === undefined ? "" : plans[name].title;
  const files = [
    ...hasAccounts
      ? accountFiles.filter(({ file }) => !hasKit || file !== fieldsFile)
      : providerOnlyFiles,
    ...hasPasskeys ? passkeyFiles : [],
    ...name === undefined ? [] : [
      { file: "lib/auth.ts", text: providerSource(plans[name]) },
      { file: "app/auth/callback/route.ts", text: providerCallback },
      ...hasAccounts ? besideFiles : [],
    ],
  ].map(({ file, text }) => ({
    file,
    text: fillTexts(chooseLines(text, parts), texts).replaceAll("{{provider}}", title),
  }));
  if (!texts.hasCatalog) return files;
  // The layout has it.
  texts.text("accountLink");
  // The last one: it has the texts of the others.
  const text = catalogModule([{ comment: "The texts of the sign-in.", catalog: texts.catalog() }]);
  return [...files, { file: messagesFile, text: text.replaceAll("{{provider}}", title) }];
}

/** The catalog of a sign-in. */
export const messagesFile = "lib/account_messages.ts";

/** The fields of a form without the kit. */
const fieldsFile = "views/fields.ts";

/** Fills in the texts: `{{t key}}`, `{{t key one,two}}` for parameters or `{{t key param=expression}}`. */
function fillTexts(source: string, texts: GeneratedTexts): string {
  return source.replaceAll(
    /\{\{t (\w+)(?: ([\w,]+)(?:=(.+?))?)?\}\}/g,
    (_, key: string, params?: string, value?: string) => {
      const names = params?.split(",") ?? [];
      return texts.text(key, Object.fromEntries(names.map((name) => [name, value ?? name])));
    },
  );
}

const accountFiles: readonly NewFile[] = [
  { file: "lib/accounts.ts", text: accounts },
  { file: "lib/account_testing.ts", text: accountTesting },
  { file: "lib/mail.ts", text: mail },
  { file: "lib/origin.ts", text: origin },
  { file: "lib/password_link.ts", text: passwordLink },
  { file: "lib/sessions.ts", text: sessions },
  { file: "lib/variables.ts", text: variables },
  { file: fieldsFile, text: fields },
  { file: "scripts/set_role.ts", text: setRole },
  { file: "app/setup.ts", text: setup },
  { file: "app/login/page.ts", text: loginPage },
  { file: "app/login/middleware.ts", text: loginMiddleware },
  { file: "app/login/page_test.ts", text: loginTest },
  { file: "app/signup/page.ts", text: signupPage },
  { file: "app/signup/middleware.ts", text: signupMiddleware },
  { file: "app/reset/page.ts", text: resetPage },
  { file: "app/reset/middleware.ts", text: signupMiddleware },
  { file: "app/password/token_/page.ts", text: passwordPage },
  { file: "app/password/token_/middleware.ts", text: passwordMiddleware },
  { file: "app/logout/route.ts", text: logoutRoute },
  { file: "app/account/middleware.ts", text: accountMiddleware },
  { file: "app/account/page.ts", text: accountPage },
];

const passkeyFiles: readonly NewFile[] = [
  { file: "lib/passkeys.ts", text: passkeys },
  { file: "app/login/passkey/route.ts", text: passkeyLogin },
  { file: "app/account/passkeys/route.ts", text: passkeyAdd },
];

const providerOnlyFiles: readonly NewFile[] = [
  { file: "app/login/route.ts", text: providerLogin },
  { file: "app/logout/route.ts", text: providerLogout },
  { file: "app/account/middleware.ts", text: providerMiddleware },
  { file: "app/account/page.ts", text: providerPage },
  { file: "app/account/page_test.ts", text: providerTest },
];

/** Those of a provider beside accounts. */
const besideFiles: readonly NewFile[] = [
  { file: "app/login/provider/route.ts", text: providerLogin },
  { file: "app/login/provider/route_test.ts", text: providerTest },
];

/** Keeps the lines whose marks all fit: `//+part` for a part that is there, `//-part` for another. */
function chooseLines(text: string, parts: ReadonlySet<string>): string {
  return text.split("\n").flatMap((line) => {
    const [marks = ""] = /(?: \/\/[+-](?:accounts|passkeys|provider|kit|languages))+$/.exec(line) ??
      [];
    const fits = [...marks.matchAll(/([+-])(\w+)/g)].every(([, sign, part = ""]) =>
      parts.has(part) === (sign === "+")
    );
    return fits ? [line.slice(0, line.length - marks.length)] : [];
  }).join("\n");
}

function providerSource({ name, members }: ProviderPlan): string {
  const own = Object.entries(members).map(([member, [variable, example]]) =>
    `  ${member}: read(${JSON.stringify(variable)}, ${JSON.stringify(example)}),`
  );
  return provider.replaceAll("{{name}}", name).replace("{{members}}", own.join("\n"));
}

/** The bars of the layouts of new projects, as the formatter or `generate language` may have left them. */
const plainBar = 'h.nav(h.a(h.href(c.href("/api/hello")), "API"))';
const kitBar = /ui\.nav\(\s*(ui\.navLink\(c\.href\("\/"\), [^\n]+, c\.pattern === "\/"\)),?\s*\)/;

/**
 * Adds a link to the account to the layout of a new project.
 *
 * @param layout The text.
 * @param title The expression of its text.
 * @returns `undefined` for a layout that has changed since.
 */
export function linkAccount(layout: string, title: string): string | undefined {
  const api = 'h.a(h.href(c.href("/api/hello")), "API")';
  if (layout.includes(plainBar)) {
    const link = accountLink(title, { hasKit: false });
    return layout.replace(plainBar, () => `h.nav(${link}, ${api})`);
  }
  const link = accountLink(title, { hasKit: true });
  return kitBar.test(layout)
    ? layout.replace(kitBar, (_, home: string) => `ui.nav(${home}, ${link})`)
    : undefined;
}

/** Returns the code that links the account from a layout, for the developer. */
export function accountLink(title: string, { hasKit }: { readonly hasKit: boolean }): string {
  return hasKit
    ? `ui.navLink(c.href("/account"), ${title}, c.pattern.startsWith("/account"))`
    : `h.a(h.href(c.href("/account")), ${title})`;
}
