import * as h from "@fw/fw/h";
import { live } from "@fw/fw/island";

interface Row {
  readonly id: number;
  readonly done: boolean;
}

/** Rows that can be checked and removed. */
export default live({
  view: ({ rows }: { rows: readonly Row[] }) =>
    h.ul(h.map(rows, ({ id, done }) =>
      h.li(
        h.id(`row-${id}`),
        h.input(h.type("checkbox"), h.value(id), h.checked(done), h.on("change", "tick")),
        h.input(h.name("text"), h.aria("label", `text ${id}`)),
        h.button(h.type("button"), h.value(id), h.on("click", "remove"), `Remove ${id}`),
      ))),
  tick: ({ rows }, { value }) => ({
    rows: rows.map((row) => row.id === Number(value) ? { ...row, done: !row.done } : row),
  }),
  remove: ({ rows }, { value }) => ({ rows: rows.filter(({ id }) => id !== Number(value)) }),
});
