// test: child, runs the tasks of a new application
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { describeApi } from "../../../cli/describe/openapi/describe.ts";
import { createProject } from "../../../cli/project/project.ts";
import { authFiles, authVariables } from "../../../cli/scaffold/auth.ts";
import { root } from "../../../tools/workspace.ts";
import { shareFolder } from "../shared_folder.ts";
import { deno, inProject, inScratch, listTree, page, runCli, writeFiles } from "../support.ts";
import { checkTypes } from "../type_check.ts";
import { runTests, writeWorkspace } from "../workspace.ts";

const passwords = ["--passwords"];
const passkeys = ["--passkeys"];
const keycloak = ["--provider", "keycloak"];

/** Applications by name, each with the runs of `generate auth` that it gets. */
const signIns: Readonly<Record<string, readonly (readonly string[])[]>> = {
  passwords: [passwords],
  passkeys: [passkeys],
  "in-steps": [passwords, passkeys, keycloak],
  "at-once": [[...passkeys, ...keycloak]],
  keycloak: [keycloak],
  oidc: [["--provider", "oidc"]],
  entra: [["--provider", "entra"]],
  cognito: [["--provider", "cognito"]],
  clerk: [["--provider", "clerk"]],
  kit: [passwords],
  "kit-keycloak": [keycloak],
  "kit-languages": [[...passkeys, ...keycloak]],
  "plain-languages": [passkeys, keycloak],
};

const book = ["resource", "books", "title:text,required"];
const addLoans = ["migration", "add_loans"];

/** The runs of `generate` by order, in applications with the kit, and the migrations that they leave. */
const orders: readonly {
  readonly name: string;
  readonly app: string;
  readonly runs: readonly (readonly string[])[];
  readonly migrations: readonly string[];
}[] = [
  {
    name: "after a resource",
    app: "kit-after-resource",
    runs: [book, ["auth", ...passwords], ["auth", ...passkeys], addLoans],
    migrations: ["0001_create_books", "0002_create_accounts", "0003_add_loans"],
  },
  {
    name: "before a resource",
    app: "kit-before-resource",
    runs: [["auth", ...passkeys], book, addLoans],
    migrations: ["0001_create_accounts", "0002_create_books", "0003_add_loans"],
  },
];

/** Every application, each with its runs of `generate`. */
const made: Readonly<Record<string, readonly (readonly string[])[]>> = {
  ...Object.fromEntries(
    Object.entries(signIns).map(([name, runs]) => [name, runs.map((run) => ["auth", ...run])]),
  ),
  ...Object.fromEntries(orders.map(({ app, runs }) => [app, runs])),
};

/** A setup with languages, of which the generators word two. */
const languages = `import type { Config as Settings } from "@fw/fw";

/** Sets the languages. */
export function Config(config: Settings): void {
  config.languages = ["pt-PT", "en", "fr"];
}

/** Runs at boot. */
export function Setup(): void {}
`;

/** A test of the application with passwords: an application of its own has variables of its own. */
const ownVariables = `import { testApp } from "@fw/fw/testing";
import { originOf } from "./origin.ts";

const variables = {
  FW_DB: ":memory:",
  FW_ORIGIN: "https://club.example",
  FW_MAIL_URL: "https://mail.example",
  FW_MAIL_TOKEN: "t",
  FW_MAIL_FROM: "club@club.example",
};

Deno.test("production starts with the variables of its configuration", async () => {
  await using app = await testApp({ config: { env: "prod", variables } });
  if (originOf(app) !== "https://club.example") throw new Error(originOf(app));
});
`;

const loans = `create table loans (
  book_id integer not null references books (id),
  member integer not null references users (id)
) strict;
`;
const loanTest = `import { use } from "@fw/fw";
import { lowerPasswordCost } from "@fw/fw/auth/testing";
import { testApp } from "@fw/fw/testing";
import { Accounts } from "@/lib/accounts.ts";
import { Database } from "@/lib/database.ts";

lowerPasswordCost();

Deno.test("a loan refers to a book and to an account", async () => {
  const app = await testApp();
  try {
    const accounts = use(app, Accounts);
    const link = accounts.addLink("ada@example.org") ?? "";
    const user = await accounts.setPassword(link, "correct horse battery");
    const db = use(app, Database);
    db.exec("insert into books (title) values ('Emma')");
    db.prepare("insert into loans values (1, ?)").run(Number(user?.id));
    const all = "select email from loans join users on users.id = member";
    const row = db.prepare(all).get();
    if (row?.["email"] !== "ada@example.org") throw new Error("no loan");
  } finally {
    await app.shutdown();
  }
});
`;

