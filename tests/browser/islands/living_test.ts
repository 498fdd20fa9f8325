import { assert, assertEquals, assertLessOrEqual, assertStringIncludes } from "@std/assert";
import { gzipSync } from "node:zlib";
import { toFileUrl } from "@std/path";
import { type Ctx, islandLoader, type Node, whenMedia } from "../../../mod.ts";
import { h, pageRoute, testInBrowser, ui, until } from "../kit/site.ts";
import type { Trial, TrialPlan, TrialRow } from "../kit/site.ts";
import counter from "./sources/counter.ts";
import rows from "./sources/rows.ts";
import search from "./sources/search.ts";
import tags from "./sources/tags.ts";
import todos from "./sources/todos.ts";
import { until as untilTrue } from "../../until.ts";

const islands = {
  "/islands/counter.js": counter,
  "/islands/rows.js": rows,
  "/islands/search.js": search,
  "/islands/tags.js": tags,
  "/islands/todos.js": todos,
};

let bundles = "";

Deno.test.beforeAll(async () => {
  bundles = await Deno.makeTempDir({ prefix: "fw-living-" });
  const sources = ["counter", "rows", "search", "tags", "todos"].map((name) =>
    new URL(`./sources/${name}.ts`, import.meta.url).pathname
  );
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "bundle",
      "--platform=browser",
      "--code-splitting",
      "--minify",
      `--outdir=${bundles}`,
      ...sources,
    ],
  }).output();
  assert(success, new TextDecoder().decode(stderr));
});

Deno.test.afterAll(async () => await Deno.remove(bundles, { recursive: true }));

const start = { count: 1, step: 1 };
const three = { rows: [1, 2, 3].map((id) => ({ id, done: id === 2 })) };
const home = pageRoute("/", (c) =>
  h.fragment(
    h.div(h.id("one"), c.island("/islands/counter.js", start)),
    h.div(h.id("two"), c.island("/islands/counter.js", start)),
    c.island("/islands/rows.js", three),
    c.island("/islands/search.js", { found: [], keys: "" }),
  ));

/** Delays the modules of a row until `pass` is called. */
const { promise: gate, resolve: pass } = Promise.withResolvers<void>();

/** Search results; each request is answered when the test says so. */
const waiting = new Map<string, () => void>();
const find = {
  pattern: "/find",
  methods: {
    GET: async (c: Ctx) => {
      const q = c.query("q") ?? "";
      await new Promise<void>((resolve) => waiting.set(q, resolve));
      return c.text(200, `found ${q}`);
    },
  },
};

async function answer(q: string): Promise<void> {
  await untilTrue(() => waiting.has(q));
  waiting.get(q)?.();
  waiting.delete(q);
}

const allMounted = "document.querySelectorAll('[data-fw-island-state=mounted]').length";

/** A row on the page with all islands, which runs after they are mounted. */
function row(
  name: string,
  run: (trial: Trial) => Promise<void>,
  options: Partial<TrialPlan> & { readonly mounted?: number } = {},
): TrialRow {
  const { mounted = options.hasScript === false ? 0 : 4, ...rest } = options;
  return {
    name,
    routes: [home, find],
    islands,
    ...rest,
    run: async (trial) => {
      await trial.open("/");
      if (mounted > 0) await until(trial.page, `${allMounted} === ${mounted}`);
      await run(trial);
    },
    get config() {
      return { mounts: { "/islands": toFileUrl(`${bundles}/`) } };
    },
  };
}

const texts = (trial: Trial, selector: string): Promise<string[]> =>
  trial.page.locator(selector).allTextContents();

