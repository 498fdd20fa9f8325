import * as h from "@fw/fw/h";
import { live } from "@fw/fw/island";

interface State {
  readonly names: readonly string[];
  readonly text: string;
}

/** Is inside a form of the page, which it must not submit. */
export default live({
  view: ({ names, text }: State) =>
    h.fragment(
      h.input(h.name("told"), h.value(text), h.aria("label", "told"), h.on("input", "tell")),
      h.input(h.name("keyed"), h.id(`keyed-${names.length}`), h.aria("label", "keyed")),
      h.input(h.name("draft"), h.aria("label", "draft")),
      h.button(h.type("button"), h.on("click", "add"), "Add"),
      h.output(names.join()),
    ),
  tell: (_state, { value }) => ({ text: value }),
  add: ({ names }, { form }) => ({ names: [...names, String(form.get("told"))], text: "" }),
});
