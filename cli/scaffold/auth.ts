import { type EngineName, engineNames } from "./database/engine.ts";
import { toPostgresSql } from "./database/postgres_sql.ts";
import { wordedLanguages } from "./languages.ts";
import {
  createList,
  type List,
  type NewFile,
  type Pair,
  renderSample,
  sampleText,
} from "./sample.ts";
import { setupParts } from "./setup.ts";
import { type Roles, usersFile } from "./users.ts";

export interface AuthPlan {
  readonly hasPasswords: boolean;
  readonly hasPasskeys: boolean;
  readonly provider: Provider | undefined;
  /** The roles of the pages that administer accounts. @default no such pages */
  readonly roles?: Roles | undefined;
  readonly languages: readonly string[];
  readonly engine: EngineName;
  /** Whether a sign-in ends on the page of the account. @default it ends on the start page */
  readonly lacksStart?: boolean;
}

/** Differences between providers: the function, and the members besides those of every client. */
export interface Provider {
  readonly name: string;
  readonly title: string;
  readonly pt?: string;
  readonly prefix?: string;
  /** The hosts of the provider. @default those of the application's settings */
  readonly hosts?: readonly string[];
  readonly members: Readonly<Record<string, readonly [variable: string, example: string]>>;
}

export const providers: Readonly<Record<string, Provider>> = {
  oidc: {
    name: "oidc",
    title: "your organisation",
    pt: "a sua organização",
    members: { issuer: ["FW_OIDC_ISSUER", "https://id.example"] },
  },
  entra: {
    name: "entraId",
    title: "Microsoft",
    hosts: ["login.microsoftonline.com"],
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
  github: {
    name: "github",
    title: "GitHub",
    prefix: "FW_GITHUB_",
    hosts: ["github.com", "api.github.com"],
    members: { clientSecret: ["FW_GITHUB_CLIENT_SECRET", "example"] },
  },
  discord: {
    name: "discord",
    title: "Discord",
    prefix: "FW_DISCORD_",
    hosts: ["discord.com"],
    members: { clientSecret: ["FW_DISCORD_CLIENT_SECRET", "example"] },
  },
};

export function findProvider(text: string): Provider | undefined {
  const [, called] = /^export const auth = (\w+)\(/m.exec(text) ?? [];
  return Object.values(providers).find(({ name }) => name === called);
}

/** Returns the variables that production needs, in the order of the files that read them. */
export function authVariables(
  { hasPasswords, hasPasskeys, provider }: AuthPlan,
): readonly string[] {
  const { members = {}, prefix = "FW_OIDC_" }: Partial<Provider> = provider ?? {};
  const read = [
    `${prefix}CLIENT_ID`,
    ...Object.values(members).map(([name]) => name),
    `${prefix}CLIENT_SECRET`,
    `${prefix}REDIRECT_URL`,
  ];
  return [
    ...hasPasswords ? ["FW_ORIGIN", "FW_MAIL_URL", "FW_MAIL_TOKEN", "FW_MAIL_FROM"] : [],
    ...provider === undefined ? [] : new Set(read),
    ...hasPasskeys || provider !== undefined ? ["FW_SECRET"] : [],
  ];
}

export function accountSchema(engine: EngineName): string {
  const sql = sampleText("kit/migrations/0001_create_accounts.sql");
  return engine === "sqlite" ? sql : toPostgresSql(sql, new Map()).text;
}

export const accountTables: readonly string[] = [
  "users",
  "user_identities",
  "password_links",
  "user_pictures",
  "known_browsers",
];

/** Returns the parts of `app/setup.ts` that a sign-in needs, in order. */
export function setupNeeds({ hasPasswords }: AuthPlan): readonly string[] {
  return ["variables", ...hasPasswords ? ["mail"] : [], "database", "accounts"];
}

export function authFiles(plan: AuthPlan): readonly NewFile[] {
  const { hasPasswords, hasPasskeys, languages, provider, engine, roles } = plan;
  const rendering = {
    names: {
      ...engineNames(engine),
      ...plan.lacksStart === true ? { 'afterLogin = "/"': 'afterLogin = "/account"' } : {},
      ...provider === undefined ? {} : providerTexts(provider),
      ...roles === undefined
        ? { "store.delete": "use(c, Accounts).delete" }
        : { '"admin"': JSON.stringify(roles[0]), "role=admin": `role=${roles[0]}` },
    },
    parts: {
      accounts: true,
      variables: true,
      mail: hasPasswords,
      passwords: hasPasswords,
      passkeys: hasPasskeys,
      provider: provider !== undefined,
      oidc: provider?.prefix === undefined,
      github: provider?.name === "github",
      discord: provider?.name === "discord",
      // Passkeys and providers sign cookies.
      signed: hasPasskeys || provider !== undefined,
      users: roles !== undefined,
      ...setupParts,
    },
    lists: {
      member: memberList(provider),
      role: createList(["editor"], roles?.slice(1).map((role) => [["editor", role]]) ?? []),
    },
    languages: wordedLanguages(languages),
  };
  const files = [
    ...accountFiles,
    ...hasPasswords ? passwordFiles : [],
    ...hasPasskeys ? passkeyFiles : [],
    ...provider === undefined ? [] : providerFiles,
    ...provider !== undefined && hasPasswords ? ["lib/identities.ts"] : [],
    ...roles === undefined ? [] : userFiles,
    ...roles !== undefined && hasPasswords ? ["app/users/new/page.ts"] : [],
    messagesFile,
  ];
  return files.map((path) => {
    // Without passwords, the page of the sign-in is that of the provider.
    const file = hasPasswords ? path : path.replace("app/login/provider/", "app/login/");
    const names = {
      ...rendering.names,
      ...hasPasswords ? {} : { "/login/provider": "/login" },
      ...file === path ? {} : { '"../../../lib/': '"../../lib/' },
    };
    return renderSample(`kit/${path}`, file, { ...rendering, names });
  });
}

export const messagesFile = "lib/account_messages.ts";

/** The menu of the signed-in user, at the foot of the side bar. */
export const userMenuFile = "views/user_menu.ts";

const accountFiles = filesOf(`
  lib/accounts.ts lib/account_testing.ts lib/account_pictures.ts lib/sessions.ts lib/variables.ts
  scripts/set_role.ts app/setup.ts app/logout/route.ts app/account/middleware.ts app/account/page.ts
  app/account/page_test.ts app/account/delete/page.ts app/account/picture/route.ts ${userMenuFile}`);

const passwordFiles = filesOf(`
  lib/account_mail.ts lib/password_links.ts lib/known_browsers.ts lib/mail.ts lib/origin.ts
  lib/account_links.ts
  app/login/page.ts app/login/middleware.ts app/login/page_test.ts app/signup/page.ts
  app/signup/middleware.ts app/reset/page.ts app/reset/middleware.ts app/password/token_/page.ts
  app/password/token_/middleware.ts app/account/email/middleware.ts app/account/email/page.ts
  app/account/email/token_/page.ts`);

const passkeyFiles = filesOf(`
  lib/passkeys.ts app/login/passkey/route.ts app/account/passkeys/middleware.ts
  app/account/passkeys/route.ts`);

const providerFiles = filesOf(`
  lib/auth.ts app/login/provider/middleware.ts app/login/provider/route.ts
  app/auth/callback/middleware.ts app/auth/callback/route.ts app/auth/callback/route_test.ts`);

const userFiles = filesOf(`
  ${usersFile} lib/user_messages.ts app/users/middleware.ts app/users/page.ts
  app/users/page_test.ts app/users/id_/page.ts`);

function filesOf(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

function providerTexts(
  { name, title, pt = title, prefix }: Provider,
): Readonly<Record<string, string>> {
  const texts = { keycloak: name, "com Keycloak": `com ${pt}`, Keycloak: title };
  return prefix === undefined ? texts : { ...texts, FW_OIDC_: prefix };
}

function memberList(provider: Provider | undefined): List {
  const items = Object.entries(provider?.members ?? {}).map((
    [member, [variable, example]],
  ): Pair[] => [["url", member], ["FW_KEYCLOAK_URL", variable], ["https://sso.example", example]]);
  return createList(["url", "realm"], items);
}
