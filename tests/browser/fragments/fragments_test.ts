import { assert, assertEquals } from "@std/assert";
import * as h from "../../../html/mod.ts";
import { csrfInput, type Node, type Route } from "../../../mod.ts";
import * as ui from "../../../ui/mod.ts";
import type { Page } from "../browser.ts";
import { done, postPage } from "../kit/form.ts";
import { focusOf, isMarked, pageRoute, testInBrowser, until, untilLeft } from "../kit/site.ts";
import type { TrialRow } from "../kit/site.ts";

const names = ["Ferry", "Talks", "Fado", "Swifts"];

/** A list with a filter form and page links. */
function listPage(...more: Node[]): Route {
  return pageRoute("/list", (c) => {
    const q = c.query("q") ?? "";
    const found = names.filter((name) => name.includes(q));
    return [
      c.fragment === undefined ? null : h.title(`Found ${q}`),
      h.form(
        h.action("/list"),
        ui.swap("list"),
        ui.input(h.id("q"), h.name("q"), h.value(q)),
        h.button(h.id("find"), h.name("how"), h.value("fast"), "Find"),
      ),
      h.div(
        h.id("list"),
        h.ul(found.map((name) => h.li(name))),
        h.a(h.id("fado"), h.href("/list?q=Fado"), ui.swap("list"), "Fado"),
        h.a(h.id("quiet"), h.href("/list?q=Ferry"), ui.swap("list"), ui.noPush(), "Quiet"),
      ),
      h.p(h.id("outside"), "outside"),
      ...more,
    ];
  });
}

async function items(page: Page): Promise<string[]> {
  return await page.locator("#list li").allInnerTexts();
}

const seen = Promise.withResolvers<void>();

testInBrowser("swap on a link", [
  ["a link replaces only its target and updates the history, the title and fw:swap", "/list", [
    listPage(),
  ], async ({ page, asked, url }) => {
    await page.evaluate(`addEventListener("fw:swap", ({ detail }) =>
        globalThis.swapped = [detail.target.id, detail.target.isConnected, detail.status])`);
    await page.click("#fado");
    await until(page, "globalThis.swapped");
    assertEquals(await page.evaluate("globalThis.swapped"), ["list", true, 200]);
    assertEquals(await items(page), ["Fado"]);
    assertEquals(page.url(), `${url}/list?q=Fado`);
    assertEquals(await page.title(), "Found Fado");
    assertEquals(asked, ["GET /list?q=Fado fragment=list"]);
    assert(await isMarked(page));
  }],
  ["Back and Forward restore the target, and a reload the page", "/list", [
    listPage(),
  ], async ({ page }) => {
    await page.click("#fado");
    await until(page, "document.querySelectorAll('#list li').length === 1");
    await page.fill("#q", "T");
    await page.press("#q", "Enter");
    await page.getByText("Talks").waitFor();
    await page.goBack();
    await until(page, "document.querySelector('#list li')?.textContent === 'Fado'");
    assertEquals(await items(page), ["Fado"]);
    await page.goBack();
    await until(page, "document.querySelectorAll('#list li').length === 4");
    await page.goForward();
    await until(page, "document.querySelectorAll('#list li').length === 1");
    assert(await isMarked(page));
    await page.reload();
    assertEquals(await items(page), ["Fado"]);
    assertEquals(await page.locator("nav").count(), 1);
  }],
  ["noPush keeps the history unchanged", "/list", [listPage()], async ({ page, url }) => {
    const before = await page.evaluate("history.length");
    await page.click("#quiet");
    await until(page, "document.querySelectorAll('#list li').length === 1");
    assertEquals([page.url(), await page.evaluate("history.length")], [`${url}/list`, before]);
  }],
  ["the target is busy while waiting, and the focus inside it is kept", "/list", [listPage(), {
    pattern: "/slow",
    methods: {
      GET: async (c) => {
        await seen.promise;
        return c.render(200, h.div(h.id("list"), h.ul(h.li("late"))));
      },
    },
  }], async ({ page }) => {
    await page.evaluate("document.querySelector('#fado').href = '/slow'");
    await page.press("#fado", "Enter");
    await page.locator("#list[aria-busy=true]").waitFor();
    seen.resolve();
    await page.getByText("late").waitFor();
    assertEquals(await page.locator("[aria-busy]").count(), 0);
    assertEquals(await focusOf(page), "#list");
  }],
  ["the browser handles a click for a window, a file or another site", "/list", [
    listPage(
      h.a(h.id("blank"), h.href("/list?q=T"), ui.swap("list"), h.target("_blank"), "blank"),
      h.a(h.id("file"), h.href("/list?q=T"), ui.swap("list"), h.download("x"), "file"),
    ),
  ], async ({ page, context, asked }) => {
    for (const modifier of ["ControlOrMeta", "Shift"] as const) {
      const opened = context.waitForEvent("page");
      await page.click("#fado", { modifiers: [modifier] });
      await (await opened).close();
    }
    const opened = context.waitForEvent("page");
    await page.click("#blank");
    await (await opened).close();
    const downloaded = page.waitForEvent("download");
    await page.click("#file");
    await (await downloaded).cancel();
    assertEquals(asked.filter((line) => line.includes("fragment")), []);
    assertEquals((await items(page)).length, 4);
  }],
]);

