// test: child, runs the tasks of a new application
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { deno, inProject, inScratch, listTree, page, runCli } from "../support.ts";

const kinds: readonly (readonly [name: string, flags: readonly string[], hasScript: boolean])[] = [
  ["passwords", ["--passwords"], 1 < 0],
  ["passwords and passkeys", ["--passkeys"], 1 > 0],
  ["keycloak", ["--provider", "keycloak"], 1 < 0],
];

for (const [name, flags, hasScript] of kinds) {
  Deno.test(`generate auth (${name}): formatted, free of lint, well typed, its test passes`, async () => {
    await inScratch(async (folder) => {
      await runCli(["new", "app"], { cwd: folder });
      const cwd = join(folder, "app");
      const made = await runCli(["generate", "auth", ...flags], { cwd });
      assertEquals(made.code, 0, made.stderr);
      assertStringIncludes(made.stdout, "Changed app/layout.ts");
      assertEquals((await listTree(cwd)).includes("public/passkeys.js"), hasScript);
      for (const args of [["fmt", "--check"], ["lint"], ["check", "."], ["task", "test"]]) {
        const { code, output } = await deno(args, cwd);
        assertEquals(code, 0, `${args.join(" ")}: ${output}`);
      }
      const routes = await runCli(["routes"], { cwd });
      assertStringIncludes(routes.stdout, "/logout");
      assertStringIncludes(routes.stdout, "/account");
    });
  });
}

for (const provider of ["oidc", "entra", "cognito", "clerk"]) {
  Deno.test(`generate auth (${provider}): well typed, and starts without its variables`, async () => {
    await inScratch(async (folder) => {
      await runCli(["new", "app"], { cwd: folder });
      const cwd = join(folder, "app");
      assertEquals((await runCli(["generate", "auth", "--provider", provider], { cwd })).code, 0);
      const { code, output } = await deno(["task", "test"], cwd);
      assertEquals(code, 0, output);
    });
  });
}

const refused: readonly (readonly [args: readonly string[], code: number, message: string])[] = [
  [[], 2, "say --passwords, --passkeys or --provider"],
  [["--provider", "keycloack"], 2, 'Did you mean "keycloak"?'],
  [["--provider", "keycloak", "--passwords"], 2, "--passwords has no effect with"],
  [["--passwords", "--form"], 2, "--form has no effect with"],
  [["/login", "--passwords"], 2, "<url> has no effect with"],
];

for (const [args, code, message] of refused) {
  Deno.test(`generate auth ${args.join(" ")} is refused`, async () => {
    await inProject({ "app/page.ts": page }, async (cwd) => {
      const made = await runCli(["generate", "auth", ...args], { cwd });
      assertEquals(made.code, code);
      assertStringIncludes(made.stderr, message);
      assertEquals((await listTree(cwd)).filter((path) => path.startsWith("lib/")), []);
    });
  });
}

Deno.test("generate auth: where a file is in the way nothing is left behind", async () => {
  const files = { "app/page.ts": page, "app/logout/route.ts": "export function POST() {}\n" };
  await inProject(files, async (cwd) => {
    const before = await listTree(cwd);
    const made = await runCli(["generate", "auth", "--passwords"], { cwd });
    assertEquals(made.code, 1);
    assertStringIncludes(made.stderr, "app/logout/route.ts");
    assertEquals(await listTree(cwd), before);
    assertEquals(
      await Deno.readTextFile(join(cwd, "app/logout/route.ts")),
      files["app/logout/route.ts"],
    );
  });
});

Deno.test("generate page takes no flag of a sign-in", async () => {
  await inProject({ "app/page.ts": page }, async (cwd) => {
    const made = await runCli(["generate", "page", "/x", "--passkeys"], { cwd });
    assertEquals(made.code, 2);
    assert(made.stderr.includes("--passkeys"));
  });
});
