import type { Ctx, Node } from "@fw/fw";
import * as ui from "@fw/fw/ui";
import type { Section } from "./section.ts";
import source from "./charts.ts" with { type: "text" };

function figures(): Node {
  return ui.grid(
    ui.small,
    ui.card(
      ui.stat(
        "Products",
        128,
        ui.sparkline([90, 96, 99, 104, 108, 116, 128]),
        ui.delta("12", { direction: "up", good: true, from: 116 }),
      ),
    ),
    ui.card(
      ui.stat(
        "Average price",
        "€64.20",
        ui.sparkline([66, 67, 66, 65, 66, 65, 64]),
        ui.delta("3.1 %", { direction: "down", from: "€66.25" }),
      ),
    ),
    ui.card(
      ui.stat("Returned", 4, ui.delta("2", { direction: "up", good: false, from: 2 })),
    ),
  );
}

function lines(): Node {
  return ui.card(
    ui.lineChart({
      title: "Products added",
      labels: ["7 Sep", "21 Sep", "5 Oct", "19 Oct", "2 Nov", "16 Nov", "This week"],
      series: [
        { name: "This year", values: [6, 8, 12, 14, 17, 19, 23] },
        { name: "Last year", values: [5, 7, 8, 10, 12, 13, 15] },
      ],
      area: true,
    }),
  );
}

function bars(): Node {
  return ui.card(
    ui.barChart({
      title: "Bookings by day",
      labels: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
      series: [
        { name: "Paid", values: [12, 9, 14, 18, 30, 42, 26] },
        { name: "Waiting", values: [3, 2, 4, 2, 6, 9, 5] },
      ],
      stacked: true,
    }),
  );
}

function shares(): Node {
  return ui.card(
    ui.cardHeader("By status"),
    ui.donutChart({
      title: "By status",
      unit: "products",
      parts: [
        { label: "Active", value: 84, tone: ui.success },
        { label: "Draft", value: 31, tone: ui.warning },
        { label: "Archived", value: 13 },
      ],
    }),
  );
}

function times(c: Ctx): Node {
  return ui.row(
    ui.time(c, new Date(Date.UTC(2026, 10, 27, 9, 14)), { clock: true }),
    ui.time(c, new Date(Date.now() - 5 * 60_000), { relative: true }),
  );
}

export const charts: Section = {
  name: "charts",
  title: "Figures and charts",
  lead: "Drawn on the server as SVG, in the colours of the theme, with the numbers as a table.",
  examples: [
    { title: "Key figures", make: figures },
    { title: "Lines", make: lines },
    { title: "Bars", make: bars },
    { title: "Shares of a whole", make: shares },
    { title: "Times", text: "In the reader's language and zone.", make: times },
  ],
  source,
};
