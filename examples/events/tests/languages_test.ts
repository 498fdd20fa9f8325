import { lowerPasswordCost } from "@fw/fw/auth/testing";
import { newTestClient, testRequest, withCookie, withForm, withHeader } from "@fw/fw/testing";
import { assert, assertEquals, assertExists } from "@std/assert";
import { use } from "@fw/fw";
import { textsOf } from "@/lib/events/form.ts";
import { Store } from "@/lib/events/store.ts";
import { samples } from "@/lib/samples/samples.ts";
import { venues } from "@/lib/samples/venues.ts";
import { shareApp, withApp } from "./app.ts";
import { eventForm } from "./event_fields.ts";

const onShared = shareApp();

lowerPasswordCost();

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
  onShared(async (app) => {
    const page = await testRequest(app, "GET", "/pt-PT/", withHeader("accept-language", "en"));
    for (const text of portuguese) page.wantContains(text);
    const english = await testRequest(app, "GET", "/en/", withHeader("accept-language", "pt"));
    english.wantContains('<html lang="en">').wantContains("64 events in ten rooms");
  }));

Deno.test("languages: without one in the address the browser decides, or the cookie", () =>
  onShared(async (app) => {
    for (const sign of [withHeader("accept-language", "pt"), withCookie("fw_lang", "pt-PT")]) {
      (await testRequest(app, "GET", "/", sign)).wantContains("Veja daqui");
    }
  }));

