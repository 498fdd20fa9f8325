/*
 * The script of the component kit: what HTML cannot do by itself. Pages work without it.
 * It belongs to the kit (`deno task ui` writes it again); listen to `fw:swap`, or call
 * `ui.swap(id, html, status)`, `ui.hydrate(element)` and `ui.toast(kind, text, ms)`.
 */
const root = document.documentElement;
const byId = (id) => document.getElementById(id);
const on = (type, run, options) => document.addEventListener(type, run, options);
const matches = (query) => matchMedia(query).matches;

/** The element and what is in it, as far as the selector fits. */
const all = (element, selector) => [
  ...(element.matches?.(selector) ? [element] : []),
  ...element.querySelectorAll(selector),
];

/** Makes an element of text and children: nothing here writes HTML. */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  element.append(...children);
  return element;
}

/* Focus */

/** Opens what an element is hidden in: a tab, a folded part. */
function reveal(element) {
  for (let at = element; at; at = at.parentElement) {
    if (at.localName === "details") at.open = true;
    if (at.role === "tabpanel" && at.hidden) byId(at.getAttribute("aria-labelledby"))?.click();
  }
}

/** Focuses what may not be focusable, such as a heading, as long as the focus is there. */
function focusOn(element, preventScroll = true) {
  element.focus({ preventScroll });
  if (document.activeElement === element) return;
  element.tabIndex = -1;
  element.addEventListener("blur", () => element.removeAttribute("tabindex"), { once: true });
  element.focus({ preventScroll });
}

/** Gives the focus back that was lost with an element: to the same control, else to the place. */
function refocus(place, lost) {
  const find = (name, value) => value && place.querySelector(`[${name}="${CSS.escape(value)}"]`);
  const same = find("id", lost.id) || find("name", lost.getAttribute("name"));
  focusOn(same || place);
  try {
    same?.setSelectionRange(lost.selectionStart, lost.selectionEnd);
  } catch { /* Few controls have a selection. */ }
}

/* Hydration: what elements need once they are in the page. */

const ready = new WeakSet();

/** Sets up everything in an element that a swap or a script has put into the page. */
function hydrate(element) {
  const each = (selector, run) => {
    for (const found of all(element, selector)) {
      if (!ready.has(found)) ready.add(found), run(found);
    }
  };
  each("[data-ui-tabs]", setTabs);
  each("[data-ui-command]", setCommands);
  each("[data-ui-toast][data-ui-ms]", (toast) => leave(toast, toast.dataset.uiMs));
  each("[data-ui-fade]", (message) => leave(message, message.dataset.uiFade || 5000));
  each("[data-ui-theme]", setTheme);
  if (all(element, "[data-ui-show-when], form").length || element.closest?.("form")) showAll();
}

/** Removes an element after a while, but not while somebody points at it or is in it. */
function leave(element, ms) {
  let timer;
  const start = () => timer = setTimeout(() => element.remove(), ms);
  for (const type of ["pointerenter", "focusin"]) {
    element.addEventListener(type, () => clearTimeout(timer));
  }
  for (const type of ["pointerleave", "focusout"]) {
    element.addEventListener(type, () => (clearTimeout(timer), start()));
  }
  start();
}

/** Shows a message where `ui.toaster` stands; 0 leaves it until it is closed. */
function toast(kind, text, ms = kind === "error" ? 0 : 6000) {
  let place = document.querySelector("[data-ui-toaster]");
  if (!place) {
    place = make("div", { class: "ui-toaster", "aria-live": "polite", "data-ui-toaster": "" });
    document.body.append(place);
  }
  const label = place.dataset.uiCloseLabel ?? "Close";
  const close = { class: "ui-toast-close", type: "button", "data-ui-close": "", "aria-label": label };
  const message = make(
    "div",
    {
      class: `ui-toast ui-${kind === "error" ? "destructive" : kind}`,
      "data-ui-toast": "",
      ...(kind === "error" && { role: "alert" }),
      ...(ms > 0 && { "data-ui-ms": ms }),
    },
    make("p", {}, text),
    make("button", close, "×"),
  );
  place.append(message);
  hydrate(message);
}

