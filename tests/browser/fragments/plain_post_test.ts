/** Forms that post in a region of `ui.navigate` without naming an element. */
import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import * as h from "../../../html/mod.ts";
import { httpError } from "../../../mod.ts";
import type { Ctx, Node, Result, Route } from "../../../mod.ts";
import * as ui from "../../../ui/mod.ts";
import { layout } from "../kit/pages.ts";
import {
  focusOf,
  isMarked,
  postForm,
  testInBrowser,
  until,
  untilAsked,
  untilLeft,
} from "../kit/site.ts";
import type { Trial, TrialRow } from "../kit/site.ts";

let guests = 1;
let name = "nobody";

const form = (c: Ctx, action: string, ...more: Node[]): Node =>
  postForm(c, h.action(action), h.input(h.name("name")), h.button(h.id("send"), "Send"), ...more);

/** A page whose layout shows the user, and a POST handler. */
function site(
  post: (c: Ctx, name: string) => Result | Promise<Result>,
  more: (c: Ctx) => readonly Node[] = () => [],
): Route[] {
  const start = (c: Ctx): Node => {
    c.title = c.pattern === "/two" ? "Two" : "Guests";
    return h.fragment(
      h.h1(c.title),
      h.p(h.id("count"), `${guests} guests`),
      h.input(h.id("draft")),
      form(c, "/guests"),
    );
  };
  const around = (c: Ctx, children: Node): Node =>
    h.html(
      h.lang("en"),
      h.head(h.meta(h.charset("utf-8")), h.title(c.title), ui.head(c)),
      h.body(
        ui.body(),
        ui.navigate("main"),
        h.header(h.p(h.id("who"), name), ...more(c)),
        h.main(h.id("main"), children),
        ui.flashes(c),
      ),
    );
  return ["/guests", "/two"].map((pattern) => ({
    pattern,
    layouts: [around],
    page: start,
    methods: { POST: async (c) => await post(c, String((await c.formData()).get("name"))) },
  }));
}

/** The only page of a site that consists of its region. */
const bare = (page: (c: Ctx) => Node, POST: (c: Ctx) => Result | Promise<Result>): Route[] => [
  { pattern: "/guests", layouts: [layout], page, methods: { POST } },
];

async function send({ page, open }: Trial, text: string): Promise<void> {
  guests = 1;
  name = "nobody";
  await open("/guests");
  await page.fill("#draft", "kept");
  await page.fill("[name=name]", text);
  await page.click("#send");
}

const invalid = (c: Ctx): Promise<Response> => {
  c.title = "Guests";
  return c.render(
    422,
    h.fragment(
      h.h1("Guests"),
      h.input(h.id("draft")),
      form(c, "/guests", h.input(h.id("wrong"), h.aria("invalid", "true"))),
    ),
  );
};

