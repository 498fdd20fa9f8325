/**
 * Contrast that is judged once: text of the same colours on the same grounds.
 *
 * @module
 */

/**
 * Makes axe judge the contrast of a text once for all texts that are painted alike, on any page. It runs
 * in a page that has axe, and leaves there `lookAgain`, which is called before each look. The texts that were
 * found right are in the set `known` of the page.
 *
 * The contrast of a text depends on its colour, its shadow, its size, and what is painted behind it. That
 * is what its ancestors paint, as long as the text does not leave them and no other box that paints lies
 * there: any other text is judged by itself each time, and so is one for which axe worked out no ratio.
 */
export const judgeContrastOnce = `globalThis.lookAgain = (() => {
  const inks = ["color", "font-size", "font-weight", "text-shadow", "-webkit-text-stroke"];
  const clear = /, 0\\)$|^transparent$|\\/ 0\\)$/;
  const drawn = "img, svg, video, canvas, object, embed, iframe, meter, progress, input, select, textarea";
  const fields = "input, select, textarea";
  // Where there is no ratio because of the ground, there is none for any text on it.
  const isByGround = /^bg(?:Gradient|Image)$/;
  let paints, grounds, boxes;

  const textsOf = (one) =>
    Array.prototype.filter.call(one.childNodes, (child) => child.nodeType === 3 && /\\S/.test(child.data));
  // No other element has a contrast of its own. Axe finds that out by all text that it holds.
  const hasText = (one) => one.matches(fields) || textsOf(one).length > 0;

  const readPaint = (one) => {
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode } = getComputedStyle(one);
    const paint = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode].join(" ");
    return clear.test(backgroundColor) && paint.endsWith(" none 1 none normal") ? "" : paint + ";";
  };
  const paintOf = (one) => {
    if (!paints.has(one)) paints.set(one, readPaint(one));
    return paints.get(one);
  };
  const groundOf = (one) => {
    if (one === null) return "";
    if (!grounds.has(one)) grounds.set(one, paintOf(one) + groundOf(one.parentElement));
    return grounds.get(one);
  };
  const listBoxes = () =>
    Array.from(document.body.querySelectorAll("*"))
      .filter((one) => (one.matches(drawn) || paintOf(one) !== "") && one.checkVisibility())
      .map((one) => ({ one, box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && box.height > 0);
  const isOver = (box, line) =>
    box.left + 1 < line.right && box.right - 1 > line.left &&
    box.top + 1 < line.bottom && box.bottom - 1 > line.top;
  const linesOf = (text) => {
    if (text.matches(fields)) return [text.getBoundingClientRect()];
    return textsOf(text).flatMap((child) => {
      const range = document.createRange();
      range.selectNode(child);
      return Array.from(range.getClientRects());
    });
  };
  const isWithin = (box, line) =>
    box.left - 1 < line.left && box.right + 1 > line.right &&
    box.top - 1 < line.top && box.bottom + 1 > line.bottom;
  const isAlone = (text) => {
    const lines = linesOf(text);
    return (boxes ??= listBoxes()).every(({ one, box }) =>
      lines.every((line) => one.contains(text) ? isWithin(box, line) : !isOver(box, line))
    );
  };
  const keyOf = (text) => {
    if (!isAlone(text)) return undefined;
    const style = getComputedStyle(text);
    return inks.map((name) => style.getPropertyValue(name)).join(" ") + ";" + groundOf(text);
  };

  const { rules, checks: { "color-contrast": check } } = axe._audit;
  const rule = rules.find(({ id }) => id === "color-contrast");
  const { matches } = rule;
  const { evaluate } = check;
  rule.matches = function (one, ...more) {
    return hasText(one) && !known.has(keyOf(one)) && matches.call(this, one, ...more);
  };
  check.evaluate = function (text, ...more) {
    const key = keyOf(text);
    if (known.has(key)) return true;
    let isByPaint = false;
    const data = (value) => {
      isByPaint = value?.contrastRatio > 0 || isByGround.test(value?.messageKey);
      this.data(value);
    };
    const found = evaluate.call(Object.assign(Object.create(this), { data }), text, ...more);
    if (found !== false && isByPaint && key !== undefined) known.add(key);
    return found;
  };
  return () => {
    paints = new Map();
    grounds = new Map();
    boxes = undefined;
  };
})()`;
