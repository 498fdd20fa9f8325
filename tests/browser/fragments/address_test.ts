import { assert, assertEquals } from "@std/assert";
import type { Route } from "../../../mod.ts";
import { h, pageRoute, testInBrowser, ui, until } from "../kit/site.ts";

const names = ["Short talks", "Night ferry", "Fado at the market"];

const search: Route = pageRoute("/search", (c) => {
  const q = c.query("q") ?? "";
  c.title = q === "" ? "Search" : `Search: ${q}`;
  const found = names.filter((name) => name.toLowerCase().includes(q.toLowerCase()));
  return h.div(
    ui.toolbar(
      h.action("/search"),
      ui.swap("found"),
      ui.replaceUrl(),
      ui.submitOn("input", { delayMs: 20 }),
      ui.field("q", "Search", ui.input(h.name("q"), h.type("search"), h.value(q))),
      ui.submit("Find"),
    ),
    h.div(
      h.id("found"),
      h.data("q", q),
      h.p("Results"),
      h.div(h.b("x"), h.p(h.role("status"), h.id("count"), `${found.length} found`)),
      h.ul(found.map((name) => h.li(name))),
    ),
    h.a(h.id("pushed"), h.href("/search?q=ferry"), ui.swap("found"), "ferry"),
    h.a(h.id("quiet"), h.href("/search?q=talks"), ui.swap("found"), ui.noPush(), "talks"),
  );
});

testInBrowser("address, title and live regions of a swap", [
  ["replaceUrl updates the URL without a new entry, and a reload shows the same page", "/search", [
    search,
  ], async ({ page, url }) => {
    const before = await page.evaluate("history.length");
    await page.focus("#q");
    for (const letter of ["f", "a", "d"]) {
      await page.keyboard.type(letter);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    await until(page, `location.search === "?q=fad"`);
    await until(page, `document.querySelector("#found").dataset.q === "fad"`);
    assertEquals(await page.evaluate("history.length"), before);
    assertEquals(await page.title(), "Search: fad");
    await page.reload();
    assertEquals(page.url(), `${url}/search?q=fad`);
    assertEquals(await page.inputValue("#q"), "fad");
    assertEquals(await page.locator("#found li").allInnerTexts(), ["Fado at the market"]);
  }],
  ["Back from a pushed page restores the typed search", "/search", [search], async ({ page }) => {
    await page.fill("#q", "fado");
    await until(page, `document.querySelector("#found").dataset.q === "fado"`);
    await page.click("#pushed");
    await until(page, `document.querySelector("#found").dataset.q === "ferry"`);
    assertEquals(await page.title(), "Search: ferry");
    await page.goBack();
    await until(page, `document.querySelector("#found").dataset.q === "fado"`);
    assertEquals(await page.inputValue("#q"), "fado");
    assertEquals(await page.title(), "Search: fado");
  }],
  ["c.title sets the title of a pushed page and of no other swap", "/search", [
    search,
    pageRoute("/odd", (c) => {
      c.title = "Ünïcödé\r\n& 100 % 🎈";
      return h.div(h.id("found"), h.a(h.id("odd"), h.href("/odd"), ui.swap("found"), "odd"));
    }),
  ], async ({ page, open }) => {
    await page.click("#quiet");
    await until(page, `document.querySelector("#found").dataset.q === "talks"`);
    assertEquals(await page.title(), "Search");
    await open("/odd");
    await page.evaluate("document.title = 'other'");
    await page.click("#odd");
    await until(page, `document.title === "Ünïcödé & 100 % 🎈"`);
  }],
  ["a live region inside a swapped element stays the same node with new text", "/search", [
    search,
  ], async ({ page }) => {
    await page.evaluate(`globalThis.region = document.querySelector("#count");
        globalThis.list = document.querySelector("#found ul");
        globalThis.moves = [];
        new MutationObserver((all) => { for (const { removedNodes } of all)
          for (const node of removedNodes) if (node.contains?.(region)) moves.push(node.localName);
        }).observe(document.body, { childList: true, subtree: true });`);
    await page.fill("#q", "fado");
    await until(page, `document.querySelector("#count").textContent === "1 found"`);
    assert(
      await page.evaluate("region.isConnected && region === document.querySelector('#count')"),
    );
    assertEquals(await page.evaluate("moves"), []);
    assert(await page.evaluate("list.isConnected"));
    assertEquals(await page.getAttribute("#found", "data-q"), "fado");
    assertEquals(
      await page.evaluate(`[...document.querySelector("#found").children].map((one) =>
          one.localName + ":" + one.textContent)`),
      ["p:Results", "div:x1 found", "ul:Fado at the market"],
    );
  }],
]);
