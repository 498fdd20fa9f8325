import { all, page, setUp } from "../core.js";

const units = { year: 31536000, month: 2592000, week: 604800, day: 86400, hour: 3600, minute: 60 };
const selector = "time[data-ui-relative]";
const format = new Intl.RelativeTimeFormat(page.lang || undefined, { numeric: "auto" });

/** @param {any} time */
function write(time) {
  const seconds = (Date.parse(time.dateTime) - Date.now()) / 1000;
  const [unit, size] = Object.entries(units).find(([, each]) => Math.abs(seconds) >= each) ??
    ["second", Infinity];
  const text = format.format(Math.trunc(seconds / size), /** @type {any} */ (unit));
  if (time.textContent !== text) time.textContent = text;
}

setUp(selector, write);
setInterval(() => all(document, selector).forEach(write), 60_000);
