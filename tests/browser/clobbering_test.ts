import { assertEquals } from "@std/assert";
import * as h from "../../html/mod.ts";
import type { Node } from "../../mod.ts";
import * as ui from "../../ui/mod.ts";
import { page as pageRoute, testInBrowser, type TrialRow } from "./kit_site.ts";

/** Members of a form that a field of that name hides. */
const hidden = [
  "dataset",
  "getAttribute",
  "elements",
  "method",
  "action",
  "enctype",
  "target",
  "id",
];

const fields: Node = h.fragment(hidden.map((name) => h.input(h.type("hidden"), h.name(name))));
const target = (text: string): Node => h.div(h.id("target"), text);
const answer = (text: string): Node => h.div(target(text));
const redirect = "http://127.0.0.1:9/elsewhere";

const rows: readonly TrialRow[] = [
  {
    name: "a form with such fields is asked about and swaps",
    routes: [
      pageRoute("/", () => [
        h.form(
          h.action("/to"),
          ui.swap("target"),
          ui.noPush(),
          ui.confirm("Sure?"),
          fields,
          h.button(h.id("go"), "go"),
        ),
        target("before"),
      ]),
      pageRoute("/to", () => answer("after")),
    ],
    run: async ({ page, open, url, asked }) => {
      await open("/");
      await page.evaluate("document.querySelector('#go').click()");
      await page.locator("dialog h2").waitFor();
      assertEquals(asked, []);
      await page.evaluate("document.querySelector('dialog button:last-child').click()");
      await page.getByText("after").waitFor();
      assertEquals(page.url(), `${url}/`);
    },
  },
  {
    name: "a form with such fields uploads",
    routes: [
      pageRoute("/", (c) => [
        h.form(
          h.action("/to"),
          h.method("post"),
          h.enctype("multipart/form-data"),
          ui.uploadTo("target"),
          h.input(h.type("hidden"), h.name("_csrf"), h.value(c.csrfToken())),
          fields,
          h.button(h.id("go"), "go"),
        ),
        target("before"),
      ]),
      pageRoute("/to", () => undefined, { POST: () => answer("after") }),
    ],
    run: async ({ page, open, url, asked }) => {
      await open("/");
      await page.evaluate("document.querySelector('#go').click()");
      await page.getByText("after").waitFor();
      assertEquals([page.url(), asked.at(-1)], [`${url}/`, "POST /to fragment=target"]);
    },
  },
  {
    name: "a form with such fields is replaced by itself",
    routes: [pageRoute("/", (c) => [
      h.form(
        h.id("target"),
        ui.swap("target"),
        ui.noPush(),
        fields,
        h.button(h.id("go"), c.fragment ? "after" : "go"),
      ),
    ])],
    run: async ({ page, open, asked }) => {
      await open("/");
      await page.evaluate("document.querySelector('#go').click()");
      await page.getByText("after").waitFor();
      assertEquals(asked.length, 1);
    },
  },
  {
    name: "images that are named as members of the document keep nothing from working",
    routes: [
      pageRoute("/", () => [
        h.map(
          ["getElementById"],
          (name) => h.img(h.name(name), h.alt(""), h.src("data:image/gif,")),
        ),
        h.a(h.id("go"), h.href("/to"), ui.swap("target"), "go"),
        target("before"),
      ]),
      pageRoute("/to", () => answer("after")),
    ],
    run: async ({ page, open, asked }) => {
      await open("/");
      await page.evaluate("document.querySelector('#go').click()");
      await page.getByText("after").waitFor();
      assertEquals(asked.at(-1), "GET /to fragment=target");
    },
  },
  {
    name: "tabs and commands without content do not keep the rest from working",
    routes: [pageRoute("/", () => [
      h.div(h.data("ui-tabs", "")),
      h.div(h.data("ui-command", "")),
      h.form(ui.confirm("Sure?"), h.button(h.id("go"), "go")),
    ])],
    run: async ({ page, open }) => {
      await open("/");
      await page.evaluate("document.querySelector('#go').click()");
      await page.locator("dialog h2").waitFor();
    },
    expected: ["TypeError", "TypeError", "TypeError", "TypeError"],
  },
];

testInBrowser("names that hide members", rows);

const elsewhere: readonly TrialRow[] = [{
  name: "an answer of another origin is not shown in the page",
  routes: [
    pageRoute(
      "/",
      () => [h.a(h.id("go"), h.href("/to"), ui.swap("target"), "go"), target("before")],
    ),
    pageRoute("/to", (c) => c.fragment ? answer("after") : answer("the page itself")),
  ],
  run: async ({ page, open, asked }) => {
    await open("/");
    // A redirect of a proxy in front of the application, which fetch follows by itself.
    await page.evaluate(`{
      const { fetch } = globalThis;
      globalThis.fetch = async (...given) =>
        Object.defineProperty(await fetch(...given), "url", { value: "${redirect}" });
    }`);
    await page.evaluate("document.querySelector('#go').click()");
    await page.getByText("the page itself").waitFor();
    assertEquals(asked, ["GET /to fragment=target", "GET /to"]);
  },
}];

testInBrowser("an answer that came by redirects", elsewhere);
