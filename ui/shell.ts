/** The frame of an application: side bar, top bar and the page's panel. */

import * as h from "../html/mod.ts";
import type { Child, Node } from "../html/mod.ts";
import type { Ctx } from "../mod.ts";
import { validationMessage } from "../runtime/addon.ts";
import { formatOf } from "../runtime/i18n/mod.ts";
import { authDrawing, isAuthCard } from "./auth_card.ts";
import { button } from "./button.ts";
import { skipLink, themeToggle } from "./frame.ts";
import { icon } from "./icon/icon.ts";
import type { IconName } from "./icon/shapes.ts";
import { word } from "./labels.ts";
import { commandButton, commandDialog, commandGroup, menuLink, menuOf } from "./overlay.ts";
import { breadcrumb, type Crumb } from "./pagination.ts";
import { sortParts } from "./parts.ts";
import { flashes } from "./toast.ts";
import { ghost, square } from "./variants.ts";

/** An entry of the navigation as data; `app/nav.ts` returns a list of entries. */
export interface NavItem {
  /** Label of the entry. */
  readonly label: string;
  /** URL of the entry; a group of entries has none. @default none */
  readonly href?: string;
  /** The icon. @default none */
  readonly icon?: IconName;
  /** Number of items behind the entry. @default none */
  readonly count?: number | string | undefined;
  /** The entries of a group, under its label. @default none */
  readonly items?: readonly NavItem[];
}

/** Options of {@linkcode shell}. */
export interface ShellOptions {
  /** The name of the application. */
  readonly brand: string;
  /** URL of the name. @default "/" */
  readonly home?: string;
  /** The logo before the name. @default the first letter of the name */
  readonly mark?: Child;
  /** The navigation, in which the entry of the request's URL is marked. */
  readonly nav: readonly NavItem[];
  /** The foot of the side bar: a {@linkcode userMenu}, or a link to sign in. @default none */
  readonly user?: Child;
  /** The content above the navigation. @default a {@linkcode commandButton} that searches the entries */
  readonly find?: Child;
  /** The breadcrumb. @default the entry of the navigation, then the title of the page */
  readonly breadcrumb?: readonly Crumb[] | undefined;
  /** Content at the end of the top bar. @default the {@linkcode themeToggle} */
  readonly actions?: Child;
}

const sideId = "ui-side";
const findId = "ui-find";

/**
 * Renders the frame of an application around a page: a side bar with its navigation, which is a drawer
 * on phones, a search of its entries, a top bar with the breadcrumb, the messages of {@linkcode
 * flashes}, the skip link and `main`. It needs no script. A page that is an {@linkcode authCard} has
 * no bars.
 *
 * @param c The request, whose URL marks the current entry and whose messages are consumed.
 * @param options Name, navigation, user.
 * @param children The page, and attributes of `main`.
 * @returns A `div` for `body`.
 *
 * @example
 * ```ts
 * import { App, type Ctx } from "@fw/fw";
 * import { testPage } from "@fw/fw/testing";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const page = (c: Ctx) =>
 *   ui.shell(c, { brand: "Shop", nav: [{ label: "Products", href: "/products", icon: "box" }] }, h.p("42"));
 * await testPage({ page }, "/products").wantContains('href="/products" aria-current="page"');
 * ```
 */
export function shell(c: Ctx, options: ShellOptions, ...children: Child[]): Node {
  const { nav, user, find = commandButton(findId, word("find")), actions = themeToggle() } =
    options;
  const path = c.url.pathname;
  const current = findCurrent(nav, path);
  const { attributes, content } = sortParts(children);
  if (isAuthCard(content)) return bare(c, options, children);
  return h.div(
    h.class("ui-app"),
    skipLink("content", word("skip")),
    h.aside(
      h.class("ui-side"),
      h.id(sideId),
      h.popover("auto"),
      h.div(
        h.class("ui-side-head"),
        brandLink(options),
        sideButton(word("close"), "x", h.popovertargetaction("hide")),
      ),
      find,
      h.nav(h.aria("label", word("nav")), entries(nav, { current, path })),
      user !== undefined && h.div(h.class("ui-side-foot"), user),
    ),
    h.div(
      h.class("ui-panel"),
      h.header(
        h.class("ui-topbar"),
        sideButton(word("menu"), "menu"),
        breadcrumb(options.breadcrumb ?? trail(c, { nav, current })),
        actions,
      ),
      flashes(c),
      h.main(h.class("ui-main"), h.id("content"), ...attributes, ...content),
    ),
    options.find === undefined && commandDialog(findId, commands(nav)),
  );
}

function sideButton(label: string, name: IconName, ...attributes: Child[]): Node {
  return button(
    ghost,
    square,
    h.class("ui-only-narrow"),
    h.popovertarget(sideId),
    ...attributes,
    h.aria("label", label),
    icon(name),
  );
}

function bare(c: Ctx, options: ShellOptions, children: readonly Child[]): Node {
  return h.div(
    h.class("ui-auth"),
    skipLink("content", word("skip")),
    h.div(
      h.class("ui-auth-page"),
      h.header(brandLink(options), h.div(h.class("ui-row"), options.actions ?? themeToggle())),
      flashes(c),
      h.main(h.id("content"), ...children),
    ),
    authDrawing(options.brand),
  );
}

function brandLink({ brand, home = "/", mark }: ShellOptions): Node {
  const letter = ([...brand][0] ?? "").toUpperCase();
  return h.a(
    h.class("ui-brand"),
    h.href(home),
    mark ?? h.span(h.class("ui-mark"), h.aria("hidden", "true"), letter),
    brand,
  );
}

