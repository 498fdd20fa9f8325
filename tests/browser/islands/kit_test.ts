import { assertEquals } from "@std/assert";
import * as h from "../../../html/mod.ts";
import { type Ctx, type FileSource, islandLoader, type Node } from "../../../mod.ts";
import * as ui from "../../../ui/mod.ts";
import { page, testInBrowser, type Trial, until } from "../kit/site.ts";

const code = new TextEncoder().encode(
  "export default (el, { name }) => void (el.textContent = `mounted ${name}`);\n",
);

const modules: FileSource = {
  get: (path) =>
    path === "hello.js"
      ? { size: code.length, fingerprint: "1", read: ({ start, end }) => code.subarray(start, end) }
      : undefined,
};

const config = { mounts: { "/islands": modules } };
const island = (c: Ctx, name: string): Node => c.island("/islands/hello.js", { name }, "fallback");

/** A region in which pages follow one another, with a link to the other page. */
function region(href: string, ...children: readonly (Node | string)[]): Node {
  return h.div(h.id("main"), ui.navigate("main"), h.a(h.id("go"), h.href(href), "go"), ...children);
}

const islandSays = (name: string): string =>
  `document.querySelector("[data-fw-island]")?.textContent === "mounted ${name}"`;

/** Follows the link, and tells whether the page stayed while the region changed, or another came. */
async function follow(trial: Trial, name: string): Promise<"stays" | "leaves"> {
  await trial.page.evaluate("globalThis.stayed = true");
  await trial.page.click("#go");
  await until(trial.page, islandSays(name));
  return await trial.page.evaluate("globalThis.stayed === true ? 'stays' : 'leaves'");
}

const first = (children: (c: Ctx) => Node | string) =>
  page("/one", (c) => region("/two", children(c)));
const second = page("/two", (c) => region("/one", island(c, "two")));

testInBrowser("islands and the kit's script", [
  {
    name: "a region whose next page has an island, where this page had one, stays",
    config,
    routes: [first((c) => island(c, "one")), second],
    run: async (trial) => {
      await trial.open("/one");
      await until(trial.page, islandSays("one"));
      assertEquals(await follow(trial, "two"), "stays");
      assertEquals(await follow(trial, "one"), "stays");
    },
  },
  {
    name: "a region whose next page has the first island is left to the browser",
    config,
    routes: [first(() => "none"), second],
    run: async (trial) => {
      await trial.open("/one");
      assertEquals(await follow(trial, "two"), "leaves");
    },
  },
  {
    name: "islandLoader lets it stay",
    config,
    routes: [first(islandLoader), second],
    run: async (trial) => {
      await trial.open("/one");
      assertEquals(await follow(trial, "two"), "stays");
    },
  },
  {
    name: "an island that comes with a swap is mounted",
    config,
    routes: [
      page("/one", (c) => {
        const id = c.query("id") ?? "one";
        return h.div(
          h.id("box"),
          h.a(h.id("go"), h.href("/one?id=two"), ui.swap("box")),
          island(c, id),
        );
      }),
    ],
    run: async (trial) => {
      await trial.open("/one");
      await trial.page.evaluate("document.getElementById('go').textContent = 'go'");
      assertEquals(await follow(trial, "two"), "stays");
    },
  },
]);
