// deno-fmt-ignore-file -- its white space is measured
// deno-lint-ignore-file no-import-prefix -- benches pin their peers
/** The pages written with ghtml. */
import type { Account, Catalogue, Link, Product } from "./data.ts";
import { html } from "npm:ghtml@4.0.2";

function nav(links: readonly Link[]): string {
  return html`<nav class="nav" aria-label="Main">!${
    links.map((link) => html`<a class="nav-link" href="${link.href}">${link.label}</a>`)
  }</nav>`;
}

function row(product: Product): string {
  return html`<tr class="${product.row}" id="${product.sku}" data-id="${product.id}"><td class="num">${product.id}</td><td><a class="link" href="${product.href}">${product.name}</a></td><td class="note">${product.note}</td><td class="price">${product.price}</td><td><span class="${product.badge}">${product.state}</span></td><td><input type="checkbox" name="pick" value="${product.id}" ${product.picked ? "checked" : ""}></td></tr>`;
}

/** The large page. */
export function large(data: Catalogue): string {
  return html`<html lang="en"><head><meta charset="utf-8"><title>${data.title}</title><link rel="stylesheet" href="/app.css"></head><body class="page">!${
    nav(data.links)
  }<main><h1 class="title">${data.title}</h1><table class="table"><tbody>!${
    data.products.map(row)
  }</tbody></table></main></body></html>`;
}

/** The small page. */
export function small(data: Account): string {
  return html`<html lang="en"><head><meta charset="utf-8"><title>${data.title}</title><link rel="stylesheet" href="/app.css"></head><body class="page">!${
    nav(data.links)
  }<main class="main"><h1 class="title">${data.title}</h1><p class="lead">Signed in as <b>${data.user}</b></p><form class="form" method="post" action="/account"><div class="field"><label for="email">Email</label><input id="email" type="email" name="email" value="${data.email}" required><small class="help">Nobody but you sees this address.</small></div><div class="field"><label for="bio">About you</label><textarea id="bio" name="bio" rows="4">${data.bio}</textarea></div><div class="field"><label for="public">Public profile</label><input id="public" type="checkbox" name="public" ${data.isPublic ? "checked" : ""}></div><button class="button button-primary" type="submit">Save changes</button></form><ul class="events">!${
    data.events.map((event) => html`<li class="event">${event}</li>`)
  }</ul></main><footer class="footer"><p>Made for measuring: nothing here is true, and nobody signed in. The page has what such pages have: a few links, a form with three fields, a short list and some text that never changes, so that a template has something to keep.</p></footer></body></html>`;
}
