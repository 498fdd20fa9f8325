import { testThorough } from "../../../thorough.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { main } from "../../../../cli/main.ts";
import {
  type CliOutput,
  denoOutput,
  type Files,
  inScratch,
  listTree,
  runCli,
  testIo,
  writeFiles,
} from "../../support.ts";

const checkout = fromFileUrl(new URL("../../../..", import.meta.url)).replace(/\/$/, "");

/** The files of every project in these tests: a link to the checkout, a layout, a page. */
const baseFiles: Files = {
  "deno.json": JSON.stringify({
    imports: { "@fw/fw": "jsr:@fw/fw@^0.1", "@/": "./" },
    links: [checkout],
  }),
  "app/page.ts": pageOf('h.p("home")'),
};

function pageOf(body: string, before = ""): string {
  return `import * as h from "@fw/fw/h";
import type { Ctx, Node } from "@fw/fw";
${before}
export function Page(c: Ctx): Node { void c; return ${body}; }
`;
}

interface Project {
  readonly root: string;
  export(...args: readonly string[]): Promise<CliOutput>;
  list(folder?: string): Promise<string[]>;
  read(file: string): Promise<string>;
}

async function inProject(
  files: Files,
  run: (project: Project) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await inScratch(async (folder) => {
    const root = join(folder, "shop");
    await writeFiles(root, { ...baseFiles, ...files });
    const generated = await runCli(["gen"], { cwd: root });
    assertEquals(generated.code, 0, generated.stderr);
    await run({
      root,
      export: (...args) => runCli(["export", ...args], { cwd: root, env }),
      list: async (site = "dist/site") => {
        const all = await listTree(join(root, site));
        return all.filter((file) =>
          !/^(?:\.fw_export\.json|\.nojekyll|_headers|404\.html)$/.test(file)
        );
      },
      read: (file) => Deno.readTextFile(join(root, "dist/site", file)),
    });
  });
}

Deno.test("export leaves the project through a link only if --out names it", () =>
  inProject({ "../theirs/keep": "theirs", "dist": "-> ../theirs" }, async (project) => {
    const theirs = join(project.root, "../theirs");
    const refused = await project.export();
    assertEquals([refused.code, refused.stdout], [1, ""]);
    assertStringIncludes(
      refused.stderr,
      'E_OUTPUT_LINK: cannot write to "dist/site": a link leads it out of the project\n' +
        "    Fix: Remove the link, or name the folder with --out.\n",
    );
    assertEquals(await listTree(theirs), ["keep"]);
    const asked = await project.export("--out", "dist/site/new");
    assertEquals(asked.code, 0, asked.stderr);
    assert((await listTree(theirs)).length > 1);
  }));

Deno.test("export writes the site, calls Paths with provided values, and prints a summary", () =>
  inProject({
    "app/about/page.ts": pageOf('h.a(h.href("/"), h.src("/x"))'),
    "app/feed.xml/route.ts": 'export const GET = (): Response => new Response("<a/>");\n',
    "app/api/hello/route.ts": 'export const GET = (): Response => new Response("x");\n',
    "app/old/page.ts": `import { redirect } from "@fw/fw";
export const Page = (): ReturnType<typeof redirect> => redirect("/about");
`,
    "public/style.css": "a {}",
    "lib/store.ts": `import { key } from "@fw/fw";
export const Store = key<string[]>("store");
`,
    "app/setup.ts": `import { type Application, provide } from "@fw/fw";
import { Store } from "@/lib/store.ts";
export async function Setup(app: Application): Promise<void> {
  provide(app, Store, await Promise.resolve(["a", "b"]));
}
export function Shutdown(): void { console.error("shut down"); }
`,
    "app/e/id_/page.ts": pageOf(
      'h.p(c.param("id"), " ", c.env)',
      `import { type Application, use } from "@fw/fw";
import { Store } from "@/lib/store.ts";
export function* Paths(app: Application): Generator<{ id: string }> {
  for (const id of use(app, Store)) yield { id };
}`,
    ),
  }, async (project) => {
    const { code, stdout, stderr } = await project.export();
    assertEquals([code, stderr], [0, "shut down\n"]);
    assertMatch(
      stdout,
      /^Exported 4 pages, 1 redirect, 6 other files to dist\/site in \d+\.\d s\.\n/,
    );
    assertStringIncludes(
      stdout,
      "\nNot exported:\n  /api/hello (app/api/hello/route.ts): its path has no extension",
    );
    assertEquals(await project.list(), [
      ..."_redirects about/index.html e/a/index.html e/b/index.html feed.xml".split(" "),
      ..."index.html old/index.html style.css".split(" "),
    ]);
    assertStringIncludes(await project.read("e/a/index.html"), "<p>a prod</p>");
    assertEquals(await Deno.readTextFile(join(project.root, "dist/.gitignore")), "*\n");
  }));

