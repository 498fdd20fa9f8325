import { bare, closest, decided, doc, isOurs, isSpecial, on, settingOf } from "../core.js";
import { pageOf, push, rename } from "./history.js";
import { navigate } from "./navigate.js";
import { around } from "./place.js";
import { prefetchLinks } from "./prefetch.js";
import { load } from "./swap.js";

/** The function that updates the history for a link or form, if any. @param {any} node */
function entryOf(node) {
  if (closest(node, "[data-ui-no-push]")) return undefined;
  return closest(node, "[data-ui-replace-url]") ? rename : push;
}

/** Whether the script may follow a link; the browser handles fragments of this page and SVG links. @param {any} link */
const canFollow = (link) =>
  isOurs(link, link.target) && !link.hasAttribute("download") && !link.isContentEditable &&
  !(link.href.includes("#") && pageOf(link.href) === pageOf(location.href));

/** The swap settings that apply to a link; links in table rows have none. @param {any} link */
const swapOf = (link) =>
  link.closest("[data-ui-swap]:not(form), [data-ui-no-navigate], tbody")?.dataset ?? {};

/** The id of the region that a link replaces, if any. @param {any} link */
const regionOf = (link) => canFollow(link) && !swapOf(link).uiSwap && around(link);

on("click", (event) => {
  const link = closest(event.target, "a[href]");
  if (!link || event.defaultPrevented || isSpecial(event)) return;
  const { uiSwap, uiPlace } = swapOf(link);
  const swapped = canFollow(link) && uiSwap;
  const region = regionOf(link);
  if (!swapped && !region) return;
  event.preventDefault();
  const url = new URL(link.href);
  if (region) navigate(url, [region]);
  else load(swapped, { url, entry: entryOf(link), place: uiPlace });
});

prefetchLinks(regionOf);

on("submit", (event) => {
  const { target: form, submitter: pressed } = event;
  if (event.defaultPrevented || decided.get(form) === "real") return;
  const { getAttribute } = bare(form);
  const id = pressed?.dataset.uiSwap ?? getAttribute("data-ui-swap") ??
    getAttribute("data-ui-upload-to");
  const region = !id && around(form);
  const asked = (id || region) && readForm(form, pressed);
  if (!asked) return;
  event.preventDefault();
  asked.isPage = !id;
  asked.place = getAttribute("data-ui-place");
  if (region && !asked.isPost) navigate(asked.url, [region]);
  else load(id || region, asked);
});

/**
 * Reads the request that the browser would send.
 * @param {any} form @param {any} pressed The button, which may override the form's settings.
 * @returns {import("./swap.js").Asked | undefined} `undefined` if the browser must send it.
 */
function readForm(form, pressed) {
  const { getAttribute } = bare(form);
  const setting = (/** @type {string} */ name) => settingOf(form, pressed, name);
  const url = new URL(setting("action") || location.href, doc.baseURI);
  const method = setting("method")?.toLowerCase();
  const type = setting("enctype")?.toLowerCase();
  if (method === "dialog" || type === "text/plain" || !isOurs(url, setting("target"))) return;
  const data = /** @type {any} */ (new FormData(form, pressed));
  const isPost = method === "post";
  const verb = pressed?.dataset.uiMethod ?? getAttribute("data-ui-method");
  const fields = new URLSearchParams([...data].map(writeField));
  const body = type === "multipart/form-data" ? data : fields;
  // The token differs in each response, and files have no text.
  const own = [...data].filter(([name]) => name !== "_csrf");
  const key = JSON.stringify([url, own.map(([, of]) => [of.name, of.size, of.lastModified]), own]);
  if (isPost) return { url, isPost, verb, body, form, pressed, key };
  url.search = fields.toString();
  return { url, form, entry: entryOf(form) };
}

/** Encodes a field as browsers do: with CR LF line breaks, and a file as its name. @param {[string, any]} field */
function writeField([name, value]) {
  return [name, (value.name ?? value).replace(/\r\n?|\n/g, "\r\n")];
}
