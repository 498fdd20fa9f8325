import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { main } from "../../cli/main.ts";
import { parseHelpArguments, parseHelpFlags } from "../../cli/help.ts";
import { languageOf, messagesIn } from "../../cli/messages/catalog.ts";
import { findNearest } from "../../runtime/addon.ts";
import { version } from "../../runtime/base/conventions.ts";
import { listFiles, root } from "../../tools/workspace.ts";
import { inProject, inScratch, listTree, page, runCli, testIo } from "./support.ts";

/** The commands: each has a file of its name. */
const commands = (await listFiles("cli/commands", [".ts"]))
  .map((path) => path.replace(/^.*\/|\.ts$/g, "")).sort();

Deno.test("--version prints the version", async () => {
  const output = await runCli(["--version"], { cwd: "/" });
  assertEquals(output, { code: 0, stdout: `fw ${version}\n`, stderr: "" });
});

for (const lang of ["en", "pt"]) {
  const env = { FW_LANG: lang };
  Deno.test(`--help names every command and shows an example (${lang})`, async () => {
    for (const args of [["--help"], ["-h"], ["help"]]) {
      const { code, stdout, stderr } = await runCli(args, { cwd: "/", env });
      assertEquals([code, stderr], [0, ""]);
      for (const command of commands) assertMatch(stdout, new RegExp(`^  ${command} `, "m"));
      assertMatch(stdout, /(Example|Exemplo):\n {2}fw new/);
    }
  });

  for (const command of commands) {
    Deno.test(`${command} --help shows usage and an example (${lang})`, async () => {
      for (const args of [[command, "--help"], [command, "-h"], ["help", command]]) {
        const { code, stdout, stderr } = await runCli(args, { cwd: "/", env });
        assertEquals([code, stderr], [0, ""]);
        assertStringIncludes(stdout, `fw ${command}`);
        assertMatch(stdout, lang === "en" ? /Examples?:\n {2}fw / : /Exemplos?:\n {2}fw /);
      }
    });
  }
}

Deno.test("generate <what> --help prints the help of each subject", async () => {
  const subjects = Object.keys(messagesIn("en").help).filter((name) =>
    name.startsWith("generate ")
  );
  for (const subject of subjects) {
    for (const [usage, env] of [["Usage", {}], ["Uso", { FW_LANG: "pt" }]] as const) {
      const help = await runCli([...subject.split(" "), "--help"], { cwd: "/", env });
      assertStringIncludes(help.stdout, `${usage}: fw ${subject} `);
      assertStringIncludes(help.stdout, "--dry-run");
      assertEquals(await runCli(["help", ...subject.split(" ")], { cwd: "/", env }), help);
    }
  }
});

Deno.test("the help declares the same flags and arguments in both languages", () => {
  const portuguese = new Map(Object.entries(messagesIn("pt").help));
  for (const [command, help] of Object.entries(messagesIn("en").help)) {
    const other = portuguese.get(command) ?? "";
    assertEquals(parseHelpFlags(other), parseHelpFlags(help), command);
    const [own, same] = [parseHelpArguments(help), parseHelpArguments(other)];
    assertEquals([same.needed.length, same.max], [own.needed.length, own.max], command);
    for (const text of [help, other]) {
      // A sentence on a line that starts with a flag would be printed as one.
      const lines = text.split("\n").filter((line) => line.startsWith("-"));
      assertEquals(parseHelpFlags(text).length, lines.length, `${command}: ${lines.join("\n")}`);
    }
  }
});

Deno.test("docs/cli.md has a row for every command", async () => {
  const guide = await Deno.readTextFile(join(root, "docs/cli.md"));
  const subjects = Object.keys(messagesIn("en").help).filter((name) =>
    name.startsWith("generate ")
  );
  const missing = [...commands, ...subjects].filter((command) =>
    !new RegExp(`^\\| \`${command}[ \`]`, "m").test(guide)
  );
  assertEquals(missing, [], "Add these commands to the table at the top of docs/cli.md");
});