Deno.test("export fails with every broken link and how to include its target", () =>
  inProject({
    "app/about/page.ts": pageOf(
      'h.div(h.a(h.href("/tags/x?y=1#z")), h.a(h.href("events/b")), h.a(h.href("/api/x")))',
    ),
    "app/tags/slug_/page.ts": pageOf('h.p(c.param("slug"))'),
    "app/events/slug_/page.ts": pageOf('h.p(c.param("slug"))') +
      'export const Paths = (): { slug: string }[] => [{ slug: "a" }];\n',
    "app/api/id_/route.ts": 'export const GET = (): Response => new Response("x");\n',
  }, async (project) => {
    const { code, stderr } = await project.export();
    assertEquals(code, 1);
    assertMatch(stderr, /\n3 problems; nothing was written\.\n$/);
    assertEquals(await project.list(), []);
    const reason =
      "its route is not in the site; add the target to its Paths, or name it in elsewhere (--elsewhere)\n";
    for (const link of ["/tags/x?y=1#z", "events/b"]) {
      assertStringIncludes(stderr, ` -> ${link}: ${reason}`);
    }
    assertStringIncludes(stderr, " -> /api/x: its route has no extension");
    const based = await project.export("--base-url", "https://e.com/shop", "--out", "based");
    assertStringIncludes(based.stderr, "/tags/x?y=1#z: it leaves the base path");
  }));

const repeated: readonly (readonly [name: string, stderr: string, files: Files])[] = [
  [
    "a problem of every page or of every link in a list",
    `\
warning form_post: / has a form that posts to /save, which no file can handle; leave it out where c.isExport is true. (and 2 more)
warning query: / links to ?page=2, but a file returns the same page for every query. (and 5 more)
warning query: /a links to /?from=1, but a file returns the same page for every query.
warning query: /a links to /a?sort=x, but a file returns the same page for every query.
warning query: /a links to /b?sort=x, but a file returns the same page for every query.
`,
    {
      "app/layout.ts": `import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
export const Layout = (_: Ctx, children: Node): Node =>
  h.div(h.form(h.method("post"), h.action("/save")), h.a(h.href("?page=2")), h.a(h.href("?page=3")), children);
`,
      "app/a/page.ts": pageOf(
        'h.p(h.a(h.href("/?from=1")), h.a(h.href("/a?sort=x")), h.a(h.href("/b?sort=x")))',
      ),
      "app/b/page.ts": pageOf("h.p()"),
    },
  ],
  [
    "a broken link",
    `\
app/a/page.ts link_missing: /a -> /nope: there is no such page or file (and 1 more)
app/b/page.ts link_missing: /b -> /none: there is no such page or file
3 problems; nothing was written.
`,
    {
      "app/a/page.ts": pageOf('h.a(h.href("/nope"))'),
      "app/b/page.ts": pageOf('h.p(h.a(h.href("/nope")), h.a(h.href("/none")))'),
    },
  ],
];
for (const [name, stderr, files] of repeated) {
  testThorough(
    `export reports ${name} once`,
    () =>
      inProject(files, async (project) => assertEquals((await project.export()).stderr, stderr)),
  );
}

