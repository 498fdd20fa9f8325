import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { type Refusal, testRefusals } from "../../refusals.ts";
import { deno, denoOutput, type Files, inNewApp, inProject, page, runCli } from "../../support.ts";

// The written files are checked and run by the tests of generated apps.

testRefusals("generate auth", [
  ["", 2, "--passwords, --passkeys"],
  ["--provider keycloack", 2, '"keycloak"?'],
  ["--users", 1, "--users needs a sign-in", "--users precisa de um login"],
  ["--users=a,b", 2, 'the role "a,b"', 'o papel "a,b"'],
]);
testRefusals("generate page /x", [["--passkeys", 2, "--passkeys"]]);

const ours = "function sessionOwner() {}\n";
/** The store of a version whose accounts have no provider. */
const older = 'export const Accounts = key<AccountStore>("accounts");\n';
const there: readonly (readonly [files: Files, row: Refusal])[] = [
  [{ "lib/auth.ts": "" }, [
    "--passkeys",
    1,
    "a provider without accounts",
    "um provedor sem contas",
  ]],
  [{ "lib/accounts.ts": "" }, ["--passkeys", 1, "deno task ui --passkeys"]],
  [{ "lib/accounts.ts": older }, ["--provider keycloak", 1, "#several-providers"]],
  [
    { "lib/accounts.ts": ours, "lib/account_links.ts": "" },
    ["--passwords", 1, "already exists", "já existe"],
  ],
  [
    { "lib/accounts.ts": ours, "app/login/route.ts": "export function GET() {}\n" },
    ["--passwords", 1, "app/login/route.ts sends all", "envia todos"],
  ],
  [
    { "lib/accounts.ts": ours, "lib/auth.ts": "export const auth = oidc({});\n" },
    ["--provider keycloak", 1, "has another provider", "outro provedor"],
  ],
  [
    { "migrations/0001_a.sql": "create table users (id integer) strict;\n" },
    ["--passwords", 1, '0001_a.sql already creates the table "users"', 'cria uma tabela "users"'],
  ],
  [{ "lib/database.ts": "" }, ["--passwords", 1, "was not written by", "não é o que"]],
  [{ "migrations/0002_a.sql": "" }, ["--passwords", 1, "E_MIGRATION"]],
  [
    { "app/logout/route.ts": "export function POST() {}\n" },
    ["--passwords", 1, "app/logout/route.ts"],
  ],
];
for (const [files, row] of there) {
  testRefusals("generate auth", [row], { "app/page.ts": page, ...files });
}

Deno.test("generate auth: keeps edited files and prints the missing parts", () =>
  inNewApp([], async (cwd, run) => {
    await Deno.writeTextFile(join(cwd, "app/setup.ts"), "export const Setup = () => {};\n");
    const first = await run("auth --passwords");
    assertStringIncludes(first, "app/setup.ts belongs to the application");
    assertStringIncludes(first, "  openAccounts(app);");
    assertStringIncludes(first, "Changed app/layout.ts");
    const layout = await Deno.readTextFile(join(cwd, "app/layout.ts"));
    assertStringIncludes(layout, "user: await userMenu(c),");
    assertStringIncludes(layout, "async function Layout(c: Ctx, children: Node): Promise<Node> {");
    const login = join(cwd, "app/login/page.ts");
    const text = (await Deno.readTextFile(login)).replaceAll("/** GET /login */", "/** Mine. */");
    await Deno.writeTextFile(login, text);
    const second = await run("auth --passkeys");
    assertStringIncludes(second, "app/login/page.ts belongs to the application");
    assertStringIncludes(second, "passkeyForm(c, {");
    assertStringIncludes(second, "Changed app/account/page.ts");
    assertEquals(await Deno.readTextFile(login), text);
  }));

