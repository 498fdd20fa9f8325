import * as h from "@fw/fw/h";
import { live } from "@fw/fw/island";

interface State {
  readonly names: readonly string[];
  readonly token: string;
  readonly held?: string;
}

export default live({
  view: ({ names, token }: State) =>
    h.form(
      h.method("post"),
      h.on("submit", "send"),
      h.input(h.type("hidden"), h.name("_csrf"), h.value(token)),
      h.ol(h.mapIndex(names, (name, at) =>
        h.li(
          h.id(`name-${name}`),
          h.draggable(),
          h.on("dragstart", "lift", name),
          h.on("dragover", "over"),
          h.on("drop", "drop", name),
          name,
          at > 0 && h.button(h.name("move"), h.value(`${name}:${names[at - 1]}`), `${name} up`),
        ))),
    ),
  lift: (_state, { value }) => ({ held: value }),
  // Without it nothing can be dropped.
  over: () => ({}),
  drop: ({ held }, { value, form }) => {
    form.set("move", `${held}:${value}`);
    return send(form);
  },
  send: (_state, { form }) => send(form),
});

async function send(form: FormData): Promise<(state: State) => Partial<State>> {
  const { ok } = await fetch("", { method: "POST", body: form });
  if (!ok) throw new Error("The server refused the move.");
  return ({ names }: State) => ({ names: moveBefore(names, String(form.get("move"))) });
}

/** Moves the first of two names before the second. */
export function moveBefore(names: readonly string[], move: string): readonly string[] {
  const [name = "", other = ""] = move.split(":");
  if (name === other || !names.includes(name)) return names;
  return names.filter((each) => each !== name)
    .flatMap((each) => each === other ? [name, other] : [each]);
}