testInBrowser("living islands", [
  row("the server renders the view, which needs no script to be read", async (trial) => {
    assertEquals(await texts(trial, "#one button"), ["1 of 0", "tell", "fail"]);
    assertEquals(await texts(trial, "li button"), ["Remove 1", "Remove 2", "Remove 3"]);
  }, { hasScript: false }),
  row("h.on runs an action, and islands that read a store show it", async (trial) => {
    await trial.page.fill("#two input", "a note");
    await trial.page.click("#one button");
    await until(trial.page, "document.querySelector('#two button').textContent === '1 of 1'");
    assertEquals(await texts(trial, "#one button"), ["2 of 1", "tell", "fail"]);
    assertEquals(await trial.page.inputValue("#two input"), "a note");
  }),
  row("an attribute of foreign HTML runs nothing but actions", async (trial) => {
    for (const name of ["view", "constructor", "toString", "__proto__", "nothing"]) {
      const said = trial.page.waitForEvent("console", (line) => line.text().includes(name));
      const button = trial.page.locator("#one button").first();
      await button.evaluate((el, action) => el.setAttribute("data-fw-on-click", action), name);
      await button.click();
      assertStringIncludes((await said).text(), `it has no action "${name}"`);
    }
    assertEquals(await texts(trial, "#one button"), ["1 of 0", "tell", "fail"]);
  }, { expected: Array.from({ length: 5 }, () => "has no action") }),
  row("the button that was pressed keeps the focus", async (trial) => {
    await trial.page.press("#one button", "Enter");
    await trial.page.keyboard.press("Enter");
    await until(trial.page, "document.activeElement.textContent === '3 of 2'");
  }),
  row("emit dispatches an event with the third argument of h.on", async (trial) => {
    await trial.page.evaluate(
      "addEventListener('told', (event) => globalThis.told = [event.detail, event.target.parentNode.id])",
    );
    await trial.page.getByText("tell").first().click();
    assertEquals(await trial.page.evaluate("globalThis.told"), ["an odd value", "one"]);
  }),
  row("an action that throws changes nothing and is logged", async (trial) => {
    await trial.page.getByText("fail").first().click();
    await trial.page.click("#one button");
    await until(trial.page, "document.querySelector('#one button').textContent === '2 of 1'");
  }, { expected: ["refused"] }),
  row("a view that throws shows the server's markup, and listens no more", async (trial) => {
    for (let count = 1; count < 13; count++) await trial.page.click("#one button");
    await until(trial.page, "document.querySelector('#one [data-fw-island-state=failed]')");
    assertEquals(await texts(trial, "#one button"), ["1 of 0", "tell", "fail"]);
    await trial.page.click("#one button");
    await trial.page.click("#two button");
    await until(trial.page, "document.querySelector('#two button').textContent === '2 of 13'");
    assertEquals(await texts(trial, "#one button"), ["1 of 0", "tell", "fail"]);
  }, { expected: ["on purpose"] }),
  row("ticks and removed rows follow the state; text in other rows stays", async (trial) => {
    await trial.page.getByLabel("text 3").fill("kept");
    await trial.page.locator("#row-1 [type=checkbox]").click();
    await trial.page.locator("#row-2 [type=checkbox]").click();
    const ticks = "[...document.querySelectorAll('li [type=checkbox]')].map((box) => box.checked)";
    await until(trial.page, `${ticks}.join() === 'true,false,false'`);
    await trial.page.getByText("Remove 1").click();
    await until(trial.page, "document.querySelectorAll('li').length === 2");
    assertEquals(await trial.page.evaluate(ticks), [false, false]);
    assertEquals(await trial.page.getByLabel("text 3").inputValue(), "kept");
    assertEquals(await trial.page.evaluate("document.activeElement.textContent"), "Remove 2");
  }),
  row("a row is dragged before another one", async (trial) => {
    const grip = { sourcePosition: { x: 2, y: 2 }, targetPosition: { x: 2, y: 2 } };
    await trial.page.dragAndDrop("#row-3", "#row-1", grip);
    const order = "[...document.querySelectorAll('li[draggable]')].map(({ id }) => id).join()";
    await until(trial.page, `${order} === 'row-3,row-1,row-2'`);
  }),
  row("a newer call of an action aborts the one before, whose result is ignored", async (trial) => {
    await trial.page.getByLabel("q").pressSequentially("ab");
    await until(trial.page, "document.querySelector('[aria-busy=true] [name=q]')");
    await answer("ab");
    await until(trial.page, "document.querySelector('form li')?.textContent === 'found ab'");
    await answer("a");
    await until(trial.page, "!document.querySelector('[aria-busy]')");
    assertEquals(await texts(trial, "form li"), ["found ab"]);
    assertEquals(await trial.page.getByLabel("q").inputValue(), "ab");
  }),
  row("a form that was sent is emptied, but for what is typed meanwhile", async (trial) => {
    const q = trial.page.getByLabel("q");
    const send = async (text: string): Promise<void> => {
      await q.evaluate((element, value) => void Object.assign(element, { value }), text);
      await q.press("Enter");
    };
    await send("one");
    await answer("one");
    await until(trial.page, "document.querySelector('form li')?.textContent === 'kept found one'");
    assertEquals(await q.inputValue(), "");
    await send("two");
    await q.press("End");
    await q.pressSequentially("x");
    await answer("two");
    await until(trial.page, "document.querySelectorAll('form li').length === 2");
    assertEquals(await q.inputValue(), "twox");
    await answer("twox");
  }),
  row(
    "in a form of the page a field is emptied by the state that it tells, or by a new id",
    async ({ page }) => {
      const values =
        "[...document.querySelectorAll('#tags input')].map(({ value }) => value).join()";
      const names = ["told", "keyed", "draft"];
      for (const round of ["a", "b"]) {
        for (const name of names) await page.getByLabel(name).fill(round);
        await page.click("text=Add");
        await until(
          page,
          `document.querySelector("#tags output").textContent.endsWith("${round}")`,
        );
        assertEquals(await page.evaluate(values), `,,${round}`);
      }
    },
    {
      mounted: 1,
      routes: [
        pageRoute("/", (c) =>
          h.form(
            h.id("tags"),
            h.method("post"),
            c.island("/islands/tags.js", { names: [], text: "sent" }),
          )),
      ],
    },
  ),
  row("the context has the key", async (trial) => {
    await trial.page.getByLabel("q").press("Escape");
    await until(trial.page, "document.querySelector('form output').textContent === 'Escape '");
  }),
  row(
    "new props of the server change what they name; the rest of the state stays",
    async (trial) => {
      await trial.page.click("#go");
      await until(trial.page, "document.querySelector('button')?.textContent.startsWith('1 of')");
      await trial.page.click("button >> nth=0");
      await trial.page.click("#narrow");
      await until(trial.page, "document.querySelector('output').textContent === 'step 5'");
      assertEquals((await texts(trial, "button"))[0], "2 of 1");
    },
    {
      routes: [
        pageRoute("/", (c) => frame(c, "/swap?step=1")),
        pageRoute("/swap", (c) => frame(c, `/swap?step=5`, Number(c.query("step")))),
      ],
      mounted: 0,
    },
  ),
  row("whenMedia waits for its query", async (trial) => {
    assertEquals(await trial.page.evaluate(allMounted), 0);
    await trial.page.setViewportSize({ width: 500, height: 500 });
    await until(trial.page, `${allMounted} === 1`);
  }, {
    routes: [
      pageRoute(
        "/",
        (c) => c.island("/islands/counter.js", start, whenMedia("(max-width: 600px)")),
      ),
    ],
    mounted: 0,
  }),
  row("whenMedia of print mounts before the page goes to paper", async ({ page }) => {
    assertEquals(await page.evaluate(allMounted), 0);
    await page.emulateMedia({ media: "print" });
    await until(page, `${allMounted} === 1`);
    await page.emulateMedia({ media: null });
  }, {
    routes: [pageRoute("/", (c) => c.island("/islands/counter.js", start, whenMedia("print")))],
    mounted: 0,
  }),
  row("what is pressed while the module is loaded is done then, once", async ({ page, open }) => {
    await page.route("**/islands/*.js*", async (route) => {
      await gate;
      await route.continue();
    });
    await open("/");
    await page.click("#one button");
    await page.getByLabel("q").fill("early");
    await page.getByLabel("q").press("Enter");
    pass();
    await until(page, "document.querySelector('#one button').textContent === '2 of 1'");
    await answer("early");
    await until(page, "document.querySelector('form li')?.textContent === 'kept found early'");
    assertEquals(await page.evaluate("location.search"), "");
  }),
  row("TodoMVC: todos are added, edited, ticked, filtered and kept", async ({ page }) => {
    const add = async (title: string): Promise<void> => {
      await page.locator(".new-todo").fill(title);
      await page.locator(".new-todo").press("Enter");
    };
    const shows = async (...titles: readonly string[]): Promise<void> =>
      await until(
        page,
        `[...document.querySelectorAll(".todo-list li")].map((item) => item.innerText.trim()).join() === "${titles}"`,
      );
    await add("  buy cheese ");
    await add(" ");
    await add("feed the cat");
    await shows("buy cheese", "feed the cat");
    await page.locator(".todo-list li >> nth=1").dblclick();
    await until(page, "document.activeElement.className === 'edit'");
    await page.locator(".edit").fill("feed the dog");
    await page.locator(".edit").press("Escape");
    await shows("buy cheese", "feed the cat");
    await page.locator(".todo-list li >> nth=1").dblclick();
    await page.locator(".edit").fill("feed both");
    await page.locator(".edit").press("Enter");
    await shows("buy cheese", "feed both");
    await page.locator(".toggle >> nth=0").check();
    await page.locator(".filters >> text=Active").click();
    await shows("feed both");
    await page.locator(".filters >> text=Completed").click();
    await shows("buy cheese");
    await page.goBack();
    await shows("feed both");
    await page.reload();
    await shows("feed both");
    await page.locator(".toggle-all").check();
    await shows();
    await page.locator(".clear-completed").click();
    await until(page, "!document.querySelector('.todo-list')");
  }, {
    routes: [pageRoute("/", (c) => c.island("/islands/todos.js", { editing: "" }))],
    mounted: 1,
  }),
]);

