import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { nav } from "./nav.ts";

/** GET / */
export async function Page(c: Ctx): Promise<Node> {
  const [, ...entries] = await nav(c);
  // Only in English, also in an application with several languages: replace this page.
  return h.fragment(
    ui.split(
      ui.prose(
        h.lang("en"),
        h.p(ui.badge(ui.success, ui.dot, "Running on ", c.url.host)),
        h.h1(entries.length === 0 ? "One page, no bugs yet." : "It grows. What comes next?"),
        h.p(
          ui.muted,
          "This page is ",
          h.code("app/page.ts"),
          ": open it, change a word, save, and watch this window follow. Then let the tree grow.",
        ),
      ),
      ui.scene("seedling"),
    ),
    entries.length > 0 && ui.itemList(
      ui.outline,
      entries.map(({ label, href = "/", icon = "box" }) =>
        ui.listItem(h.a(h.href(href), label), { image: ui.sign(icon) })
      ),
    ),
    ui.itemList(
      ui.outline,
      h.lang("en"),
      ui.listItem("Create the app", {
        image: ui.sign("check", ui.success),
        detail: "Layout, components, light and dark, tests: all here.",
      }, ui.badge(ui.success, ui.dot, "Done just now")),
      step(
        "box",
        ["Keep rows of something", "A list with filters, a form, a table, and tests."],
        ui.snippet("deno task generate resource products title:text,required"),
      ),
      step(
        "passkey",
        ["Let people sign in", "Passkeys, passwords, sessions that they can end."],
        ui.snippet("deno task generate auth --passwords --passkeys"),
      ),
      step(
        "file",
        ["Add a page", "A folder is a URL. Write one by hand, or let the tool do it."],
        ui.snippet("deno task generate page /about"),
      ),
      step(
        "terminal",
        ["Serve data", "A route.ts answers programs, as this one does."],
        h.a(!c.isExport && h.href(c.href("/api/hello")), "/api/hello"),
      ),
    ),
    entries.length === 0 && ui.grid(
      h.lang("en"),
      window("A folder is a URL", tree),
      window("app/about/page.ts", code),
    ),
  );
}

const tree = `app/
├─ layout.ts     every page
├─ page.ts       /
├─ not_found.ts  404
└─ api/
   └─ hello/
      └─ route.ts  /api/hello`;

const code = `import * as ui from "@fw/fw/ui";

// Save this in a new folder,
// then open /about.
export function Page() {
  return ui.pageHeader("About us");
}`;

function window(title: string, text: string): Node {
  // In a narrow window the code scrolls, also with the keyboard.
  const scrolled = [h.role("region"), h.aria("label", title), h.tabindex(0)];
  return ui.card(ui.cardHeader(h.h2(title)), h.pre(scrolled, h.code(text)));
}

function step(
  icon: ui.IconName,
  [name, detail]: readonly [name: string, detail: string],
  act: Node,
): Node {
  return ui.listItem(name, { image: ui.sign(icon), detail }, act);
}
