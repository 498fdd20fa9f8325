import { doc } from "./dom.js";

// The zone of the browser for times that the server writes, once; the server checks it: `c.zone`.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const cookie = `fw_zone=${timeZone}`;
if (timeZone && !doc.cookie.includes(cookie)) {
  doc.cookie = `${cookie}; path=/; max-age=31536000; samesite=lax`;
}