testThorough("export explains why the application does not start", async (t) => {
  const rows: readonly [name: string, body: string, texts: string[]][] = [
    ["a throw in Setup", 'throw new Error("no database");', [
      "app/setup.ts:2:9 E_BOOT: Error: no database",
      "Fix:",
    ]],
    ["an end of its own", "Deno.exit(3);", [
      "The application ended before the export had finished (exit code 3).",
    ]],
    ["a missing permission", 'Deno.writeTextFileSync("x.txt", "x");', [
      'did not allow write access to "x.txt". Add --allow-write=x.txt to the start task',
    ]],
  ];
  await inProject({ "app/setup.ts": "export function Setup(): void {}\n" }, async (project) => {
    for (const [name, body, texts] of rows) {
      await t.step(name, async () => {
        const setup = `export function Setup(): void {\n  ${body}\n}\n`;
        await writeFiles(project.root, { "app/setup.ts": setup });
        const { code, stdout, stderr } = await project.export();
        assertEquals([code, stdout], [1, ""]);
        for (const text of texts) assertStringIncludes(stderr, text);
        assert(!stderr.includes("$deno$stdin"), stderr);
      });
    }
  });
});

Deno.test("export runs with exactly the permissions and variables of the start task", async (t) => {
  const start = (command: string): Files => ({
    "deno.json": JSON.stringify({
      ...JSON.parse(baseFiles["deno.json"] ?? ""),
      tasks: { start: command },
    }),
  });
  await inProject({
    "data/x.txt": "data",
    "app/setup.ts": `export function Setup(): void {
  console.error(Deno.env.get("SHOP"), Deno.readTextFileSync("data/x.txt"));
}
`,
  }, async (project) => {
    const rows: readonly [name: string, command: string, code: number, stderr: RegExp][] = [
      [
        "enough",
        "SHOP=a deno run --watch --allow-net=127.0.0.1 --allow-env=FW_*,PORT,ADDR,SHOP --allow-read=public,data fw_gen.ts",
        0,
        /^a data\n$/,
      ],
      [
        "a list separated from its permission",
        "deno run --allow-read public fw_gen.ts",
        1,
        /^deno\.json E_START_TASK: .*\n {4}Fix: Write "--allow-read=public"\.$/m,
      ],
      ["too little", "deno run --allow-env fw_gen.ts", 1, /did not allow read access/],
    ];
    for (const [name, command, code, stderr] of rows) {
      await t.step(name, async () => {
        await writeFiles(project.root, start(command));
        const run = await project.export();
        assertEquals(run.code, code);
        assertMatch(run.stderr, stderr);
      });
    }
  });
});

Deno.test("export accepts its flags", async (t) => {
  const files: Files = {
    "app/about/page.ts": pageOf('h.p(c.url.href, " ", c.env)'),
    "app/admin/x/page.ts": pageOf("h.p()"),
  };
  await inProject(files, async (project) => {
    await t.step("-o, --exclude, and the progress on a terminal", async () => {
      const args = ["-o", "a/b/c", "--exclude", "/admin"];
      const env = { FW_ENV: "dev" };
      const io = { cwd: project.root, env, isTerminal: true };
      const { code, stdout } = await runCli(["export", ...args], io);
      assertEquals([code, await project.list("a/b/c")], [0, ["about/index.html", "index.html"]]);
      // On one line, which it clears.
      assertMatch(stdout.replaceAll("\r\u001b[K", "|"), /\|Exporting 2 of 2: \/(?:about)?\|/);
      const html = await Deno.readTextFile(join(project.root, "a/b/c/about/index.html"));
      assertStringIncludes(html, " dev</p>");
      assert(!html.includes("/_fw/events"));
    });
    await t.step("--base-url sets the base path and writes the site map", async () => {
      assertEquals((await project.export("--base-url", "https://example.com/docs/")).code, 0);
      assertStringIncludes(
        await project.read("about/index.html"),
        "https://example.com/docs/about prod",
      );
      assertStringIncludes(
        await project.read("sitemap.xml"),
        "<loc>https://example.com/docs/about/</loc>",
      );
    });
    await t.step("a folder with other files is refused", async () => {
      await writeFiles(project.root, { "dist/site/mine.txt": "mine" });
      const refused = await project.export();
      assertEquals(refused.code, 1);
      assertStringIncludes(refused.stderr, 'it holds files that no export wrote ("mine.txt")');
    });
  });
});

Deno.test("export refuses a stale generated file", async () => {
  await inProject({}, async (project) => {
    await writeFiles(project.root, { "app/new/page.ts": pageOf("h.p()") });
    const stale = await project.export();
    assertEquals(stale.code, 1);
    assertStringIncludes(stale.stderr, "fw_gen.ts is missing or out of date");
    await writeFiles(project.root, { "app/new/page.ts": "export const x = 1;\n" });
    assertStringIncludes((await project.export()).stderr, "E_NO_PAGE_FUNC");
  });
});

