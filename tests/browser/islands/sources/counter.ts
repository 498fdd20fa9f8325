import * as h from "@fw/fw/h";
import { live, store } from "@fw/fw/island";

const total = store("total", 0);

interface State {
  readonly count: number;
  readonly step: number;
}

export default live({
  view: ({ count, step }: State) => {
    if (count === 13) throw new Error("on purpose");
    return h.fragment(
      h.button(h.on("click", "add"), h.type("button"), `${count} of ${total.value}`),
      h.button(h.on("click", "tell", "an odd value"), h.type("button"), "tell"),
      h.button(h.on("click", "fail"), h.type("button"), "fail"),
      h.input(h.name("note"), h.aria("label", "note")),
      h.output(`step ${step}`),
    );
  },
  add: ({ count, step }) => {
    total.set(total.value + step);
    return { count: count + step };
  },
  tell: (_state, { value, emit }) => emit("told", value),
  fail: () => {
    throw new Error("refused");
  },
});
