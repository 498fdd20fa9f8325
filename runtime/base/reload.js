// The development server's reload script: `boot` names the build that answers, so a page that was
// open across a restart reloads itself; `css` swaps a stylesheet in place.
(() => {
  let boot;
  const source = new EventSource("/_fw/events");
  source.addEventListener("boot", (event) => {
    if (boot === undefined) boot = event.data;
    else if (boot !== event.data) location.reload();
  });
  source.addEventListener("reload", () => location.reload());
  source.addEventListener("css", (event) => {
    const changed = JSON.parse(event.data);
    let isLinked = false;
    for (const link of document.querySelectorAll('link[rel~="stylesheet"]')) {
      const url = new URL(link.href);
      if (url.origin !== location.origin || !url.pathname.endsWith(changed.path)) continue;
      isLinked = true;
      url.searchParams.set("v", changed.version);
      const next = link.cloneNode();
      next.href = url.href;
      next.addEventListener("load", () => link.remove());
      next.addEventListener("error", () => next.remove());
      link.after(next);
    }
    // A sheet that another one imports has no link of its own.
    if (!isLinked) location.reload();
  });
  addEventListener("pagehide", () => source.close());
})();
