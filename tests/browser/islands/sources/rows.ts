import * as h from "@fw/fw/h";
import { live } from "@fw/fw/island";

interface Row {
  readonly id: number;
  readonly done: boolean;
}

interface State {
  readonly rows: readonly Row[];
  readonly lifted?: number;
}

/** Rows that can be checked, removed and dragged before another one. */
export default live({
  view: ({ rows }: State) =>
    h.ul(h.map(rows, ({ id, done }) =>
      h.li(
        h.id(`row-${id}`),
        h.draggable(),
        h.on("dragstart", "lift", id),
        h.on("dragover", "over"),
        h.on("drop", "place", id),
        h.input(h.type("checkbox"), h.value(id), h.checked(done), h.on("change", "tick")),
        h.input(h.name("text"), h.aria("label", `text ${id}`)),
        h.button(h.type("button"), h.value(id), h.on("click", "remove"), `Remove ${id}`),
      ))),
  lift: (_, { value }) => ({ lifted: Number(value) }),
  over: () => ({}),
  place: ({ rows, lifted }, { value }) => {
    const left = rows.filter(({ id }) => id !== lifted);
    const at = left.findIndex(({ id }) => id === Number(value));
    return {
      rows: [...left.slice(0, at), ...rows.filter(({ id }) => id === lifted), ...left.slice(at)],
    };
  },
  tick: ({ rows }, { value }) => ({
    rows: rows.map((row) => row.id === Number(value) ? { ...row, done: !row.done } : row),
  }),
  remove: ({ rows }, { value }) => ({ rows: rows.filter(({ id }) => id !== Number(value)) }),
});
