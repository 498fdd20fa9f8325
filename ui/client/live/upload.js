import { all, make } from "../core.js";

/**
 * Sends a form like `fetch`, shows the progress, and lets the user cancel it.
 * @param {URL} url @param {any} init As for `fetch`. @param {any} form
 * @param {any} flight `abort` ends it silently. @returns {Promise<any>} The part of `Response` that `load` reads.
 */
export function upload(url, { method, headers, signal, body }, form, flight) {
  signal.throwIfAborted();
  const find = (/** @type {string} */ name) => all(form, `[data-ui-upload-${name}]`)[0];
  const [box, bar, percent, cancel] = ["box", "bar", "percent", "cancel"].map(find);
  const tell = (/** @type {number | undefined} */ part) => {
    if (part === undefined) bar?.removeAttribute("value");
    else if (bar) bar.value = part;
    if (percent) percent.textContent = part === undefined ? "" : `${Math.floor(part * 100)} %`;
  };
  const request = new XMLHttpRequest();
  request.open(method, url);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  if (cancel) cancel.onclick = () => flight.abort();
  tell(0);
  if (box) box.hidden = false;
  request.upload.onprogress = ({ loaded, total }) => tell(total ? loaded / total : 0);
  // The upload is complete and the server is processing it.
  request.upload.onload = () => tell(undefined);
  request.onloadend = () => box && (box.hidden = true);
  request.send(body);
  return new Promise((resolve, reject) => {
    request.onload = () =>
      resolve({
        status: request.status,
        url: request.responseURL,
        headers: { get: (/** @type {string} */ name) => request.getResponseHeader(name) },
        text: () => Promise.resolve(request.responseText),
      });
    request.onerror = request.onabort = reject;
    signal.onabort = () => request.abort();
  });
}

/**
 * Saves a response that is a file, because the browser would have to request it again.
 * @param {any} answer @param {string} disposition
 */
export async function save(answer, disposition) {
  const [, whole] = /filename\*=utf-8''([^;]+)/i.exec(disposition) ?? [];
  const [, name = ""] = /filename="?([^";]+)/i.exec(disposition) ?? [];
  const href = URL.createObjectURL(await answer.blob());
  make("a", { href, download: whole ? decodeURIComponent(whole) : name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
