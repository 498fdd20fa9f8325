import { h, hydrate } from "npm:preact@11.2.0";
import { useState } from "npm:preact@11.2.0/hooks";

interface Row {
  readonly id: number;
  readonly name: string;
}

/** The same list in Preact. */
function List({ first }: { readonly first: readonly Row[] }): ReturnType<typeof h> {
  const [rows, setRows] = useState(first);
  const add = (): void =>
    setRows([...rows, { id: rows.length + 1, name: `Row ${rows.length + 1}` }]);
  const remove = (id: number): void => setRows(rows.filter((row) => row.id !== id));
  return h(
    "div",
    null,
    h("button", { id: "add", onClick: add }, "Add"),
    h(
      "ul",
      null,
      rows.map(({ id, name }) =>
        h(
          "li",
          { key: id, id: `row-${id}` },
          h("span", { class: "name" }, name),
          h("button", { onClick: () => remove(id), value: id }, "Remove"),
        )
      ),
    ),
  );
}

/** Mounts the list on the server's markup. */
export default function mount(el: never, { rows }: { readonly rows: readonly Row[] }): void {
  hydrate(h(List, { first: rows }), el);
}
