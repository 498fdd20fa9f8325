/** Layers above the page: dialogs, sheets, menus, popovers, and command dialogs. */

import * as h from "../html/mod.ts";
import type { Child, Node } from "../html/mod.ts";
import { focusFirstField } from "./control_tag.ts";
import { icon } from "./icon/icon.ts";
import { word } from "./labels.ts";
import { sortParts } from "./parts.ts";

/**
 * Renders a dialog. Escape, a click outside it and {@linkcode dialogClose} close it; a form in it
 * is sent like any other. Its first field gets the focus, unless another element has
 * `h.autofocus()`. {@linkcode dialogOpen} opens it. Without a script, a browser without support for
 * `command` opens it as a popover.
 *
 * @param id The id used to open it.
 * @param title The heading: text becomes an `h2`; a heading of another level is taken as it is.
 * @param children Content, {@linkcode actions}, attributes.
 * @returns A `dialog`.
 *
 * @example
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * h.fragment(
 *   ui.dialogOpen("share", ui.outline, "Share"),
 *   ui.dialog("share", "Share this event", h.p("Everyone with the link can see it.")),
 * );
 * ```
 */
export function dialog(id: string, title: string | Node, ...children: Child[]): Node {
  return dialogOf(id, { title, children, own: h.class("ui-dialog") });
}

/** Renders a dialog with a question, which is closed by its own buttons. */
export function askDialog(id: string, title: Node, ...children: Child[]): Node {
  return dialogOf(id, { title, children, own: h.class("ui-dialog"), isAsking: true });
}

/**
 * Renders a full-height dialog at the edge of the window. It opens and closes like a
 * {@linkcode dialog}.
 *
 * @param id The id used to open it.
 * @param title The heading, as for a dialog.
 * @param children Content, {@linkcode actions}, attributes; {@linkcode start} puts it at the start
 * edge.
 * @returns A `dialog`.
 */
export function sheet(id: string, title: string | Node, ...children: Child[]): Node {
  return dialogOf(id, { title, children, own: h.class("ui-dialog ui-sheet") });
}

function dialogOf(
  id: string,
  options: {
    readonly title: string | Node;
    readonly children: readonly Child[];
    readonly own: Node;
    readonly isAsking?: boolean;
  },
): Node {
  const { title, own, isAsking = false } = options;
  const { attributes, messages, content } = sortParts(options.children);
  const titleId = `${id}-title`;
  return h.dialog(
    own,
    h.aria("labelledby", titleId),
    h.div(
      h.class("ui-dialog-header"),
      h.div(h.id(titleId), typeof title === "string" ? h.h2(title) : title),
      !isAsking && dialogClose(id, closeLook, h.aria("label", word("close")), icon("x")),
    ),
    ...attributes,
    focusFirstField(h.fragment(...messages, ...content)),
    dialogAttributes(id),
  );
}

const closeLook: Node = h.class("ui-ghost ui-square ui-small");

function dialogAttributes(id: string): Node {
  return h.attrs(h.id(id), h.popover("auto"), h.closedby("any"), h.bool("data-ui-dialog"));
}

/**
 * Renders a button that opens a dialog, a sheet or a command dialog.
 *
 * @param id The id of the dialog.
 * @param children Variants, attributes, icons and text, in any order.
 * @returns A `button`.
 */
export function dialogOpen(id: string, ...children: Child[]): Node {
  return opener(id, h.class("ui-button"), ...children);
}

/**
 * Renders a button of a menu that opens a dialog.
 *
 * @param id The id of the dialog.
 * @param children An icon, text, variants such as {@linkcode destructive}, attributes.
 * @returns A `button`.
 */
export function menuDialog(id: string, ...children: Child[]): Node {
  return opener(id, h.class("ui-menu-item"), ...children);
}

function opener(id: string, ...children: Child[]): Node {
  return h.button(
    h.type("button"),
    h.aria("haspopup", "dialog"),
    ...children,
    h.command("show-modal"),
    h.commandfor(id),
    h.popovertarget(id),
    h.data("ui-open", id),
  );
}

/**
 * Renders a button that closes the dialog.
 *
 * @param id The id of the dialog.
 * @param children Variants, attributes, icons and text, in any order.
 * @returns A `button`.
 */
export function dialogClose(id: string, ...children: Child[]): Node {
  return h.button(
    h.class("ui-button"),
    h.type("button"),
    ...children,
    h.command("close"),
    h.commandfor(id),
    h.popovertarget(id),
    h.popovertargetaction("hide"),
    h.bool("data-ui-close"),
  );
}

/**
 * Renders a dialog that searches pages and actions. Ctrl+K or ⌘K opens it too. Without a script it
 * is a list of links.
 *
 * @param id The id used to open it.
 * @param children {@linkcode commandGroup}s, {@linkcode menuLink}s, attributes of the dialog.
 * @returns A `dialog`.
 *
 * @example
 * ```ts
 * import * as ui from "@fw/fw/ui";
 *
 * ui.commandDialog(
 *   "commands",
 *   ui.commandGroup("Pages", ui.menuLink("/events", ui.icon("calendar"), "Events")),
 * );
 * ```
 */