/** Files that are added to what is made. */
const added: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  passwords: { "lib/variables_test.ts": ownVariables },
  ...Object.fromEntries(orders.map(({ app }) => [app, {
    "migrations/0003_add_loans.sql": loans,
    "lib/loans_test.ts": loanTest,
  }])),
};

/** What `generate` printed, by application. */
const said = new Map<string, string>();

const shared = shareFolder("generate_auth", async (folder) => {
  for (const [name, runs] of Object.entries(made)) {
    const hasKit = name.startsWith("kit");
    await runCli(["new", name, ...hasKit ? ["--kit"] : []], { cwd: folder });
    const cwd = join(folder, name);
    // Those of the orders import by "@/", the others by relative paths.
    if (name in signIns) await dropAlias(cwd);
    if (name === "plain-languages") await writeFiles(cwd, { "app/setup.ts": languages });
    if (name === "kit-languages") await runCli(["generate", "language", "pt-PT"], { cwd });
    for (const run of runs) {
      const { code, stdout, stderr } = await runCli(["generate", ...run], { cwd });
      assertEquals([code, stderr], [0, ""], `${name}, ${run.join(" ")}`);
      said.set(name, (said.get(name) ?? "") + stdout);
    }
    await writeFiles(cwd, added[name] ?? {});
  }
  // The tasks of this one have all variables.
  await writeWorkspace(folder, { members: Object.keys(made), like: "at-once" });
});

/** Deletes "@/", so that the generators import by relative paths. */
async function dropAlias(cwd: string): Promise<void> {
  const path = join(cwd, "deno.json");
  const manifest = JSON.parse(await Deno.readTextFile(path));
  delete manifest.imports["@/"];
  await Deno.writeTextFile(path, JSON.stringify(manifest, null, 2) + "\n");
}

/** The one in steps is the same as the one at once, which a test says. */
const variants = Object.keys(made).filter((name) => name !== "in-steps");

Deno.test("generate auth: it ends with what to do next", () => {
  const next = (name: string): string => said.get(name)?.trimEnd().split("\n").at(-1) ?? "";
  for (const name of Object.keys(signIns)) {
    const hasAccounts = signIns[name]?.some((run) => run.some((flag) => /^--pass/.test(flag)));
    assertStringIncludes(
      next(name),
      hasAccounts
        ? "open /signup; the link of the mail is in its terminal"
        : "set these variables in .env, run `deno task dev` and open /login",
    );
  }
});

Deno.test("generate auth: every variant is formatted, free of lint and well typed", async () => {
  for (const args of [["fmt", "--check"], ["lint"]]) {
    const { code, output } = await deno([...args, ...variants], shared());
    assertEquals(code, 0, `${args.join(" ")}: ${output}`);
  }
  const { code, output } = await checkTypes(variants, shared());
  assertEquals(code, 0, output);
});

Deno.test("generate auth: its tests leave the environment of the process alone", async () => {
  const tests = (await listTree(shared())).filter((path) => path.endsWith("_test.ts"));
  const texts = await Promise.all(tests.map((path) => Deno.readTextFile(join(shared(), path))));
  assert(texts.some((text) => text.includes('variables: { FW_DB: ":memory:" }')));
  assertEquals(tests.filter((_, index) => texts[index]?.includes("Deno.env")), []);
});

// Passkeys alone are a part of all at once.
const withTests = variants.filter((name) => !["passkeys", "kit", "plain-languages"].includes(name));

Deno.test("generate auth: its tests pass, without the variables of production", async () => {
  const { code, output } = await runTests(shared(), withTests, { apart: ["at-once"] });
  assertEquals(code, 0, output);
  // Two for each (one is that of the start page), one more for accounts, one for passkeys, one for the
  // provider beside the accounts, one for the variables; with a resource one more for accounts, one for
  // passkeys, three for the books and one for the loans.
  const count = 2 * withTests.length + 9 + 6 * orders.length;
  assertStringIncludes(output, `${count} passed`);
  for (const { app } of orders) {
    const test = `${app}/lib/loans_test.ts => a loan refers to a book and to an account ... ok`;
    assertStringIncludes(output, test);
  }
});

Deno.test("generate auth: the document of the API has none of its routes", async () => {
  const cwd = join(shared(), "kit-languages");
  const { document, problems, warnings } = await describeApi(createProject(cwd));
  assertEquals([problems, warnings], [[], []]);
  assertEquals(Object.keys(document?.paths ?? {}), ["/api/hello"]);
});

