import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { nav } from "./nav.ts";

/** GET / */
export async function Page(c: Ctx): Promise<Node> {
  const [, ...entries] = await nav(c);
  // Until you write a page of your own, also in an application with several languages.
  return h.fragment(
    ui.split(
      ui.prose(
        h.lang("en"),
        h.p(ui.badge(ui.success, ui.dot, "Your app is running")),
        h.h1(entries.length === 0 ? "One page, no bugs yet." : "It grows. What comes next?"),
        h.p(
          ui.muted,
          "This page is ",
          h.code("app/page.ts"),
          ": open it, change a word, save, and watch this window follow. Then let the tree grow.",
        ),
      ),
      seedling(),
    ),
    entries.length > 0 && ui.itemList(
      ui.outline,
      entries.map(({ label, href = "/", icon = "box" }) =>
        ui.listItem(h.a(h.href(href), label), { image: ui.sign(icon) })
      ),
    ),
    ui.card(
      h.lang("en"),
      ui.cardHeader(h.h2("What to do next")),
      ui.itemList(
        step(
          "box",
          ["Keep rows of something", "A list with filters, a form, a table, and tests."],
          ui.snippet("deno task generate resource products title:text,required"),
        ),
        step(
          "passkey",
          ["Let people sign in", "Passkeys, passwords, sessions that they can end."],
          ui.snippet("deno task generate auth --passkeys"),
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
    ),
  );
}

function step(
  icon: ui.IconName,
  [name, detail]: readonly [name: string, detail: string],
  act: Node,
): Node {
  return ui.listItem(name, { image: ui.sign(icon), detail }, act);
}

/** The app as a plant: its leaf is the first page. */
function seedling(): Node {
  return h.svg(
    h.viewBox("60 20 220 280"),
    h.height(220),
    h.aria("hidden", "true"),
    h.g(
      h.attr("fill", "none"),
      h.attr("stroke", "var(--input)"),
      h.attr("stroke-width", "1.5"),
      h.attr("stroke-dasharray", "3 6"),
      h.path(h.d("M171 138c-16-34-52-42-84-30 8 34 48 50 84 30z")),
    ),
    h.path(
      h.attr("fill", "none"),
      h.attr("stroke", "var(--chart-5)"),
      h.attr("stroke-width", "5"),
      h.d("M170 176c0-34-3-52 4-86"),
    ),
    h.path(h.attr("fill", "var(--chart-5)"), h.d("M173 112c10-44 48-62 84-56-2 40-40 66-84 56z")),
    h.path(
      h.attr("fill", "var(--primary)"),
      h.d("M106 160h128v24h-11l-12 80c-1 8-7 13-15 13h-52c-8 0-14-5-15-13l-12-80h-11z"),
    ),
  );
}
