import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { inProject, inScratch, listTree, page, runCli } from "../../support.ts";

// The written files are checked and run by the tests of generated apps.

const passwords = ["--passwords"];
const passkeys = ["--passkeys"];
const keycloak = ["--provider", "keycloak"];

const refused: readonly (readonly [args: readonly string[], code: number, message: string])[] = [
  [[], 2, "say --passwords, --passkeys or --provider"],
  [["--provider", "keycloack"], 2, 'Did you mean "keycloak"?'],
];

for (const [args, code, message] of refused) {
  Deno.test(`generate auth ${args.join(" ")} is refused`, async () => {
    await inProject({ "app/page.ts": page }, async (cwd) => {
      const run = await runCli(["generate", "auth", ...args], { cwd });
      assertEquals(run.code, code);
      assertStringIncludes(run.stderr, message);
      assertEquals((await listTree(cwd)).filter((path) => path.startsWith("lib/")), []);
    });
  });
}

const beside: readonly (readonly [
  name: string,
  lib: Readonly<Record<string, string>>,
  args: readonly string[],
  message: string,
])[] = [
  ["a provider alone", { "lib/auth.ts": "" }, passkeys, "--passwords --provider <name>"],
  ["accounts of another origin", { "lib/accounts.ts": "" }, passkeys, "deno task ui --passkeys"],
  ["accounts of another origin", { "lib/accounts.ts": "" }, keycloak, "#several-providers"],
  ["the same", { "lib/accounts.ts": ours() }, passwords, "is there already"],
  [
    "another provider",
    { "lib/accounts.ts": ours(), "lib/auth.ts": "export const auth = oidc({});\n" },
    keycloak,
    "has another provider",
  ],
];

function ours(): string {
  return 'export const Accounts = key<AccountStore>("accounts");\n';
}

for (const [name, lib, args, message] of beside) {
  Deno.test(`generate auth ${args.join(" ")} beside ${name} says what to do`, async () => {
    await inProject({ "app/page.ts": page, ...lib }, async (cwd) => {
      const before = await listTree(cwd);
      const run = await runCli(["generate", "auth", ...args], { cwd });
      assertEquals(run.code, 1);
      assertStringIncludes(run.stderr, message);
      assertEquals(await listTree(cwd), before);
    });
  });
}

Deno.test("generate auth: keeps edited files and prints the missing parts", async () => {
  await inScratch(async (folder) => {
    await runCli(["new", "app"], { cwd: folder });
    const cwd = join(folder, "app");
    await Deno.writeTextFile(
      join(cwd, "app/setup.ts"),
      "export function Setup(): void {}\n",
    );
    const first = await runCli(["generate", "auth", "--passwords"], { cwd });
    assertEquals(first.code, 0, first.stderr);
    assertStringIncludes(first.stdout, "app/setup.ts is yours");
    assertStringIncludes(first.stdout, "  openAccounts(app);");
    assertStringIncludes(first.stdout, "Changed app/layout.ts");
    const layout = await Deno.readTextFile(join(cwd, "app/layout.ts"));
    assertStringIncludes(layout, "user: await userMenu(c),");
    assertStringIncludes(layout, "async function Layout(c: Ctx, children: Node): Promise<Node> {");
    const login = join(cwd, "app/login/page.ts");
    const text = (await Deno.readTextFile(login)).replaceAll("/** GET /login */", "/** Mine. */");
    await Deno.writeTextFile(login, text);
    const second = await runCli(["generate", "auth", "--passkeys"], { cwd });
    assertEquals(second.code, 0, second.stderr);
    assertStringIncludes(second.stdout, "app/login/page.ts is yours");
    assertStringIncludes(second.stdout, "passkeyForm(c, {");
    assertStringIncludes(second.stdout, "Changed app/account/page.ts");
    assertEquals(await Deno.readTextFile(login), text);
  });
});

const inTheWay: readonly (readonly [
  name: string,
  files: Readonly<Record<string, string>>,
  en: string,
  pt: string,
])[] = [
  [
    "a table users",
    { "migrations/0001_a.sql": "create table users (id integer) strict;\n" },
    'migrations/0001_a.sql makes a table "users"',
    'migrations/0001_a.sql cria uma tabela "users"',
  ],
  ["a foreign database", { "lib/database.ts": "" }, "is not the one", "não é o que"],
  ["a gap", { "migrations/0002_a.sql": "" }, "E_MIGRATION", "E_MIGRATION"],
];

for (const [name, files, en, pt] of inTheWay) {
  Deno.test(`generate auth: nothing is written beside ${name}`, async () => {
    await inProject({ "app/page.ts": page, ...files }, async (cwd) => {
      const before = await listTree(cwd);
      for (const [env, part] of [[{}, en], [{ FW_LANG: "pt" }, pt]] as const) {
        const run = await runCli(["generate", "auth", "--passwords"], { cwd, env });
        assertEquals(run.code, 1);
        assertStringIncludes(run.stderr, part);
      }
      assertEquals(await listTree(cwd), before);
    });
  });
}

Deno.test("generate auth: keeps a layout of another form and prints the missing parts", async () => {
  const part = 'ui.navLink(c.href("/account"), c.t(accountMessages';
  for (const layout of ['import * as ui from "@fw/fw/ui";\n', ""]) {
    const text = `${layout}export function Layout(_c: unknown, children: unknown) {\n` +
      "  return children;\n}\n";
    await inProject({ "app/page.ts": page, "app/layout.ts": text }, async (cwd) => {
      const run = await runCli(["generate", "auth", "--passwords"], { cwd });
      assertStringIncludes(run.stdout, `Link the account from your layout: ${part}`);
      assertEquals(run.stdout.includes("Put it into your layout: ui.head(c)"), layout === "");
      assertEquals(await Deno.readTextFile(join(cwd, "app/layout.ts")), text);
    });
  }
});

Deno.test("generate auth: a file in the way leaves nothing behind", async () => {
  const files = { "app/page.ts": page, "app/logout/route.ts": "export function POST() {}\n" };
  await inProject(files, async (cwd) => {
    const before = await listTree(cwd);
    const run = await runCli(["generate", "auth", "--passwords"], { cwd });
    assertEquals(run.code, 1);
    assertStringIncludes(run.stderr, "app/logout/route.ts");
    assertEquals(await listTree(cwd), before);
    assertEquals(
      await Deno.readTextFile(join(cwd, "app/logout/route.ts")),
      files["app/logout/route.ts"],
    );
  });
});

Deno.test("generate page accepts no flag of a sign-in", async () => {
  await inProject({ "app/page.ts": page }, async (cwd) => {
    const run = await runCli(["generate", "page", "/x", "--passkeys"], { cwd });
    assertEquals(run.code, 2);
    assert(run.stderr.includes("--passkeys"));
  });
});
