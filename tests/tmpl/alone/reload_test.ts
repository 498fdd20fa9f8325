import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { join } from "@std/path";
import * as h from "../../../html/mod.ts";
import { must, node, TemplateError, type Templates, wrap } from "../../../tmpl/mod.ts";
import { App, createLogger, Off } from "../../../mod.ts";

/** Runs with templates in a folder, in development or in production. */
async function withViews(
  env: "dev" | "prod",
  run: (folder: string, save: (name: string, text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const before = Deno.env.get("FW_ENV");
  Deno.env.set("FW_ENV", env);
  let saves = 0;
  /** Saves; what was seen of the folder counts until then. */
  const save = (name: string, text: string): Promise<void> => {
    const file = join(folder, name);
    Deno.writeTextFileSync(file, text);
    // Two saves within one tick of the clock are two all the same.
    Deno.utimeSync(file, 1_000_000 + saves, 1_000_000 + saves++);
    return Promise.resolve();
  };
  try {
    await run(folder, save);
  } finally {
    if (before === undefined) Deno.env.delete("FW_ENV");
    else Deno.env.set("FW_ENV", before);
    await Deno.remove(folder, { recursive: true });
  }
}

/** Counts how often a folder is read. */
function countLooks(): { readonly count: number; readonly end: () => void } {
  const { readDirSync } = Deno;
  const looks = { count: 0, end: () => void (Deno.readDirSync = readDirSync) };
  Deno.readDirSync = (path) => {
    looks.count++;
    return readDirSync(path);
  };
  return looks;
}

/** Runs something behind the next reading of a file. */
function afterRead(run: () => void): void {
  const { readTextFileSync } = Deno;
  Deno.readTextFileSync = (path) => {
    const text = readTextFileSync(path);
    Deno.readTextFileSync = readTextFileSync;
    run();
    return text;
  };
}

function show(set: Templates): string {
  return node(set, "a.html", { x: "X" }).render();
}

Deno.test("reload: in development a saved template is seen by the next rendering", () =>
  withViews("dev", async (folder, save) => {
    await save("a.html", "one {{.x}}");
    const set = must(folder);
    assertEquals(show(set), "one X");
    await save("a.html", "two {{.x}}");
    assertEquals(show(set), "two X");
    await save("b.html", "<b>{{.}}</b>");
    await save("a.html", 'three {{template "b.html" .x}}');
    assertEquals(show(set), "three <b>X</b>");
  }));

Deno.test("reload: a broken template is an error until it is corrected", () =>
  withViews("dev", async (folder, save) => {
    await save("a.html", "one");
    const set = must(folder);
    await save("a.html", "\n{{if}}");
    for (let i = 0; i < 2; i++) {
      const error = assertThrows(() => show(set), TemplateError, 'parse "a.html:2:5"');
      assertEquals([error.file, error.line, error.column], [join(folder, "a.html"), 2, 5]);
    }
    await save("a.html", "two");
    assertEquals(show(set), "two");
  }));

Deno.test("reload: a shell follows its layout", () =>
  withViews("dev", async (folder, save) => {
    await save("a.html", '1{{template "c"}}');
    const shell = wrap(must(folder), "a.html", "c");
    assertEquals(shell.node(null, h.text("x")).render(), "1x");
    await save("a.html", '2{{template "c"}}');
    assertEquals(shell.node(null, h.text("x")).render(), "2x");
  }));

Deno.test("reload: in production a template is read once", () =>
  withViews("prod", async (folder, save) => {
    await save("a.html", "one");
    const set = must(folder);
    await save("a.html", "{{broken");
    assertEquals(show(set), "one");
  }));

Deno.test("the error page of development shows the file, the line and a frame of the template", () =>
  withViews("dev", async (folder, save) => {
    await save("a.html", "<p>\n  {{.user.name}}\n</p>\n");
    const set = must(folder);
    const logger = createLogger({ write: () => {} });
    const app = new App({ env: "dev", devReload: Off, logger }, { dir: folder });
    app.route({ pattern: "/", page: () => node(set, "a.html", { user: null }) });
    const response = await app.fetch(new Request("http://localhost/"));
    const body = await response.text();
    assertEquals(response.status, 500);
    assertStringIncludes(body, "a.html:2:5");
    assertStringIncludes(body, "{{.user.name}}");
  }));

Deno.test("reload: the templates of one page look at the folder once", () =>
  withViews("dev", async (folder, save) => {
    await save("a.html", "one {{.x}}");
    const set = must(folder);
    await Promise.resolve();
    const looks = countLooks();
    try {
      for (let i = 0; i < 20; i++) show(set);
      assertEquals(looks.count, 1);
      await Promise.resolve();
      show(set);
      assertEquals(looks.count, 2);
    } finally {
      looks.end();
    }
  }));

Deno.test("reload: sees a file saved during the read", () =>
  withViews("dev", async (folder, save) => {
    await save("a.html", "one");
    afterRead(() => void save("a.html", "two"));
    const set = must(folder);
    await Promise.resolve();
    assertEquals(show(set), "two");
  }));
