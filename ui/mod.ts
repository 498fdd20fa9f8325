/**
 * The component kit: functions that give nodes, a small stylesheet with a theme of variables, and a
 * small script for what HTML cannot do by itself. Everything works without the script.
 *
 * Variants, sizes, attributes of `h` and content stand among the arguments in any order, after those
 * that a component names:
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
export { confirm, type ConfirmOptions, fade, showWhen, tooltip } from "./behavior.ts";
export type { BrowserRoot, BrowserUi, SwapDetail, SwapEvent } from "./browser.ts";
export { actions, button, buttonLink, postButton, submit } from "./button.ts";
export { checkbox, fieldset, radioGroup, type RadioGroupOptions, switch } from "./choices.ts";
export {
  barChart,
  type BarChartOptions,
  lineChart,
  type LineChartOptions,
  sparkline,
} from "./chart/chart.ts";
export { type ChartPart, donutChart, type DonutChartOptions } from "./chart/donut.ts";
export type { ChartOptions, ChartSeries } from "./chart/scale.ts";
export {
  checked,
  type Choice,
  type ChoiceGroup,
  dateInput,
  fileInput,
  input,
  select,
  type Selection,
  selectOptions,
  textarea,
} from "./controls.ts";
export { accordion, type AccordionItem, type Tab, tabs } from "./disclosure.ts";
export {
  alert,
  avatar,
  type AvatarOptions,
  badge,
  card,
  cardFooter,
  cardHeader,
  delta,
  type DeltaOptions,
  emptyState,
  progress,
  prose,
  skeleton,
  stat,
} from "./display.ts";
export {
  error,
  errors,
  errorSummary,
  field,
  help,
  invalid,
  invalidIf,
  optional,
  toolbar,
} from "./field.ts";
export { font, type FontOptions } from "./font.ts";
export { form } from "./form/form.ts";
export type {
  ControlOptions,
  ControlType,
  FieldPath,
  FieldValues,
  FormField,
  FormFile,
  FormOptions,
  LeafValue,
} from "./form/options.ts";
export { formPage, type FormPageOptions } from "./form/page.ts";
export {
  affix,
  type AffixOptions,
  charCount,
  codeInput,
  dateRange,
  dropzone,
  formFooter,
  formSection,
  passwordInput,
} from "./form/section.ts";
export { combobox, tagSelect, type TagSelectOptions } from "./form/tags.ts";
export {
  brand,
  container,
  footer,
  grid,
  header,
  nav,
  navLink,
  pageHeader,
  row,
  separator,
  skipLink,
  spacer,
  split,
  stack,
  themeToggle,
  visuallyHidden,
} from "./frame.ts";
export {
  announce,
  navigate,
  navigateScript,
  noNavigate,
  noPush,
  place,
  type Placing,
  replaceUrl,
  swap,
  transition,
  uploadBar,
  uploadScript,
  uploadTo,
} from "./fragment/fragments.ts";
export { inlineEdit, type InlineEditOptions } from "./fragment/inline_edit.ts";
export { formValue, live, load, more, optimistic, poll } from "./fragment/later.ts";
export {
  type FieldValue,
  type FormMethod,
  method,
  submitOn,
  type SubmitOnOptions,
  values,
} from "./fragment/sending.ts";
export { body, head } from "./head.ts";
export { icon, icons } from "./icon/icon.ts";
export { scene } from "./icon/scene.ts";
export type { IconName } from "./icon/shapes.ts";
export { labelsPt, labelsPtBr } from "./labels_pt.ts";
export {
  details,
  fieldDetails,
  itemList,
  listItem,
  type ListItemOptions,
  media,
  sign,
  snippet,
  textCard,
  timeline,
  type TimelineEvent,
} from "./list/details.ts";
export { addFilter, chips, filterChip, search, type Segment, segmented } from "./list/filter.ts";
export {
  askPage,
  type AskPageOptions,
  deletePage,
  type DeletePageOptions,
  restoring,
} from "./list/ask.ts";
export { detailPage, type DetailPageOptions } from "./list/detail_page.ts";
export { type Activity, history, type HistoryOptions, type RowChange } from "./list/history.ts";
export { actOnRows, type RowActs } from "./list/acts.ts";
export { type FoundRows, importPage, type ImportPageOptions } from "./list/import.ts";
export type { ListActs, ListFilter, ListPageOptions, ListRows, ListTabs } from "./list/options.ts";
export { nearby } from "./list/nearby.ts";
export {
  greeting,
  newestRows,
  overviewPage,
  type OverviewPart,
  type PartGrowth,
} from "./list/overview.ts";
export { listPage } from "./list/page.ts";
export { pageSize } from "./list/query.ts";
export {
  bulkBar,
  bulkButton,
  bulkItem,
  type CurrentFile,
  currentFile,
  item,
  type ItemOptions,
  rows,
  thumb,
} from "./list/rows.ts";
export {
  commandButton,
  commandDialog,
  commandGroup,
  commandLink,
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
export {
  breadcrumb,
  type Crumb,
  pager,
  type PagerOptions,
  pagination,
  type PaginationOptions,
} from "./pagination.ts";
export { with } from "./parts.ts";
export {
  navCount,
  type NavItem,
  shell,
  type ShellOptions,
  userMenu,
  type UserMenuOptions,
} from "./shell.ts";
export {
  type Column,
  dataTable,
  type DataTableOptions,
  depth,
  num,
  type RowMenu,
  type RowSelection,
  type Sort,
  table,
} from "./table.ts";
export { saveTheme, theme, themeForm } from "./form/theme.ts";
export { amount, time, type TimeOptions } from "./time.ts";
export { flashes, toast, toaster } from "./toast.ts";
export {
  destructive,
  dot,
  end,
  ghost,
  half,
  hiddenCaption,
  hollow,
  info,
  large,
  link,
  muted,
  nowrap,
  outline,
  primary,
  secondary,
  small,
  square,
  start,
  success,
  third,
  warning,
  wide,
} from "./variants.ts";
export { type Labels, labels } from "./words.ts";
