/**
 * One sample of every member of the kit, made from one text, which is passed as every text
 * argument.
 */
import { type Ctx, FieldErrors, int, money, struct, text as stringField } from "../../mod.ts";
import * as h from "../../html/mod.ts";
import type { Child } from "../../html/mod.ts";
import * as ui from "../../ui/mod.ts";

/** The part of a request that the kit reads. */
function fieldTexts(text: string): ui.FieldTexts<{ title: string; state: "a" | "b" }> {
  const schema = struct({ title: stringField(), state: stringField("required,oneof=a b") });
  return { schema, label: () => text || "x", value: () => text || "x" };
}

export function fakeContext(text: string): Ctx {
  const c = {
    nonce: "bm9uY2U=",
    base: "",
    asset: (path: string) => `${path}?v=1`,
    url: new URL("http://localhost/a"),
    method: "GET",
    query: () => undefined,
    language: "en",
    zone: "UTC",
    title: text,
    cookie: () => text,
    csrfToken: () => "token",
    app: { config: { csrf: {} } },
    flashes: () => [
      { kind: "success", text, action: { text, href: "/", fields: { act: text, id: [1] } } },
      { kind: "error", text },
    ],
  };
  return c as unknown as Ctx;
}

/** The content around a sample that needs a whole page. */
export type Place = "body" | "head" | "html";

/** A sample, by the names of the members it shows. */
export interface Sample {
  readonly shows: string;
  readonly make: (text: string) => Child;
  /** The element it belongs to. @default "body" */
  readonly place?: Place;
}

function errorsOf(text: string): FieldErrors {
  return new FieldErrors().add("a", text).add(text, text);
}

