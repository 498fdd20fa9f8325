import { assert, assertEquals } from "@std/assert";
import type { Node } from "../../../mod.ts";
import { focusOf, h, pageRoute, testInBrowser, type TrialRow, ui, until } from "../kit/site.ts";
import { routeOf } from "../../routes.ts";

/** Rows of a list that forms delete and a user has edited. */
const rows = (names: readonly string[]): Node =>
  h.table(
    h.tbody(
      names.map((name) =>
        h.tr(
          h.td(h.input(h.type("checkbox"), h.name("pick"), h.value(name), h.aria("label", name))),
          h.td(
            h.form(
              h.method("post"),
              h.action(`/rows/${name}`),
              ui.swap("region"),
              h.button(h.data("name", name), "Delete"),
            ),
          ),
        )
      ),
    ),
  );

const region = (names: readonly string[], count: number): Node =>
  h.div(
    h.id("region"),
    h.p(`${names.length} rows`),
    h.input(h.name("typed"), h.aria("label", "typed")),
    h.textarea(h.name("note"), h.aria("label", "note"), "note"),
    h.select(h.name("kind"), h.aria("label", "kind"), h.option("a"), h.option("b")),
    h.details(h.summary("more"), h.p("text")),
    h.div(h.id("edit"), h.attr("contenteditable", "true"), "edit"),
    h.div(h.id("wide"), "long ".repeat(99)),
    h.dialog(h.id("box"), h.p("in the box")),
    ui.tabs("t", [
      { label: "One", content: h.p("one") },
      { label: "Two", content: h.p(count === 0 ? h.aria("invalid", "true") : null, "two") },
    ]),
    h.p(h.id("kept"), h.data("fw-keep", ""), `kept ${count}`),
    rows(names),
  );

