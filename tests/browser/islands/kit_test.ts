import { assert, assertEquals } from "@std/assert";
import { type Ctx, type FileSource, islandLoader, type Node } from "../../../mod.ts";
import { h, pageRoute, testInBrowser, type Trial, ui, until } from "../kit/site.ts";

const sources: Readonly<Record<string, string>> = {
  "hello.js": `export default (el, { name }, { signal }) => {
    el.textContent = "mounted " + name;
    signal.onabort = () => (globalThis.told ??= []).push("signal " + name);
  };`,
  // It counts its clicks and accepts a new name.
  "living.js": `export default async (el, props, { signal }) => {
    await undefined;
    const told = globalThis.told ??= [];
    let { name } = props, clicks = 0;
    const button = document.createElement("button");
    const show = () => button.textContent = name + " " + clicks;
    button.onclick = () => (clicks++, show());
    signal.onabort = () => told.push("signal " + name);
    el.replaceChildren(button);
    show();
    return {
      update(next) {
        if (next.name === "bad") throw new Error("on purpose");
        told.push("update " + next.name);
        name = next.name;
        show();
      },
      unmount: () => told.push("unmount " + name),
    };
  };`,
};

const modules: FileSource = {
  get: (path) => {
    const text = sources[path];
    if (text === undefined) return undefined;
    const code = new TextEncoder().encode(text);
    return {
      size: code.length,
      fingerprint: "1",
      read: ({ start, end }) => code.subarray(start, end),
    };
  },
};

const config = { mounts: { "/islands": modules } };
const island = (c: Ctx, name: string): Node => c.island("/islands/hello.js", { name }, "fallback");

/** A region with consecutive pages and a link to the other page. */
function region(href: string, ...children: readonly (Node | string)[]): Node {
  return h.div(h.id("main"), ui.navigate("main"), h.a(h.id("go"), h.href(href), "go"), ...children);
}

const islandSays = (name: string): string =>
  `document.querySelector("[data-fw-island]")?.textContent === "mounted ${name}"`;

/** Follows the link and returns whether the page stayed or was replaced. */
async function follow(trial: Trial, name: string): Promise<"stays" | "leaves"> {
  await trial.page.evaluate("globalThis.stayed = true");
  await trial.page.click("#go");
  await until(trial.page, islandSays(name));
  return await trial.page.evaluate("globalThis.stayed === true ? 'stays' : 'leaves'");
}

const first = (children: (c: Ctx) => Node | string) =>
  pageRoute("/one", (c) => region("/two", children(c)));
const second = pageRoute("/two", (c) => region("/one", island(c, "two")));

testInBrowser("islands and the kit's script", [
  ["a region keeps an island that its next page also has", undefined, [
    first((c) => island(c, "one")),
    second,
  ], async (trial) => {
    await trial.open("/one");
    await until(trial.page, islandSays("one"));
    assertEquals(await follow(trial, "two"), "stays");
    assertEquals(await follow(trial, "one"), "stays");
  }, { config }],
  ["a region whose next page has the first island is left to the browser", undefined, [
    first(() => "none"),
    second,
  ], async (trial) => {
    await trial.open("/one");
    assertEquals(await follow(trial, "two"), "leaves");
  }, { config }],
  ["islandLoader lets a region swap to the first island", undefined, [
    first(islandLoader),
    second,
  ], async (trial) => {
    await trial.open("/one");
    assertEquals(await follow(trial, "two"), "stays");
  }, { config }],
  ["an island keeps its state through swaps, gets new props and is told of its end", "/", [
    pageRoute("/", (c) => {
      const name = c.query("name") ?? "one";
      const link = (to: string) =>
        h.a(h.id(to), h.href(`/?name=${to}`), ui.swap("box"), ui.noPush(), to);
      return [
        link("one"),
        link("two"),
        link("bad"),
        link("gone"),
        h.div(
          h.id("box"),
          h.p(name),
          name !== "gone" && [
            c.island("/islands/living.js", { name }, "fallback"),
            c.island("/islands/hello.js", { name }, "fallback"),
          ],
        ),
      ];
    }),
  ], async ({ page }) => {
    const button = page.locator("[data-fw-island] button");
    const shows = (name: string) =>
      until(page, `document.querySelector("#box p").textContent === "${name}"`);
    await button.click();
    await page.evaluate("globalThis.button = document.querySelector('#box button')");
    await button.focus();
    for (const name of ["two", "two", "one"]) {
      await page.evaluate(`document.querySelector("#${name}").click()`);
      await shows(name);
      await until(page, `button.textContent === "${name} 1"`);
      assert(await page.evaluate("button.isConnected && document.activeElement === button"));
      await until(page, `document.querySelector("#box").innerText.includes("mounted ${name}")`);
    }
    await page.click("#bad");
    await until(page, "button.parentElement.dataset.fwIslandState === 'failed'");
    await page.click("#gone");
    await shows("gone");
    assertEquals(
      (await page.evaluate("told") as string[]).filter((line) => !line.startsWith("signal t")),
      [
        "update two",
        "signal one",
        "update one",
        "signal one",
        "signal one",
        "unmount one",
        "signal bad",
      ],
    );
    assert(!await page.evaluate("button.isConnected"));
  }, { config, expected: ["on purpose"] }],
]);
