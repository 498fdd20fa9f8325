import type { Ctx } from "@fw/fw";
import type { Sort } from "@fw/fw/ui";

/** An order. */
export interface Order {
  readonly number: string;
  readonly customer: string;
  readonly state: "Paid" | "Waiting" | "Returned";
  readonly date: string;
  readonly amount: number;
}

/** The content of a page of the list. */
export interface OrderPage {
  readonly orders: readonly Order[];
  /** The number of orders on all pages. */
  readonly total: number;
  readonly page: number;
  readonly pages: number;
  readonly sort: Sort;
}

const people = [
  "Ada Lovelace",
  "Grace Hopper",
  "Katherine Johnson",
  "Mary Jackson",
  "Radia Perlman",
  "Hedy Lamarr",
  "Joan Clarke",
  "Annie Easley",
];
const states = ["Paid", "Paid", "Waiting", "Paid", "Returned"] as const;
const perPage = 8;

const all: readonly Order[] = Array.from({ length: 87 }, (_, at) => ({
  number: `LX-${2087 - at}`,
  customer: people[at * 5 % people.length] ?? "",
  state: states[at * 3 % states.length] ?? "Paid",
  date: `2026-05-${String(28 - Math.floor(at / 3.2)).padStart(2, "0")}`,
  amount: 18 + (at * 37) % 240 + (at % 4) * 0.25,
}));

/** Finds the orders for the URL's parameters. */
export function findOrders(c: Ctx): OrderPage {
  const name = (c.query("q") ?? "").trim().toLowerCase();
  const state = c.query("state") ?? "";
  const found = all.filter((order) =>
    order.customer.toLowerCase().includes(name) && (state === "" || order.state === state)
  );
  const sort = readSort(c);
  const sorted = found.toSorted((a, b) =>
    compare(valueOf(a, sort.key), valueOf(b, sort.key)) * (sort.direction === "asc" ? 1 : -1)
  );
  const pages = Math.max(1, Math.ceil(found.length / perPage));
  const page = Math.min(Math.max(Math.trunc(Number(c.query("page") ?? 1)) || 1, 1), pages);
  const orders = sorted.slice((page - 1) * perPage, page * perPage);
  return { orders, total: found.length, page, pages, sort };
}

function readSort(c: Ctx): Sort {
  const key = c.query("sort") ?? "number";
  return { key, direction: c.query("direction") === "asc" ? "asc" : "desc" };
}

function valueOf(order: Order, key: string): string | number {
  switch (key) {
    case "customer":
      return order.customer;
    case "date":
      return order.date;
    case "amount":
      return order.amount;
    default:
      return order.number;
  }
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