export function commandDialog(id: string, ...children: Child[]): Node {
  const { attributes, content } = sortParts(children);
  return h.dialog(
    h.class("ui-dialog ui-command"),
    h.aria("label", word("command")),
    ...attributes,
    dialogAttributes(id),
    h.bool("data-ui-command"),
    h.div(
      h.class("ui-command-search"),
      icon("search"),
      h.input(
        // Escape empties a field of type search before it closes the dialog.
        h.type("text"),
        h.inputmode("search"),
        h.enterkeyhint("go"),
        // Only the script shows the field, which then selects from the list.
        h.role("combobox"),
        h.aria("expanded", "true"),
        h.aria("controls", `${id}-list`),
        h.aria("label", word("command")),
        h.placeholder(word("command")),
        h.autocomplete("off"),
        h.autofocus(),
      ),
    ),
    h.div(h.class("ui-command-list"), h.id(`${id}-list`), ...content),
    h.p(h.class("ui-command-empty"), h.role("status"), h.hidden(), word("nothingFound")),
  );
}

/**
 * Renders commands under a heading.
 *
 * @param title The heading.
 * @param children {@linkcode menuLink}s and attributes.
 * @returns A `div`.
 */
export function commandGroup(title: string, ...children: Child[]): Node {
  return h.div(
    h.class("ui-command-group"),
    h.role("group"),
    h.aria("label", title),
    h.p(h.class("ui-menu-title"), h.aria("hidden", "true"), title),
    ...children,
  );
}

/**
 * Renders a button that opens a list of actions. It works without a script; with one, Escape and a
 * click outside close it, and the arrow keys navigate it.
 *
 * @param label The text of the button; {@linkcode h.group} may add variants and attributes.
 * @param children {@linkcode menuLink}s, {@linkcode menuButton}s, {@linkcode menuTitle}s, {@linkcode
 * separator}s; forms with a `menuButton`; {@linkcode end}; attributes of the outermost element.
 * @returns A `details`.
 *
 * @example
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * ui.menu("Options", ui.menuLink("/edit", "Edit"), ui.menuLink("/copy", "Copy"));
 * ui.menu(
 *   h.group(ui.ghost, ui.square, h.aria("label", "Options"), ui.icon("more")),
 *   ui.menuLink("/edit", "Edit"),
 * );
 * ```
 */
export function menu(label: Child, ...children: Child[]): Node {
  const arrow = icon("chevron-down", h.class("ui-menu-arrow"));
  return menuOf(h.group(h.class("ui-button ui-outline"), label, arrow), children);
}

export function menuOf(button: Node, children: readonly Child[]): Node {
  const { attributes, content } = sortParts(children);
  return h.details(
    h.class("ui-menu"),
    ...attributes,
    h.bool("data-ui-menu"),
    h.summary(button),
    h.div(h.class("ui-menu-panel"), ...content),
  );
}

/**
 * Renders a link of a menu.
 *
 * @param href The URL of the link.
 * @param children An icon, text, variants such as {@linkcode destructive}, attributes.
 * @returns An `a`.
 */
export function menuLink(href: string | URL, ...children: Child[]): Node {
  return h.a(h.class("ui-menu-item"), h.href(href), ...children);
}

/**
 * Renders a button of a menu. In a form it submits the form.
 *
 * @param children An icon, text, variants such as {@linkcode destructive}, attributes.
 * @returns A `button`.
 */
export function menuButton(...children: Child[]): Node {
  return h.button(h.class("ui-menu-item"), ...children);
}

/**
 * Renders a heading in a menu.
 *
 * @param children Text and attributes.
 * @returns A `p`.
 */
export function menuTitle(...children: Child[]): Node {
  return h.p(h.class("ui-menu-title"), ...children);
}

/**
 * Renders a button that opens a small panel of content; Escape and a click outside close it. It needs no
 * script.
 *
 * @param id The id of the panel.
 * @param label The text of the button; {@linkcode h.group} may add variants and attributes.
 * @param children The content; attributes of the panel.
 * @returns The button and its panel.
 *
 * @example
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * ui.popover("shipping", "Shipping", h.p("Two to four days."));
 * ```
 */
export function popover(id: string, label: Child, ...children: Child[]): Node {
  return h.fragment(
    h.button(
      h.class("ui-button ui-outline"),
      h.type("button"),
      h.popovertarget(id),
      label,
    ),
    h.div(h.class("ui-popover"), ...children, h.id(id), h.popover("auto")),
  );
}

/**
 * Renders the button that opens a {@linkcode commandDialog}, with its shortcut.
 *
 * @param id The id of the dialog.
 * @param children The text, attributes.
 * @returns A `button`.
 */
export function commandButton(id: string, ...children: Child[]): Node {
  return dialogOpen(
    id,
    h.class("ui-outline ui-small ui-find"),
    icon("search"),
    ...children,
    h.kbd("Ctrl K"),
  );
}