testThorough(
  "export: prints the application's output, which cannot imitate its own",
  () =>
    inProject({
      "app/page.ts": pageOf(
        "say()",
        `import type { Node as N } from "@fw/fw";
function say(): N {
  console.log('{"kind":"refused","message":"x"}');
  Deno.stdout.writeSync(new TextEncoder().encode("no line end"));
  return h.p();
}`,
      ),
    }, async (project) => {
      const { code, stderr } = await project.export();
      assertEquals(code, 0);
      assertStringIncludes(stderr, '{"kind":"refused","message":"x"}\n');
      assertStringIncludes(stderr, "no line end");
    }),
);

testThorough(
  "export works in a folder inside the project and in paths with spaces and commas",
  () =>
    inScratch(async (folder) => {
      const root = join(folder, "my, shop");
      await writeFiles(root, { ...baseFiles, "public/style.css": "a" });
      await runCli(["gen"], { cwd: root });
      const { code, stderr, stdout } = await runCli(["export"], { cwd: join(root, "app") });
      assertEquals([code, stderr], [0, ""]);
      assertStringIncludes(stdout, "to ../dist/site in");
      assertStringIncludes(await Deno.readTextFile(join(root, "dist/site/index.html")), "home");
      const refused = await runCli(["export", "-o", "../a,b"], { cwd: root });
      assertEquals(refused.code, 1);
      assertStringIncludes(refused.stderr, "no permission for a path with a comma");
    }),
);

testThorough("export: does not wait for an application that does not exit", () =>
  inProject({
    "app/setup.ts": `export function Setup(): void {
  setInterval(() => {}, 1_000);
}
export async function Shutdown(): Promise<void> {
  await new Promise(() => {});
}
`,
  }, async (project) => {
    const { code, stdout, stderr } = await project.export();
    assertEquals([code, stderr], [0, ""]);
    assertMatch(stdout, /^Exported 1 page,/);
  }));

Deno.test("export: an interrupted run reports the state of the site", () =>
  inProject({
    "app/slow/page.ts": `import * as h from "@fw/fw/h";
import type { Node } from "@fw/fw";
export async function Page(): Promise<Node> {
  if (Deno.env.get("PORT") === "1") {
    console.log("waiting");
    await new Promise((resolve) => setTimeout(resolve, 30_000));
  }
  return h.p("slow");
}
`,
  }, async (project) => {
    const controller = new AbortController();
    const { root: cwd } = project;
    const io = testIo({ cwd, env: { PORT: "1" }, signal: controller.signal });
    const code = await main(["export"], {
      ...io,
      stderr: (text) => {
        io.stderr(text);
        if (io.printed.stderr.includes("waiting")) controller.abort();
      },
    });
    const stderr = "waiting\nE_EXPORT: Stopped. Nothing was written.\n";
    assertEquals([code, io.printed], [1, { stdout: "", stderr }]);
  }));

testThorough(
  "export: an interruption before its process starts leaves no site",
  () =>
    inProject({}, async (project) => {
      const signal = AbortSignal.abort();
      const { code, stderr } = await runCli(["export"], { cwd: project.root, signal });
      assertEquals([code, stderr], [1, "E_EXPORT: Stopped. Nothing was written.\n"]);
      assertEquals(await project.list("dist"), [".gitignore"]);
    }),
);

testThorough("export of a new project succeeds with its task", () =>
  inScratch(async (folder) => {
    assertEquals((await runCli(["new", "my-app"], { cwd: folder })).code, 0);
    const cwd = join(folder, "my-app");
    const args = ["task", "export", "--base-url", "https://example.com"];
    const output = await denoOutput(args, cwd);
    assertStringIncludes(output, "Exported 1 page, 5 other files to dist/site");
    const html = await Deno.readTextFile(join(cwd, "dist/site/index.html"));
    assertStringIncludes(html, "Your app is running");
    // The exported files are not sources of the project.
    await denoOutput(["fmt", "--check"], cwd);
  }));
