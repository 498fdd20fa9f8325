import { testRequest, withCookie, withHeader } from "@fw/fw/testing";
import { assert, assertEquals } from "@std/assert";
import { withApp } from "./app.ts";

const portuguese = [
  '<html lang="pt-PT">',
  "Miradouro: o que há em Lisboa",
  "Veja daqui o que há esta noite",
  "64 eventos em dez salas",
  "quinta-feira, 14 de maio",
  "Este fim de semana",
  "Grátis",
  'placeholder="Fado, barcos, fermentação…"',
];

Deno.test("languages: the front page is in the language of its address", () =>
  withApp(async (app) => {
    const page = await testRequest(app, "GET", "/pt-PT/", withHeader("accept-language", "en"));
    for (const text of portuguese) page.wantContains(text);
    const english = await testRequest(app, "GET", "/en/", withHeader("accept-language", "pt"));
    english.wantContains('<html lang="en">').wantContains("64 events in ten rooms");
  }));

Deno.test("languages: without one in the address the browser decides, or the cookie", () =>
  withApp(async (app) => {
    for (const sign of [withHeader("accept-language", "pt"), withCookie("fw_lang", "pt-PT")]) {
      (await testRequest(app, "GET", "/", sign)).wantContains("Veja daqui");
    }
  }));

Deno.test("languages: the switch leads to the same page, and links stay in the language", () =>
  withApp(async (app) => {
    const { body } = await testRequest(app, "GET", "/en/events?category=film");
    const [, path = ""] = /<a[^>]*href="([^"]*)"[^>]*hreflang="pt-PT"/.exec(body) ?? [];
    assertEquals(path, "/pt-PT/events?category=film");
    const page = await testRequest(app, "GET", path);
    page.wantContains('<html lang="pt-PT">').wantContains("Cinema");
    page.wantContains("<title>Cinema · Miradouro</title>").wantContains("Qualquer preço");
    const links = [...page.body.matchAll(/<a[^>]*href="(\/[^"]*)"/g)].map(([, url = ""]) => url);
    const outside = links.filter((url) => !url.startsWith("/pt-PT/") && !url.startsWith("/en/"));
    assert(links.length > 20);
    assertEquals(outside, []);
  }));

Deno.test("languages: an address that leads nowhere says so in its language", () =>
  withApp(async (app) => {
    const page = await testRequest(app, "GET", "/pt-PT/nada").wantStatus(404);
    page.wantContains("Daqui não se vê nada");
  }));