const keeps: readonly TrialRow[] = [
  ["user input in a region survives a change, and the focus moves to the next row", "/", [
    pageRoute("/", () => region(["ada", "ben", "cleo"], 0)),
    routeOf(
      "POST",
      "/rows/{name}",
      (c) =>
        c.html(200, region(["ada", "ben", "cleo"].filter((one) => one !== c.param("name")), 1)),
    ),
  ], async ({ page }) => {
    await page.fill("[name=typed]", "typed");
    await page.fill("[name=note]", "changed");
    await page.selectOption("[name=kind]", "b");
    await page.check("[value=cleo]");
    await page.click("summary");
    await page.click("#edit");
    await page.keyboard.type("my ");
    await page.evaluate(`const wide = document.querySelector("#wide");
        Object.assign(wide.style, { width: "50px", overflow: "auto", whiteSpace: "nowrap" });
        wide.scrollLeft = 200;
        globalThis.table = document.querySelector("table");
        document.querySelector("#box").show();`);
    await page.getByRole("tab", { name: "Two" }).click();
    await page.press("[data-name=ben]", "Enter");
    await until(page, `document.querySelector("#region p").textContent === "2 rows"`);
    assertEquals(await page.inputValue("[name=typed]"), "typed");
    assertEquals(await page.inputValue("[name=note]"), "changed");
    assertEquals(await page.inputValue("[name=kind]"), "b");
    assertEquals(await page.getByRole("tab", { selected: true }).innerText(), "Two");
    assert(await page.getByText("two", { exact: true }).isVisible());
    assertEquals(await page.locator("[aria-invalid]").count(), 0);
    assert(await page.isChecked("[value=cleo]"));
    assert(!await page.isChecked("[value=ada]"));
    assertEquals(
      await page.evaluate(`[table.isConnected, document.querySelector("details").open,
          document.querySelector("#wide").scrollLeft, document.querySelector("#box").open,
          document.querySelector("#edit").textContent.includes("my"),
          document.querySelector("#kept").textContent, document.activeElement.dataset.name]`),
      [true, true, 200, true, true, "kept 0", "cleo"],
    );
  }],
  ["a details keeps the user's choice until the server changes its own", "/", [
    pageRoute("/", () => h.div(h.id("region"))),
  ], async ({ page }) => {
    const states = async (...opens: readonly string[]): Promise<unknown> => {
      await page.evaluate(
        (html) => (globalThis as unknown as Browser).ui.swap("region", html),
        `<div id="region">${opens.map((open, at) => details(`${at}`, open)).join("")}</div>`,
      );
      return await page.evaluate(
        `[...document.querySelectorAll("details")].map((one) => one.open)`,
      );
    };
    assertEquals(await states("", ""), [false, false]);
    await page.click("#s0");
    assertEquals(await states("", "open"), [true, true]);
    await page.click("#s1");
    assertEquals(await states("", "open"), [true, false]);
    assertEquals(await states("open", ""), [true, false]);
  }],
  ["the content of a template is the server's", "/", [
    pageRoute("/", () => h.div(h.id("region"))),
  ], async ({ page }) => {
    for (const text of ["one", "two"]) {
      await page.evaluate(
        (html) => (globalThis as unknown as Browser).ui.swap("region", html),
        `<div id="region"><ul><li><template><b>${text}</b></template></li></ul></div>`,
      );
      assertEquals(
        await page.evaluate(`document.querySelector("#region template").innerHTML`),
        `<b>${text}</b>`,
      );
    }
  }],
  ["the submitted form shows the server's output and keeps later input", "/", [
    pageRoute("/", () => sent("")),
    { pattern: "/add", methods: { POST: (c) => c.html(200, sent("again")) } },
  ], async ({ page }) => {
    await page.fill("#sent", "new");
    await page.fill("#other", "draft");
    await page.press("#sent", "Enter");
    await until(page, `document.querySelector("#sent").placeholder === "again"`);
    assertEquals(await page.inputValue("#sent"), "");
    assertEquals(await page.inputValue("#other"), "draft");
    assertEquals(await focusOf(page), "#sent");
  }],
  ["c.renderAll changes a row beside other elements, and each element names its place", "/", [
    pageRoute("/", () =>
      h.fragment(
        h.form(h.method("post"), h.action("/all"), ui.swap("count"), h.button(h.id("go"), "go")),
        h.b(h.id("count"), "0"),
        h.ul(h.id("items"), h.li(h.id("one"), "one"), h.li(h.id("gone"), "gone")),
        h.table(
          h.tbody(h.id("body"), h.tr(h.id("row-1"), h.td("1")), h.tr(h.id("row-2"), h.td("2"))),
        ),
      )),
    routeOf("POST", "/all", (c) =>
      c.renderAll(
        200,
        h.b(h.id("count"), "1"),
        h.tr(h.id("row-2"), h.td("2 changed")),
        h.tr(h.id("row-3"), ui.place("append", "body"), h.td("3")),
        h.li(h.id("zero"), ui.place("prepend", "items"), "zero"),
        h.li(h.id("half"), ui.place("after", "one"), "half"),
        h.li(h.id("before"), ui.place("before", "one"), "before"),
        h.li(h.id("gone"), ui.place("remove")),
      )),
  ], async ({ page }) => {
    await page.evaluate(`globalThis.row = document.querySelector("#row-2")`);
    for (const _ of [1, 2]) {
      await page.click("#go");
      await until(
        page,
        `document.querySelector("#row-3") && !document.querySelector("#gone")
          && !document.querySelector("#count").ariaBusy`,
      );
      assertEquals(
        await page.evaluate(`[...document.querySelectorAll("#count, li, td")]
            .map((one) => one.textContent).concat(row.isConnected)`),
        ["1", "zero", "before", "one", "half", "1", "2 changed", "3", true],
      );
    }
  }],
  ["an id listed by the response but missing in it is reported", "/", [
    pageRoute("/", () =>
      h.fragment(
        h.a(h.id("go"), h.href("/half"), ui.swap("count"), "go"),
        h.b(h.id("count"), "0"),
        h.p(h.id("lost"), "lost"),
      )),
    routeOf("GET", "/half", (c) => {
      c.header("FW-Swap", "count lost");
      return c.html(200, h.b(h.id("count"), "1"));
    }),
  ], async ({ page }) => {
    await page.evaluate("addEventListener('fw:miss', (e) => globalThis.missed = e.detail)");
    await page.click("#go");
    await until(page, "globalThis.missed?.join() === 'lost'");
  }],
];

