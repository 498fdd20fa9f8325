/**
 * The output of `new` and `generate`: three applications, formatted, linted, checked, tested and
 * requested.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { auditProject } from "../../cli/audit/checks.ts";
import { gatherFacts } from "../../cli/audit/facts.ts";
import { checkMessages } from "../../cli/check/messages.ts";
import { describeApi } from "../../cli/describe/openapi/describe.ts";
import { createProject } from "../../cli/project/project.ts";
import { authFiles, authVariables, providers } from "../../cli/scaffold/auth.ts";
import { root } from "../../tools/workspace.ts";
import { shareFolder } from "../cli/shared_folder.ts";
import { deno, listTree, runCli, writeFiles } from "../cli/support.ts";
import { checkTypes } from "../cli/type_check.ts";
import { type RunningApp, startApp } from "../e2e/running_app.ts";
import { runTests, writeWorkspace } from "../cli/workspace.ts";

const engine = "sqlite";

/** Every type, rules of every kind, optional fields and plain ones. */
const everything = `
  book-loans title:text,required,min=3,max=80 code:text,min=4,max=4 note:long,optional story:long
  mail:email,required mail2:email site:url link:url,optional
  kind:oneof=talk/fair mood:oneof=good/bad,optional seats:int,min=1,max=500
  level:int left:int,optional views:int64 most:int64,optional price:float,min=0.5
  rate:float,optional open:bool agreed:bool,required day:date,required,min=2026-01-01
  until:date at:datetime,required ends:datetime,max=2026-12-31T18:30
`.trim().split(/\s+/);

/** Names that are words of SQL and of the generated code. */
const hostile = [
  "orders",
  ..."group order select text errors value values row c h ui sent cover headline book_loans"
    .split(" ").map((name) => `${name}:text`),
  ..."table from int struct key use input columns".split(" ").map((name) => `${name}:int`),
  "default:date",
  "index:bool",
];

/** Uploads of both types: a required one, and one above the body limit. */
const albums = [
  "albums",
  "name:text,required",
  "cover:image",
  "class:image,optional,max=64kb",
  "score:file,required,max=2mb",
];

/** The applications, each with the flag of `new` and its runs of `generate`. */
const made: Readonly<Record<string, { flag?: string; runs: readonly (readonly string[])[] }>> = {
  plain: {
    runs: [
      ["resource", ...hostile, "--api", "--csv", "--seed", "1000"],
      ["resource", ...albums, "--api", "--csv", "--seed", "1000"],
      ["resource", "boxes", "open:bool", "--api"],
      ["resource", "people", "--singular", "person", "born:date", "size:int", "--csv"],
      ["resource", "vans", "size:float", "kind:oneof=a/b,optional", "plan:file,required"],
      ["resource", "jobs", "prio:int,required"],
      // Longer than a search accepts.
      ["resource", "papers", "title:text,required,min=300", "--api"],
      ["auth", "--passwords"],
      ["migration", "add_loans"],
    ],
  },
  kit: {
    flag: "--kit",
    runs: [
      ["auth", "--passwords"],
      ["auth", "--passkeys"],
      ["auth", "--provider", "keycloak"],
      ["resource", ...everything, "--api", "--csv", "--guard"],
      ["page", "/loans"],
      ["page", "/contact", "--form"],
      ["language", "pt-PT"],
      ["language", "fr"],
      ["resource", "cats", "kind:oneof=in-house/out,optional", "due:date,required", "--public"],
      ["page", "/Send/{Name}", "--form"],
    ],
  },
  github: {
    runs: [
      ["auth", "--provider", "github"],
      ["resource", "notes", "title:text,required", "--api", "--guard"],
      ["resource", "members", "name:text,required", "--api", "--audit", "--guard=manager"],
      ["auth", "--users=boss"],
      ["language", "pt-PT"],
    ],
  },
};
const apps = Object.keys(made);

/** The output of `generate`, by application and run. */
const said = new Map<string, string>();

/** The providers whose files differ only in `lib/auth.ts`. */
const otherProviders = ["oidc", "entra", "cognito", "clerk", "discord"] as const;

