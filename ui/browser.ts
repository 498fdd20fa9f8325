/** Types of the kit's script for other scripts of the page, which runs only in the browser. */

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
   * Replaces the element with the id by the HTML's element with that id.
   *
   * @param status The status in `fw:swap`. @default 200
   * @returns Whether both exist, once the required part of the script has loaded.
   */
  swap(id: string, html: string, status?: number): Promise<boolean>;
  /** Sets up `data-ui-*` in an element or document that a script created or filled. */
  hydrate(root: BrowserRoot): void;
  /**
   * Shows a message in the region for messages.
   *
   * @param ms Time until it disappears, in milliseconds; 0 for never. @default never for an error, else 6000
   */
  toast(kind: "info" | "success" | "error", text: string, ms?: number): void;
}

/** An element or a document, if the compiled code knows the DOM. */
export type BrowserRoot = typeof globalThis extends {
  Element: { prototype: infer E };
  Document: { prototype: infer D };
} ? E | D
  : unknown;

/** The detail of the event `fw:swap`. */
export interface SwapDetail {
  /** The new element, already in the page. */
  readonly target: IslandElement;
  /** The status of the response. */
  readonly status: number;
}

/** The event `fw:swap`, fired on the new element; it bubbles. */
export type SwapEvent = CustomEvent<SwapDetail>;