Deno.test("generate auth: in steps makes what it makes at once", async () => {
  const [steps = [], once = []] = await Promise.all(
    ["in-steps", "at-once"].map((name) => listTree(join(shared(), name))),
  );
  assertEquals(steps, once);
  for (const path of steps) {
    const [left, right] = await Promise.all(
      ["in-steps", "at-once"].map((name) => Deno.readTextFile(join(shared(), name, path))),
    );
    const plain = (text = ""): string =>
      text.replaceAll(/in-steps|at-once/g, "").replace("FW_ENV=dev FW_DB=:memory:", "")
        .replace("FW_DB=:memory: FW_ENV=dev", "");
    assertEquals(plain(left), plain(right), path);
  }
});

Deno.test("generate auth: docs/sessions.md names the files and the variables that there are", async () => {
  const guide = await Deno.readTextFile(join(root, "docs/sessions.md"));
  const named = [...guide.matchAll(/`((?:app|lib|scripts)\/[\w/]+\.ts)`/g)].map(([, path]) => path);
  assert(named.length > 10, `${named.length} files`);
  const plan = {
    hasAccounts: true,
    hasPasskeys: true,
    provider: "oidc",
    hasKit: false,
    languages: ["en", "pt-PT"],
  } as const;
  const written = [...authFiles(plan).map(({ file }) => file), "lib/database.ts"];
  assertEquals(named.filter((path = "") => !written.includes(path)), []);
  const own = authVariables({ ...plan, provider: undefined });
  assertEquals([...own, "FW_OIDC_CLIENT_SECRET"].filter((name) => !guide.includes(name)), []);
});

const tasks: readonly (readonly [name: string, start: string, test: string])[] = [
  [
    "passwords",
    "--allow-read=public,.fw/spool,data --allow-write=.fw/spool,data fw_gen.ts",
    "FW_DB=:memory: deno test",
  ],
  [
    "keycloak",
    "--allow-read=public,.fw/spool --allow-write=.fw/spool fw_gen.ts",
    "FW_ENV=dev deno test",
  ],
  [
    "kit-after-resource",
    "--allow-read=public,.fw/spool,data --allow-write=.fw/spool,data fw_gen.ts",
    "FW_DB=:memory: deno test",
  ],
  [
    "kit-before-resource",
    "--allow-read=public,.fw/spool,data --allow-write=.fw/spool,data fw_gen.ts",
    "FW_DB=:memory: deno test",
  ],
];

for (const [name, start, test] of tasks) {
  Deno.test(`generate auth (${name}): the tasks get what they need`, async () => {
    const text = await Deno.readTextFile(join(shared(), name, "deno.json"));
    assertStringIncludes(text, start);
    assertStringIncludes(text, test);
  });
}

Deno.test("generate auth: the layout links the account, and the script is there for passkeys alone", async () => {
  const script = "public/passkeys.js";
  for (const [name, runs] of Object.entries(made)) {
    const layout = await Deno.readTextFile(join(shared(), name, "app/layout.ts"));
    assertEquals(layout.split('c.href("/account")').length, 2, name);
    const hasScript = runs.flat().includes("--passkeys");
    assertEquals((await listTree(join(shared(), name))).includes(script), hasScript, name);
  }
});

Deno.test("generate auth: the pages use the kit, and a catalog where there are languages", async () => {
  for (const name of ["passwords", "kit", "kit-languages", "plain-languages"]) {
    const text = await Deno.readTextFile(join(shared(), name, "app/login/page.ts"));
    assertEquals(text.includes("ui.form(c, Credentials"), name.startsWith("kit"), name);
    assertEquals(text.includes("c.t(accountMessages, "), name.endsWith("-languages"), name);
    assertEquals(text.includes('"Sign in"'), !name.endsWith("-languages"), name);
    const files = await listTree(join(shared(), name));
    assertEquals(files.includes("lib/account_messages.ts"), name.endsWith("-languages"));
    assertEquals(files.includes("views/fields.ts"), !name.startsWith("kit"));
  }
  const catalog = await Deno.readTextFile(
    join(shared(), "plain-languages/lib/account_messages.ts"),
  );
  assertStringIncludes(catalog, '"Entrar com Keycloak"');
  assertStringIncludes(catalog, '"Sign in with Keycloak"');
});