const shared = shareFolder("generated_apps", async (folder) => {
  for (const [name, { flag, runs }] of Object.entries(made)) {
    await runCli(["new", name, ...flag === undefined ? [] : [flag]], { cwd: folder });
    const cwd = join(folder, name);
    if (name === "plain") await narrow(cwd);
    for (const run of runs) {
      const { code, stdout, stderr } = await runCli(["generate", ...run], { cwd });
      assertEquals([code, stderr], [0, ""], `${name}, ${run.join(" ")}`);
      said.set(`${name} ${run.slice(0, 2).join(" ")}`, stdout);
    }
  }
  await writeFiles(join(folder, "plain"), { "migrations/0009_add_loans.sql": loans });
  for (const name of otherProviders) {
    const plan = {
      hasPasswords: false,
      hasPasskeys: false,
      provider: providers[name],
      languages: [],
      engine,
    } as const;
    const auth = authFiles(plan).find(({ file }) => file === "lib/auth.ts");
    await writeFiles(join(folder, "github"), { [`lib/${name}.ts`]: auth?.text ?? "" });
  }
  await deno(["fmt", "--quiet", "github/lib"], folder);
  await writeWorkspace(folder, { members: apps, like: "kit" });
});

/** A table beside those of a resource and of the accounts. */
const loans = `create table loans (
  job_id integer not null references jobs (id),
  member integer not null references users (id)
) strict;
`;

async function narrow(cwd: string): Promise<void> {
  const path = join(cwd, "deno.json");
  const manifest = JSON.parse(await Deno.readTextFile(path));
  manifest.fmt = { lineWidth: 80 };
  delete manifest.imports["@/"];
  await Deno.writeTextFile(path, JSON.stringify(manifest, null, 2) + "\n");
  await deno(["fmt", "--quiet"], cwd);
}

Deno.test("generate: all output is formatted at the project's width, lint-free and typed", async () => {
  for (const args of [["fmt", "--check"], ["lint"]]) {
    const { code, output } = await deno([...args, ...apps], shared());
    assertEquals(code, 0, `${args.join(" ")}: ${output}`);
  }
  const { code, output } = await checkTypes(apps, shared());
  assertEquals(code, 0, output);
});

Deno.test("generate: tests pass without production variables and leave the environment unchanged", async () => {
  const { code, output } = await runTests(shared(), apps);
  assertEquals(code, 0, output);
  for (
    const name of [
      "orders are added, found, changed and deleted",
      "albums keep what a form shows and sends back",
      "the API refuses papers that break a rule",
      "book loans are refused with what was typed",
      "book loans are not shown to others",
      "members are not shown to others",
      "one administrator stays, also when two lose the role at once",
      "a malformed passkey response is a 400",
      "the first sign-in at the provider adds an account, which later ones update",
      "POST /language keeps the choice for the next pages",
    ]
  ) assertStringIncludes(output, `${name} ...`);
  const tests = (await listTree(shared())).filter((path) => path.endsWith("_test.ts"));
  const texts = await Promise.all(tests.map((path) => Deno.readTextFile(join(shared(), path))));
  assertEquals(tests.filter((_, index) => texts[index]?.includes("Deno.env")), []);
});

/** A clock that a script can advance, loaded before the code that reads it. */
const clock = `const now = Date.now;
globalThis.shiftMs = 0;
Date.now = () => now() + globalThis.shiftMs;
`;

async function ask(name: string, script: string): Promise<unknown> {
  const cwd = join(shared(), name);
  const ask = `${askHead}${script}\nawait app.shutdown();\n`;
  await writeFiles(cwd, { "ask.js": ask, "clock.js": clock });
  const args = ["run", "--no-check", "--allow-all", "ask.js"];
  const { code, stdout, output } = await deno(args, cwd, { FW_ENV: "dev" });
  for (const file of ["ask.js", "clock.js"]) await Deno.remove(join(cwd, file));
  assertEquals(code, 0, output);
  return JSON.parse(stdout.trim().split("\n").at(-1) || "null");
}

