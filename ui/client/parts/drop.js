import { all, closest, make, on, page } from "../core.js";

/** @param {number} bytes */
function sizeText(bytes) {
  const [unit, size] = bytes < 1e6 ? ["kilobyte", bytes / 1e3] : ["megabyte", bytes / 1e6];
  return new Intl.NumberFormat(page.lang || undefined, {
    style: "unit",
    unit,
    maximumFractionDigits: size < 10 ? 1 : 0,
  }).format(size);
}

/** Lists the chosen files below the drop area, with image previews. @param {any} input */
function listFiles(input) {
  const place = input.closest("[data-ui-drop]");
  place.nextElementSibling?.matches(".ui-drop-list") && place.nextElementSibling.remove();
  if (!input.files[0]) return;
  const list = make("ul", { class: "ui-list ui-outline ui-drop-list" });
  for (const file of input.files) {
    const [name, size] = [make("strong", {}, file.name), make("p", {}, sizeText(file.size))];
    const entry = make("li", {}, make("div", { class: "ui-list-text" }, name, size));
    if (/^image\/(png|jpeg|webp|avif|gif)$/.test(file.type)) {
      const image = make("img", { class: "ui-thumb", alt: "" });
      const reader = new FileReader();
      // The default policy allows "data:" images but not "blob:".
      reader.onload = () => image.src = reader.result;
      reader.readAsDataURL(file);
      entry.prepend(image);
    }
    list.append(entry);
  }
  place.after(list);
}

on("change", (event) => {
  const input = closest(event.target, "[data-ui-drop] > input");
  if (input) listFiles(input);
});
// A swap keeps the files.
on("fw:swap", ({ target }) => all(target, "[data-ui-drop] > input").forEach(listFiles));

for (const type of ["dragenter", "dragover", "dragleave", "drop"]) {
  on(
    type,
    ({ target }) =>
      closest(target, "[data-ui-drop]")?.toggleAttribute("data-over", /enter|over/.test(type)),
  );
}