Deno.test("languages: the switch leads to the same page, and links stay in the language", () =>
  onShared(async (app) => {
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
  onShared(async (app) => {
    const page = await testRequest(app, "GET", "/pt-PT/nada").wantStatus(404);
    page.wantContains("Daqui não se vê nada");
  }));

const event = "/pt-PT/events/swifts-over-the-roofs";
const portuguesePages: readonly (readonly [path: string, texts: readonly string[]])[] = [
  ["/pt-PT/about", ["Um terraço, não um feed", "As dez salas", "disponível em JSON"]],
  ["/pt-PT/organize", ["Programação", "Lugares ocupados", "eventos por vir"]],
  ["/pt-PT/organize/events/new", [
    "Novo evento",
    "Escolha uma opção",
    "As horas são as de Lisboa.",
    "Música",
  ]],
  ["/pt-PT/organize/venues", ["Espaços", "10 salas"]],
  ["/pt-PT/organize/account", ["A sua conta", "Terminar todas as sessões"]],
];

for (const [path, texts] of portuguesePages) {
  Deno.test(`languages: ${path} is in Portuguese`, () =>
    onShared(async (app) => {
      const page = await testRequest(app, "GET", path).wantStatus(200);
      for (const text of texts) page.wantContains(text);
    }));
}

Deno.test("languages: the sign-in is in Portuguese", () =>
  withApp(async (app) => {
    const page = await testRequest(app, "GET", "/pt-PT/login").wantStatus(200);
    page.wantContains("Iniciar sessão").wantContains("Palavra-passe");
    const form = withForm({ email: "x@example.org", password: "wrong password" });
    const refused = await testRequest(app, "POST", "/pt-PT/login", form).wantStatus(422);
    refused.wantContains("ou endereço incorretos");
  }, { isSignedIn: false }));

Deno.test("languages: the form of an event, its messages and its flash are in Portuguese", () =>
  withApp(async (app) => {
    const client = newTestClient(app);
    const bad = eventForm({ title: " ", price: "1.234" });
    const refused = await client.request("POST", "/pt-PT/organize/events/new", withForm(bad));
    refused.wantContains("Título é obrigatório");
    refused.wantContains("Preço deve ter no máximo duas casas decimais");
    const early = withForm(eventForm({ ends: "2026-05-20T18:00" }));
    const late = await client.request("POST", "/pt-PT/organize/events/new", early);
    late.wantContains("Fim deve ser depois do início");
    const added = await client.request("POST", "/pt-PT/organize/events/new", withForm(eventForm()));
    assertEquals(added.header("location"), event);
    const page = await client.request("GET", event);
    page.wantContains("está na programação.").wantContains("30 de 30 lugares livres");
    page.wantContains("Adicionar ao calendário").wantContains("19:00 às 20:30");
    const taken = await client.request("POST", `${event}?/join`, withForm({}));
    assertEquals(taken.header("location"), event);
    (await client.request("GET", event)).wantContains("Até lá: tem um lugar reservado.");
  }));

Deno.test("languages: problem documents of the API follow the language", () =>
  onShared(async (app) => {
    const language = withHeader("accept-language", "pt-PT");
    const problem = await testRequest(app, "GET", "/api/events?when=x", language).wantStatus(400);
    problem.wantContains("não é um período").wantContains("Um ou mais parâmetros");
  }));

const fado = "/pt-PT/events/fado-without-a-microphone";
const translated: readonly (readonly [path: string, texts: readonly string[], lacks: string])[] = [
  ["/pt-PT/events", ["Fado sem microfone", "uma estufa que leva cada respiração"], "Without a Mic"],
  [fado, ["<h1>Fado sem microfone</h1>", "lavadouros"], "Three voices"],
  [
    `${fado}/programme`,
    ['<html lang="pt-PT">', "Fado sem microfone: programa", "Voltar ao evento", "Onde", " das 2"],
    "Also worth a visit",
  ],
  [`${fado}/invitation.txt`, ["Está convidado: Fado sem microfone", "Diga que vai: http"], "When"],
  [
    `${fado}/calendar.ics`,
    ["Miradouro//Events//PT-PT", "SUMMARY;LANGUAGE=pt-PT:Fado sem microfone", "Lisboa"],
    "Lisbon",
  ],
  ["/pt-PT/organize", ["Fado sem microfone"], "Without a Mic"],
  [
    `/pt-PT/organize/events/fado-without-a-microphone/delete`,
    ["<h2>Fado sem microfone"],
    "Without",
  ],
  ["/pt-PT/events?q=lavadouros", ["Fado sem microfone"], "Without a Mic"],
  [
    "/pt-PT/api/events/fado-without-a-microphone",
    ["Fado sem microfone", "lavadouros"],
    "Without a",
  ],
];

for (const [path, texts, lacks] of translated) {
  Deno.test(`languages: ${path} shows a sample event in Portuguese, with and without a script`, () =>
    onShared(async (app) => {
      const whole = await testRequest(app, "GET", path).wantStatus(200);
      // With JavaScript, a link requests only the content.
      const part = await testRequest(app, "GET", path, withHeader("fw-fragment", "content"));
      for (const text of texts) {
        whole.wantContains(text);
        if (!text.startsWith("<html")) part.wantContains(text);
      }
      for (const { body } of [whole, part]) {
        assert(!body.includes(lacks), `${lacks} in ${path}`);
      }
      whole.wantHeader("content-language", "pt-PT");
    }));
}

Deno.test("languages: an event in its organiser's words alone says in which language they are", () =>
  withApp(async (app) => {
    const client = newTestClient(app);
    await client.request("POST", "/organize/events/new", withForm(eventForm()));
    const page = await client.request("GET", event).wantStatus(200);
    page.wantContains('<h1 lang="en">Swifts over the Roofs</h1>');
    const english = await client.request("GET", event.replace("pt-PT", "en"));
    english.wantContains("<h1>Swifts over the Roofs</h1>");
  }));

Deno.test("languages: a sample that an organiser changes has no translation any more", () =>
  withApp(async (app) => {
    const slug = "fado-without-a-microphone";
    const form = withForm(eventForm({ title: "Fado again", venue: "estufa-velha", seats: "200" }));
    const path = `/pt-PT/organize/events/${slug}/edit`;
    await testRequest(app, "POST", path, form).wantStatus(303);
    (await testRequest(app, "GET", fado)).wantContains('<h1 lang="en">Fado again</h1>');
    const found = await testRequest(app, "GET", "/pt-PT/events?q=lavadouros");
    found.wantContains("Nada no horizonte");
  }));

Deno.test("languages: a sample whose seats alone an organiser changes keeps its translation", () =>
  withApp(async (app) => {
    const slug = "fado-without-a-microphone";
    const sample = await use(app, Store).findBySlug(slug);
    assertExists(sample);
    const form = withForm(eventForm({ ...textsOf(sample), seats: "400" }));
    await testRequest(app, "POST", `/pt-PT/organize/events/${slug}/edit`, form).wantStatus(303);
    (await testRequest(app, "GET", fado)).wantContains("<h1>Fado sem microfone</h1>")
      .wantContains("de 400 lugares");
    (await testRequest(app, "GET", "/pt-PT/events?q=lavadouros")).wantContains("Fado sem");
  }));

Deno.test("languages: the note of a sample's venue is in the language of the page", () =>
  withApp(async (app) => {
    (await testRequest(app, "GET", fado)).wantContains("<p>Uma estufa municipal de 1911")
      .wantNotContains("municipal glasshouse");
    (await testRequest(app, "GET", fado.replace("pt-PT", "en")))
      .wantContains("<p>A municipal glasshouse from 1911").wantNotContains("estufa municipal");
  }));

const refusals: readonly (readonly [path: string, status: number, detail: string])[] = [
  ["/api/events/nothing", 404, "esse evento não existe"],
  ["/api/events/nothing/attendees", 404, "esse evento não existe"],
  ["/api/partners/events", 401, "envie a chave de um parceiro como bearer token"],
];

for (const [path, status, detail] of refusals) {
  Deno.test(`languages: the ${status} of ${path} has its detail in Portuguese, else in English`, () =>
    onShared(async (app) => {
      const language = withHeader("accept-language", "pt-PT");
      const method = status === 401 ? "POST" : "GET";
      const problem = await testRequest(app, method, path, language).wantStatus(status);
      assertEquals(JSON.parse(problem.body).detail, detail);
      problem.wantHeader("content-language", "pt-PT");
      const english = await testRequest(app, method, path).wantStatus(status);
      assert(!english.body.includes(detail));
    }));
}

Deno.test("languages: every sample has its texts in Portuguese", () => {
  const all = Object.values(samples).flat();
  assertEquals(all.length, 64);
  for (const { title, texts } of all) {
    const { "pt-PT": portuguese } = texts;
    assertExists(portuguese, title);
    for (const text of Object.values(portuguese)) assert(text.trim() !== "", title);
    assert(portuguese.title !== title);
  }
  for (const { slug, note, notes } of venues) {
    const { "pt-PT": portuguese = "" } = notes;
    assert(portuguese.trim() !== "" && portuguese !== note, slug);
  }
});
