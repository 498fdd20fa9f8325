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

export { fade, showWhen } from "./behavior.ts";
export type { BrowserRoot, BrowserUi, SwapDetail, SwapEvent } from "./browser.ts";
export { actions, button, buttonLink, submit } from "./button.ts";
export { checkbox, fieldset, radioGroup, type RadioGroupOptions, switch } from "./choices.ts";
export {
  checked,
  type Choice,
  type ChoiceGroup,
  combobox,
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
  emptyState,
  progress,
  prose,
  skeleton,
  stat,
} from "./display.ts";
export { error, errors, errorSummary, field, help, invalid, invalidIf, toolbar } from "./field.ts";
export { form } from "./form/form.ts";
export type {
  ControlOptions,
  ControlType,
  FieldOverride,
  FieldPath,
  FieldValues,
  FormField,
  FormFile,
  FormOptions,
  LeafValue,
} from "./form/options.ts";
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
  shell,
  sidebar,
  sidebarGroup,
  skipLink,
  spacer,
  stack,
  themeToggle,
  visuallyHidden,
} from "./frame.ts";
export {
  navigate,
  navigateScript,
  noNavigate,
  noPush,
  replaceUrl,
  submitOn,
  type SubmitOnOptions,
  swap,
  uploadBar,
  uploadScript,
  uploadTo,
} from "./fragments.ts";
export { body, head } from "./head.ts";
export { icon, icons } from "./icon/icon.ts";
export type { IconName } from "./icon/shapes.ts";
export {
  type Labels,
  labels,
  labelsPt,
  labelsPtBr,
  useLabelsEnglish,
  useLabelsPtBr,
} from "./labels.ts";
export {
  commandDialog,
  commandGroup,
  commandLink,
  confirm,
  type ConfirmOptions,
  dialog,
  dialogClose,
  dialogOpen,
  menu,
  menuButton,
  menuLink,
  menuTitle,
  sheet,
  tooltip,
} from "./overlay.ts";
export { breadcrumb, type Crumb, pagination, type PaginationOptions } from "./pagination.ts";
export { with } from "./parts.ts";
export { type SpeculationOptions, speculationRules } from "./speculation.ts";
export {
  type Column,
  dataTable,
  type DataTableOptions,
  depth,
  num,
  type Sort,
  table,
} from "./table.ts";
export { flashes, toast, toaster } from "./toast.ts";
export {
  destructive,
  end,
  ghost,
  hiddenCaption,
  info,
  large,
  link,
  nowrap,
  outline,
  primary,
  secondary,
  small,
  square,
  start,
  success,
  warning,
  wide,
} from "./variants.ts";