/* Theme: the choice is kept, else the system decides. */

const systemTheme = matchMedia("(prefers-color-scheme: dark)");

function setTheme(button) {
  button.ariaPressed = root.classList.contains("dark");
}

function applyTheme(theme) {
  root.classList.toggle("dark", theme ? theme === "dark" : systemTheme.matches);
  document.querySelectorAll("[data-ui-theme]").forEach(setTheme);
}

function storedTheme() {
  try {
    return localStorage.getItem("ui-theme");
  } catch { /* A browser may refuse to keep anything. */ }
}

function turnTheme() {
  const theme = root.classList.contains("dark") ? "light" : "dark";
  try {
    localStorage.setItem("ui-theme", theme);
  } catch { /* Then it holds for this page. */ }
  applyTheme(theme);
}

systemTheme.addEventListener("change", () => applyTheme(storedTheme()));
addEventListener("storage", ({ key }) => key === "ui-theme" && applyTheme(storedTheme()));

/* Tabs (ARIA practices: tabs with automatic activation) */

function setTabs(tabs) {
  const [list] = tabs.children;
  const links = [...list.children];
  const panelOf = (link) => byId(link.hash.slice(1));
  const select = (chosen) => {
    for (const link of links) {
      link.ariaSelected = link === chosen;
      link.tabIndex = link === chosen ? 0 : -1;
      panelOf(link).hidden = link !== chosen;
    }
  };
  list.role = "tablist";
  for (const link of links) {
    const panel = panelOf(link);
    link.role = "tab";
    link.setAttribute("aria-controls", panel.id);
    panel.role = "tabpanel";
    panel.tabIndex = 0;
  }
  list.addEventListener("click", (event) => {
    const link = links.find((each) => each.contains(event.target));
    if (!link || isSpecial(event)) return;
    event.preventDefault();
    select(link);
    if (event.isTrusted) history.replaceState(history.state, "", link.hash);
  });
  list.addEventListener("keydown", (event) => {
    const at = links.indexOf(document.activeElement);
    const forward = getComputedStyle(list).direction === "rtl" ? -1 : 1;
    const steps = { ArrowRight: at + forward, ArrowLeft: at - forward, Home: 0, End: -1, " ": at };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const next = links.at(steps[event.key] % links.length);
    next.focus();
    next.click();
  });
  const target = location.hash && byId(decodeURI(location.hash.slice(1)));
  select(links.find((link) => target && panelOf(link).contains(target)) ?? links[0]);
  tabs.dataset.uiReady = "";
}

addEventListener("hashchange", () => {
  const target = byId(decodeURI(location.hash.slice(1)));
  if (!target) return;
  reveal(target);
  target.scrollIntoView();
});

// A browser does not say what is wrong with a control that is out of sight.
on("invalid", (event) => reveal(event.target), true);

/* Conditional fields */

const controls = "input, select, textarea, button, fieldset, object, output";

/** Whether one of the controls of that name holds the value. */
function holds(form, name, value) {
  return [...form?.elements ?? []].some((control) =>
    control.name === name && !control.matches(":disabled") &&
    (/^(checkbox|radio)$/.test(control.type)
      ? control.checked && control.value === value
      : control.selectedOptions
      ? [...control.selectedOptions].some((option) => option.value === value)
      : control.value === value)
  );
}

/** Shows and hides every conditional group; what is hidden is disabled, so that it is not sent. */
function showAll() {
  for (const group of document.querySelectorAll("[data-ui-show-when]")) {
    const [name, ...value] = group.dataset.uiShowWhen.split("=");
    const form = group.form ?? group.closest("form");
    group.hidden = !holds(form, name, value.join("="));
    for (const control of all(group, controls)) {
      if (group.hidden && !control.disabled) control.dataset.uiOff = control.disabled = true;
      else if (!group.hidden && control.dataset.uiOff) {
        control.disabled = false;
        delete control.dataset.uiOff;
      }
    }
  }
}

on("input", showAll);
on("change", showAll);
on("reset", () => setTimeout(showAll));

/* Dialogs: the browser's own, helped where it is old. */