const askHead = `import "./clock.js";
import { use } from "@fw/fw";
import { withUser } from "@fw/fw/auth/testing";
import { newTestClient, testApp, withHeader, withJson } from "@fw/fw/testing";
const app = await testApp({ config: { variables: { FW_DB: ":memory:" } } });
const client = newTestClient(app);
const inLanguage = (tag) => withHeader("accept-language", tag);
`;

Deno.test("generate resource: a time that an API stored in milliseconds survives its form", async () => {
  const told = await ask(
    "kit",
    `import { sampleJson } from "@fw/fw/testing";
import { BookLoanInput, BookLoans } from "@/lib/book_loans.ts";
import { sessions } from "@/lib/sessions.ts";
const user = newTestClient(app, withUser(sessions));
const at = "2026-05-01T10:20:30.123Z";
const loan = { ...sampleJson(BookLoanInput, 1), at, ends: at };
await user.postJson("/api/book-loans", loan).wantStatus(201);
await user.get("/book-loans/1/edit").submit('main form[method="post"]', { title: "Other" })
  .wantRedirect("/book-loans/1");
const row = await use(app, BookLoans).get(1);
console.log(JSON.stringify([row.at, row.ends, row.title]));`,
  );
  const at = "2026-05-01T10:20:30.123Z";
  assertEquals(told, [at, at, "Other"]);
});

Deno.test("generate resource: a bad filter is shown in the page", async () => {
  await ask("plain", 'await client.get("/boxes?open=x").wantStatus(400).wantContains("<h1");');
});

Deno.test("generate resource: production without a secret warns at boot that messages are lost", async () => {
  const cwd = join(shared(), "plain");
  await writeFiles(cwd, { "starts.ts": starts });
  const { code, output } = await deno(["run", "--no-check", "--allow-all", "starts.ts"], cwd);
  await Deno.remove(join(cwd, "starts.ts"));
  assertEquals(code, 0, output);
  const warned = output.split("started").map((part) =>
    [...part.matchAll(/messages of (.+?) are lost: set FW_SECRET/g)].map(([, name]) => name)
  );
  const resources = ["orders", "albums", "boxes", "people", "vans", "jobs", "papers"];
  assertEquals(warned, [resources, [], [], []], output);
});

const mail = {
  FW_MAIL_URL: "https://mail.example",
  FW_MAIL_TOKEN: "t",
  FW_MAIL_FROM: "a@a.example",
};
const origin = { FW_ORIGIN: "https://a.example" };

/** Starts the application in production without a secret, with one, and in development. */
const starts = `import { testApp } from "@fw/fw/testing";
import { originOf } from "./lib/origin.ts";

const variables = ${JSON.stringify({ ...mail, ...origin, FW_DB: ":memory:" })};
for (const config of [{}, { secret: "s".repeat(32) }, { env: "dev" }] as const) {
  await using app = await testApp({ config: { env: "prod", variables, ...config } });
  if (originOf(app) !== "https://a.example") throw new Error(originOf(app));
  console.error("started");
}
`;

Deno.test("generate: the API document is complete and has no route of the sign-in", async () => {
  const { document, problems } = await describeApi(
    createProject(join(shared(), "plain")),
  );
  assertEquals(problems, []);
  const paths = (document?.["paths"] ?? {}) as Record<string, Record<string, unknown>>;
  const statuses = Object.entries(paths).filter(([path]) => path.includes("orders"))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => {
        const { responses } = operation as { readonly responses: Record<string, unknown> };
        return `${method} ${path} ${Object.keys(responses).join(" ")}`;
      })
    );
  assertEquals(statuses, [
    "get /api/orders 200 400 default",
    "post /api/orders 201 400 413 415 422 default",
    "get /api/orders/{id} 200 304 400 404 default",
    "put /api/orders/{id} 200 400 404 412 413 415 422 default",
    "delete /api/orders/{id} 204 400 404 412 default",
  ]);
  assertEquals(Object.keys(paths).filter((path) => /login|logout|account|auth/.test(path)), []);
  const text = JSON.stringify(document);
  assertStringIncludes(
    text,
    '"rows":{"type":"array","items":{"$ref":"#/components/schemas/OrderRow"}}',
  );
  for (const name of ["id", "total"]) assertStringIncludes(text, `"${name}":{"type":"integer"`);
});

