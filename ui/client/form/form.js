import { bare, decided, doc, isOurs, on, settingOf } from "../core.js";
import { entryOf } from "../page/link.js";
import { navigate } from "../page/navigate.js";
import { around } from "../page/place.js";
import { load } from "../page/swap.js";

on("submit", (event) => {
  const { target: form, submitter: pressed } = event;
  if (event.defaultPrevented || decided.get(form) === "real") return;
  const { getAttribute } = bare(form);
  const id = getAttribute("data-ui-swap") ?? getAttribute("data-ui-upload-to");
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
 * @returns {import("../page/swap.js").Asked | undefined} `undefined` if the browser must send it.
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