const hasCommands = "commandForElement" in HTMLButtonElement.prototype;
const hasClosedBy = "closedBy" in HTMLDialogElement.prototype;

/** Asks in a dialog; gives whether to go on. */
function ask({ question, text = "", ok, cancel, isDestructive }) {
  return new Promise((resolve) => {
    const no = make("button", { class: "ui-button ui-outline", autofocus: "" }, cancel);
    const look = isDestructive ? "ui-button ui-destructive" : "ui-button";
    const yes = make("button", { class: look }, ok);
    const dialog = make(
      "dialog",
      { class: "ui-dialog", role: "alertdialog", closedby: "any", "aria-label": question },
      make("h2", {}, question),
      make("p", {}, text),
      make("div", { class: "ui-actions" }, no, yes),
    );
    no.onclick = () => dialog.close();
    yes.onclick = () => dialog.close("yes");
    dialog.onclose = () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    };
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Asks what `ui.confirm` says. */
function confirmed(asking, pressed) {
  const { uiConfirm, uiConfirmText, uiConfirmOk, uiConfirmCancel } = asking.dataset;
  return ask({
    question: uiConfirm,
    text: uiConfirmText,
    ok: uiConfirmOk ?? (pressed?.textContent.trim() || "OK"),
    cancel: uiConfirmCancel ?? "Cancel",
    isDestructive: pressed?.classList.contains("ui-destructive"),
  });
}

/** Whether a click fell beside the open dialog on which it is reported. */
function isBeside(dialog, { clientX: x, clientY: y }) {
  const box = dialog.getBoundingClientRect();
  return x < box.left || x > box.right || y < box.top || y > box.bottom;
}

/* Commands: a field that filters, a list of which one entry is chosen (ARIA: combobox). */

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function setCommands(dialog) {
  const input = dialog.querySelector("input");
  const items = [...dialog.querySelectorAll(".ui-menu-item")];
  const list = dialog.querySelector(".ui-command-list");
  const empty = dialog.querySelector(".ui-command-empty");
  const shown = () => items.filter((item) => !item.hidden);
  const choose = (item) => {
    for (const each of items) each.ariaSelected = each === item;
    item?.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", item?.id ?? "");
  };
  const filter = () => {
    const words = plain(input.value).split(/\s+/);
    for (const item of items) {
      const text = plain(`${item.textContent} ${item.dataset.uiWords ?? ""}`);
      item.hidden = !words.every((word) => text.includes(word));
    }
    for (const group of list.querySelectorAll("[role=group]")) {
      group.hidden = !group.querySelector(".ui-menu-item:not([hidden])");
    }
    empty.hidden = shown().length > 0;
    choose(shown()[0]);
  };
  list.id ||= `${dialog.id}-list`;
  list.role = "listbox";
  items.forEach((item, at) => {
    item.id ||= `${list.id}-${at}`;
    item.role = "option";
    item.tabIndex = -1;
  });
  input.role = "combobox";
  input.ariaExpanded = "true";
  input.setAttribute("aria-controls", list.id);
  input.addEventListener("input", filter);
  input.addEventListener("keydown", (event) => {
    const entries = shown();
    const at = entries.findIndex((item) => item.ariaSelected === "true");
    const steps = { ArrowDown: at + 1, ArrowUp: at - 1 };
    if (event.key === "Enter") entries[at]?.click();
    else if (event.key in steps) choose(entries.at(steps[event.key] % entries.length));
    else return;
    event.preventDefault();
  });
  list.addEventListener("click", (event) => event.target.closest(".ui-menu-item") && dialog.close());
  dialog.addEventListener("close", () => {
    input.value = "";
    filter();
  });
  filter();
}

/* Tips: one bubble for all, while its element is pointed at, focused or touched. */

const tip = make("div", { id: "ui-tip", class: "ui-tooltip", role: "tooltip", popover: "manual" });
let tipped;
let tipTimer;

function showTip(element) {
  if (element === tipped) return;
  endTip();
  tipped = element;
  tip.textContent = element.title;
  // Else the browser shows its own as well.
  element.dataset.uiTitle = element.title;
  element.removeAttribute("title");
  element.setAttribute(
    "aria-describedby",
    `${element.getAttribute("aria-describedby") ?? ""} ui-tip`.trim(),
  );
  (element.closest("dialog") ?? document.body).append(tip);
  tip.showPopover?.();
  const box = element.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = tip;
  const left = box.left + (box.width - width) / 2;
  tip.style.left = `${Math.max(8, Math.min(left, root.clientWidth - width - 8))}px`;
  tip.style.top = `${box.top > height + 12 ? box.top - height - 6 : box.bottom + 6}px`;
}

function endTip() {
  clearTimeout(tipTimer);
  tip.remove();
  if (!tipped) return;
  tipped.title = tipped.dataset.uiTitle;
  const rest = tipped.getAttribute("aria-describedby").replace(/ ?ui-tip$/, "");
  if (rest) tipped.setAttribute("aria-describedby", rest);
  else tipped.removeAttribute("aria-describedby");
  tipped = undefined;
}

on("pointerover", ({ target, pointerType }) => {
  const element = target.closest("[data-ui-tooltip]");
  clearTimeout(tipTimer);
  if (element) tipTimer = setTimeout(showTip, pointerType === "mouse" ? 300 : 0, element);
  else if (!tip.contains(target)) tipTimer = setTimeout(endTip, 150);
});
on("focusin", ({ target }) => {
  const element = target.closest("[data-ui-tooltip]");
  if (!element) endTip();
  else if (target.matches(":focus-visible")) showTip(element);
});
on("scroll", endTip, true);

/* Menus */

/** Closes the open menus in which the node is not. */
function closeMenus(node) {
  for (const menu of document.querySelectorAll("[data-ui-menu][open]")) {
    if (!menu.contains(node)) menu.open = false;
  }
}

function moveInMenu(event, menu) {
  const items = [...menu.querySelectorAll(".ui-menu-item:not(:disabled)")];
  const at = items.indexOf(document.activeElement);
  const steps = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 };
  if (event.key === "Escape") {
    menu.open = false;
    menu.querySelector("summary").focus();
  } else if (event.key in steps && (menu.open || event.key.startsWith("Arrow"))) {
    menu.open = true;
    items.at(steps[event.key] % items.length)?.focus();
  } else return;
  event.preventDefault();
}

on("pointerdown", ({ target }) => closeMenus(target));
on("focusin", ({ target }) => closeMenus(target));
on("keydown", (event) => {
  const { target, key } = event;
  if (key === "Escape") tip.remove();
  const menu = target.closest?.("[data-ui-menu]");
  if (menu) moveInMenu(event, menu);
  if (key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
    const commands = document.querySelector("dialog[data-ui-command]");
    if (!commands) return;
    event.preventDefault();
    if (!commands.open) commands.showModal();
  }
});

/* Swaps: a piece of the page is replaced by the element of the same id in an answer. */

const waiting = new Set();

function setBusy(element, isBusy) {
  if (isBusy) waiting.add(element).forEach((each) => each.ariaBusy = "true");
  else if (waiting.delete(element)) element.ariaBusy = null;
}

/** The content of HTML, in which no script runs; a row of a table may stand at its top. */
function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  placeParts(template.content);
  return template.content;
}

