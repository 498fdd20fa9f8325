/// <reference lib="dom" />
import type { Island } from "@fw/fw";

/** Counts the clicks on its button. */
const mount: Island<{ readonly start: number }> = (el, { start }) => {
  let count = start;
  const button = el.querySelector("button");
  button?.addEventListener("click", () => {
    button.textContent = String(++count);
  });
};

export default mount;