Deno.test("generate: the audit finds nothing serious", async () => {
  const env = {
    FW_SECRET: "0123456789abcdef0123456789abcdef",
    FW_ALLOWED_HOSTS: "a.example",
    ...mail,
    ...origin,
    // The start task may reach it.
    FW_MAIL_URL: "http://127.0.0.1:9",
  };
  // The folder is not a repository and has no lock file; the types and the lint were checked above.
  const skip = ["lock", "env-file", "vulnerabilities", "lint", "types"] as const;
  const facts = await gatherFacts(createProject(join(shared(), "plain")), { assumed: env });
  const { problems } = await auditProject(facts, { skip });
  assertEquals(problems.filter(({ severity }) => severity !== "info"), []);
});

Deno.test("generate language: earlier and later pages use the page's language", async () => {
  await ask(
    "kit",
    `import { withAccount } from "@/lib/account_testing.ts";
const user = newTestClient(app, await withAccount(app));
for (const [path, text] of [
  ["/login", "Continuar com Keycloak"],
  ["/signup", "Criar conta"],
]) await client.get(path, inLanguage("pt-PT")).wantContains(text).wantContains('lang="pt-PT"');
for (const [path, text] of [
  ["/reset", "Enviar ligação"],
  ["/account", "A sua conta"],
  ["/book-loans/new", "Novo registo"],
  ["/book-loans/new", "Título"],
  ["/cats", "Ainda não há registos"],
  ["/contact", "Enviar"],
  ["/contact", "Nome"],
  ["/Send/x", "Enviar"],
  ["/loans", "Loans"],
]) {
  const page = await user.get(path, inLanguage("pt-PT"));
  page.wantContains(text).wantContains('lang="pt-PT"');
}
await user.get("/", inLanguage("pt-PT")).wantContains('lang="en"').wantContains("Resumo");
await client.get("/nope", inLanguage("pt-PT")).wantContains("Esta página não existe");
await user.get("/book-loans/new", inLanguage("fr")).wantContains("New book loan");`,
  );
  // The generators have no French words.
  const untranslated = await checkMessages(createProject(join(shared(), "kit")));
  assertEquals(untranslated.map(({ message }) => message.replace(/^\d+/, "n")), [
    "n texts of the catalogs are still to be translated, the first here",
  ]);
  const told = said.get("kit language pt-PT") ?? "";
  assertStringIncludes(told, "Changed lib/account_messages.ts.");
  assertMatch(told, /Translate \d+ texts/);
  const cats = await Deno.readTextFile(join(shared(), "kit/lib/cat_messages.ts"));
  for (const own of ['title: "Cats"', 'row: "Cat"', 'due: "Due"', '"kind.out": "Out"']) {
    assertStringIncludes(cats, `${own}, // translate`);
  }
});

Deno.test("generate resource: choices and dates use the page's language", async () => {
  const file = join(shared(), "kit/lib/cat_messages.ts");
  const catalog = await Deno.readTextFile(file);
  // The labels stand in English, Portuguese and French.
  const translated = catalog.replace(
    /"In house"(?=(?:(?!"In house")[^])*"In house"(?![^]*"In house"))/,
    '"Da casa"',
  );
  await Deno.writeTextFile(file, translated);
  try {
    await ask(
      "kit",
      `const due = "2026-05-01";
await client.postForm("/cats/new", { kind: "in-house", due }).wantRedirect("/cats/1");
await client.postForm("/cats/new", { kind: "", due }).wantRedirect("/cats/2");
const texts = [["pt-PT", "Da casa", "01/05/2026"], ["en", "In house", "May 1, 2026"]];
for (const [language, value, date] of texts) {
  const asked = inLanguage(language);
  for (const path of ["/cats", "/cats/1"]) {
    await client.get(path, asked).wantContains(value).wantContains(date).wantNotContains(">in-house");
  }
  await client.get("/cats/2", asked).wantContains("–");
  await client.get("/cats/1/edit", asked).wantContains(value + "</option>");
}`,
    );
  } finally {
    await Deno.writeTextFile(file, catalog);
  }
});