/** Puts the late parts that came (`c.defer`) in their places, in the same content or in the page. */
function placeParts(content) {
  for (const part of content.querySelectorAll('template[id^="fw-part-"]')) {
    const id = part.id.replace("part", "late");
    const place = content.getElementById(id) ?? byId(id);
    if (!place) continue;
    const parent = place.parentNode;
    while (place.nextSibling && place.nextSibling.data !== `/${id}`) place.nextSibling.remove();
    place.nextSibling?.remove();
    place.replaceWith(part.content);
    if (parent.isConnected) announceSwap(parent, 200);
    part.remove();
  }
}

function announceSwap(target, status) {
  hydrate(target);
  target.dispatchEvent(new CustomEvent("fw:swap", { bubbles: true, detail: { target, status } }));
}

/** Replaces the element of an id; gives whether both are there. */
function replace(id, content, status) {
  const old = byId(id);
  const next = content.getElementById(id);
  if (!old || !next) return false;
  const lost = old.contains(document.activeElement) && document.activeElement;
  if (tipped && old.contains(tipped)) endTip();
  old.replaceWith(next);
  announceSwap(next, status);
  const [wrong] = status === 422 ? all(next, "[aria-invalid=true]") : [];
  if (wrong) reveal(wrong), focusOn(wrong, false);
  else if (lost) refocus(next, lost);
  return true;
}