function details(id: string, open: string): string {
  return `<details ${open}><summary id="s${id}">${id}</summary>x</details>`;
}

function sent(placeholder: string): Node {
  return h.div(
    h.id("region"),
    h.form(
      h.method("post"),
      h.action("/add"),
      ui.swap("region"),
      h.input(h.id("sent"), h.name("name"), h.placeholder(placeholder), h.aria("label", "name")),
    ),
    h.input(h.id("other"), h.name("other"), h.aria("label", "other")),
  );
}

testInBrowser("a changing region keeps its state", keeps);

/** The parts of the page that the property test compares. */
interface Browser {
  readonly ui: { swap(id: string, html: string): Promise<boolean> };
  readonly document: {
    getElementById(
      id: string,
    ): { isEqualNode(other: unknown): boolean; readonly outerHTML: string };
    createElement(name: string): {
      innerHTML: string;
      readonly content: { readonly firstElementChild: unknown };
    };
  };
}

testInBrowser("morphing", [{
  name: "morphing 300 pairs of trees equals a replacement",
  routes: [pageRoute("/", () => h.div(h.id("tree")))],
  run: async ({ page, open }) => {
    await open("/");
    const wrong = await page.evaluate(async (): Promise<unknown> => {
      const { ui, document } = globalThis as unknown as Browser;
      let seed = 7;
      const pick = (count: number): number => {
        seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
        return Math.floor(seed / 65_536) % count;
      };
      const tags = "p ul li b section input textarea details select svg".split(" ");
      const tree = (depth: number, ids: Set<number>): string => {
        const tag = tags[pick(depth > 0 ? tags.length : 4)] ?? "b";
        const id = pick(12);
        const own = pick(2) === 0 || ids.has(id) ? "" : ` id="i&quot;${id}"`;
        if (own !== "") ids.add(id);
        const extra = ["", " class=x", ' title="t"', " hidden", " data-a=1"][pick(5)];
        if (tag === "input") return `<input${own}${extra} value="${pick(9)}">`;
        if (tag === "textarea") return `<textarea${own}${extra}>${pick(9)}</textarea>`;
        if (tag === "svg") {
          const part = pick(12);
          const has = ids.has(part);
          ids.add(part);
          return `<svg${own}><g${has ? "" : ` id="i&quot;${part}"`}></g></svg>`;
        }
        if (tag === "select") return `<select${own}${extra}><option>1<option selected>2</select>`;
        const open = tag === "p" ? "div" : tag;
        const children = Array.from(
          { length: pick(4) },
          () => pick(3) === 0 ? `t${pick(9)}` : depth > 0 ? tree(depth - 1, ids) : "",
        );
        return `<${open}${own}${extra}>${children.join("")}</${open}>`;
      };
      const page = (): string => `<div id="tree">${tree(4, new Set())}${tree(4, new Set())}</div>`;
      for (let at = 0; at < 300; at++) {
        const [from, to] = [page(), page()];
        await ui.swap("tree", '<div id="tree" data-fw-place="replace"></div>');
        await ui.swap("tree", from);
        await ui.swap("tree", to);
        const holder = document.createElement("template");
        holder.innerHTML = to;
        const is = document.getElementById("tree");
        if (!is.isEqualNode(holder.content.firstElementChild)) {
          return { from, to, is: is.outerHTML };
        }
      }
      return undefined;
    });
    assertEquals(wrong, undefined);
  },
}]);
