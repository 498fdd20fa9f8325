import { all } from "../core.js";

/**
 * Sends a form as `fetch` does, and tells how much of it has gone.
 *
 * @param {URL} url
 * @param {any} init As for `fetch`.
 * @param {any} form
 * @returns {Promise<any>} What this script reads of a `Response`.
 */
export function upload(url, { method, headers, signal, body }, form) {
  const [bar] = all(form, "[data-ui-upload-bar]");
  const request = new XMLHttpRequest();
  request.open(method, url);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  if (bar) {
    bar.hidden = false;
    request.upload.onprogress = ({ loaded, total }) => bar.value = loaded / (total || Infinity);
    // The server has it all and is at work.
    request.upload.onload = () => bar.removeAttribute("value");
    request.onloadend = () => bar.hidden = true;
  }
  request.send(body);
  return new Promise((resolve, reject) => {
    request.onload = () =>
      resolve({
        status: request.status,
        url: request.responseURL,
        headers: { get: (/** @type {string} */ name) => request.getResponseHeader(name) },
        text: () => request.responseText,
      });
    request.onerror = request.onabort = reject;
    signal.onabort = () => request.abort();
  });
}