/** Replaces the element of the id by the one in the HTML; gives whether both are there. */
function swap(id, html, status = 200) {
  return replace(id, parse(html), status);
}

/** The pieces of an answer as they come: what is there at once, then the late parts. */
async function* piecesOf(answer) {
  const key = answer.headers.get("FW-Late");
  if (!key || !answer.body) return yield await answer.text();
  const end = `<!--${key}-->`;
  let text = "";
  for await (const chunk of chunksOf(answer.body.pipeThrough(new TextDecoderStream()))) {
    const pieces = (text + chunk).split(end);
    text = pieces.pop();
    yield* pieces;
  }
}

async function* chunksOf(stream) {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** Goes to an address for real, also where only the part after the `#` is another. */
function goTo(url) {
  if (!/^https?:$/.test(url.protocol)) return;
  const isHere = pageOf(url.href) === pageOf(location.href);
  location.assign(url);
  if (isHere && url.hash) location.reload();
}

const pageOf = (url) => url.split("#")[0];

/** What is on its way, by the id that it replaces: of two, the later wins. */
const flights = new Map();

/**
 * Asks for a piece of the page and swaps it. What cannot be shown is left to the browser.
 *
 * @param request `url`, `method`, `body`, and the `form` with the button that was `pressed`.
 */
async function load(id, request) {
  const { url, method = "GET", form, isPushed } = request;
  const flight = Object.assign(new AbortController(), { form });
  flights.get(id)?.abort();
  flights.set(id, flight);
  const target = byId(id);
  let status = 0;
  if (target) setBusy(target, true);
  try {
    const headers = { Accept: "text/html", "FW-Fragment": id };
    const init = { method, headers, body: request.body, signal: flight.signal };
    const answer = await (form?.dataset.uiUploadTo ? upload : fetch)(url, init, form);
    status = answer.status;
    const location = answer.headers.get("FW-Location");
    if (location) return goTo(new URL(location, answer.url || url));
    if (status < 500 && await show(id, answer, { url, isPushed })) return end();
  } catch (error) {
    // Whoever came later has the target now.
    if (flight.signal.aborted) return;
    if (!(error instanceof TypeError)) console.error(error);
  }
  end();
  await fallBack(request, status);

  function end() {
    if (flights.get(id) !== flight) return;
    flights.delete(id);
    setBusy(target, false);
  }
}

/** Shows an answer; gives whether it held what it should. */
async function show(id, answer, { url, isPushed }) {
  const { status } = answer;
  const ids = answer.headers.get("FW-Swap")?.split(" ") ?? [id];
  let isShown = status === 204;
  for (const { kind, text } of JSON.parse(decodeURIComponent(answer.headers.get("FW-Flash") ?? "[]"))) {
    toast(kind, text);
  }
  for await (const piece of piecesOf(answer)) {
    const content = parse(piece);
    if (isShown) continue;
    isShown = ids.filter((each) => replace(each, content, status)).length > 0;
    if (!isShown) return false;
    if (isPushed) {
      push(new URL(answer.url || url), ids);
      const title = content.querySelector("title:not(svg *)");
      if (title) document.title = title.textContent;
    }
  }
  return isShown;
}

/**
 * Leaves to the browser what cannot be shown here. Nothing is sent twice in silence: what was refused
 * (4xx) is sent again to be seen, what was done (2xx) is not, and else the person is asked.
 */
async function fallBack({ url, method, form, pressed }, status) {
  if (!method || (status >= 200 && status < 400)) return goTo(url);
  const { uiAgain, uiAgainText, uiAgainOk, uiAgainCancel } = form.dataset;
  const isRefused = status >= 400 && status < 500;
  if (
    isRefused || await ask({
      question: uiAgain ?? "Send it again?",
      text: uiAgainText ?? "There was no answer. What you sent may have arrived all the same.",
      ok: uiAgainOk ?? "Send again",
      cancel: uiAgainCancel ?? "Cancel",
    })
  ) submit(form, pressed, "real");
}

/** Sends a form as `fetch` would, but tells how much of it has gone. */
function upload(url, { method, headers, body, signal }, form) {
  const bar = form.querySelector("[data-ui-upload-bar]");
  const { promise, resolve, reject } = Promise.withResolvers();
  const xhr = new XMLHttpRequest();
  xhr.open(method, url);
  for (const name in headers) xhr.setRequestHeader(name, headers[name]);
  if (bar) {
    bar.hidden = false;
    bar.removeAttribute("value");
    xhr.upload.onprogress = ({ loaded, total }) => bar.value = total && bar.max * loaded / total;
    xhr.onloadend = () => bar.hidden = true;
  }
  xhr.onload = () =>
    resolve({
      status: xhr.status,
      url: xhr.responseURL,
      headers: { get: (name) => xhr.getResponseHeader(name) },
      text: () => xhr.responseText,
    });
  xhr.onerror = () => reject(new TypeError("the upload failed"));
  signal.onabort = () => (xhr.abort(), reject(signal.reason));
  xhr.send(body);
  return promise;
}

/* Forms */

/** How a form that is about to be sent was treated already: `asked`, or to be sent for `real`. */
const treated = new Map();

/** Sends a form as if the button had been pressed, whatever its fields are called. */
function submit(form, pressed, treatment) {
  treated.set(form, treatment);
  HTMLFormElement.prototype.requestSubmit.call(form, pressed?.isConnected ? pressed : null);
  treated.delete(form);
}

on("submit", async (event) => {
  const { target: form, submitter: pressed } = event;
  const treatment = treated.get(form);
  if (event.defaultPrevented || treatment === "real") return;
  const asking = pressed?.dataset.uiConfirm ? pressed : form;
  if (asking.dataset.uiConfirm && !treatment) {
    event.preventDefault();
    if (await confirmed(asking, pressed)) submit(form, pressed, "asked");
    return;
  }
  const id = form.dataset.uiSwap ?? form.dataset.uiUploadTo;
  const request = id && readForm(form, pressed);
  if (!request) return;
  event.preventDefault();
  // A second press while the first is under way would do the same thing twice.
  if (request.method && flights.get(id)?.form === form) return;
  load(id, request);
});

/** What the browser would send; nothing for what it must send itself. */
function readForm(form, pressed) {
  const setting = (name) => pressed?.getAttribute(`form${name}`) ?? form.getAttribute(name);
  const url = new URL(setting("action") || location.href, document.baseURI);
  const method = (setting("method") ?? "get").toLowerCase();
  const type = setting("enctype");
  if (method === "dialog" || type === "text/plain" || !isOurs(url, setting("target"))) return;
  const data = new FormData(form, pressed);
  const isMultipart = type === "multipart/form-data";
  const fields = new URLSearchParams(isMultipart && method === "post" ? [] : [...data].map(writeField));
  if (method === "post") {
    return { url, method: "POST", body: isMultipart ? data : fields, form, pressed };
  }
  url.search = fields;
  return { url, form, isPushed: !("uiNoPush" in form.dataset) };
}

/** A field as a browser writes it: line breaks of two characters, of a file its name. */
function writeField([name, value]) {
  return [name, (value.name ?? value).replace(/\r\n?|\n/g, "\r\n")];
}

/** Whether this script may follow to an address: on this site, in this window. */
function isOurs(url, target) {
  return url.origin === location.origin && (!target || target === "_self");
}

/* Navigation: a link in a region replaces the region by that of the page it leads to. */

/** Whether a click asks for something else than to follow here. */
function isSpecial(event) {
  return event.button > 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
}

/** The id that a link replaces by navigating, if it does. */
function regionOf(link) {
  if (!isOurs(link, link.target) || link.hasAttribute("download")) return;
  if (link.closest("[data-ui-no-navigate]")) return;
  // A place on this page is the browser's.
  if (link.hash && pageOf(link.href) === pageOf(location.href)) return;
  return link.closest("[data-ui-navigate]")?.dataset.uiNavigate;
}

let journey;

/**
 * Shows a page by replacing elements of this one; the browser goes there where that is not enough.
 *
 * @param options Where to scroll, when the browser goes back or forth, and whether it shows that itself.
 */
async function navigate(url, ids, { y, isSeen } = {}) {
  const isBack = y !== undefined;
  journey?.abort();
  const { signal } = journey = new AbortController();
  const regions = ids.map(byId).filter(Boolean);
  const leave = () => isBack ? location.reload() : goTo(url);
  for (const region of regions) setBusy(region, true);
  try {
    const answer = await (takeAhead(url) ?? fetch(url, pageInit({ signal })));
    if (signal.aborted) return;
    const isPage = /^text\/html\b/.test(answer.headers.get("Content-Type"));
    if (!isPage || answer.status >= 500) return leave();
    let page;
    for await (const piece of piecesOf(answer)) {
      if (signal.aborted) return;
      if (page) {
        parse(piece);
        continue;
      }
      page = new DOMParser().parseFromString(piece, "text/html");
      placeParts(page);
      if (!ids.every((id) => page.getElementById(id) && byId(id))) return leave();
      if (filesOf(page) !== filesOf(document)) return leave();
      await change(() => {
        if (!isBack) push(url, ids);
        showPage(page, ids, answer.status);
        if (url.hash && !isBack) byId(decodeURI(url.hash.slice(1)))?.scrollIntoView();
        else scrollTo({ top: y ?? 0, behavior: "instant" });
      }, isSeen);
    }
  } catch {
    if (!signal.aborted) return leave();
  }
  for (const region of regions) setBusy(region, false);
}

const pageInit = (init) => ({ headers: { Accept: "text/html" }, redirect: "manual", ...init });

/** The files that a page needs: where they differ, a region alone would not be the page. */
function filesOf(page) {
  const files = page.querySelectorAll("head :is(link[rel=stylesheet], script[src])");
  return [...files].map((file) => file.getAttribute("src") ?? file.getAttribute("href")).join();
}

/** Changes the page, with a transition where the browser has one and nobody minds. */
async function change(run, isSeen) {
  if (isSeen || !document.startViewTransition || matches("(prefers-reduced-motion: reduce)")) {
    return run();
  }
  const { ready, finished, updateCallbackDone } = document.startViewTransition(run);
  // One that is skipped is no failure.
  for (const promise of [ready, finished]) promise.catch(() => {});
  await updateCallbackDone;
}

const teller = make("div", { class: "ui-sr-only", role: "status" });

function showPage(page, ids, status) {
  document.title = page.title;
  for (const toast of page.querySelectorAll("[data-ui-toast]")) {
    if (!ids.some((id) => page.getElementById(id).contains(toast))) {
      document.querySelector("[data-ui-toaster]")?.append(toast);
      hydrate(toast);
    }
  }
  markCurrent(page);
  closeMenus();
  for (const id of ids) replace(id, page, status);
  const region = byId(ids[0]);
  focusOn(region.querySelector("[autofocus]") ?? region.querySelector("h1") ?? region);
  teller.textContent = "";
  document.body.append(teller);
  setTimeout(() => teller.textContent = document.title, 100);
}

/** Marks the links to where one is now, outside the region as well. */
function markCurrent(page) {
  const current = new Map();
  for (const link of page.querySelectorAll("a[aria-current]")) {
    current.set(link.getAttribute("href"), link.getAttribute("aria-current"));
  }
  for (const link of document.querySelectorAll("nav a[href]")) {
    const mark = current.get(link.getAttribute("href"));
    if (mark) link.setAttribute("aria-current", mark);
    else link.removeAttribute("aria-current");
  }
}

/* History: every entry knows where it was scrolled to; going back fetches the page again. */

const replaced = new Set();
let here = pageOf(location.href);
let scrollTimer;

function saveScroll() {
  clearTimeout(scrollTimer);
  history.replaceState({ ...history.state, ui: true, y: scrollY }, "");
}

function push(url, ids) {
  for (const id of ids) replaced.add(id);
  history.scrollRestoration = "manual";
  saveScroll();
  if (url.href !== location.href) history.pushState({ ui: true, y: 0 }, "", url);
  here = pageOf(location.href);
}

if (history.state?.ui && history.scrollRestoration === "manual") scrollTo(0, history.state.y);

addEventListener("scroll", () => {
  clearTimeout(scrollTimer);
  if (history.state?.ui) scrollTimer = setTimeout(saveScroll, 150);
});
addEventListener("popstate", ({ state, hasUAVisualTransition }) => {
  clearTimeout(scrollTimer);
  const url = pageOf(location.href);
  if (!state?.ui || url === here) return;
  here = url;
  if (!replaced.size) return location.reload();
  navigate(new URL(location), [...replaced], { y: state.y, isSeen: hasUAVisualTransition });
});
// What another document comes back to, the browser scrolls by itself.
addEventListener("pagehide", () => {
  if (history.state?.ui) saveScroll();
  history.scrollRestoration = "auto";
});
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  if (replaced.size) history.scrollRestoration = "manual";
  for (const element of waiting) setBusy(element, false);
});

