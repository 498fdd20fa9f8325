// deno-lint-ignore-file jsx-key explicit-function-return-type explicit-module-boundary-types -- one source for all JSX runtimes: their element types differ and keys mean nothing here
// The shared JSX source: Deno compiles this file (`precompile`), and the bench compiles its text
// for each peer's runtime.
import type { Account, Catalogue, Link, Product } from "./data.ts";

function nav(links: readonly Link[]) {
  return (
    <nav class="nav" aria-label="Main">
      {links.map((link) => <a class="nav-link" href={link.href}>{link.label}</a>)}
    </nav>
  );
}

function row(product: Product) {
  return (
    <tr class={product.row} id={product.sku} data-id={product.id}>
      <td class="num">{product.id}</td>
      <td>
        <a class="link" href={product.href}>{product.name}</a>
      </td>
      <td class="note">{product.note}</td>
      <td class="price">{product.price}</td>
      <td>
        <span class={product.badge}>{product.state}</span>
      </td>
      <td>
        <input type="checkbox" name="pick" value={product.id} checked={product.picked} />
      </td>
    </tr>
  );
}

export function large(data: Catalogue) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{data.title}</title>
        <link rel="stylesheet" href="/app.css" />
      </head>
      <body class="page">
        {nav(data.links)}
        <main>
          <h1 class="title">{data.title}</h1>
          <table class="table">
            <tbody>{data.products.map(row)}</tbody>
          </table>
        </main>
      </body>
    </html>
  );
}

export function small(data: Account) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{data.title}</title>
        <link rel="stylesheet" href="/app.css" />
      </head>
      <body class="page">
        {nav(data.links)}
        <main class="main">
          <h1 class="title">{data.title}</h1>
          <p class="lead">
            Signed in as <b>{data.user}</b>
          </p>
          <form class="form" method="post" action="/account">
            <div class="field">
              <label for="email">Email</label>
              <input id="email" type="email" name="email" value={data.email} required />
              <small class="help">Nobody but you sees this address.</small>
            </div>
            <div class="field">
              <label for="bio">About you</label>
              <textarea id="bio" name="bio" rows="4">{data.bio}</textarea>
            </div>
            <div class="field">
              <label for="public">Public profile</label>
              <input id="public" type="checkbox" name="public" checked={data.isPublic} />
            </div>
            <button class="button button-primary" type="submit">Save changes</button>
          </form>
          <ul class="events">
            {data.events.map((event) => <li class="event">{event}</li>)}
          </ul>
        </main>
        <footer class="footer">
          <p>
            Made for measuring: nothing here is true, and nobody signed in. The page has what such
            pages have: a few links, a form with three fields, a short list and some text that never
            changes, so that a template has something to keep.
          </p>
        </footer>
      </body>
    </html>
  );
}
