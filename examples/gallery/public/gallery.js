// Switches the text direction in the browser, because a static site cannot handle `?dir=rtl`.
const root = document.documentElement;
const link = document.querySelector("[data-gallery-dir]");

function turn(dir) {
  root.dir = dir;
  link.textContent = dir === "rtl" ? "LTR" : "RTL";
  sessionStorage.setItem("gallery-dir", dir);
}

const kept = sessionStorage.getItem("gallery-dir");
if (kept && !location.search.includes("dir=")) turn(kept);

link.addEventListener("click", (event) => {
  event.preventDefault();
  turn(root.dir === "rtl" ? "ltr" : "rtl");
});
