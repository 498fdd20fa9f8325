/**
 * The component kit: functions that return nodes, a small stylesheet with theme variables, and a
 * small script for features that HTML lacks. Everything works without the script.
 *
 * Variants, sizes, attributes of `h` and content are arguments in any order, after the named ones of
 * a component:
 *
 * ```ts
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * ui.card(
 *   ui.cardHeader("Newsletter", h.p("Once a month.")),
 *   h.form(
 *     h.method("post"),
 *     ui.field("email", "Email", ui.input(h.name("email"), h.type("email"), h.required())),
 *     ui.submit(ui.wide, h.data("track", "newsletter"), ui.icon("mail"), "Subscribe"),
 *   ),
 * );
 * ```
 *
 * The command `ui` writes the files to `public/`: `ui.theme.css` belongs to the application, `ui.css`
 * and `ui.js` to the kit.
 *
 * @module
 */

export { authCard, fault, orLine, settings } from "./auth_card.ts";
export * from "./behavior.ts";
export * from "./browser.ts";
export * from "./button.ts";
export { checkbox, fieldset, radioGroup, type RadioGroupOptions, switch } from "./choices.ts";
export * from "./chart/chart.ts";
export * from "./chart/donut.ts";
export type { ChartOptions, ChartSeries } from "./chart/scale.ts";
export {
  type Choice,
  type ChoiceGroup,
  fileInput,
  input,
  select,
  type Selection,
  selectOptions,
  textarea,
} from "./controls.ts";
export * from "./disclosure.ts";
export * from "./display.ts";
export * from "./field.ts";
export * from "./font.ts";
export type * from "./form/field_texts.ts";
export * from "./form/form.ts";
export * from "./form/options.ts";
export * from "./form/page.ts";
export * from "./form/section.ts";
export { rowIds } from "./form/values.ts";
export { combobox, type ComboboxOptions } from "./form/tags.ts";
export * from "./frame.ts";
export * from "./fragment/fragments.ts";
export * from "./fragment/inline_edit.ts";
export * from "./fragment/later.ts";
export * from "./fragment/sending.ts";
export { body, head } from "./head.ts";
export * from "./icon/icon.ts";
export * from "./icon/scene.ts";
export type { IconName } from "./icon/shapes.ts";
export * from "./labels_pt.ts";
export * from "./list/details.ts";
export {
  fieldBadge,
  fieldColumns,
  fieldDetails,
  type FieldFilter,
  fieldFilter,
} from "./list/fields.ts";
export * from "./list/filter.ts";
export {
  askPage,
  type AskPageOptions,
  deletePage,
  type DeletePageOptions,
  restoring,
} from "./list/ask.ts";
export * from "./list/detail_page.ts";
export { type Activity, history, type HistoryOptions, type RowChange } from "./list/history.ts";
export * from "./list/acts.ts";
export * from "./list/import.ts";
export * from "./list/options.ts";
export * from "./list/nearby.ts";
export {
  greeting,
  newestRows,
  overviewPage,
  type OverviewPart,
  type PartGrowth,
} from "./list/overview.ts";
export * from "./list/page.ts";
export { pageSize } from "./list/query.ts";
export * from "./list/related.ts";
export * from "./list/rows.ts";
export {
  commandButton,
  commandDialog,
  commandGroup,
  dialog,
  dialogClose,
  dialogOpen,
  menu,
  menuButton,
  menuDialog,
  menuLink,
  menuTitle,
  popover,
  sheet,
} from "./overlay.ts";
export * from "./pagination.ts";
export { with } from "./parts.ts";
export {
  navCount,
  type NavItem,
  shell,
  type ShellOptions,
  userMenu,
  type UserMenuOptions,
} from "./shell.ts";
export * from "./table.ts";
export * from "./form/theme.ts";
export * from "./time.ts";
export * from "./toast.ts";
export * from "./variants.ts";
export * from "./words.ts";