function commands(nav: readonly NavItem[]): Child {
  const single = nav.filter(({ items }) => items === undefined);
  const groups = nav.filter(({ items }) => items !== undefined);
  return [
    h.map(single, command),
    h.map(groups, ({ label, items = [] }) => commandGroup(label, h.map(items, command))),
  ];
}

function command({ label, href = "#", icon: name }: NavItem): Node {
  return menuLink(href, name !== undefined && icon(name), label);
}

/** Returns the entry of the page, or the nearest entry above it. */
function findCurrent(nav: readonly NavItem[], path: string): NavItem | undefined {
  const all = nav.flatMap((item) => [item, ...item.items ?? []]);
  const above = all.filter(({ href }) =>
    href !== undefined && (path === href || (href !== "/" && path.startsWith(`${href}/`)))
  );
  return above.sort((a, b) => (b.href?.length ?? 0) - (a.href?.length ?? 0))[0];
}

/** The steps above pages, recorded by their content before the frame is rendered. */
const steps: WeakMap<Ctx, Crumb> = new WeakMap();

/** Records the breadcrumb step between the entry of a page and its title. */
export function noteStep(c: Ctx, step: Crumb): void {
  steps.set(c, step);
}

/** Returns the default breadcrumb of a page: its entry, the step above it, then its title. */
function trail(
  c: Ctx,
  { nav, current }: { readonly nav: readonly NavItem[]; readonly current: NavItem | undefined },
): readonly Crumb[] {
  // Remove the prefix that announces a form's errors to screen readers.
  const prefix = validationMessage("errorTitle", { param: "" });
  const text = c.title.startsWith(prefix) ? c.title.slice(prefix.length) : c.title;
  const home = nav.filter(({ href }) => href === "/" && href !== c.url.pathname)
    .map(({ label }) => ({ text: label, href: "/" }));
  if (current?.href === undefined) return text === "" ? [] : [...home, { text }];
  if (current.href === c.url.pathname || text === "") return [...home, { text: current.label }];
  const step = steps.get(c);
  const above = { text: current.label, href: current.href };
  return step === undefined ? [above, { text }] : [above, step, { text }];
}

/** Renders the entries: those without a group together, each group under its label. */
function entries(
  nav: readonly NavItem[],
  at: { readonly current: NavItem | undefined; readonly path: string },
): Child {
  const single = nav.filter(({ items }) => items === undefined);
  const groups = nav.filter(({ items }) => items !== undefined);
  return [
    single.length > 0 &&
    h.div(h.class("ui-sidebar-group"), h.map(single, (item) => entry(item, at))),
    h.map(groups, ({ label, items = [] }) =>
      h.div(
        h.class("ui-sidebar-group"),
        h.p(h.class("ui-sidebar-title"), label),
        h.map(items, (item) => entry(item, at)),
      )),
  ];
}

function entry(
  item: NavItem,
  { current, path }: { readonly current: NavItem | undefined; readonly path: string },
): Node {
  return h.a(
    h.class("ui-nav-link"),
    h.href(item.href ?? "#"),
    item === current && h.aria("current", item.href === path ? "page" : "true"),
    item.icon !== undefined && icon(item.icon),
    h.span(item.label),
    item.count !== undefined && h.span(h.class("ui-count"), item.count),
  );
}

const maxCount = 1_000;

/** Returns a number of rows for display in lists and navigations, capped at 1,000. */
export function cappedCount(c: Ctx, count: number | undefined): string | undefined {
  if (count === undefined) return undefined;
  const text = formatOf(c.language).number(Math.min(count, maxCount));
  return count > maxCount ? `${text}+` : text;
}

/**
 * Counts the items of a navigation entry, for `count` of {@linkcode NavItem}. If that fails, the entry has
 * no number, because the error page has the same frame.
 *
 * @param c The request.
 * @param count Counts up to 1,001; `undefined` for users who may not see it.
 * @returns The number as displayed, such as "128" or "1,000+".
 *
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import * as ui from "@fw/fw/ui";
 *
 * export async function nav(c: Ctx): Promise<ui.NavItem[]> {
 *   const count = await ui.navCount(c, async () => await Promise.resolve(128));
 *   return [{ label: "Products", href: c.href("/products"), icon: "box", count }];
 * }
 * ```
 */
export async function navCount(
  c: Ctx,
  count: () => Promise<number | undefined>,
): Promise<string | undefined> {
  // An exported page is the same for every visitor.
  if (c.isExport) return undefined;
  return cappedCount(c, await count().catch(() => undefined));
}

/** Options of {@linkcode userMenu}. */
export interface UserMenuOptions {
  /** A second line, such as the email address. @default none */
  readonly detail?: string | undefined;
  /** The image; an {@linkcode avatar} with another name or an image. @default none */
  readonly avatar?: Child;
}

/**
 * Renders the menu of the signed-in user, for the foot of the side bar of {@linkcode shell}.
 *
 * @param name The name, or a substitute.
 * @param options A second line, an image.
 * @param children {@linkcode menuLink}s, forms with a {@linkcode menuButton}, attributes.
 * @returns A `details`.
 *
 * @example
 * ```ts
 * import * as ui from "@fw/fw/ui";
 *
 * ui.userMenu("Ada Lovelace", { detail: "ada@example.com" }, ui.menuLink("/account", "Account"));
 * ```
 */
export function userMenu(name: string, options: UserMenuOptions, ...children: Child[]): Node {
  const { avatar, detail } = options;
  const second = detail !== undefined && h.small(detail);
  const button = h.group(avatar, h.span(h.class("ui-user-name"), name, second), icon("sort"));
  return menuOf(button, [h.class("ui-user"), ...children]);
}