export const samples: readonly Sample[] = [
  { shows: "head", place: "head", make: (text) => ui.head(fakeContext(text)) },
  { shows: "body", place: "html", make: (text) => h.body(ui.body(), h.p(text)) },
  { shows: "flashes toaster toast", make: (text) => ui.flashes(fakeContext(text)) },
  {
    shows: "toast",
    make: (text) => ui.toaster(ui.toast("info", text, 3000, h.p(text)), h.aria("label", text)),
  },
  // Markdown has a separate test.
  {
    shows: "header brand nav navLink spacer themeToggle skipLink footer",
    make: (text) => [
      ui.skipLink("content", text),
      ui.header(
        ui.brand(text, text),
        ui.nav(ui.navLink(text, text, Boolean(text)), ui.navLink("/b", text)),
        ui.spacer(),
        ui.themeToggle(),
      ),
      h.main(h.id("content"), h.p(text)),
      ui.footer(h.p(text)),
    ],
  },
  {
    shows: "container pageHeader",
    make: (text) => ui.container(ui.small, ui.pageHeader(text, h.p(text), ui.button(text))),
  },
  {
    shows: "stack row grid separator visuallyHidden nowrap",
    make: (text) =>
      ui.stack(
        ui.row(h.span(text), ui.visuallyHidden(text)),
        ui.separator(),
        ui.grid(h.div(ui.nowrap, text)),
      ),
  },
  {
    shows: "button submit buttonLink actions primary secondary outline ghost link destructive " +
      "small large square wide",
    make: (text) =>
      h.form(
        h.action("/"),
        ui.actions(
          ui.button(ui.outline, ui.small, text),
          ui.button(ui.ghost, ui.square, h.aria("label", text || "x"), ui.icon("x")),
          ui.button(ui.link, ui.primary, text),
          ui.button(ui.secondary, ui.destructive, ui.large, h.titleAttr(text), text),
          ui.submit(ui.wide, text),
          ui.buttonLink(text, text),
        ),
      ),
  },
  { shows: "icon icons", make: (text) => h.p(ui.icons().map((name) => ui.icon(name)), text) },
  {
    shows: "form field input help error with showWhen invalid",
    make: (text) =>
      ui.form(
        ui.field(
          "a",
          text,
          ui.input(h.name("a"), h.value(text), h.placeholder(text), h.aria("invalid", "true")),
          ui.help(text),
          ui.error(text),
          text,
          ui.with(ui.showWhen("b", text), h.titleAttr(text)),
        ),
        ui.submit(text),
      ),
  },
  {
    shows: "errors errorSummary textarea fade",
    make: (text) => [
      ui.errorSummary(errorsOf(text), { a: text }, ui.fade()),
      ui.field(
        "a",
        text,
        ui.textarea(text),
        ui.errors(errorsOf(text), "a"),
      ),
    ],
  },
  {
    shows: "select selectOptions toolbar",
    make: (text) =>
      ui.toolbar(
        ui.field(
          "a",
          text,
          ui.select(
            h.name("a"),
            ui.selectOptions(["", text, { value: text, label: text }, {
              label: text || "group",
              options: [text, { value: "z", disabled: true }],
            }], text),
          ),
        ),
        ui.submit(text),
      ),
  },
  {
    shows: "checkbox checked switch radioGroup fieldset",
    make: (text) =>
      ui.fieldset(
        text,
        ui.checkbox("a", text, h.name("a"), h.value(text), text),
        ui.switch("b", text, h.name("b"), ui.error(text)),
        ui.radioGroup(
          "c",
          {
            legend: text,
            selected: text,
            required: true,
            options: [text, { value: "c2", label: text, help: text, disabled: true }],
          },
          ui.help(text),
          ui.error(text),
        ),
      ),
  },
  {
    shows: "fileInput combobox",
    make: (text) => [
      ui.field("a", text, ui.fileInput(h.name("a"), h.accept("image/*"))),
      ui.field("b", text, ui.input(h.type("date"), h.name("b"), h.value("2026-01-01"))),
      ui.field(
        "c",
        text,
        ui.combobox({ options: [text, { value: "b", label: text }] }, h.name("c")),
        ui.help(text),
      ),
    ],
  },
  {
    shows: "card cardHeader cardFooter badge alert stat success warning info",
    make: (text) =>
      ui.card(
        h.id("card"),
        ui.cardHeader(text, h.p(text)),
        ui.badge(ui.success, ui.icon("check"), text),
        ui.alert(text, ui.warning, ui.icon("alert"), h.p(text)),
        ui.alert(undefined, ui.info, h.p(text)),
        ui.stat(text, text, h.p(text)),
        ui.cardFooter(ui.button(text)),
      ),
  },
  {
    shows: "avatar progress skeleton emptyState prose",
    make: (text) => [
      ui.prose(h.p(text)),
      ui.avatar(`A ${text}`),
      ui.avatar(text, { src: text || "/a.svg" }),
      ui.progress(text, 40),
      ui.progress(text, undefined),
      ui.skeleton(2),
      ui.emptyState(text, ui.icon("inbox"), h.p(text)),
    ],
  },
  {
    shows: "tabs accordion",
    make: (text) => [
      ui.tabs("t", [{ label: text, content: text }, { label: `${text} 2`, content: h.p(text) }]),
      ui.accordion("q", [
        { title: text, content: text, open: true },
        { title: text, content: h.p(text) },
      ]),
    ],
  },
  {
    shows: "dialog dialogOpen dialogClose sheet start",
    make: (text) => [
      ui.dialogOpen("d", text),
      ui.dialog("d", text, h.p(text), ui.actions(ui.dialogClose("d", text))),
      ui.dialogOpen("s", text),
      ui.sheet("s", text, ui.start, h.p(text)),
    ],
  },
  {
    shows: "commandDialog commandGroup",
    make: (text) =>
      ui.commandDialog(
        "k",
        h.aria("label", text || "k"),
        ui.commandGroup(text, ui.menuLink(text, h.data("ui-words", text), text)),
      ),
  },
  {
    shows: "menu menuLink menuButton menuTitle end tooltip",
    make: (text) => [
      ui.menu(
        text,
        ui.end,
        h.id("m"),
        ui.menuTitle(text),
        ui.menuLink(text, ui.icon("edit"), text),
        ui.separator(),
        ui.menuButton(h.type("button"), ui.destructive, ui.tooltip(text), text),
      ),
      ui.menu(
        h.group(ui.ghost, ui.square, h.aria("label", text || "m"), ui.icon("more")),
        ui.menuLink("/x", text),
      ),
    ],
  },
  {
    shows: "confirm",
    make: (text) => h.form(h.action("/"), ui.confirm(text, `${text}!`), ui.submit(text)),
  },
  {
    shows: "table num depth",
    make: (text) =>
      ui.table(
        text,
        h.thead(h.tr(h.th(h.scope("col"), text), h.th(h.scope("col"), ui.num(), text))),
        h.tbody(h.tr(ui.depth(2), h.td(text), h.td(ui.num(), text))),
      ),
  },
  {
    shows: "dataTable hiddenCaption",
    make: (text) =>
      ui.dataTable({
        caption: text,
        columns: [
          { title: text, key: "a", cell: (row: string) => row },
          { title: text, key: "b", numeric: true, cell: () => h.group(h.titleAttr(text), 12) },
          { title: text, cell: (row) => row },
        ],
        rows: [text, text],
        sort: { key: "a", direction: "desc" },
        href: ({ key, direction }) => `${text}?sort=${key}&direction=${direction}`,
        row: () => ui.depth(1),
      }, ui.hiddenCaption),
  },
  {
    shows:
      "swap place noPush replaceUrl submitOn navigate noNavigate uploadTo uploadBar transition " +
      "announce",
    make: (text) => [
      h.main(
        h.id("region"),
        ui.navigate("region"),
        h.a(h.href(text), ui.swap("region"), ui.noPush(), text),
        h.a(h.href(text), ui.noNavigate(), text),
        h.p(ui.place("append", "region"), text),
        h.p(ui.transition(), ui.announce(text), text),
      ),
      h.form(h.action(text || "/"), ui.uploadTo("region"), ui.uploadBar(), ui.submit(text)),
      h.form(h.action(text || "/"), ui.replaceUrl(), ui.submitOn("change"), ui.submit(text)),
    ],
  },
  {
    shows: "optimistic formValue inlineEdit",
    make: (text) => [
      h.form(
        h.method("post"),
        ui.swap("guests"),
        ui.optimistic(h.li(ui.place("append", "guests"), ui.formValue("name"), text)),
        ui.submit(text),
      ),
      ui.inlineEdit(fakeContext(text), { id: "title", value: text, form: () => text }),
    ],
  },
  {
    shows: "load poll more live method values",
    make: (text) => [
      h.div(h.id("later"), ui.load("/later"), text),
      h.div(h.id("queue"), ui.poll("/queue", 10_000), text),
      h.div(h.id("news"), ui.live("/news"), text),
      h.ul(h.id("talks"), h.li(text)),
      h.a(h.href("/talks"), h.id("more"), ui.more("/talks", "talks"), text || "x"),
      h.form(
        h.method("post"),
        h.action("/talks"),
        ui.method("DELETE"),
        ui.values({ word: text }),
        ui.submit(text),
      ),
    ],
  },
  { shows: "navigateScript", place: "head", make: (text) => ui.navigateScript(fakeContext(text)) },
  {
    shows: "pagination breadcrumb",
    make: (text) => [
      ui.pagination({ page: 5, pages: 10, href: (page) => `${text}?page=${page}` }),
      ui.breadcrumb([{ text, href: text || "/" }, { text: h.b(text) }]),
    ],
  },
  {
    shows: "shell navCount userMenu commandButton",
    make: (text) =>
      ui.shell(
        fakeContext(text),
        {
          brand: text,
          nav: [
            { label: text, href: "/a", icon: "home", count: text },
            { label: text, items: [{ label: text, href: text }] },
          ],
          user: ui.userMenu(text, { detail: text }, ui.menuLink(text, text)),
        },
        h.p(text),
      ),
  },
  {
    shows: "dataTable rows bulkBar bulkButton item thumb dot hollow",
    make: (text) =>
      ui.rows(
        ui.dataTable({
          caption: text,
          columns: [
            {
              title: text,
              cell: (row: string) =>
                ui.item(row, { href: row, image: ui.thumb(undefined), detail: h.b(row) }),
            },
            { title: text, kind: "badge", cell: (row) => ui.badge(ui.success, ui.dot, row) },
            { title: text, kind: "badge", cell: (row) => ui.badge(ui.warning, ui.hollow, row) },
            { title: text, kind: "money", cell: (row) => row },
            { title: text, wideOnly: true, cell: () => ui.thumb("/a.png") },
          ],
          rows: [text],
          select: { form: "bulk", value: (row) => row, label: (row) => row },
          menu: { label: (row) => row, items: (row) => ui.menuLink(row, row) },
          cards: true,
          dense: true,
        }),
        ui.bulkBar(
          fakeContext(text),
          "bulk",
          h.action("/bulk"),
          ui.bulkButton(text, "trash", ui.destructive, text),
        ),
      ),
  },
  {
    shows: "listPage pageSize bulkItem",
    make: (text) =>
      ui.listPage(fakeContext(text), {
        title: text || "x",
        text,
        page: { rows: [text].slice(0, ui.pageSize(fakeContext(text))), next: text || "x" },
        columns: [
          { title: text, key: "a", cell: (row) => ui.item(row, { href: "/b" }) },
          { title: text, cell: (row) => row },
          { title: text, kind: "money", key: text || "c", cell: (row) => row },
        ],
        label: (row) => row || "x",
        note: text,
        search: text || "x",
        tabs: {
          name: "kind",
          label: text || "x",
          choices: [text || "x", "z"],
          counts: [2, 2000, 0],
        },
        filters: [{ name: "b", label: text || "x", choices: [{ value: "1", label: text }] }],
        create: ["/new", text],
        importHref: "/import",
        exportHref: "/export",
        deleted: text === "",
        edit: () => "/edit",
        remove: () => "/delete",
        acts: {
          value: (row) => row,
          buttons: [
            ui.menu(text || "x", ui.bulkItem(text, text || "x")),
            ui.bulkButton("delete", "trash", ui.destructive, text || "x"),
          ],
        },
        empty: [text, text],
      }),
  },
  {
    shows: "detailPage menuDialog",
    make: (text) =>
      ui.detailPage(
        fakeContext(text),
        {
          title: text || "x",
          badge: ui.badge(text || "x"),
          text,
          edit: "/edit",
          remove: { href: "/delete", submit: text || "x", text },
          more: ui.menuLink("/more", text || "x"),
          beside: ["/1", "/3"],
          known: ui.card(ui.details([[text, text]])),
        },
        ui.card(h.p("x")),
      ),
  },
  {
    shows: "detailPage restoring postButton",
    make: (text) =>
      ui.detailPage(fakeContext(text), {
        title: text || "x",
        edit: "/edit",
        restore: ui.restoring("/list", [1]),
        known: ui.postButton(fakeContext(text), { text: text || "x", href: "/a" }, ui.outline),
      }),
  },
  {
    shows: "deletePage",
    make: (text) =>
      ui.deletePage(fakeContext(text), { name: text, submit: text || "x", cancel: "/list" }),
  },
  {
    shows: "theme themeForm",
    make: (text) => h.div(ui.theme(fakeContext(text)), ui.themeForm(fakeContext(text))),
  },
  {
    shows: "askPage",
    make: (text) =>
      ui.askPage(fakeContext(text), {
        title: text || "x",
        text,
        cancel: "/",
        fields: { a: text, b: [1] },
      }),
  },
  {
    shows: "formPage currentFile isShown",
    make: (text) =>
      ui.formPage(fakeContext(text), struct({ name: stringField() }), {
        title: text || "x",
        before: ui.currentFile({ href: text, name: text, isPicture: true }),
        cancel: "/",
        tag: text === "" ? undefined : String(ui.isShown(fakeContext(text), "v1")),
      }),
  },
  {
    shows: "fieldDetails fieldColumns fieldFilter fieldBadge textCard amount",
    make: (text) => [
      ui.fieldDetails(fakeContext(text), {
        ...fieldTexts(text),
        row: { title: text, state: "a" },
        values: { title: ui.amount(fakeContext(text), 5, "EUR") },
      }),
      ui.dataTable({
        caption: text || "x",
        columns: ui.fieldColumns(fakeContext(text), { ...fieldTexts(text), names: ["title"] }),
        rows: [{ title: text }],
      }),
      ui.fieldFilter(fieldTexts(text), "state").choices.map(({ label }) => label),
      ui.fieldBadge(fieldTexts(text), "state.a"),
      ui.textCard(text, text.replaceAll("\n", " ")),
    ],
  },
  {
    shows: "scene nearby",
    make: (text) => [
      ui.scene("missing"),
      ui.nearby(
        { ...fakeContext(text), url: new URL("http://localhost/a/b") },
        [{ label: text || "x", href: "/a" }],
      ),
    ],
  },
  {
    shows: "relatedRows",
    make: (text) =>
      ui.relatedRows(fakeContext(text), {
        title: text || "x",
        page: { rows: [text], total: 1_001 },
        columns: [{ title: text, cell: (row) => row }],
        href: "/a",
        create: ["/a/new", text || "x"],
        empty: text,
      }),
  },
  {
    shows: "childRows rowIds",
    make: (text) => {
      const rows = [{ id: 1, what: text, productId: 2, productName: text, fee: 250 }];
      return ui.childRows(fakeContext(text), {
        title: text || "x",
        schema: struct({ id: int(), what: stringField(), productId: int(), fee: money("EUR") }),
        rows,
        label: (name) => `${name} ${ui.rowIds({ rows }, "rows.productId")}`,
      });
    },
  },
  {
    shows: "overviewPage newestRows greeting",
    make: (text) =>
      ui.overviewPage(fakeContext(text), ui.greeting(fakeContext(text), text), [{
        title: text || "x",
        activity: [{ at: new Date(0), by: text, act: "added", title: text || "x", href: "/a" }],
        href: "/a",
        create: ["/a/new", text || "x"],
        growth: {
          total: 3,
          added: [1, 2],
          counts: [1, 3],
          sums: [100, 45_050],
          shares: new Map([["b", 3]]),
        },
        newest: ui.newestRows(text || "x", [text], [{ title: text, cell: (row) => row }]),
        share: { label: text || "x", parts: [{ value: "b", label: text || "x" }] },
        sum: { label: text || "x", currency: "EUR" },
      }]),
  },
  {
    shows: "segmented search chips filterChip addFilter pager",
    make: (text) => [
      ui.segmented(text || "x", [{ label: text, href: text, count: text, current: true }]),
      ui.toolbar(
        ui.search(text || "x", h.name("q"), h.value(text)),
        ui.chips(ui.filterChip(text, text, text), ui.addFilter(ui.menuLink(text, text))),
        ui.submit(text),
      ),
      ui.pager({ next: text, note: text }),
    ],
  },
  {
    shows:
      "details history timeline sign itemList listItem media snippet split delta muted popover",
    make: (text) => [
      ui.split(ui.details([[text, text], [text, h.b(text)]]), h.p(ui.muted, text)),
      ui.timeline([
        { text, at: text, icon: "edit", tone: ui.success, more: h.blockquote(text) },
        { text },
      ]),
      ui.history(fakeContext(text), {
        changes: [
          {
            at: new Date(0),
            by: text,
            act: "changed",
            fields: [{ name: "a", from: text, to: text }, { name: "b", from: null, to: text }],
          },
        ],
        schema: struct({ a: stringField(), b: stringField() }),
        label: () => text,
      }),
      ui.itemList(ui.outline, ui.listItem(text, { image: ui.sign("laptop"), detail: h.b(text) })),
      ui.media([{ src: "/a.png", alt: text }, { src: text || "/b.png", alt: text, href: text }]),
      ui.snippet(text),
      ui.stat(text, text, ui.sparkline([1, 2]), ui.delta(text, { direction: "up", from: text })),
      ui.popover("p", text, h.p(text)),
    ],
  },
  {
    shows: "formSection formFooter affix passwordInput codeInput charCount dropzone " +
      "optional half third",
    make: (text) =>
      h.form(
        h.action("/"),
        ui.formSection(
          text,
          h.b(text),
          ui.field("f1", text, ui.affix({ prefix: text }, ui.input(h.name("f1"))), ui.half),
          ui.field(
            "f2",
            text,
            ui.passwordInput(h.name("f2"), h.autocomplete("new-password")),
            ui.optional(),
            ui.third,
          ),
          ui.field("f3", text, ui.codeInput(6, h.name("f3"))),
          ui.field("f4", text, ui.input(h.maxlength(9)), ui.help(ui.charCount(9, 2))),
          ui.field("f5", text, ui.dropzone(h.b(text), h.name("f5"))),
          ui.field("f6", text, ui.combobox({ options: [text, "b"] }, h.multiple(), h.name("f6"))),
        ),
        ui.formFooter(ui.submit(text)),
      ),
  },
  {
    shows: "lineChart barChart donutChart sparkline",
    make: (text) => [
      ui.lineChart({
        title: text,
        labels: [text, "b"],
        series: [{ name: text, values: [1, -2] }, { name: "z", values: [0.5, 3] }],
        area: true,
      }, ui.hiddenCaption),
      ui.barChart({
        title: `${text} 2`,
        labels: [text],
        series: [{ name: text, values: [1] }],
        stacked: true,
      }),
      ui.donutChart({ title: text, unit: text, parts: [{ label: text, value: 1 }] }),
      ui.sparkline([3, 1, 2]),
    ],
  },
  {
    shows: "authCard orLine fault settings time",
    make: (text) => [
      ui.authCard(text, h.b(text), ui.orLine(text), h.p(text)),
      ui.fault(text, h.p(text)),
      ui.settings(text || "x", ui.navLink("/a", text), h.p(text)),
      ui.time(fakeContext(text), new Date(0), { relative: true }),
      ui.time(fakeContext(text), new Date(NaN)),
    ],
  },
  {
    shows: "font",
    place: "head",
    make: (text) => ui.font(fakeContext(text), { family: "Geist", file: "/geist.woff2" }),
  },
];