Deno.test("generate auth: the list of sessions has devices and times in the page's language", async () => {
  const told = await ask(
    "kit",
    `import { lowerPasswordCost } from "@fw/fw/auth/testing";
import { Accounts } from "@/lib/accounts.ts";
lowerPasswordCost();
const [email, password] = ["ada@example.org", "correct horse battery"];
await use(app, Accounts).setPassword(await use(app, Accounts).links.add(email), password);
const agent = withHeader("user-agent", "Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0");
await client.postForm("/login", { email, password }, agent).wantStatus(303);
const told = [];
for (const language of ["pt-PT", "en"]) {
  const page = await client.get("/account", inLanguage(language), agent);
  told.push(page.wantStatus(200).body.match(/<main.*<\\/main>/s)[0]);
}
console.log(JSON.stringify(told));`,
  ) as readonly string[];
  assertStringIncludes(told[0] ?? "", "Chrome em Linux");
  assertStringIncludes(told[1] ?? "", "Chrome on Linux");
});

Deno.test("generate auth: an old session must sign in again before it changes passkeys", async () => {
  await ask(
    "kit",
    `import { lowerPasswordCost } from "@fw/fw/auth/testing";
import { Accounts } from "@/lib/accounts.ts";
lowerPasswordCost();
const link = "/password/" + await use(app, Accounts).links.add("ada@example.org");
await client.postForm(link, { password: "correct horse battery" }).wantRedirect("/");
await client.get("/account/passkeys").wantStatus(200);
globalThis.shiftMs = 20 * 60_000;
await client.get("/account/passkeys").wantRedirect("/login?next=%2Faccount%2Fpasskeys&again=1");
await client.postForm("/account", { passkey: "x" }).wantRedirect("/login?next=%2Faccount&again=1");
await client.postForm("/account", {}).wantRedirect("/login?next=%2Faccount&again=1");
await client.get("/account").wantStatus(200).wantContains("again=1");
await client.get("/login?again=1").wantStatus(200);`,
  );
});