Deno.test("generate auth --provider: a known provider adds its hosts, and an account connects to it", () =>
  inNewApp([], async (cwd, run) => {
    const said = await run("auth --passwords --provider github");
    assert(!said.includes("Add the hosts of the identity provider"));
    const { tasks } = JSON.parse(await Deno.readTextFile(join(cwd, "deno.json")));
    assertStringIncludes(tasks.start.command, ",github.com,api.github.com ");
    await denoOutput(["task", "test", "--no-check", "app/auth"], cwd);
  }));

const readsUser = `import type { Ctx, Next } from "@fw/fw";
import { sessions } from "../lib/sessions.ts";
export async function Middleware(c: Ctx, next: Next): Promise<Response> {
  await sessions.user(c);
  return await next();
}
`;

Deno.test("generate auth --users: its tests pass, and later roles join and leave", () =>
  inNewApp([], async (cwd, run) => {
    await run("auth --passkeys");
    const given = (role: string): string => `scripts/set_role.ts <email> ${role}\``;
    const notes = "resource notes title:text --guard=reader --writers=writer";
    assertStringIncludes(await run(notes), given("reader writer"));
    await Deno.writeTextFile(join(cwd, ".env"), "");
    const told = await run("auth --users=boss");
    assertStringIncludes(told, `deno run --env-file=.env -A ${given("boss")}`);
    const users = await Deno.readTextFile(join(cwd, "lib/users.ts"));
    assertStringIncludes(users, '[\n  admin,\n  "reader",\n  "writer",\n];');
    await run("job sweep");
    assertStringIncludes(await run("jobs"), 'Users with the role "boss" see the jobs');
    const folders = ["app/account", "app/users", "app/notes", "app/jobs"];
    await denoOutput(["task", "test", "--no-check", ...folders], cwd);
    // The tests also pass if a middleware reads the user before the form.
    await Deno.writeTextFile(join(cwd, "app/middleware.ts"), readsUser);
    assertEquals((await runCli(["gen"], { cwd })).code, 0);
    await denoOutput(["task", "test", "--no-check", "app/users"], cwd);
    await run("resource tags title:text --guard=editor");
    const more = await Deno.readTextFile(join(cwd, "lib/users.ts"));
    assertStringIncludes(more, '  "writer",\n  "editor",\n];');
    await run("resource tags title:text --guard=editor --undo");
    // Other guards name this role.
    const pens = "resource pens title:text --guard=writer";
    for (const line of [pens, `${pens} --undo`]) await run(line);
    const less = await Deno.readTextFile(join(cwd, "lib/users.ts"));
    assertStringIncludes(less, '  "writer",\n];');
    for (
      const [role, reason] of [["editor", "Unknown roles: editor"], ["writer", "sign up first"]]
    ) {
      const set = ["run", "-A", "scripts/set_role.ts", "ada@example.org", role ?? ""];
      const { code, stdout, stderr } = await deno(set, cwd, { FW_DB: ":memory:" });
      assertEquals([code, stdout], [1, ""], stderr);
      assertStringIncludes(stderr, reason ?? "");
    }
  }));

Deno.test("generate auth: keeps a custom layout and prints the missing parts", async () => {
  const part = 'ui.navLink(c.href("/account"), c.t(accountMessages';
  const kit = 'import * as ui from "@fw/fw/ui";\n';
  for (const layout of [kit, kit.replaceAll('"', "'"), ""]) {
    const text = `${layout}export function Layout(_c: unknown, children: unknown) {\n` +
      "  return children;\n}\n";
    await inProject({ "app/page.ts": page, "app/layout.ts": text }, async (cwd) => {
      const run = await runCli(["generate", "auth", "--passwords"], { cwd });
      assertStringIncludes(run.stdout, `Link /account from your layout: ${part}`);
      assertEquals(run.stdout.includes("Put it into your layout: ui.head(c)"), layout === "");
      assertEquals(await Deno.readTextFile(join(cwd, "app/layout.ts")), text);
    });
  }
});