testInBrowser("swap on a GET form", [
  ["a GET form sends its fields and its button in the URL", "/list", [
    listPage(),
  ], async ({ page, asked, url }) => {
    await page.fill("#q", "F");
    await page.click("#find");
    await until(page, "document.querySelectorAll('#list li').length === 2");
    assertEquals(asked, ["GET /list?q=F&how=fast fragment=list"]);
    assertEquals(page.url(), `${url}/list?q=F&how=fast`);
    assertEquals(await page.inputValue("#q"), "F");
    assert(await isMarked(page));
  }],
  ["Enter in a field submits too, and the field keeps focus and caret", "/list", [
    listPage(),
  ], async ({ page, asked }) => {
    await page.focus("#q");
    await page.keyboard.type("Fx");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await until(page, "document.querySelectorAll('#list li').length === 0");
    await page.keyboard.type("ad");
    assertEquals(await page.inputValue("#q"), "Fadx");
    assertEquals(asked, ["GET /list?q=Fx&how=fast fragment=list"]);
  }],
]);

function posts(): readonly TrialRow[] {
  const wrong = postPage(done);
  const leads = postPage((c) => {
    c.flash("success", "Saved <b>");
    return c.redirect("/thanks#end");
  });
  const flashes = postPage((c) => {
    const action = { text: "Ask", href: "/thanks", fields: { id: [1, 2], by: "ada" } };
    c.flash("error", "No <seats> left", action);
    return h.div(h.id("form"), csrfInput(c));
  });
  const multipart = postPage(done);
  return [
    ["422 shows the form again and focuses the first invalid field", "/form", [
      wrong.route,
    ], async ({ page, asked, url }) => {
      await page.click("#send");
      await page.locator("#problem").waitFor();
      assertEquals(await focusOf(page), "#name");
      assertEquals(asked, ["POST /form fragment=form"]);
      await page.fill("#name", "Ada");
      await page.keyboard.press("Enter");
      await page.locator("#done").waitFor();
      const [, sent] = wrong.taken;
      assertEquals(
        [...sent ?? []].filter(([name]) => name !== "_csrf"),
        [["first", "1"], ["name", "Ada"], ["note", "a\r\nb"], ["by", "button"]],
      );
      assertEquals(page.url(), `${url}/form`);
      assert(await isMarked(page));
    }, { expected: ["422"] }],
    ["a redirect is a full navigation, and its message is shown", "/form", [
      leads.route,
      pageRoute("/thanks", () => h.h1(h.id("end"), "Thanks")),
    ], async ({ page, asked, url }) => {
      await page.fill("#name", "Ada");
      await page.click("#send");
      await untilLeft(page);
      assertEquals(page.url(), `${url}/thanks#end`);
      assertEquals(asked, ["POST /form fragment=form", "GET /thanks"]);
      assertEquals(await page.locator("[data-ui-toast] p").innerText(), "Saved <b>");
    }],
    ["a message of a fragment is a toast that its button closes", "/form", [
      flashes.route,
    ], async ({ page }) => {
      await page.fill("#name", "Ada");
      await page.click("#send");
      const toast = page.getByRole("alert");
      await toast.waitFor();
      assertEquals(await toast.locator("p").innerText(), "No <seats> left");
      await toast.getByRole("button", { name: "Ask" }).waitFor();
      const fields = "[...new FormData(document.querySelector('[role=alert] form'))].join(' ')";
      assertEquals(
        String(await page.evaluate(fields)).replace(/_csrf,\S+ /, ""),
        "id,1 id,2 by,ada",
      );
      await toast.getByRole("button", { name: "Close" }).click();
      assertEquals(await toast.count(), 0);
    }],
    ["attributes of the pressed button apply: its URL, its method, its encoding", "/form", [
      multipart.route,
      listPage(),
    ], async ({ page, asked }) => {
      await page.fill("#name", "Ada");
      await page.evaluate(`{
          const button = document.querySelector("#send");
          button.formAction = "/form?by=button";
          button.formEnctype = "multipart/form-data";
        }`);
      await page.click("#send");
      await page.locator("#done").waitFor();
      assertEquals(asked, ["POST /form?by=button fragment=form"]);
      assertEquals(multipart.taken[0]?.get("note"), "a\r\nb");
      assertEquals(multipart.taken[0]?.get("by"), "button");
    }],
  ];
}

testInBrowser("swap on a POST form", posts());