Deno.test("new writes a task for every other command", () =>
  inScratch(async (cwd) => {
    assertEquals((await runCli(["new", "app"], { cwd })).code, 0);
    const { tasks } = JSON.parse(await Deno.readTextFile(join(cwd, "app/deno.json")));
    const missing = commands.filter((command) => command !== "new" && !(command in tasks));
    assertEquals(missing, [], "Add these commands to the tasks in cli/scaffold/project.ts");
  }));

const refusals: readonly (readonly [line: string, en: string, pt: string])[] = [
  ["rotues", 'Did you mean "routes"?', 'Queria dizer "routes"?'],
  ["xyzzy", 'Unknown command "xyzzy".', 'O comando "xyzzy" não existe.'],
  ["constructor", 'Unknown command "constructor"', '"constructor" não existe'],
  ["--verson", "Did you mean --version?", "Queria dizer --version?"],
  ["--hlep", "Did you mean --help?", "Queria dizer --help?"],
  ["help rotues", 'Did you mean "routes"?', 'Queria dizer "routes"?'],
  ["help generate pgae", 'Did you mean "page"?', 'Queria dizer "page"?'],
  ["gen -x", "Unknown flag -x.", "A opção -x não existe."],
  ["gen extra", 'Unexpected argument "extra"', '"extra" é um argumento'],
  ["new", "argument: <name>.", "argumento: <nome>."],
  ["generate island x --tmpl", "Unknown flag --tmpl.", "--tmpl não existe."],
  [
    "generate",
    '"fw generate" needs an argument: <what>.',
    '"fw generate" precisa de um argumento: <assunto>.',
  ],
  ["generate foo --dry-run", 'Cannot generate "foo"', 'possível gerar "foo"'],
  ["generate --dry-run foo", 'Cannot generate "foo"', 'possível gerar "foo"'],
  ["generate /x", "use one of page, route, test, ", "indique um de page, route, test, "],
  ["generate page /x --methods", "--methods needs a value", "--methods precisa de um valor"],
  [
    "export --base-url example.com",
    'Cannot export for "example.com"',
    'possível exportar para "example.com"',
  ],
  ["gen --check=strict", "--check takes no value", "--check não aceita valor"],
];
for (const [line, en, pt] of refusals) {
  Deno.test(`an invalid command line exits with 2: fw ${line}`, async () => {
    const args = line.split(" ");
    await inProject({ "app/page.ts": page }, async (cwd) => {
      const english = await runCli(args, { cwd });
      assertEquals([english.code, english.stdout], [2, ""]);
      assertStringIncludes(english.stderr, en);
      assertMatch(english.stderr, /See `fw .*--help`\.\n$/);
      const portuguese = await runCli(args, { cwd, env: { LANG: "pt_BR.UTF-8" } });
      assertEquals(portuguese.code, 2);
      assertStringIncludes(portuguese.stderr, pt);
    });
  });
}

Deno.test("fw without a command prints help to standard error and exits with 2", async () => {
  const { code, stdout, stderr } = await runCli([], { cwd: "/" });
  assertEquals([code, stdout], [2, ""]);
  assertStringIncludes(stderr, "Usage: fw <command>");
});

for (
  const [command, code] of [
    ["routes", "E_NO_APP"],
    ["check", "E_COMMAND"],
    ["audit", "E_COMMAND"],
  ] as const
) {
  Deno.test(`fw ${command} --json outside a project prints the problem as JSON`, () =>
    inScratch(async (cwd) => {
      const { stdout, stderr } = await runCli([command, "--json"], { cwd });
      assertEquals([JSON.parse(stdout).problems[0].code, stderr], [code, ""]);
    }));
}

Deno.test("fw audit --json with a malformed deno.json prints the problem as JSON", () =>
  inProject({ "deno.json": "{", "app/page.ts": page }, async (cwd) => {
    const { code, stdout } = await runCli(["audit", "--json"], { cwd });
    assertEquals([code, JSON.parse(stdout).ok], [1, false]);
  }));

