/**
 * The labels that components render themselves, such as the name of a close button: the keys of
 * `config.labels`, and the English texts, which are the default.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as ui from "@fw/fw/ui";
 *
 * assertEquals(ui.labels.close, "Close");
 * ```
 */
export const labels = {
  close: "Close",
  cancel: "Cancel",
  /** The name of the main navigation. */
  nav: "Main",
  /** The name of the pagination of a list. */
  pagination: "Pages",
  previous: "Previous",
  next: "Next",
  page: "Page {page}",
  breadcrumb: "Breadcrumb",
  /** The name of the region for messages. */
  toaster: "Messages",
  /** The name of the button that changes between light and dark. */
  theme: "Dark theme",
  /** Legend of the form that selects a theme. */
  themes: "Theme",
  systemTheme: "System",
  lightTheme: "Light",
  darkTheme: "Dark",
  /** The button of a shell that searches its navigation. */
  find: "Search",
  command: "Type a command or search",
  /** Text of a command dialog and a combobox without matches. */
  nothingFound: "Nothing found.",
  empty: "Nothing here yet.",
  problems: "Please check these fields",
  choose: "Choose one",
  fileAgain: "Choose the file again: the browser did not keep it.",
  /** The button of a form for a schema. */
  save: "Save",
  loading: "Loading",
  /** The name of the progress bar of an upload. */
  upload: "Upload",
  /** The question after a form got no response. */
  again: "Send it again?",
  againText: "There was no answer, but it may have arrived.",
  againOk: "Send again",
  offline: "There is no connection.",
  retry: "Try again",
  skip: "Skip to content",
  /** The name of the button that opens the side bar. */
  menu: "Menu",
  filter: "Filter",
  removeFilter: "Remove filter: {filter}",
  selected: "{count} selected",
  /** Name of the actions on rows, until a count is shown. */
  selectedRows: "Selected rows",
  selectAll: "Select all",
  selectNone: "Select none",
  select: "Select {row}",
  actions: "Actions for {row}",
  optional: "optional",
  reveal: "Show characters",
  /** Text of a drop area; `{choose}` is the part that opens the file dialog. */
  dropFile: "Drop a file here or {choose}",
  /** The part of this text that looks like a link. */
  chooseFile: "choose a file",
  charCount: "{count} of {max}",
  unsaved: "Unsaved changes",
  remove: "Remove {tag}",
  /** The buttons of the rows in a form. */
  addRow: "Add a row",
  removeRow: "Remove row {row}",
  moveUp: "Move row {row} up",
  moveDown: "Move row {row} down",
  copy: "Copy",
  copied: "Copied",
  numbers: "Show the numbers",
  /** Previous value of a figure, `{value}`. */
  from: "from {value}",
  first: "First",
  last: "Last",
  /** The button that applies the filters of a list. */
  show: "Show",
  /** The view of a list without filters. */
  all: "All",
  rows: "Rows",
  columns: "Columns",
  roomy: "Roomy rows",
  dense: "Dense rows",
  edit: "Edit",
  delete: "Delete",
  import: "Import",
  export: "Export",
  /** The name of a menu with less common actions. */
  more: "More",
  nothingMatches: "Nothing matches “{text}”",
  nothingFits: "Nothing matches these filters",
  spelling: "Check the spelling, or try another word.",
  hiddenBy: "Filters in force: {filters}.",
  clear: "Clear search and filters",
  /** The maximum size of a file; `{size}` is for example 2 MB. */
  upTo: "up to {size}",
  /** The link to the previous row, on the page of a row. */
  newer: "Newer",
  /** The link to the next row, on the page of a row. */
  older: "Older",
  history: "Activity",
  /** Activity entries; `{what}` is the row. */
  addedOne: "{who} added {what}",
  changedOne: "{who} changed {what}",
  deletedOne: "{who} deleted {what}",
  restoredOne: "{who} restored {what}",
  period: "Period",
  /** One of the periods. */
  weeks: "{count} weeks",
  goodMorning: "Good morning",
  goodAfternoon: "Good afternoon",
  goodEvening: "Good evening",
  /** History entry on the page of a row; `{who}` is a name. */
  historyAdded: "{who} added it",
  /** The origin of a row below its heading; `{when}` is a time. */
  addedBy: "Added by {who}, {when}",
  /** The last change of a row, beside its origin. */
  lastChanged: "Last changed {when}",
  /** History entry for a change; `{what}` names fields, or a field with its values. */
  historyChanged: "{who} changed {what}",
  historyField: "{field} from {from} to {to}",
  historyDeleted: "{who} deleted it",
  historyRestored: "{who} restored it",
  /** Activity without an author, followed by a colon and the row or fields. */
  actAdded: "Added",
  actChanged: "Changed",
  actDeleted: "Deleted",
  actRestored: "Restored",
  /** The origin of a row without an author. */
  addedAt: "Added {when}",
  yes: "Yes",
  no: "No",
  /** The filter of a list that shows deleted rows. */
  state: "State",
  /** The option of that filter for deleted rows. */
  deleted: "Deleted",
  restore: "Restore",
  purge: "Delete for good",
  isDeleted: "This has been deleted.",
  /** The title of a form whose row changed after it was shown. */
  stale: "Changed in the meantime",
  /** The last change of this row; `{what}` names fields, `{when}` is a time. */
  staleBy: "{who} changed {what} {when}.",
  staleKept: "Your entries below are not saved yet. Saving them replaces the newer version.",
  staleShow: "Show the newer version",
  /** The title of a form whose row was deleted after it was shown. */
  gone: "Deleted in the meantime",
  goneKept: "Your entries below are not saved yet. Saving them creates a new one.",
  needed: "All fields are required unless marked optional.",
  forGood: "This can’t be undone.",
  lost: "Its data is lost. This can’t be undone.",
  deleteTitle: "Delete “{name}”?",
  /** The question before deleting several rows; `{rows}` is "3 products" or {@linkcode selected}. */
  deleteMany: "Delete {rows}?",
  /** Ends the names in this question; `{count}` is the number of unnamed rows. */
  andMore: "and {count} more",
  /** Messages after an action on several rows; `{rows}` is "3 products" or a number, `{count}` the number. */
  deletedMany: "{rows} deleted",
  changedMany: "{rows} changed",
  canRestore: "They disappear from lists. You can restore them later.",
  restoredMany: "{rows} restored",
  taken: "Nothing was restored: another row already has one of these unique values.",
  inUse: "Nothing was deleted: other rows depend on it.",
  /** The current file of a row; `{file}` is its link. */
  currentFile: "Current file: {file}. Leave this empty to keep it.",
  csvFile: "CSV file",
  preview: "Preview",
  importHelp: "A CSV file in UTF-8. Its first line names the fields, as in an export.",
  /** Number of rows in the file, `{count}`. */
  importable: "Rows that can be imported: {count}",
  imported: "Imported: {count}",
  /** Heading of the errors of the file. */
  faults: "Nothing was imported",
  line: "Line {line}",
  /** Heading of the chart of new rows. */
  added: "Added each week",
  newest: "Newest {rows}",
  /** Heading of the shares of rows by a field; `{field}` is its name. */
  by: "{rows} by {field}",
  /** The share of rows without a value. */
  noValue: "None",
  /** The share of rows with a value that is not listed. */
  otherValue: "Other",
  noRows: "Nothing here yet",
  noRowsHelp: "Add the first row, and figures and charts appear here.",
  newThisWeek: "New this week: {list}",
  sum: "Sum of {field}",
  average: "Average {field}",
  seeAll: "See all",
} as const;

// Frozen, because labels are compared with the script's own texts.
Object.freeze(labels);

/** The labels that components render. */
export type Labels = { -readonly [Name in keyof typeof labels]: string };
