import * as h from "@fw/fw/h";
import { live } from "@fw/fw/island";

interface Row {
  readonly id: number;
  readonly name: string;
}

/** A list whose rows have a class, a text and a button. */
export default live({
  view: ({ rows }: { rows: readonly Row[] }) =>
    h.div(
      h.button(h.id("add"), h.on("click", "add"), "Add"),
      h.ul(h.map(rows, ({ id, name }) =>
        h.li(
          h.id(`row-${id}`),
          h.span(h.class("name"), name),
          h.button(h.on("click", "remove"), h.value(id), "Remove"),
        ))),
    ),
  add: ({ rows }) => ({ rows: [...rows, { id: rows.length + 1, name: `Row ${rows.length + 1}` }] }),
  remove: ({ rows }, { value }) => ({ rows: rows.filter(({ id }) => id !== Number(value)) }),
});