/* Prefetch: what is pointed at is fetched, unless data is dear. */

let ahead;
let aheadTimer;

function fetchAhead(url) {
  if (navigator.connection?.saveData || matches("(prefers-reduced-data: reduce)")) return;
  if (ahead?.href === url.href && Date.now() < ahead.until) return;
  const headers = { Accept: "text/html", Purpose: "prefetch" };
  const answer = fetch(url, pageInit({ headers, priority: "low" }));
  answer.catch(() => {});
  ahead = { href: url.href, until: Date.now() + 10_000, answer };
}

function takeAhead(url) {
  const taken = ahead?.href === url.href && Date.now() < ahead.until ? ahead.answer : undefined;
  ahead = undefined;
  return taken;
}

function considerAhead({ target }, ms) {
  clearTimeout(aheadTimer);
  const link = target.closest?.("a[href]");
  if (!link || "uiSwap" in link.dataset || !regionOf(link)) return;
  aheadTimer = setTimeout(fetchAhead, ms, new URL(link.href));
}

on("pointerover", (event) => event.pointerType === "mouse" && considerAhead(event, 80));
on("touchstart", (event) => considerAhead(event, 0), { passive: true });

/* Clicks */

on("click", async (event) => {
  const { target } = event;
  const find = (selector) => target.closest?.(selector);
  if (event.defaultPrevented) return;
  if (find("[data-ui-theme]")) turnTheme();
  if (find(".ui-menu-item")) closeMenus();
  if (find("[data-ui-toast] [data-ui-close]")) find("[data-ui-toast]").remove();
  if (!hasCommands) helpDialog(event, find);
  if (!hasClosedBy && target.matches("dialog[closedby=any]") && isBeside(target, event)) target.close();
  const link = find("a[href]");
  if (!link || isSpecial(event)) return;
  const { uiConfirm, uiSwap } = link.dataset;
  if (uiConfirm && treated.get(link) !== "asked") {
    event.preventDefault();
    if (!await confirmed(link, link)) return;
    treated.set(link, "asked");
    link.click();
    treated.delete(link);
    return;
  }
  const url = new URL(link.href);
  if (uiSwap && isOurs(url, link.target) && !link.hasAttribute("download")) {
    event.preventDefault();
    return load(uiSwap, { url, isPushed: !("uiNoPush" in link.dataset) });
  }
  const region = regionOf(link);
  if (!region || !byId(region)) return;
  event.preventDefault();
  navigate(url, [region]);
});

/** Opens and closes dialogs in browsers without `command`, whose popover would be no dialog. */
function helpDialog(event, find) {
  const opener = find("[data-ui-open]");
  const closer = find("dialog [data-ui-close]");
  if (!opener && !closer) return;
  event.preventDefault();
  if (opener) byId(opener.dataset.uiOpen)?.showModal();
  else closer.closest("dialog").close();
}

globalThis.ui = { swap, hydrate, toast };
hydrate(document);
