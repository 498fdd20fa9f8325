import { bare, doc, forget, isComposing, make, setUp } from "../core.js";

/** Normalises text for comparison: without accents and capitals. @param {string} text */
export const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

let made = 0;

/**
 * Turns a `select` into a combobox of the ARIA Authoring Practices, with tags if several values can be
 * chosen. The `select` remains the control that is sent.
 * @param {any} select
 */
function setTags(select) {
  const own = select.uiId = select.id;
  const id = own || `ui-tags-${++made}`;
  const several = select.multiple;
  const listId = `${id}-suggestions`;
  const input = make("input", {
    type: "text",
    role: "combobox",
    autocomplete: "off",
    "aria-controls": listId,
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-describedby": select.getAttribute("aria-describedby") ?? false,
    "aria-invalid": select.getAttribute("aria-invalid") ?? false,
    "aria-label": select.ariaLabel ?? false,
  });
  const list = make("div", {
    class: "ui-listbox",
    id: listId,
    role: "listbox",
    hidden: "",
    "aria-label": select.labels[0]?.textContent ?? select.ariaLabel ?? "",
    "aria-multiselectable": String(several),
  });
  // Move the id to the text field, which the label then names; the `select` keeps only its name.
  select.removeAttribute("id");
  input.id = id;
  // The empty first option is the placeholder.
  const [first] = select.options;
  if (!several && first && !first.value) input.placeholder = first.text;
  const frame = make("div", { class: `ui-input ui-tags${several ? "" : " ui-select"}` }, input);
  const box = make("div", { class: "ui-combobox" }, frame, list);
  select.before(box);
  const isRequired = select.required;
  Object.assign(select, { hidden: true, uiShow: showTags });
  // A swap compares plain markup with the server's, and then sets it up again.
  select.uiPlain = () => {
    box.remove();
    Object.assign(select, { hidden: false, required: isRequired, uiPlain: undefined });
    if (own) select.id = own;
    forget(select);
  };

  /** @type {any} */
  let active;

  const chosen = () => several || !select.value ? "" : select.selectedOptions[0].text;

  function showTags() {
    input.value = chosen();
    for (const tag of frame.querySelectorAll(".ui-tag")) tag.remove();
    for (const option of several ? select.selectedOptions : []) {
      const label = select.dataset.uiTags.replace("{tag}", option.text);
      const button = make("button", { type: "button", "aria-label": label }, "×");
      button.onclick = () => choose(option);
      input.before(make("span", { class: "ui-tag" }, option.text, button));
    }
    // Browsers cannot report a hidden `select`, so the text field is required instead.
    select.required = false;
    input.required = isRequired && (!several || select.selectedOptions.length === 0);
  }

  /** @param {any} option */
  function choose(option) {
    option.selected = !several || !option.selected;
    showTags();
    close();
    input.focus();
    select.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function close() {
    list.hidden = true;
    input.ariaExpanded = "false";
    activate(undefined);
  }

  /** @param {any} entry */
  function activate(entry) {
    active?.toggleAttribute("data-active");
    active = entry;
    active?.toggleAttribute("data-active");
    active?.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", active?.id ?? "");
  }

  function open() {
    const words = input.value === chosen() ? "" : plain(input.value.trim());
    const options = [...select.options].filter((option) =>
      !(several ? option.selected : !option.value && isRequired) && !option.disabled &&
      plain(option.text).includes(words)
    );
    list.replaceChildren(
      ...options.slice(0, 50).map((option, at) => {
        const entry = make("div", {
          role: "option",
          id: `${listId}-${at}`,
          "aria-selected": String(option.selected),
        }, option.text);
        entry.onclick = () => choose(option);
        return entry;
      }),
    );
    if (options.length === 0) {
      list.append(make("div", { role: "option", "aria-disabled": "true" }, select.dataset.uiNone));
    }
    list.hidden = false;
    input.ariaExpanded = "true";
    activate(words ? entries()[0] : undefined);
  }

  // The field keeps the focus, also while its list is scrolled.
  list.onpointerdown = (/** @type {any} */ event) => event.preventDefault();
  const entries = () => [...list.querySelectorAll('[role="option"]:not([aria-disabled])')];

  /** @type {AbortController | undefined} */
  let asked;

  /** Adds options from the server to the list. */
  async function ask() {
    const { uiSource } = select.dataset;
    if (!uiSource) return;
    asked?.abort();
    asked = new AbortController();
    const { signal } = asked;
    try {
      await new Promise((resolve) => setTimeout(resolve, 150));
      const url = new URL(uiSource, location.href);
      url.searchParams.set("q", input.value.trim());
      const response = await fetch(url, { signal });
      if (!response.ok) return;
      const html = `<select>${await response.text()}</select>`;
      const page = new DOMParser().parseFromString(html, "text/html");
      for (const option of page.querySelectorAll("option")) {
        const isKnown = [...select.options].some(({ value }) => value === option.value);
        if (!isKnown) select.append(new Option(option.text, option.value));
      }
      if (!signal.aborted && doc.activeElement === input) open();
    } catch {
      // Without a response, the page's own options remain.
    }
  }

  input.addEventListener("input", () => {
    open();
    ask();
  });
  input.addEventListener("click", open);
  input.addEventListener("blur", () => {
    // Unmatched text is discarded; an empty field clears an optional choice.
    if (!several && !input.value && !isRequired) select.value = "";
    if (!several) showTags();
    close();
  });
  input.addEventListener("keydown", (/** @type {any} */ event) => {
    // Enter may accept an input method's suggestion.
    if (isComposing(event)) return;
    const at = entries().indexOf(active);
    const { key } = event;
    const isArrow = /^Arrow(Down|Up)$/.test(key);
    if (isArrow && list.hidden) open();
    else if (isArrow) {
      const next = key === "ArrowDown" ? at + 1 : at < 0 ? -1 : at - 1;
      activate(entries().at(next % entries().length));
    } else if (key === "Enter" && !list.hidden) active?.click();
    else if (key === "Escape" && !list.hidden) close();
    else {
      const option = key === "Backspace" && several && !input.value &&
        [...select.selectedOptions].at(-1);
      return option && choose(option);
    }
    event.preventDefault();
  });
  frame.onclick = (/** @type {any} */ { target }) => target === frame && input.focus();
  input.onfocus = () => several || input.select();
  select.form && bare(select.form).addEventListener("reset", () => setTimeout(showTags));
  showTags();
}

// A disabled list stays as it is, unless only its hidden group disables it.
setUp("select[data-ui-tags]:is(:enabled, [data-ui-off])", setTags);
