/** A form of the kit that replaces itself. */
import type { Ctx, Node, Route } from "../../../mod.ts";
import { h, pageRoute, postForm, ui } from "./site.ts";

export function postPage(
  post: (c: Ctx, form: FormData) => Response | Node | Promise<Response | Node>,
): { readonly route: Route; readonly taken: FormData[] } {
  const taken: FormData[] = [];
  const form = (c: Ctx, name: string, problem?: string): Node =>
    postForm(
      c,
      h.id("form"),
      h.action("/form"),
      ui.swap("form"),
      h.input(h.id("first"), h.name("first"), h.value("1")),
      h.input(h.id("name"), h.name("name"), h.value(name), problem && h.aria("invalid", "true")),
      h.textarea(h.name("note"), "a\nb"),
      problem && h.p(h.id("problem"), problem),
      h.button(h.id("send"), h.name("by"), h.value("button"), "Send"),
    );
  const route = pageRoute("/form", (c) => form(c, ""), {
    POST: async (c) => {
      const data = await c.formData();
      taken.push(data);
      const name = String(data.get("name"));
      if (name === "") return await c.render(422, form(c, name, "is required"));
      return await post(c, data);
    },
  });
  return { route, taken };
}

/** The element that finally replaces the form. */
export const done = (): Node => h.div(h.id("form"), h.p(h.id("done"), "done"));
