/** Makes a scroll container a tab stop only while it overflows. @param {any} wrap */
export function setScroller(wrap) {
  const look = () => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = wrap;
    if (scrollWidth > clientWidth || scrollHeight > clientHeight) wrap.tabIndex = 0;
    else wrap.removeAttribute("tabindex");
  };
  const observer = new ResizeObserver(look);
  for (const one of [wrap, ...wrap.children]) observer.observe(one);
}