const askAccount = `import { use } from "@fw/fw";
import { lowerPasswordCost } from "@fw/fw/auth/testing";
import { newTestClient, testApp, withHeader } from "@fw/fw/testing";
import { Accounts } from "./lib/accounts.ts";
lowerPasswordCost();
// The provider reads it when its module is loaded, which the application does.
Deno.env.set("FW_ENV", "dev");
const variables = { FW_DB: ":memory:" };
await using app = await testApp({ config: { env: "dev", variables } });
const [email, password] = ["ada@example.org", "correct horse battery"];
await use(app, Accounts).setPassword(use(app, Accounts).addLink(email), password);
const clients = [newTestClient(app), newTestClient(app)];
const agent = withHeader("user-agent", "Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0");
for (const client of clients) {
  await client.postForm("/login", { email, password }, agent).wantStatus(303);
}
for (const language of ["pt-PT", "en"]) {
  const page = await clients[1].get("/account", withHeader("accept-language", language), agent);
  console.log(page.wantStatus(200).body.match(/<tbody>.*?<\\/tbody>/s)[0]);
}
`;

/** What the account page says of a session, by application. */
const shownTimes: Readonly<Record<string, readonly [device: string, time: RegExp][]>> = {
  passwords: [["Chrome on Linux", /\d{4}-\d\d-\d\d \d\d:\d\d UTC/]],
  "plain-languages": [
    ["Chrome em Linux", /\d+ de \w+ de \d{4} às \d\d:\d\d UTC/],
    ["Chrome on Linux", /\w+ \d+, \d{4} at \d+:\d\d\s[AP]M UTC/],
  ],
};

for (const [name, shown] of Object.entries(shownTimes)) {
  Deno.test(`generate auth (${name}): a session has its device and time in the language of the page`, async () => {
    const cwd = join(shared(), name);
    await Deno.writeTextFile(join(cwd, "ask_account.js"), askAccount);
    const { code, output } = await deno(["run", "-A", "--no-check", "ask_account.js"], cwd);
    await Deno.remove(join(cwd, "ask_account.js"));
    assertEquals(code, 0, output);
    for (const [device, time] of shown) {
      assertStringIncludes(output, device);
      assert(time.test(output), output);
    }
  });
}

for (const { name, app, migrations } of orders) {
  Deno.test(`generate auth ${name}: one database, whose migrations make all tables`, async () => {
    const cwd = join(shared(), app);
    assert(!said.get(app)?.includes("is yours"), said.get(app));
    const pending = migrations.map((each) => `pending  ${" ".repeat(16)}  ${each}\n`);
    assertEquals((await runCli(["migrate", "--status"], { cwd })).stdout, pending.join(""));
    // A specifier that leads up breaks when a folder moves into a group.
    for (const path of await listTree(cwd)) {
      if (!/^(?:app|lib|scripts|views)\/.*\.ts$/.test(path)) continue;
      const text = await Deno.readTextFile(join(cwd, path));
      assertEquals(/from "\.\.\//.exec(text)?.[0], undefined, path);
    }
    const layout = await Deno.readTextFile(join(cwd, "app/layout.ts"));
    assertStringIncludes(layout, 'c.pattern.startsWith("/account")');
  });
}

const origin = { FW_ORIGIN: "https://a.example" };
const mail = {
  FW_MAIL_URL: "https://mail.example",
  FW_MAIL_TOKEN: "t",
  FW_MAIL_FROM: "a@a.example",
};

const fromProvider = [
  "FW_KEYCLOAK_URL is",
  "FW_KEYCLOAK_REALM is",
  "FW_OIDC_CLIENT_ID is",
  "FW_OIDC_REDIRECT_URL is",
];

/** What production lacks, and all that it is told. */
const unset: readonly (readonly [
  name: string,
  env: Readonly<Record<string, string>>,
  faults: readonly string[],
])[] = [
  ["passwords", {}, ["FW_ORIGIN is", "FW_MAIL_URL is", "FW_MAIL_TOKEN is", "FW_MAIL_FROM is"]],
  ["passwords", { ...mail, FW_ORIGIN: "a.example" }, ['FW_ORIGIN is "a.example"']],
  ["passwords", { ...mail, ...origin, FW_MAIL_TOKEN: "" }, ["FW_MAIL_TOKEN is not set"]],
  ["passwords", { ...mail, ...origin, FW_MAIL_URL: "mail.internal" }, [
    'FW_MAIL_URL is "mail.internal"',
  ]],
  ["passkeys", origin, ["FW_MAIL_URL is", "FW_MAIL_TOKEN is", "FW_MAIL_FROM is", "FW_SECRET is"]],
  ["at-once", { ...mail, ...origin }, [...fromProvider, "FW_SECRET is"]],
  ["in-steps", mail, ["FW_ORIGIN is", ...fromProvider, "FW_SECRET is"]],
];

for (const [name, env, faults] of unset) {
  Deno.test(`generate auth (${name}): production does not start, and names ${faults.join(", ")}`, async () => {
    const { code, stderr } = await startInProduction(name, env);
    assert(code !== 0);
    const [head = "", ...lines] = stderr.trim().split("\n").slice(-1 - faults.length);
    assertEquals(head, "error: Cannot start the sign-in.");
    assertEquals(
      lines.map((line, at) => line.startsWith(`  ${faults[at]}`)),
      faults.map(() => true),
    );
  });
}

Deno.test("generate auth (keycloak): production does not start, and names what the provider says", async () => {
  const { code, stderr } = await startInProduction("keycloak", { FW_KEYCLOAK_REALM: "a" });
  assert(code !== 0);
  assertStringIncludes(stderr, "set FW_KEYCLOAK_URL, FW_OIDC_CLIENT_ID, FW_OIDC_REDIRECT_URL as");
  assertEquals(/^ {4}at /m.exec(stderr), null, "a stack");
});

async function startInProduction(
  name: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly stderr: string }> {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--no-prompt", "--allow-all", "fw_gen.ts"],
    cwd: join(shared(), name),
    env: { NO_COLOR: "1", PORT: "0", FW_ENV: "prod", ...env },
    stdin: "null",
  }).output();
  return { code, stderr: new TextDecoder().decode(stderr) };
}