Deno.test("generate auth: several runs equal one run", async () => {
  const plan = {
    hasPasswords: true,
    hasPasskeys: true,
    provider: providers.keycloak,
    languages: ["en", "pt-PT"],
    engine,
  } as const;
  const squeezed = (text: string): string => text.replaceAll(/[\s,();]/g, "");
  for (const { file, text } of authFiles(plan)) {
    if (file === "app/setup.ts") continue;
    const written = (await Deno.readTextFile(join(shared(), "kit", file)))
      // What another command drafted.
      .replaceAll(/\n {2}fr: \{[^]*?\n {2}\},/g, "");
    const relative = text.replaceAll(/from "(?:\.\.?\/)+/g, 'from "');
    const own = written.replaceAll(/from "(?:@\/|\.\/)/g, 'from "');
    const plain = (source: string): string =>
      squeezed(source.replaceAll(/from "(?:lib|app|views|migrations)\//g, 'from "'));
    assertEquals(plain(own), plain(relative), file);
  }
  const again = await runCli(["generate", "auth", "--passkeys"], { cwd: join(shared(), "kit") });
  assertStringIncludes(again.stderr, "already exists");
});

Deno.test("generate auth: docs/sessions.md names the existing files and variables", async () => {
  const guide = await Deno.readTextFile(join(root, "docs/sessions.md"));
  const named = [...guide.matchAll(/`((?:app|lib|scripts)\/[\w/]+\.ts)`/g)].map(([, path]) => path);
  assert(named.length > 3, `${named.length} files`);
  const plan = { hasPasswords: true, hasPasskeys: true, languages: [], engine } as const;
  const written = authFiles({ ...plan, provider: providers.oidc, roles: ["admin"] }).map((
    { file },
  ) => file);
  const known = [...written, "lib/database.ts"];
  assertEquals(named.filter((path = "") => !known.includes(path)), []);
  const own = authVariables({ ...plan, provider: undefined });
  assertEquals([...own, "FW_OIDC_CLIENT_SECRET"].filter((name) => !guide.includes(name)), []);
});

Deno.test("generate: one database, whose migrations create all tables, and imports survive a move", async () => {
  const cwd = join(shared(), "kit");
  const migrations = ["0001_create_accounts", "0002_create_book_loans", "0003_create_cats"];
  const pending = migrations.map((each) => `pending  ${" ".repeat(16)}  ${each}\n`);
  assertEquals((await runCli(["migrate", "--status"], { cwd })).stdout, pending.join(""));
  for (const path of await listTree(cwd)) {
    if (!/^(?:app|lib|scripts|views)\/.*\.ts$/.test(path)) continue;
    // A relative specifier breaks when a folder moves into a group.
    const text = await Deno.readTextFile(join(cwd, path));
    assertEquals(/from "\.\.\//.exec(text)?.[0], undefined, path);
  }
  const setup = await Deno.readTextFile(join(shared(), "plain/app/setup.ts"));
  for (const call of ["openDatabase", "openOrders", "openPeople", "openAccounts", "openMail"]) {
    assertStringIncludes(setup, `${call}(app)`);
  }
});

const fromProvider = ["FW_OIDC_CLIENT_ID", "FW_KEYCLOAK_URL", "FW_KEYCLOAK_REALM"];

/** Missing variables in production, and the complete messages. */
const unset: [name: string, env: Readonly<Record<string, string>>, faults: string[]][] = [
  ["plain", {}, ["FW_ORIGIN is", "FW_MAIL_URL is", "FW_MAIL_TOKEN is", "FW_MAIL_FROM is"]],
  ["plain", { ...mail, ...origin, FW_MAIL_TOKEN: "" }, ["FW_MAIL_TOKEN is not set"]],
  ["plain", { ...mail, ...origin, FW_MAIL_URL: "mail.internal" }, [
    "FW_MAIL_URL is not valid: set a whole URL",
  ]],
  ["kit", { ...mail, ...origin }, [
    ...fromProvider.map((name) => `${name} is`),
    "FW_OIDC_REDIRECT_URL is",
    "FW_SECRET is",
  ]],
  ["github", {}, [
    ...["CLIENT_ID", "CLIENT_SECRET", "REDIRECT_URL"].map((name) => `FW_GITHUB_${name} is`),
    "FW_SECRET is",
  ]],
];
for (const [name, env, faults] of unset) {
  Deno.test(`generate auth (${name}): production does not start and names ${faults.join(", ")}`, async () => {
    const { code, said } = await failInProduction(name, env);
    assert(code !== 0);
    const [head = "", ...lines] = said.trim().split("\n").slice(-1 - faults.length);
    assertEquals(head, "Cannot start the sign-in.");
    assertEquals(lines.filter((line, at) => !line.startsWith(`  ${faults[at]}`)), []);
  });
}

function startInProduction(
  name: string,
  env: Readonly<Record<string, string>>,
  flags = "--allow-all",
): RunningApp {
  return startApp(`deno run --no-check --no-prompt ${flags} fw_gen.ts`, {
    cwd: join(shared(), name),
    env: { FW_ENV: "prod", FW_DB: ":memory:", ...env },
  });
}

/** Returns the message of an application that does not start. */
async function failInProduction(
  name: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly said: string }> {
  await using app = startInProduction(name, env);
  const { code } = await app.ended();
  const line = app.output().split("\n").find((line) =>
    line.includes('"the application cannot start"')
  );
  return { code, said: JSON.parse(line ?? "{}").error?.message ?? app.output() };
}

Deno.test("generate auth (plain): production warns about a mail service that it may not reach", async () => {
  for (const [host, isReached] of [["127.0.0.1", false], ["127.0.0.1,mail.example", true]]) {
    const env = { ADDR: "127.0.0.1:0", ...mail, ...origin };
    const flags = `--allow-env --allow-net=${host} --allow-read`;
    await using app = startInProduction("plain", env, flags);
    await app.url();
    const warning =
      "Cannot send mail: no access to mail.example:443. Fix: add mail.example:443 to --allow-net";
    assertEquals(app.output().includes(warning), !isReached, app.output());
  }
});
