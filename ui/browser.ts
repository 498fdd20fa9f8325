/** The types of the kit's script for other scripts of the page: it runs in the browser alone. */

import type { IslandElement } from "../mod.ts";

/**
 * `globalThis.ui` in the browser, on pages that load `ui.js`. The generated file of an application with
 * `islands/` declares it as the global `ui`.
 *
 * @example
 * ```ts
 * import type { BrowserUi } from "@fw/fw/ui";
 *
 * export async function refresh(ui: BrowserUi, id: string): Promise<void> {
 *   const answer = await fetch("/events", { headers: { "FW-Fragment": id } });
 *   ui.swap(id, await answer.text(), answer.status);
 * }
 * ```
 */
export interface BrowserUi {
  /**
   * Replaces the element of the id by the one of that id in the HTML.
   *
   * @param status What `fw:swap` says. @default 200
   * @returns Whether both are there, once the part of the script that does it is loaded.
   */
  swap(id: string, html: string, status?: number): Promise<boolean>;
  /** Sets up `data-ui-*` in an element, or a document, that a script has made or filled. */
  hydrate(root: BrowserRoot): void;
  /**
   * Shows a message at the place of messages.
   *
   * @param ms After how long it leaves; 0 for never. @default never for an error, else 6000
   */
  toast(kind: "info" | "success" | "error", text: string, ms?: number): void;
}

/** An element or a document, where the code that is compiled knows the DOM. */
export type BrowserRoot = typeof globalThis extends {
  Element: { prototype: infer E };
  Document: { prototype: infer D };
} ? E | D
  : unknown;

/** The detail of the event `fw:swap`. */
export interface SwapDetail {
  /** The new element, which is in the page. */
  readonly target: IslandElement;
  /** The status of the answer. */
  readonly status: number;
}

/** The event `fw:swap`, which is fired on the new element and bubbles. */
export type SwapEvent = CustomEvent<SwapDetail>;