Deno.test("generate auth (passwords): production warns of a mail service that it may not reach", async () => {
  const variables = { ...mail, ...origin, FW_DB: ":memory:" };
  for (const [host, isReached] of [["127.0.0.1", false], ["127.0.0.1,mail.example", true]]) {
    const process = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-check",
        "--no-prompt",
        "--allow-env",
        `--allow-net=${host}`,
        "--allow-read",
        "fw_gen.ts",
      ],
      cwd: join(shared(), "passwords"),
      env: { NO_COLOR: "1", PORT: "0", ADDR: "127.0.0.1", FW_ENV: "prod", ...variables },
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    let log = "";
    for await (const text of process.stdout.pipeThrough(new TextDecoderStream())) {
      log += text;
      if (log.includes("listening")) break;
    }
    process.kill("SIGKILL");
    await process.status;
    const warning =
      "Cannot send mail: no access to mail.example:443. Fix: add mail.example:443 to --allow-net";
    assertEquals(log.includes(warning), !isReached, log);
  }
});

const refused: readonly (readonly [args: readonly string[], code: number, message: string])[] = [
  [[], 2, "say --passwords, --passkeys or --provider"],
  [["--provider", "keycloack"], 2, 'Did you mean "keycloak"?'],
  [["--passwords", "--form"], 2, "--form has no effect with"],
  [["/login", "--passwords"], 2, "<url> has no effect with"],
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

Deno.test("generate auth: edited files are kept, and what they lack is printed", async () => {
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
    const login = join(cwd, "app/login/page.ts");
    const text = (await Deno.readTextFile(login)).replaceAll('"Sign in"', '"Come in"');
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

Deno.test("generate auth: the link to the account is in the words of the layout", async () => {
  for (
    const [layout, part] of [
      ['import * as ui from "@fw/fw/ui";\n', 'ui.navLink(c.href("/account"), "Account", c.pattern'],
      ["", 'h.a(h.href(c.href("/account")), "Account")'],
    ] as const
  ) {
    const text = `${layout}export function Layout(_c: unknown, children: unknown) {\n` +
      "  return children;\n}\n";
    await inProject({ "app/page.ts": page, "app/layout.ts": text }, async (cwd) => {
      const run = await runCli(["generate", "auth", "--passwords"], { cwd });
      assertStringIncludes(run.stdout, `Link the account from your layout: ${part}`);
    });
  }
});

Deno.test("generate auth: where a file is in the way nothing is left behind", async () => {
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

Deno.test("generate page takes no flag of a sign-in", async () => {
  await inProject({ "app/page.ts": page }, async (cwd) => {
    const run = await runCli(["generate", "page", "/x", "--passkeys"], { cwd });
    assertEquals(run.code, 2);
    assert(run.stderr.includes("--passkeys"));
  });
});