Deno.test("fw escapes control characters of the command line", async () => {
  for (const args of [["docs", "\u001b[31mzzqq"], ["\u001b[31mx"]]) {
    const { stderr } = await runCli(args, { cwd: "/" });
    assertStringIncludes(stderr, "\\u001b[31m");
  }
});

/** Commands that need arguments outside a project, and their error messages. */
const lines: Readonly<Record<string, readonly [line: string, says?: RegExp]>> = {
  gen: ["gen", /^app:1:1 E_NO_APP: .*\n.*`fw new <name>`/],
  generate: ["generate page /x", /^app:1:1 E_NO_APP: .*\n.*`fw new <name>`/],
};
const noProject = /^Neither .* contains a deno\.json and an app\/ folder\.\n/;

for (const command of commands.filter((each) => each !== "docs" && each !== "new")) {
  const [line, says = noProject] = lines[command] ?? [command];
  Deno.test(`fw ${line} outside a project reports it and exits with 1`, () =>
    inScratch(async (cwd) => {
      const { code, stdout, stderr } = await runCli(line.split(" "), { cwd });
      assertEquals([code, stdout], [1, ""]);
      assertMatch(stderr, says);
      assertEquals(await listTree(cwd), []);
    }));
}

const languages: readonly [env: Record<string, string>, want: string][] = [
  [{}, "en"],
  [{ LANG: "pt_BR.UTF-8" }, "pt"],
  [{ LANG: "PT_PT" }, "pt"],
  [{ LANG: "C" }, "en"],
  [{ LANG: "pt_BR", LC_MESSAGES: "en_US" }, "en"],
  [{ LC_MESSAGES: "en_US", LC_ALL: "pt_BR" }, "pt"],
  [{ LC_ALL: "pt_BR", FW_LANG: "en" }, "en"],
  [{ FW_LANG: "", LANG: "pt_BR" }, "pt"],
  [{ FW_LANG: "de" }, "en"],
];
for (const [env, want] of languages) {
  Deno.test(`languageOf ${JSON.stringify(env)} is ${want}`, () => {
    assertEquals(languageOf(env), want);
  });
}

const nearest: readonly [string, string | undefined][] = [
  ["gne", "gen"],
  ["GEN", "gen"],
  ["generat", "generate"],
  ["route", "routes"],
  ["q", undefined],
  ["", undefined],
  ["gen".repeat(100_000), undefined],
];
for (const [text, want] of nearest) {
  Deno.test(`findNearest "${text.slice(0, 20)}" is ${want}`, () => {
    assertEquals(findNearest(text, [...commands, "gen".repeat(99_000)]), want);
  });
}

Deno.test("fw prints colour only to terminals", () =>
  inProject({ "app/page.ts": page }, async (cwd) => {
    const plain = await runCli(["routes"], { cwd });
    assert(!plain.stdout.includes("\u001b"));
    const coloured = await runCli(["routes"], { cwd, isTerminal: true });
    assertStringIncludes(coloured.stdout, "\u001b[1mMETHODS");
  }));

Deno.test("fw reports an error of the system with its fix, not as a defect", async () => {
  const rows = [["en", "The system refused this: "], ["pt", "O sistema recusa isto: "]] as const;
  for (const [lang, text] of rows) {
    await inProject({ "app/page.ts": page }, async (cwd) => {
      const args = ["incident", "--from", "x".repeat(300)];
      const { code, stdout, stderr } = await runCli(args, { cwd, env: { FW_LANG: lang } });
      assertEquals([code, stdout], [1, ""]);
      assertMatch(stderr, new RegExp(`^${text}.*os error.*\n.+\\.\n$`));
    });
  }
});

Deno.test("fw exits silently if the reader closes the output", () =>
  inProject({ "app/page.ts": page }, async (cwd) => {
    const lost = new Deno.errors.BrokenPipe("Broken pipe (os error 32)");
    const io = testIo({ cwd });
    const code = await main(["audit"], {
      ...io,
      stdout: () => {
        throw lost;
      },
    });
    assertEquals([code, io.printed.stderr], [1, ""]);
  }));
