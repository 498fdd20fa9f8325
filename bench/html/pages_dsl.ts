/** The pages written with functions. */
import * as h from "@fw/fw/h";
import type { Account, Catalogue, Link, Product } from "./data.ts";

const about = "Made for measuring: nothing here is true, and nobody signed in. The page has " +
  "what such pages have: a few links, a form with three fields, a short list and " +
  "some text that never changes, so that a template has something to keep.";

function head(title: string): h.Node {
  return h.head(
    h.meta(h.charset("utf-8")),
    h.title(title),
    h.link(h.rel("stylesheet"), h.href("/app.css")),
  );
}

function nav(links: readonly Link[]): h.Node {
  return h.nav(
    h.class("nav"),
    h.aria("label", "Main"),
    h.map(links, (link) => h.a(h.class("nav-link"), h.href(link.href), link.label)),
  );
}

function row(product: Product): h.Node {
  return h.tr(
    h.class(product.row),
    h.id(product.sku),
    h.data("id", product.id),
    h.td(h.class("num"), product.id),
    h.td(h.a(h.class("link"), h.href(product.href), product.name)),
    h.td(h.class("note"), product.note),
    h.td(h.class("price"), product.price),
    h.td(h.span(h.class(product.badge), product.state)),
    h.td(
      h.input(
        h.type("checkbox"),
        h.name("pick"),
        h.value(product.id),
        h.checked(product.picked),
      ),
    ),
  );
}

/** The large page. */
export function large(data: Catalogue): h.Node {
  return h.html(
    h.lang("en"),
    head(data.title),
    h.body(
      h.class("page"),
      nav(data.links),
      h.main(
        h.h1(h.class("title"), data.title),
        h.table(h.class("table"), h.tbody(h.map(data.products, row))),
      ),
    ),
  );
}

function form(data: Account): h.Node {
  return h.form(
    h.class("form"),
    h.method("post"),
    h.action("/account"),
    h.div(
      h.class("field"),
      h.label(h.for("email"), "Email"),
      h.input(
        h.id("email"),
        h.type("email"),
        h.name("email"),
        h.value(data.email),
        h.required(),
      ),
      h.small(h.class("help"), "Nobody but you sees this address."),
    ),
    h.div(
      h.class("field"),
      h.label(h.for("bio"), "About you"),
      h.textarea(h.id("bio"), h.name("bio"), h.rows(4), data.bio),
    ),
    h.div(
      h.class("field"),
      h.label(h.for("public"), "Public profile"),
      h.input(h.id("public"), h.type("checkbox"), h.name("public"), h.checked(data.isPublic)),
    ),
    h.button(h.class("button button-primary"), h.type("submit"), "Save changes"),
  );
}

/** The small page. */
export function small(data: Account): h.Node {
  return h.html(
    h.lang("en"),
    head(data.title),
    h.body(
      h.class("page"),
      nav(data.links),
      h.main(
        h.class("main"),
        h.h1(h.class("title"), data.title),
        h.p(h.class("lead"), "Signed in as ", h.b(data.user)),
        form(data),
        h.ul(h.class("events"), h.map(data.events, (event) => h.li(h.class("event"), event))),
      ),
      h.footer(h.class("footer"), h.p(about)),
    ),
  );
}
