import { assertEquals, assertGreater, assertStringIncludes, assertThrows } from "@std/assert";
import { FieldErrors } from "../../mod.ts";
import type { Child } from "../../html/mod.ts";
import * as h from "../../html/mod.ts";
import * as ui from "../../ui/mod.ts";

const errors = new FieldErrors().add("email", "is required");

/** The whole markup of a member. */
const whole: [name: string, node: Child, want: string][] = [
  [
    "button: variants merge with the caller's classes, and attributes may come in any order",
    ui.button("Save ", ui.outline, h.class("mine"), ui.small, h.data("x", 1), h.b("now")),
    '<button class="ui-button ui-outline mine ui-small" type="button" data-x="1">Save <b>now</b></button>',
  ],
  [
    "submit: the caller's type takes precedence",
    ui.submit(h.type("reset"), "x"),
    '<button class="ui-button" type="reset">x</button>',
  ],
  ["buttonLink", ui.buttonLink("/a?b&c", "x"), '<a class="ui-button" href="/a?b&amp;c">x</a>'],
  [
    "navLink: current",
    ui.navLink("/a", "A", 1 > 0),
    '<a class="ui-nav-link" href="/a" aria-current="page">A</a>',
  ],
  ["error without a message is empty", ui.error(undefined), ""],
  ["errors before the first submission are empty", ui.errors(undefined, "email"), ""],
  ["errors of another field are empty", ui.errors(errors, "name"), ""],
  ["errors", ui.errors(errors, "email"), '<p class="ui-error">is required</p>'],
  ["errorSummary without errors is empty", ui.errorSummary(errors, { name: "Name" }), ""],
  [
    "selectOptions: numbers equal their texts",
    ui.selectOptions([{ value: 1, label: "One" }, { value: 2 }], "2"),
    '<option value="1">One</option><option value="2" selected>2</option>',
  ],
  [
    "selectOptions: several, groups, disabled ones",
    ui.selectOptions([{ label: "A", options: ["x", { value: "y", disabled: true }] }], ["x", "y"]),
    '<optgroup label="A"><option value="x" selected>x</option><option value="y" selected disabled>y' +
    "</option></optgroup>",
  ],
  [
    "selectOptions: no selection does not even select the empty value",
    ui.selectOptions([""], undefined),
    '<option value=""></option>',
  ],
  ["selectOptions: empty value", ui.selectOptions([""], ""), '<option value="" selected></option>'],
  ["fileInput", ui.fileInput(h.name("f")), '<input class="ui-input ui-file" type="file" name="f">'],
  [
    "showWhen: the value may contain characters that the name may not",
    h.div(ui.showWhen("kind", "a=b")),
    '<div data-ui-show-when="kind=a=b"></div>',
  ],
  ["fade", h.p(ui.fade()), '<p data-ui-fade="5000"></p>'],
  ["tooltip", h.b(ui.tooltip("Why?")), '<b title="Why?" data-ui-tooltip></b>'],
  [
    "confirm: with a text",
    h.form(ui.confirm("Sure?", "It is gone.")),
    '<form data-ui-confirm="Sure?" data-ui-confirm-text="It is gone." data-ui-confirm-cancel="Cancel"></form>',
  ],
  ["depth", h.tr(ui.depth(2)), '<tr class="ui-depth" style="--ui-depth:2"></tr>'],
  [
    "depth: not a number",
    h.tr(ui.depth("1;color:red" as unknown as number)),
    '<tr class="ui-depth" style="--ui-depth:0"></tr>',
  ],
  [
    "progress: an unknown share, and no number",
    [undefined, NaN, Infinity].map((value) => ui.progress("Work", value)),
    '<progress class="ui-progress" aria-label="Work" max="100"></progress>'.repeat(3),
  ],
  [
    "lineChart: no labels",
    h.raw(/<path class="ui-line.*?>/.exec(h.render(draw([])))?.[0] ?? "none"),
    "none",
  ],
  [
    "bulkButton: attributes in a group",
    ui.bulkButton("a", "check", h.attrs(h.class("b")), "Do"),
    '<button class="ui-button ui-ghost ui-small b" type="submit" name="act" value="a">' +
    `${h.render(ui.icon("check"))}<span>Do</span></button>`,
  ],
  [
    "progress: nothing done yet",
    ui.progress("Work", 0, h.max(3)),
    '<progress class="ui-progress" aria-label="Work" max="3" value="0"></progress>',
  ],
  ["alert without a title", ui.alert(undefined, "x"), '<div class="ui-alert">x</div>'],
  ["cardHeader: an h2", ui.cardHeader(h.h2("T")), '<div class="ui-card-header"><h2>T</h2></div>'],
  [
    "accordion: parts that do not close each other",
    ui.accordion("", [{ title: "T", content: "C", open: true }]),
    '<div class="ui-accordion"><details open><summary>T</summary>' +
    '<div class="ui-accordion-content">C</div></details></div>',
  ],
  [
    "breadcrumb: the page itself is not a link",
    ui.breadcrumb([{ text: "A", href: "/a" }, { text: "B" }]),
    '<nav class="ui-breadcrumb" aria-label="Breadcrumb"><ol><li><a href="/a">A</a></li>' +
    '<li><span aria-current="page">B</span></li></ol></nav>',
  ],
  [
    "menu: attributes go to the wrapper and content to the list, also with h.group",
    ui.menu("M", h.group(h.id("m"), h.data("a", 1)), [ui.menuTitle("T")], null, h.group("text")),
    '<details class="ui-menu" id="m" data-a="1" data-ui-menu><summary class="ui-button ui-outline">M' +
    h.render(ui.icon("chevron-down", h.class("ui-menu-arrow"))) +
    '</summary><div class="ui-menu-panel"><p class="ui-menu-title">T</p>text</div></details>',
  ],
  [
    "toast: disappears by itself",
    ui.toast("success", "Saved", 4000),
    '<div class="ui-toast ui-success" data-ui-toast data-ui-fade="4000"><p>Saved</p>' +
    '<button class="ui-toast-close" type="button" data-ui-close aria-label="Close">' +
    h.render(ui.icon("x")) + "</button></div>",
  ],
];

for (const [name, node, want] of whole) {
  Deno.test(`markup: ${name}`, () => assertEquals(h.render(node), want));
}

/** Part of the markup of a member. */
const partial: [name: string, node: Child, want: string][] = [
  ["themeToggle", ui.themeToggle(), 'data-ui-theme aria-label="Dark theme" aria-pressed="false"'],
  ["toast: an error is announced at once", ui.toast("error", "x"), ' role="alert" data-ui-toast>'],
  ["toaster: is a live region", ui.toaster(), 'role="region" aria-live="polite"'],
  [
    "dialog: name and hooks",
    ui.dialog("d", "T"),
    'aria-labelledby="d-title" id="d" popover="auto" closedby="any" data-ui-dialog>',
  ],
  [
    "dialogOpen: command, and the fallback for older browsers",
    ui.dialogOpen("d", "x"),
    'command="show-modal" commandfor="d" popovertarget="d" data-ui-open="d">x</button>',
  ],
  [
    "dialogClose: command, and the fallback for older browsers",
    ui.dialogClose("d", "x"),
    'command="close" commandfor="d" popovertarget="d" popovertargetaction="hide" data-ui-close>x',
  ],
  ["commandDialog: text if nothing matches", ui.commandDialog("k"), "hidden>Nothing found.</p>"],
  ["nav: a custom name", ui.nav(h.aria("label", "Foot")), 'aria-label="Foot"'],
  ["sheet: at an edge", ui.sheet("s", "T", ui.start), 'class="ui-dialog ui-sheet ui-start"'],
  ["skeleton: has the given number of lines", ui.skeleton(2), '"><span></span><span></span></div>'],
  ["table: scrolls by keyboard", ui.table("T"), 'role="region" aria-label="T" tabindex="0"'],
  [
    "icon: hidden from screen readers, and mirrored if it points sideways",
    ui.icon("arrow-left"),
    'class="ui-icon ui-flip" viewBox="0 0 24 24" aria-hidden="true"',
  ],
];

for (const [name, node, want] of partial) {
  Deno.test(`markup: ${name}`, () => assertStringIncludes(h.render(node), want));
}

const names: [name: string, want: string][] = [
  ["Ada King Lovelace", "AL"],
  ["ada", "A"],
  ["  Grace   Hopper ", "GH"],
  ["", ""],
  ["Élodie Ångström", "ÉÅ"],
  ["👩‍👩‍👧 Smith", "👩‍👩‍👧S"],
  ["李 小龙", "李小"],
];
for (const [name, want] of names) {
  Deno.test(`avatar: "${name}" is "${want}"`, () => {
    assertStringIncludes(h.render(ui.avatar(name)), `>${want}</span>`);
  });
}

Deno.test("avatar: one without a name is hidden from screen readers", () => {
  assertEquals(h.render(ui.avatar(" ")), '<span class="ui-avatar" aria-hidden="true"></span>');
});

const windows: [page: number, pages: number, want: string][] = [
  [1, 1, ""],
  [1, 2, "[1] 2 >"],
  [2, 2, "< 1 [2]"],
  [1, 10, "[1] 2 … 10 >"],
  [2, 10, "< 1 [2] 3 … 10 >"],
  [3, 10, "< 1 2 [3] 4 … 10 >"],
  [4, 10, "< 1 … 3 [4] 5 … 10 >"],
  [7, 10, "< 1 … 6 [7] 8 … 10 >"],
  [10, 10, "< 1 … 9 [10]"],
  [99, 10, "< 1 … 9 [10]"],
  [-3, 10, "[1] 2 … 10 >"],
  [NaN, 10, "[1] 2 … 10 >"],
  [Infinity, 3, "< 1 2 [3]"],
  [1, NaN, ""],
  [1, Infinity, ""],
  [5, 100_000_000, "< 1 … 4 [5] 6 … 100000000 >"],
];
for (const [page, pages, want] of windows) {
  Deno.test(`pagination: page ${page} of ${pages} is "${want}"`, () => {
    const html = h.render(ui.pagination({ page, pages, href: (at) => `/p/${at}` }));
    assertEquals(drawn(html), want);
  });
}

/** Returns a pagination in symbols: `<` and `>` are links, `[n]` is the current page, `…` a gap. */
function drawn(html: string): string {
  const parts = html.matchAll(
    /rel="(prev|next)"|aria-current="page">(\d+)<|href="\/p\/(\d+)" aria-label="Page \3">\3<|(…)/g,
  );
  return [...parts].map(([, rel, current, linked, gap]) =>
    rel === "prev"
      ? "<"
      : rel === "next"
      ? ">"
      : current === undefined
      ? linked ?? gap
      : `[${current}]`
  ).join(" ");
}

interface Row {
  readonly name: string;
  readonly seats: number;
}

const sorts: [name: string, sort: ui.Sort | undefined, attribute: string, next: string][] = [
  ["not sorted: up next", undefined, "", "asc"],
  ["up: down next", { key: "name", direction: "asc" }, ' aria-sort="ascending"', "desc"],
  ["down: up next", { key: "name", direction: "desc" }, ' aria-sort="descending"', "asc"],
];
for (const [name, sort, attribute, next] of sorts) {
  Deno.test(`dataTable: ${name}`, () => {
    const link = `<a class="ui-sort" data-ui-key="name" href="?name.${next}">`;
    const html = h.render(events([{ name: "Fado", seats: 4 }], sort));
    assertStringIncludes(html, `<th scope="col"${attribute}>${link}`);
  });
}

function events(rows: readonly Row[], sort?: ui.Sort): h.Node {
  return ui.dataTable({
    caption: "Events",
    columns: [
      { title: "Name", key: "name", cell: (row) => row.name },
      { title: "Seats", numeric: true, cell: (row) => h.group(h.id("c"), row.seats) },
    ],
    rows,
    sort,
    href: ({ key, direction }) => `?${key}.${direction}`,
  });
}

Deno.test("dataTable: the first cell names the row, and a cell may have attributes", () => {
  const want = '<tbody><tr><th scope="row">Fado</th><td class="ui-num" id="c">4</td></tr></tbody>';
  assertStringIncludes(h.render(events([{ name: "Fado", seats: 4 }])), want);
});

Deno.test("dataTable: an empty table has one message across all columns", () => {
  const found = h.render(events([]));
  assertStringIncludes(found, '<td class="ui-table-empty" colspan="2">Nothing here yet.</td>');
});

/** Draws values, one for each label. */
function draw(...series: number[][]): h.Node {
  const labels = (series[0] ?? []).map(String);
  const lines = series.map((values) => ({ name: "S", values }));
  return ui.lineChart({ title: "T", labels, series: lines });
}

const mistakes: [name: string, make: () => unknown, message: string][] = [
  [
    "icon: an unknown one",
    () => h.render(ui.icon("nothing" as ui.IconName)),
    'Cannot draw the icon "nothing"',
  ],
  ["icon: an inherited member", () => ui.icon("constructor" as ui.IconName), "icons() gives"],
  ["field: no control", () => ui.field("a", "A", h.p("x")), 'Cannot join the field "a"'],
  ["field: another id", () => ui.field("a", "A", ui.input(h.id("b"))), 'has the id "b"'],
  ["showWhen: a name with =", () => ui.showWhen("a=b", "c"), 'without "="'],
  ["with: elsewhere", () => h.render(h.p(ui.with(h.id("a")))), "Cannot render ui.with(…)"],
  ...[NaN, 0, -1, 4.5, Infinity].map((digits): typeof mistakes[number] => [
    `codeInput: ${digits} digits`,
    () => ui.codeInput(digits),
    "use a whole number from 1",
  ]),
  ...[NaN, Infinity, 1e308].map((value): typeof mistakes[number] => [
    `lineChart: ${value}`,
    () => draw([1], [value]),
    "one finite number",
  ]),
  [
    "donutChart: a sum that is not finite",
    () => ui.donutChart({ title: "T", parts: [{ label: "A", value: 1e308 }] }),
    "use numbers from 0 to 1e100",
  ],
  [
    "dataTable: a key without href",
    () =>
      ui.dataTable({ caption: "T", columns: [{ title: "A", key: "a", cell: String }], rows: [] }),
    'Cannot sort the table "T" by "a"',
  ],
  [
    "dataTable: no columns",
    () => ui.dataTable({ caption: "T", rows: [] } as unknown as ui.DataTableOptions<string>),
    'Cannot render the table "T": "columns" is not an array',
  ],
];
for (
  const [values, percents] of [
    [[21, 19], "53% 47%"],
    [[1, 1, 1], "34% 33% 33%"],
    [[1, 1_000], "0% 100%"],
    [[1e100, 1e100], "50% 50%"],
    [[0, 0], "0% 0%"],
    [[], ""],
  ] as const
) {
  Deno.test(`donutChart: the percentages of ${values.join(", ")} add up`, () => {
    const parts = values.map((value) => ({ label: "A", value }));
    const html = h.render(ui.donutChart({ title: "T", parts }));
    assertEquals(Array.from(html.matchAll(/· (\d+%)/g), ([, each]) => each).join(" "), percents);
  });
}
for (const [name, make, message] of mistakes) {
  Deno.test(`mistake: ${name}`, () => void assertThrows(make, TypeError, message));
}

Deno.test("icons: returns about thirty names in alphabetical order, in a new array", () => {
  const names = ui.icons();
  assertEquals(names, names.toSorted());
  assertGreater(names.length, 30);
  names.length = 0;
  assertGreater(ui.icons().length, 30);
});