function frame(c: Ctx, href: string, step?: number): Node {
  return h.div(
    h.id("main"),
    h.a(h.id(step === undefined ? "go" : "narrow"), h.href(href), ui.swap("main"), "go"),
    islandLoader(c),
    step === undefined ? "" : c.island("/islands/counter.js", { count: 1, step }),
  );
}

Deno.test("TodoMVC: the island has at most 110 lines, which leaves ten for its page", async () => {
  const text = await Deno.readTextFile(new URL("./sources/todos.ts", import.meta.url));
  assertLessOrEqual(text.trimEnd().split("\n").length, 110);
});

Deno.test("living islands: the runtime has at most 2 KB in gzip, and h in the browser 4", async () => {
  const size = async (code: string): Promise<number> => {
    const file = await Deno.makeTempFile({ dir: bundles, suffix: ".ts" });
    await Deno.writeTextFile(file, code);
    const { success, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["bundle", "--platform=browser", "--minify", "--config=deno.json", file],
      cwd: new URL("../../../", import.meta.url),
    }).output();
    assert(success);
    return gzipSync(stdout, { level: 9 }).length;
  };
  const [h, both] = [
    await size(`import * as h from "@fw/fw/h"; console.log(${used});`),
    await size(
      `import * as h from "@fw/fw/h"; import { live, store } from "@fw/fw/island";
      console.log(${used}, live, store);`,
    ),
  ];
  assertLessOrEqual(h, 4 * 1_024);
  assertLessOrEqual(both - h, 2 * 1_024);
});

/** The members of `h` that a large island uses. */
const used =
  "h.div, h.form, h.input, h.label, h.ul, h.li, h.a, h.button, h.map, h.when, h.class, " +
  "h.id, h.value, h.href, h.type, h.name, h.checked, h.data, h.aria, h.on, h.render";
