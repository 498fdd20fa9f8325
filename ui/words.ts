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
  /** The button that closes a dialog, a sheet or a toast. */
  close: "Close",
  /** Button of a confirmation that cancels. */
  cancel: "Cancel",
  /** The name of the main navigation. */
  nav: "Main",
  /** The name of the pages of a list. */
  pagination: "Pages",
  /** The link to the page before. */
  previous: "Previous",
  /** The link to the page after. */
  next: "Next",
  /** The name of the link to a page; `{page}` is its number. */
  page: "Page {page}",
  /** The name of the trail to the page. */
  breadcrumb: "Breadcrumb",
  /** The name of the place where messages appear. */
  toaster: "Messages",
  /** The name of the button that changes between light and dark. */
  theme: "Dark theme",
  /** Legend of the form that selects a theme. */
  themes: "Theme",
  /** The choice that follows the system. */
  systemTheme: "System",
  /** The light choice. */
  lightTheme: "Light",
  /** The dark choice. */
  darkTheme: "Dark",
  /** The button of a shell that searches its navigation. */
  find: "Search",
  /** The name of the field that filters commands. */
  command: "Type a command or search",
  /** Text of a command dialog and a combobox without matches. */
  nothingFound: "Nothing found.",
  /** Text of a table without rows. */
  empty: "Nothing here yet.",
  /** Heading of the error summary of a form. */
  problems: "Please check these fields",
  /** The first option of a select without a value. */
  choose: "Choose one",
  /** Message for a form whose file is lost. */
  fileAgain: "Choose the file again: the browser did not keep it.",
  /** The button of a form that is made from a schema. */
  save: "Save",
  /** Name of a placeholder for loading content. */
  loading: "Loading",
  /** The name of the progress bar of an upload. */
  upload: "Upload",
  /** The question after a form got no response. */
  again: "Send it again?",
  /** Warning before a form is sent again. */
  againText: "There was no answer, but it may have arrived.",
  /** The button that sends that form again. */
  againOk: "Send again",
  /** Message for content that cannot load without a connection. */
  offline: "There is no connection.",
  /** The button beside that message. */
  retry: "Try again",
  /** The link past the frame of a page. */
  skip: "Skip to content",
  /** The name of the button that opens the side bar. */
  menu: "Menu",
  /** The button that opens more filters. */
  filter: "Filter",
  /** The name of the link that removes a filter; `{filter}` is its name. */
  removeFilter: "Remove filter: {filter}",
  /** Number of selected rows; `{count}` is their number. */
  selected: "{count} selected",
  /** Name of the actions on rows, while none are counted. */
  selectedRows: "Selected rows",
  /** The name of the box that chooses every row. */
  selectAll: "Select all",
  /** The name of the button that chooses no row. */
  selectNone: "Select none",
  /** The name of the box that chooses a row; `{row}` is its name. */
  select: "Select {row}",
  /** The name of the menu of a row; `{row}` is its name. */
  actions: "Actions for {row}",
  /** Suffix of the label of an optional field. */
  optional: "optional",
  /** The name of the button that shows a password. */
  reveal: "Show characters",
  /** Text of a place for files; `{choose}` is the part that opens the list. */
  dropFile: "Drop a file here or {choose}",
  /** The part of that text that looks like a link. */
  chooseFile: "choose a file",
  /** Length of a text; `{count}` of `{max}` characters. */
  charCount: "{count} of {max}",
  /** Note on a changed form. */
  unsaved: "Unsaved changes",
  /** The name of the button that removes a tag; `{tag}` is its text. */
  remove: "Remove {tag}",
  /** The name of the button that copies a line. */
  copy: "Copy",
  /** Message after copying. */
  copied: "Copied",
  /** Label of the table behind a chart. */
  numbers: "Show the numbers",
  /** Earlier value of a figure; `{value}` stands for it. */
  from: "from {value}",
  /** The link to the first page. */
  first: "First",
  /** The link to the last page. */
  last: "Last",
  /** The button that applies the filters of a list. */
  show: "Show",
  /** The view of a list without filters. */
  all: "All",
  /** The menu of how many rows a page has. */
  rows: "Rows",
  /** The menu of the columns of a table. */
  columns: "Columns",
  /** The view of a table with pictures and second lines. */
  roomy: "Roomy rows",
  /** The view of a table with low rows. */
  dense: "Dense rows",
  /** The link to the form of a row. */
  edit: "Edit",
  /** The link that deletes a row. */
  delete: "Delete",
  /** The link to the page that imports rows. */
  import: "Import",
  /** The link that exports a list. */
  export: "Export",
  /** The name of a menu with less common actions. */
  more: "More",
  /** Heading of a list in which nothing was found; `{text}` is what was searched for. */
  nothingMatches: "Nothing matches “{text}”",
  /** Heading of a list whose filters leave nothing. */
  nothingFits: "Nothing matches these filters",
  /** Text below the heading of a search without matches. */
  spelling: "Check the spelling, or try another word.",
  /** The filters that hide rows; `{filters}` are their labels. */
  hiddenBy: "Filters in force: {filters}.",
  /** The link that clears search and filters. */
  clear: "Clear search and filters",
  /** The maximum size of a file; `{size}` is a size such as 2 MB. */
  upTo: "up to {size}",
  /** The link to the row before, in the page of a row. */
  newer: "Newer",
  /** The link to the row after, in the page of a row. */
  older: "Older",
  /** Heading of what happened to a row. */
  history: "Activity",
  /** Activity entry for an added row; `{what}` is the row. */
  addedOne: "{who} added {what}",
  /** Activity entry for a changed row. */
  changedOne: "{who} changed {what}",
  /** Activity entry for a deleted row. */
  deletedOne: "{who} deleted {what}",
  /** Activity entry for a restored row. */
  restoredOne: "{who} restored {what}",
  /** Label of the field that selects a period. */
  period: "Period",
  /** One of the periods. */
  weeks: "{count} weeks",
  /** The greeting before noon. */
  goodMorning: "Good morning",
  /** The greeting from noon to six. */
  goodAfternoon: "Good afternoon",
  /** The greeting in the evening. */
  goodEvening: "Good evening",
  /** History entry on the page of a row; `{who}` is a name. */
  historyAdded: "{who} added it",
  /** The origin of a row below its heading; `{when}` is a time. */
  addedBy: "Added by {who}, {when}",
  /** Its last change, beside that. */
  lastChanged: "Last changed {when}",
  /** History entry for a change; `{what}` is fields, or a field with its values. */
  historyChanged: "{who} changed {what}",
  /** A field with its values before and after. */
  historyField: "{field} from {from} to {to}",
  /** History entry for a deletion. */
  historyDeleted: "{who} deleted it",
  /** History entry for a restored row. */
  historyRestored: "{who} restored it",
  /** History entry for an added row whose author is unknown; a colon and the row follow in the activity. */
  actAdded: "Added",
  /** History entry for a change by an unknown author; a colon and the fields follow. */
  actChanged: "Changed",
  /** History entry for a deletion by an unknown author. */
  actDeleted: "Deleted",
  /** History entry for a restored row whose author is unknown. */
  actRestored: "Restored",
  /** The origin of a row without an author. */
  addedAt: "Added {when}",
  /** Value of a ticked checkbox. */
  yes: "Yes",
  /** Value of an unticked checkbox. */
  no: "No",
  /** The filter of a list that shows deleted rows. */
  state: "State",
  /** The option of that filter for deleted rows. */
  deleted: "Deleted",
  /** The button that restores deleted rows. */
  restore: "Restore",
  /** The button that removes deleted rows permanently. */
  purge: "Delete for good",
  /** Message on the page of a deleted row. */
  isDeleted: "This has been deleted.",
  /** The sentence below the heading of a form. */
  needed: "All fields are required unless marked optional.",
  /** The consequence of a deletion. */
  forGood: "This can’t be undone.",
  /** Warning before a row is deleted. */
  lost: "Its data is lost. This can’t be undone.",
  /** The question before a row is deleted. */
  deleteTitle: "Delete “{name}”?",
  /** The question before several rows are deleted; `{rows}` is "3 products" or {@linkcode selected}. */
  deleteMany: "Delete {rows}?",
  /** Ends the names in that question; `{count}` is how many rows are not named. */
  andMore: "and {count} more",
  /** Message after several rows were deleted; `{rows}` is "3 products" or a number, `{count}` the number. */
  deletedMany: "{rows} deleted",
  /** Message after several rows were changed; `{rows}` is "3 products" or a number, `{count}` the number. */
  changedMany: "{rows} changed",
  /** Note on a deletion that can be undone. */
  canRestore: "They disappear from lists. You can restore them later.",
  /** Message after rows were restored; `{rows}` is "3 products" or a number, `{count}` the number. */
  restoredMany: "{rows} restored",
  /** Message for rows that cannot be restored. */
  taken: "Nothing was restored: another row already has one of these unique values.",
  /** Message for rows that cannot be deleted. */
  inUse: "Nothing was deleted: other rows depend on it.",
  /** The file that a row has; `{file}` is the link to it. */
  currentFile: "Current file: {file}. Leave this empty to keep it.",
  /** The field of the file that is imported. */
  csvFile: "CSV file",
  /** The button that shows what would be imported. */
  preview: "Preview",
  /** Help for the CSV file. */
  importHelp: "A CSV file in UTF-8. Its first line names the fields, as in an export.",
  /** Number of rows in the file; `{count}` stands for it. */
  importable: "Rows that can be imported: {count}",
  /** Message after the import. */
  imported: "Imported: {count}",
  /** Heading of the errors of the file. */
  faults: "Nothing was imported",
  /** Line of an error; `{line}` is its number. */
  line: "Line {line}",
  /** Heading of the chart of new rows. */
  added: "Added each week",
  /** Heading of the newest rows; `{rows}` is what they are. */
  newest: "Newest {rows}",
  /** Heading of the shares of rows by a field; `{field}` is its name. */
  by: "{rows} by {field}",
  /** The share of rows without a value. */
  noValue: "None",
  /** The share of rows with a value that is not listed. */
  otherValue: "Other",
  /** Heading of an overview without rows. */
  noRows: "Nothing here yet",
  /** Text below that heading. */
  noRowsHelp: "Add the first row, and figures and charts appear here.",
  /** The rows added this week; `{list}` has the number of each. */
  newThisWeek: "New this week: {list}",
  /** The label of a sum; `{field}` is its name. */
  sum: "Sum of {field}",
  /** The average of a figure; `{field}` is its name. */
  average: "Average {field}",
  /** The link to the whole list. */
  seeAll: "See all",
} as const;

// What the script says by itself is compared with them.
Object.freeze(labels);

/** The words that components write. */
export type Labels = { -readonly [Name in keyof typeof labels]: string };
