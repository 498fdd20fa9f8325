/** The names of the words that the kit itself writes, and the English ones. */

/** The words that components write. */
export type Labels = {
  /** The button that closes a dialog, a sheet or a toast. @default "Close" */
  close: string;
  /** Button of a confirmation that continues. @default "OK" */
  ok: string;
  /** Button of a confirmation that cancels. @default "Cancel" */
  cancel: string;
  /** The name of the main navigation. @default "Main" */
  nav: string;
  /** The name of the pages of a list. @default "Pages" */
  pagination: string;
  /** The link to the page before. @default "Previous" */
  previous: string;
  /** The link to the page after. @default "Next" */
  next: string;
  /** The name of the link to a page; `{page}` is its number. @default "Page {page}" */
  page: string;
  /** The name of the trail to the page. @default "Breadcrumb" */
  breadcrumb: string;
  /** The name of the place where messages appear. @default "Messages" */
  toaster: string;
  /** The name of the button that changes between light and dark. @default "Dark theme" */
  theme: string;
  /** Legend of the form that selects a theme. @default "Theme" */
  themes: string;
  /** The choice that follows the system. @default "System" */
  systemTheme: string;
  /** The light choice. @default "Light" */
  lightTheme: string;
  /** The dark choice. @default "Dark" */
  darkTheme: string;
  /** The button of a shell that searches its navigation. @default "Search" */
  find: string;
  /** The name of the field that filters commands. @default "Type a command or search" */
  command: string;
  /** Text of a command dialog and a combobox without matches. @default "Nothing found." */
  nothingFound: string;
  /** Text of a table without rows. @default "Nothing here yet." */
  empty: string;
  /** Heading of the error summary of a form. @default "Please check these fields" */
  problems: string;
  /** The first option of a select without a value. @default "Choose one" */
  choose: string;
  /** Message for a form whose file is lost. @default "Choose the file again: the browser did not keep it." */
  fileAgain: string;
  /** The button of a form that is made from a schema. @default "Save" */
  save: string;
  /** Name of a placeholder for loading content. @default "Loading" */
  loading: string;
  /** The name of the progress bar of an upload. @default "Upload" */
  upload: string;
  /** The question after a form got no response. @default "Send it again?" */
  again: string;
  /** Warning before a form is sent again. @default "There was no answer, but it may have arrived." */
  againText: string;
  /** The button that sends that form again. @default "Send again" */
  againOk: string;
  /** Message for content that cannot load without a connection. @default "There is no connection." */
  offline: string;
  /** The button beside that message. @default "Try again" */
  retry: string;
  /** The link past the frame of a page. @default "Skip to content" */
  skip: string;
  /** The name of the button that opens the side bar. @default "Menu" */
  menu: string;
  /** The button that opens more filters. @default "Filter" */
  filter: string;
  /** The name of the link that removes a filter; `{filter}` is its name. @default "Remove filter: {filter}" */
  removeFilter: string;
  /** Number of selected rows; `{count}` is their number. @default "{count} selected" */
  selected: string;
  /** Name of the actions on rows, while none are counted. @default "Selected rows" */
  selectedRows: string;
  /** The name of the box that chooses every row. @default "Select all" */
  selectAll: string;
  /** The name of the button that chooses no row. @default "Select none" */
  selectNone: string;
  /** The name of the box that chooses a row; `{row}` is its name. @default "Select {row}" */
  select: string;
  /** The name of the menu of a row; `{row}` is its name. @default "Actions for {row}" */
  actions: string;
  /** Suffix of the label of an optional field. @default "optional" */
  optional: string;
  /** The name of the button that shows a password. @default "Show characters" */
  reveal: string;
  /**
   * Text of a place for files; `{choose}` is the part that opens the list.
   *
   * @default "Drop a file here or {choose}"
   */
  dropFile: string;
  /** The part of that text that looks like a link. @default "choose a file" */
  chooseFile: string;
  /** Length of a text; `{count}` of `{max}` characters. @default "{count} of {max}" */
  charCount: string;
  /** Note on a changed form. @default "Unsaved changes" */
  unsaved: string;
  /** The name of the button that removes a tag; `{tag}` is its text. @default "Remove {tag}" */
  remove: string;
  /** The name of the button that copies a line. @default "Copy" */
  copy: string;
  /** Message after copying. @default "Copied" */
  copied: string;
  /** Label of the table behind a chart. @default "Show the numbers" */
  numbers: string;
  /** Earlier value of a figure; `{value}` stands for it. @default "from {value}" */
  from: string;
  /** The link to the first page. @default "First" */
  first: string;
  /** The link to the last page. @default "Last" */
  last: string;
  /** The button that applies the filters of a list. @default "Show" */
  show: string;
  /** The view of a list without filters. @default "All" */
  all: string;
  /** The menu of how many rows a page has. @default "Rows" */
  rows: string;
  /** The menu of the columns of a table. @default "Columns" */
  columns: string;
  /** The view of a table with pictures and second lines. @default "Roomy rows" */
  roomy: string;
  /** The view of a table with low rows. @default "Dense rows" */
  dense: string;
  /** The link to the form of a row. @default "Edit" */
  edit: string;
  /** The link that deletes a row. @default "Delete" */
  delete: string;
  /** The link to the page that imports rows. @default "Import" */
  import: string;
  /** The link that exports a list. @default "Export" */
  export: string;
  /** The name of a menu with less common actions. @default "More" */
  more: string;
  /** Heading of a list in which nothing was found; `{text}` is what was searched for. @default "Nothing matches “{text}”" */
  nothingMatches: string;
  /** Heading of a list whose filters leave nothing. @default "Nothing matches these filters" */
  nothingFits: string;
  /** Text below the heading of a search without matches. @default "Check the spelling, or try another word." */
  spelling: string;
  /** The filters that hide rows; `{filters}` are their labels. @default "Filters in force: {filters}." */
  hiddenBy: string;
  /** The link that clears search and filters. @default "Clear search and filters" */
  clear: string;
  /** The maximum size of a file; `{size}` is a size such as 2 MB. @default "up to {size}" */
  upTo: string;
  /** The link to the row before, in the page of a row. @default "Newer" */
  newer: string;
  /** The link to the row after, in the page of a row. @default "Older" */
  older: string;
  /** Heading of what happened to a row. @default "Activity" */
  history: string;
  /** Activity entry for an added row; `{what}` is the row. @default "{who} added {what}" */
  addedOne: string;
  /** Activity entry for a changed row. @default "{who} changed {what}" */
  changedOne: string;
  /** Activity entry for a deleted row. @default "{who} deleted {what}" */
  deletedOne: string;
  /** Activity entry for a restored row. @default "{who} restored {what}" */
  restoredOne: string;
  /** Label of the field that selects a period. @default "Period" */
  period: string;
  /** One of the periods. @default "{count} weeks" */
  weeks: string;
  /** The greeting before noon. @default "Good morning" */
  goodMorning: string;
  /** The greeting from noon to six. @default "Good afternoon" */
  goodAfternoon: string;
  /** The greeting in the evening. @default "Good evening" */
  goodEvening: string;
  /** History entry on the page of a row; `{who}` is a name. @default "{who} added it" */
  historyAdded: string;
  /** The origin of a row below its heading; `{when}` is a time. @default "Added by {who}, {when}" */
  addedBy: string;
  /** Its last change, beside that. @default "Last changed {when}" */
  lastChanged: string;
  /** History entry for a change; `{what}` is fields, or a field with its values. @default "{who} changed {what}" */
  historyChanged: string;
  /** A field with its values before and after. @default "{field} from {from} to {to}" */
  historyField: string;
  /** History entry for a deletion. @default "{who} deleted it" */
  historyDeleted: string;
  /** History entry for a restored row. @default "{who} restored it" */
  historyRestored: string;
  /** The author of a change without a signed-in user. @default "A user" */
  aUser: string;
  /** Value of a ticked checkbox. @default "Yes" */
  yes: string;
  /** Value of an unticked checkbox. @default "No" */
  no: string;
  /** The filter of a list that shows deleted rows. @default "State" */
  state: string;
  /** The option of that filter for deleted rows. @default "Deleted" */
  deleted: string;
  /** The button that restores deleted rows. @default "Restore" */
  restore: string;
  /** The button that removes deleted rows permanently. @default "Delete for good" */
  purge: string;
  /** Message on the page of a deleted row. @default "This has been deleted." */
  isDeleted: string;
  /** The sentence below the heading of a form. @default "All fields are required unless marked optional." */
  needed: string;
  /** The consequence of a deletion. @default "This can’t be undone." */
  forGood: string;
  /** Warning before a row is deleted. @default "Its data is lost. This can’t be undone." */
  lost: string;
  /** The question before a row is deleted. @default "Delete “{name}”?" */
  deleteTitle: string;
  /** The question before several rows are deleted; `{rows}` is "3 products" or {@linkcode selected}. @default "Delete {rows}?" */
  deleteMany: string;
  /** Ends the names in that question; `{count}` is how many rows are not named. @default "and {count} more" */
  andMore: string;
  /** Message after several rows were deleted; `{rows}` is "3 products" or a number, `{count}` the number. @default "{rows} deleted" */
  deletedMany: string;
  /** Message after several rows were changed; `{rows}` is "3 products" or a number, `{count}` the number. @default "{rows} changed" */
  changedMany: string;
  /** Note on a deletion that can be undone. @default "They disappear from lists. You can restore them later." */
  canRestore: string;
  /** Message after rows were restored; `{rows}` is "3 products" or a number, `{count}` the number. @default "{rows} restored" */
  restoredMany: string;
  /** Message for rows that cannot be restored. @default "Nothing was restored: another row already has one of these unique values." */
  taken: string;
  /** Message for rows that cannot be deleted. @default "Nothing was deleted: other rows depend on it." */
  inUse: string;
  /** The file that a row has; `{file}` is the link to it. @default "Current file: {file}. Leave this empty to keep it." */
  currentFile: string;
  /** The field of the file that is imported. @default "CSV file" */
  csvFile: string;
  /** The button that shows what would be imported. @default "Preview" */
  preview: string;
  /** Help for the CSV file. @default "A CSV file in UTF-8. Its first line names the fields, as in an export." */
  importHelp: string;
  /** Number of rows in the file; `{count}` stands for it. @default "Rows that can be imported: {count}" */
  importable: string;
  /** Message after the import. @default "Imported: {count}" */
  imported: string;
  /** Heading of the errors of the file. @default "Nothing was imported" */
  faults: string;
  /** Line of an error; `{line}` is its number. @default "Line {line}" */
  line: string;
  /** Heading of the chart of new rows. @default "Added each week" */
  added: string;
  /** Heading of the newest rows; `{rows}` is what they are. @default "Newest {rows}" */
  newest: string;
  /** Heading of the shares of rows by a field; `{field}` is its name. @default "{rows} by {field}" */
  by: string;
  /** The share of rows without a value. @default "None" */
  noValue: string;
  /** The share of rows with a value that is not listed. @default "Other" */
  otherValue: string;
  /** Heading of an overview without rows. @default "Nothing here yet" */
  noRows: string;
  /** Text below that heading. @default "Add the first row, and figures and charts appear here." */
  noRowsHelp: string;
  /** The rows added this week; `{list}` has the number of each. @default "New this week: {list}" */
  newThisWeek: string;
  /** The label of a sum; `{field}` is its name. @default "Sum of {field}" */
  sum: string;
  /** The average of a figure; `{field}` is its name. @default "Average {field}" */
  average: string;
  /** The link to the whole list. @default "See all" */
  seeAll: string;
};

