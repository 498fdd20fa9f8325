import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { findOrders, type Order } from "@/views/orders.ts";

/** Renders a typical list: figures, a filter, a sortable table and pages. */
export function Page(c: Ctx): Node {
  c.title = "Orders";
  const { orders, total, page, pages, sort } = findOrders(c);
  const link = (changes: Record<string, string | number>): string => {
    const query = new URLSearchParams(c.url.search);
    for (const [name, value] of Object.entries(changes)) query.set(name, String(value));
    return `?${query}`;
  };
  return ui.stack(
    // A fragment has no layout that would render the title.
    c.fragment !== undefined && h.title("Orders · fw ui"),
    ui.stack(
      ui.pageHeader(
        "Orders",
        ui.button(ui.outline, ui.icon("download"), "Export"),
        ui.button(ui.icon("plus"), "New order"),
      ),
      figures(),
      filters(c),
      ui.stack(
        h.id("orders"),
        h.p(h.role("status"), total === 1 ? "1 order" : `${total} orders`),
        ui.dataTable({
          caption: "Orders of this month",
          columns: [
            { title: "Order", key: "number", cell: (order) => h.group(ui.nowrap, order.number) },
            { title: "Customer", key: "customer", cell: customer },
            { title: "State", cell: state },
            { title: "Date", key: "date", cell: (order) => h.group(ui.nowrap, order.date) },
            { title: "Amount", key: "amount", numeric: true, cell: amount },
            { title: ui.visuallyHidden("Actions"), cell: actions },
          ],
          rows: orders,
          sort,
          href: ({ key, direction }) => link({ sort: key, direction, page: 1 }),
          empty: "No order fits the filter.",
        }, ui.swap("orders")),
        ui.pagination({ page, pages, href: (to) => link({ page: to }) }, ui.swap("orders")),
      ),
    ),
  );
}

function figures(): Node {
  return ui.grid(
    ui.small,
    ui.card(ui.stat("Sales", "€18,240", h.p("12 % more than in April"))),
    ui.card(ui.stat("Orders", "143", h.p("9 more"))),
    ui.card(ui.stat("Returned", "4", h.p("2 fewer"))),
    ui.card(ui.stat("Waiting", "11", ui.progress("Waiting orders done", 64))),
  );
}

function filters(c: Ctx): Node {
  return ui.toolbar(
    h.role("search"),
    h.action(c.href("/screens/orders")),
    ui.swap("orders"),
    ui.replaceUrl(),
    ui.submitOn("input"),
    ui.field(
      "q",
      "Customer",
      ui.input(h.name("q"), h.type("search"), h.value(c.query("q"))),
    ),
    ui.field(
      "state",
      "State",
      ui.select(
        h.name("state"),
        ui.selectOptions(
          [{ value: "", label: "Any" }, "Paid", "Waiting", "Returned"],
          c.query("state"),
        ),
      ),
    ),
    ui.submit(ui.secondary, ui.icon("filter"), "Filter"),
  );
}

function customer(order: Order): Node {
  return ui.row(h.class("customer"), ui.avatar(order.customer, {}, ui.small), order.customer);
}

function state(order: Order): Node {
  const looks = { Paid: ui.success, Waiting: ui.warning, Returned: ui.secondary };
  return ui.badge(looks[order.state], order.state);
}

function amount(order: Order): string {
  return `€${order.amount.toLocaleString("en", { minimumFractionDigits: 2 })}`;
}

function actions(order: Order): Node {
  return h.group(ui.num(), actionMenu(order));
}

function actionMenu(order: Order): Node {
  return ui.menu(
    h.group(
      ui.ghost,
      ui.square,
      ui.small,
      h.aria("label", `Actions for order ${order.number}`),
      ui.icon("more"),
    ),
    ui.end,
    ui.menuLink("#content", ui.icon("file"), "Receipt"),
    ui.menuLink("#content", ui.icon("arrow-left"), "Return"),
  );
}
