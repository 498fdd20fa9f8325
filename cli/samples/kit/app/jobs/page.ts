import { csrfInput, type Ctx, type Node, type Result, struct, text } from "@fw/fw";
import * as h from "@fw/fw/h";
import { jobEngine } from "@fw/fw/jobs";
import * as ui from "@fw/fw/ui";
import { jobMessages } from "../../lib/job_messages.ts";

/** GET /jobs */
export async function Page(c: Ctx): Promise<Node> {
  const engine = jobEngine(c);
  const [counts, dead] = await Promise.all([engine.counts(), engine.list("dead")]);
  c.title = c.t(jobMessages, "title");
  return h.fragment(
    ui.pageHeader(c.title),
    ui.grid(
      ui.small,
      ui.card(ui.stat(c.t(jobMessages, "waiting"), counts.waiting)),
      ui.card(ui.stat(c.t(jobMessages, "running"), counts.running)),
      ui.card(ui.stat(c.t(jobMessages, "dead"), counts.dead)),
      ui.card(ui.stat(c.t(jobMessages, "oldest"), Math.round(counts.oldestMs / 1_000))),
    ),
    dead.length === 0 ? ui.emptyState(c.t(jobMessages, "none")) : ui.dataTable({
      caption: c.t(jobMessages, "dead"),
      columns: [
        { title: c.t(jobMessages, "job"), cell: ({ id, name }) => `${name} ${id}` },
        { title: c.t(jobMessages, "attempts"), numeric: true, cell: ({ attempt }) => attempt },
        { title: c.t(jobMessages, "error"), cell: ({ error }) => error },
        { title: c.t(jobMessages, "change"), cell: ({ id }) => changeForm(c, id) },
      ],
      rows: dead,
    }),
  );
}

function changeForm(c: Ctx, id: string): Node {
  return ui.form(
    h.method("post"),
    csrfInput(c),
    h.input(h.type("hidden"), h.name("id"), h.value(id)),
    ui.row(
      ui.submit(ui.outline, h.name("change"), h.value("retry"), c.t(jobMessages, "retry")),
      ui.submit(ui.destructive, h.name("change"), h.value("drop"), c.t(jobMessages, "drop")),
    ),
  );
}

const Change = struct({ id: text("required,max=200"), change: text("required,oneof=retry drop") });

/** POST /jobs */
export async function POST(c: Ctx): Promise<Result> {
  const { id, change } = await c.bind(Change);
  const isChanged = await jobEngine(c)[change](id);
  c.flash(isChanged ? "success" : "error", c.t(jobMessages, isChanged ? "changed" : "gone"));
  return c.redirect(c.href("/jobs"));
}