/** The default words. */
export const english: Readonly<Labels> = {
  close: "Close",
  ok: "OK",
  cancel: "Cancel",
  nav: "Main",
  pagination: "Pages",
  previous: "Previous",
  next: "Next",
  page: "Page {page}",
  breadcrumb: "Breadcrumb",
  toaster: "Messages",
  theme: "Dark theme",
  themes: "Theme",
  systemTheme: "System",
  lightTheme: "Light",
  darkTheme: "Dark",
  find: "Search",
  command: "Type a command or search",
  nothingFound: "Nothing found.",
  empty: "Nothing here yet.",
  problems: "Please check these fields",
  choose: "Choose one",
  fileAgain: "Choose the file again: the browser did not keep it.",
  save: "Save",
  loading: "Loading",
  upload: "Upload",
  again: "Send it again?",
  againText: "There was no answer, but it may have arrived.",
  againOk: "Send again",
  offline: "There is no connection.",
  retry: "Try again",
  skip: "Skip to content",
  menu: "Menu",
  filter: "Filter",
  removeFilter: "Remove filter: {filter}",
  selected: "{count} selected",
  selectedRows: "Selected rows",
  selectAll: "Select all",
  selectNone: "Select none",
  select: "Select {row}",
  actions: "Actions for {row}",
  optional: "optional",
  reveal: "Show characters",
  dropFile: "Drop a file here or {choose}",
  chooseFile: "choose a file",
  charCount: "{count} of {max}",
  unsaved: "Unsaved changes",
  remove: "Remove {tag}",
  copy: "Copy",
  copied: "Copied",
  numbers: "Show the numbers",
  from: "from {value}",
  first: "First",
  last: "Last",
  show: "Show",
  all: "All",
  rows: "Rows",
  columns: "Columns",
  roomy: "Roomy rows",
  dense: "Dense rows",
  edit: "Edit",
  delete: "Delete",
  import: "Import",
  export: "Export",
  more: "More",
  nothingMatches: "Nothing matches “{text}”",
  nothingFits: "Nothing matches these filters",
  spelling: "Check the spelling, or try another word.",
  hiddenBy: "Filters in force: {filters}.",
  clear: "Clear search and filters",
  upTo: "up to {size}",
  newer: "Newer",
  older: "Older",
  history: "Activity",
  addedOne: "{who} added {what}",
  changedOne: "{who} changed {what}",
  deletedOne: "{who} deleted {what}",
  restoredOne: "{who} restored {what}",
  period: "Period",
  weeks: "{count} weeks",
  goodMorning: "Good morning",
  goodAfternoon: "Good afternoon",
  goodEvening: "Good evening",
  historyAdded: "{who} added it",
  addedBy: "Added by {who}, {when}",
  lastChanged: "Last changed {when}",
  historyChanged: "{who} changed {what}",
  historyField: "{field} from {from} to {to}",
  historyDeleted: "{who} deleted it",
  historyRestored: "{who} restored it",
  aUser: "A user",
  yes: "Yes",
  no: "No",
  state: "State",
  deleted: "Deleted",
  restore: "Restore",
  purge: "Delete for good",
  isDeleted: "This has been deleted.",
  needed: "All fields are required unless marked optional.",
  forGood: "This can’t be undone.",
  lost: "Its data is lost. This can’t be undone.",
  deleteTitle: "Delete “{name}”?",
  deleteMany: "Delete {rows}?",
  andMore: "and {count} more",
  deletedMany: "{rows} deleted",
  changedMany: "{rows} changed",
  canRestore: "They disappear from lists. You can restore them later.",
  restoredMany: "{rows} restored",
  taken: "Nothing was restored: another row already has one of these unique values.",
  inUse: "Nothing was deleted: other rows depend on it.",
  currentFile: "Current file: {file}. Leave this empty to keep it.",
  csvFile: "CSV file",
  preview: "Preview",
  importHelp: "A CSV file in UTF-8. Its first line names the fields, as in an export.",
  importable: "Rows that can be imported: {count}",
  imported: "Imported: {count}",
  faults: "Nothing was imported",
  line: "Line {line}",
  added: "Added each week",
  newest: "Newest {rows}",
  by: "{rows} by {field}",
  noValue: "None",
  otherValue: "Other",
  noRows: "Nothing here yet",
  noRowsHelp: "Add the first row, and figures and charts appear here.",
  newThisWeek: "New this week: {list}",
  sum: "Sum of {field}",
  average: "Average {field}",
  seeAll: "See all",
};