const rows: readonly TrialRow[] = [
  ["a redirect to the same page is followed in place: message, draft and focus", undefined, [
    ...site((c) => {
      guests++;
      c.flash("success", "Added.");
      return c.redirect("/guests");
    }),
  ], async (trial) => {
    const { page, asked } = trial;
    await send(trial, "Ada");
    await page.getByText("2 guests").waitFor();
    await page.getByText("Added.").waitFor();
    assertEquals(asked, ["POST /guests", "GET /guests"]);
    assertEquals(await page.inputValue("#draft"), "kept");
    assertEquals(await focusOf(page), "#send");
    assert(await isMarked(page));
  }],
  ["Back undoes a redirect, also below a relative time and a combobox", undefined, [
    ...site((c) => c.redirect("/two"), (c) => [
      ui.time(c, new Date(0), { relative: true }),
      h.raw("<select multiple data-ui-tags=x aria-label=tags><option selected>red</select>"),
    ]),
  ], async (trial) => {
    const { page } = trial;
    await send(trial, "Ada");
    await until(page, "document.querySelector('h1').textContent === 'Two'");
    assertEquals(new URL(page.url()).pathname, "/two");
    assert(await isMarked(page));
    await page.goBack();
    await until(page, "document.querySelector('h1').textContent === 'Guests'");
    assert(await isMarked(page));
  }],
  ["a write that changes content outside the region loads the page", undefined, [
    ...site((c, who) => {
      name = who;
      return c.redirect("/two");
    }),
  ], async (trial) => {
    const { page } = trial;
    await send(trial, "Ada");
    await untilLeft(page);
    assertEquals(await page.innerText("#who"), "Ada");
    assertEquals(new URL(page.url()).pathname, "/two");
  }],
  ["a 422 is shown in place with its title, and the focus is in the invalid field", undefined, [
    ...site(invalid),
  ], async (trial) => {
    const { page, asked } = trial;
    await send(trial, "");
    await until(page, "document.activeElement.id === 'wrong'");
    assertEquals(await page.title(), "Error: Guests");
    assertEquals(await page.inputValue("#draft"), "kept");
    assertEquals(asked, ["POST /guests"]);
    assert(await isMarked(page));
  }, { expected: ["422"] }],
  ...([403, 500] as const).map((status): TrialRow => ({
    name: `a ${status} without the form is shown in the form, is sent once, and the text stays`,
    routes: site(() => {
      throw httpError(status, "no");
    }),
    run: async (trial) => {
      const { page, asked } = trial;
      await send(trial, "Ada");
      const notice = page.locator("form [role=alert]");
      await notice.waitFor();
      assert(!(await notice.innerText()).includes("nobody"));
      assertEquals(await page.inputValue("[name=name]"), "Ada");
      assertEquals(asked, ["POST /guests"]);
    },
    expected: [String(status)],
  })),
  ["two clicks send one post", undefined, [
    ...site(async (c) => {
      await answering.promise;
      guests++;
      return c.redirect("/guests");
    }),
  ], async (trial) => {
    const { page, asked } = trial;
    answering = Promise.withResolvers();
    await send(trial, "Ada");
    await page.click("#send");
    await until(page, "document.querySelector('#send[aria-busy=true]')");
    answering.resolve();
    await page.getByText("2 guests").waitFor();
    await untilAsked(asked, "GET /guests");
    assertEquals(asked, ["POST /guests", "GET /guests"]);
  }],
  ["a 422 is shown in its modal dialog, and a redirect closes the dialog", undefined, [
    ...bare((c) => boxed(c), async (c) => {
      if ((await c.formData()).get("name") === "Ada") return c.redirect("/guests");
      return await c.render(422, boxed(c, h.p(h.id("said"), "Who?")));
    }),
  ], async (trial) => {
    const { page, open } = trial;
    await open("/guests");
    await page.evaluate("document.querySelector('#box').showModal()");
    await page.click("#send");
    await page.locator("#box #said").waitFor();
    assert(await page.evaluate("document.querySelector('#box').matches(':modal')"));
    await page.fill("[name=name]", "Ada");
    await page.click("#send");
    await page.locator("#box").waitFor({ state: "hidden" });
    assert(await isMarked(page));
  }, { expected: ["422"] }],
  ["a redirect to a fragment of the same page scrolls there", "/guests", [
    ...bare((c) =>
      h.div(
        form(c, "/guests"),
        h.p(h.styleAttr("height: 3000px")),
        h.h2(h.id("end"), "End"),
        h.p(h.styleAttr("height: 3000px")),
      ), (c) => c.redirect("/guests#end")),
  ], async ({ page }) => {
    await page.click("#send");
    await until(page, "location.hash === '#end' && scrollY > 2000");
    assert(await isMarked(page));
  }],
  ["a 307 is followed by a post that includes the chosen file", "/guests", [
    ...bare((c) =>
      h.div(
        h.p(h.id("got"), got),
        postForm(
          c,
          h.action("/first"),
          h.enctype("multipart/form-data"),
          h.input(h.type("file"), h.name("file")),
          h.button(h.id("send"), h.name("by"), h.value("key"), "Send"),
        ),
      ), async (c) => {
      const data = await c.formData();
      const file = data.get("file");
      got = `${file instanceof File ? file.name : ""} ${data.get("by")}`;
      return c.redirect("/guests");
    }),
    { pattern: "/first", methods: { POST: (c) => c.redirect("/guests", 307) } },
  ], async ({ page }) => {
    await page.setInputFiles("[type=file]", {
      name: "a.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("a"),
    });
    await page.click("#send");
    await until(page, "document.querySelector('#got').textContent === 'a.txt key'");
    assert(await isMarked(page));
  }],
  ["deleting a row moves the focus to the next row, or to the last", undefined, [
    ...bare((c) => {
      const remove = (one: string): Node =>
        postForm(c, ui.values({ one }), h.button(`Delete ${one}`));
      return h.ul(left.map((one) => h.li(remove(one))));
    }, async (c) => {
      const one = (await c.formData()).get("one");
      left = left.filter((each) => each !== one);
      return c.redirect("/guests");
    }),
  ], async ({ page, open }) => {
    left = ["a", "b", "c"];
    await open("/guests");
    await page.getByText("Delete b").focus();
    await page.keyboard.press("Enter");
    await until(page, "document.activeElement.textContent === 'Delete c'");
    await page.keyboard.press("Enter");
    await until(page, "document.activeElement.textContent === 'Delete a'");
  }],
  ["ui.noNavigate leaves the form to the browser", undefined, [
    ...bare(
      (c) => h.div(h.id("draft-box"), h.input(h.id("draft")), form(c, "/guests", ui.noNavigate())),
      (c) => c.redirect("/guests"),
    ),
  ], async (trial) => {
    await send(trial, "Ada");
    await untilLeft(trial.page);
  }],
];

/** A page with its form in a dialog. */
const boxed = (c: Ctx, ...said: Node[]): Node =>
  h.div(h.h1("Guests"), h.dialog(h.id("box"), form(c, "/guests", ...said)));

let got = "";
let left: readonly string[] = [];

let answering = Promise.withResolvers<void>();

testInBrowser("a form that posts inside a region", rows);
