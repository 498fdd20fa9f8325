import * as h from "@fw/fw/h";
import { live } from "@fw/fw/island";

interface State {
  readonly found: readonly string[];
  readonly keys: string;
}

/** Handles responses in the order of their requests, so an early one may arrive late. */
export default live({
  view: ({ found, keys }: State) =>
    h.form(
      h.on("submit", "keep"),
      h.input(h.name("q"), h.aria("label", "q"), h.on("input", "find"), h.on("keydown", "press")),
      h.button("Keep"),
      h.ul(h.map(found, (text) => h.li(text))),
      h.output(keys),
    ),
  find: async (_state, { value, signal }) => {
    const response = await fetch(`/find?q=${value}`, { signal });
    return { found: [await response.text()] };
  },
  keep: async ({ found }, { form, signal }) => {
    const response = await fetch(`/find?q=${form.get("q")}`, { signal });
    const text = await response.text();
    return { found: [...found, `kept ${text}`] };
  },
  press: ({ keys }, { key }) => key === "Escape" ? { keys: `${keys}${key} ` } : undefined,
});
