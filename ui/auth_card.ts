/** Centred boxes on separate pages: sign-in and errors. */

import * as h from "../html/mod.ts";
import type { Child, Node } from "../html/mod.ts";
import { sortParts } from "./parts.ts";

const authCards: WeakSet<Node> = new WeakSet();

/**
 * Renders the column of a page to sign in, sign up or choose a password. For a page that consists of it,
 * {@linkcode shell} shows no side bar and top bar, but the name, the theme toggle and a drawing generated
 * from the name.
 *
 * @param title The heading, an `h1`.
 * @param text An additional sentence; `undefined` for none.
 * @param children Forms, buttons, {@linkcode orLine}, attributes.
 * @returns A `div`.
 *
 * @example
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * ui.authCard(
 *   "Welcome back",
 *   "Sign in to look after your products.",
 *   ui.button(ui.wide, ui.icon("passkey"), "Sign in with a passkey"),
 *   ui.orLine("or with your password"),
 *   ui.form(h.method("post")),
 * );
 * ```
 */
export function authCard(title: Child, text: Child, ...children: Child[]): Node {
  const { attributes, messages, content } = sortParts(children);
  const card = h.div(
    h.class("ui-auth-card"),
    ...attributes,
    h.div(h.class("ui-auth-title"), h.h1(title), text !== undefined && h.p(text)),
    ...messages,
    ...content,
  );
  authCards.add(card);
  return card;
}

/** Reports whether a page consists of an {@linkcode authCard}. */
export function isAuthCard(content: readonly Child[]): boolean {
  const [card, ...rest] = content;
  return rest.length === 0 && h.isNode(card) && authCards.has(card);
}

/** Draws the panel beside an {@linkcode authCard}, always the same for a name. */
export function authDrawing(name: string): Node {
  let state = [...name].reduce(
    (hash, sign) => Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 16_777_619) >>> 0,
    2_166_136_261,
  );
  const draw = (choices: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 2 ** 32 * choices);
  };
  const tones = ["", "", "", ""];
  const sun = 6 + draw(36);
  for (let cell = 0; cell < 48; cell++) {
    const [tone, shape] = cell === sun ? [3, 4] : [draw(3), draw(7)];
    tones[tone] += shapePath({ x: cell % 6 * 100, y: Math.floor(cell / 6) * 100 }, shape);
  }
  return h.div(
    h.class("ui-auth-side"),
    h.aria("hidden", "true"),
    h.svg(
      h.viewBox("0 0 600 800"),
      h.attr("preserveAspectRatio", "xMidYMid slice"),
      h.map(tones, (d) => h.path(h.d(d))),
    ),
  );
}

/** Returns a quarter circle in a corner, a circle of one of two sizes, or nothing. */
function shapePath({ x, y }: { readonly x: number; readonly y: number }, shape: number): string {
  const [right, below] = [x + 100, y + 100];
  const quarters = [
    `M${x} ${y}h100a100 100 0 0 1-100 100z`,
    `M${right} ${y}v100a100 100 0 0 1-100-100z`,
    `M${right} ${below}h-100a100 100 0 0 1 100-100z`,
    `M${x} ${below}v-100a100 100 0 0 1 100 100z`,
  ];
  const circle = (radius: number): string =>
    `M${x + 50 - radius} ${y + 50}a${radius} ${radius} 0 1 0 ${2 * radius} 0` +
    `a${radius} ${radius} 0 1 0-${2 * radius} 0z`;
  return [...quarters, circle(50), circle(26)][shape] ?? "";
}

/**
 * Renders a line between two alternatives, with a word in it.
 *
 * @param text The word: "or".
 * @returns A `p`.
 */
export function orLine(text: Child): Node {
  return h.p(h.class("ui-or"), text);
}

/**
 * Renders the content of an error page: a sentence, never only a number.
 *
 * @param title What happened, an `h1`.
 * @param children Explanation, next steps, attributes.
 * @returns A `div`.
 *
 * @example
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * ui.fault("This page does not exist", h.p("The address may be mistyped."), ui.buttonLink("/", "Home"));
 * ```
 */
export function fault(title: Child, ...children: Child[]): Node {
  const { attributes, content } = sortParts(children);
  return h.div(h.class("ui-fault"), ...attributes, h.h1(title), ...content);
}

/**
 * Lays out settings, with the navigation beside its parts.
 *
 * @param label The name of the navigation.
 * @param links {@linkcode navLink}s.
 * @param children The parts, attributes.
 * @returns A `div`.
 */
export function settings(label: string, links: Child, ...children: Child[]): Node {
  const { attributes, content } = sortParts(children);
  return h.div(
    h.class("ui-settings"),
    ...attributes,
    h.nav(h.aria("label", label), links),
    h.div(h.class("ui-stack"), ...content),
  );
}
