/**
 * The words that components write by themselves, such as the name of a close button: the keys of
 * `config.labels`, and the English words, which are the default.
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
  /** The name of the pages of a list. */
  pagination: "Pages",
  previous: "Previous",
  next: "Next",
  page: "Page {page}",
  breadcrumb: "Breadcrumb",
  /** The name of the place where messages appear. */
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
  /** The button of a form that is made from a schema. */
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
  /** Name of the actions on rows, while none are counted. */
  selectedRows: "Selected rows",
  selectAll: "Select all",
  selectNone: "Select none",
  select: "Select {row}",
  actions: "Actions for {row}",
  optional: "optional",
  reveal: "Show characters",
  /** Text of a place for files; `{choose}` is the part that opens the list. */
  dropFile: "Drop a file here or {choose}",
  /** The part of that text that looks like a link. */
  chooseFile: "choose a file",
  charCount: "{count} of {max}",
  unsaved: "Unsaved changes",
  remove: "Remove {tag}",
  copy: "Copy",
  copied: "Copied",
  numbers: "Show the numbers",
  /** Earlier value of a figure; `{value}` stands for it. */
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
  /** The maximum size of a file; `{size}` is a size such as 2 MB. */
  upTo: "up to {size}",
  /** The link to the row before, in the page of a row. */
  newer: "Newer",
  /** The link to the row after, in the page of a row. */
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
  /** Its last change, beside that. */
  lastChanged: "Last changed {when}",
  /** History entry for a change; `{what}` is fields, or a field with its values. */
  historyChanged: "{who} changed {what}",
  historyField: "{field} from {from} to {to}",
  historyDeleted: "{who} deleted it",
  historyRestored: "{who} restored it",
  /** The same without an author; a colon and the row, or the fields, follow. */
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
  /** Its last change; `{what}` is fields, `{when}` a time. */
  staleBy: "{who} changed {what} {when}.",
  staleKept: "Your entries below are not saved yet. Saving them replaces the newer version.",
  staleShow: "Show the newer version",
  needed: "All fields are required unless marked optional.",
  forGood: "This can’t be undone.",
  lost: "Its data is lost. This can’t be undone.",
  deleteTitle: "Delete “{name}”?",
  /** The question before several rows are deleted; `{rows}` is "3 products" or {@linkcode selected}. */
  deleteMany: "Delete {rows}?",
  /** Ends the names in that question; `{count}` is how many rows are not named. */
  andMore: "and {count} more",
  /** Messages after an action on several rows; `{rows}` is "3 products" or a number, `{count}` the number. */
  deletedMany: "{rows} deleted",
  changedMany: "{rows} changed",
  canRestore: "They disappear from lists. You can restore them later.",
  restoredMany: "{rows} restored",
  taken: "Nothing was restored: another row already has one of these unique values.",
  inUse: "Nothing was deleted: other rows depend on it.",
  /** The file that a row has; `{file}` is the link to it. */
  currentFile: "Current file: {file}. Leave this empty to keep it.",
  csvFile: "CSV file",
  preview: "Preview",
  importHelp: "A CSV file in UTF-8. Its first line names the fields, as in an export.",
  /** Number of rows in the file; `{count}` stands for it. */
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

// What the script says by itself is compared with them.
Object.freeze(labels);

/** The words that components write. */
export type Labels = { -readonly [Name in keyof typeof labels]: string };
