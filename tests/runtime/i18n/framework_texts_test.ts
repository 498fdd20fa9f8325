/** The framework's own texts use the language of the request. */
import { assert, assertEquals } from "@std/assert";
import { App, createLogger, type HttpError, httpError, Problem, publicMessage } from "@fw/fw";
import type { Ctx, Result, Settings } from "@fw/fw";
import { addRule, struct, text, texts, validationMessages } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { testRequest, withForm, withHeader, withJson } from "@fw/fw/testing";

addRule("i18n_even", (f) => f.text.length % 2 === 0);
validationMessages["i18n_even"] = "must have an even length";

const Sent = struct({
  name: text("required"),
  email: text("email"),
  code: text("min=3"),
  tags: texts("required"),
  even: text("i18n_even" as "email"),
});

function newApp(
  settings: Settings,
  handler: (c: Ctx) => Result | Promise<Result>,
  parts: ConstructorParameters<typeof App>[1] = {},
): App {
  const languages = ["en", "pt-PT", "pt-BR", "fr"];
  const app = new App({ env: "prod", logRequest: () => false, languages, ...settings }, parts);
  app.route({ pattern: "/", methods: { GET: handler, POST: handler }, kind: "api" });
  app.route({ pattern: "/page", page: handler });
  return app;
}

async function validate(settings: Settings, language: string): Promise<Record<string, string>> {
  const app = newApp(settings, async (c) => void await c.bind(Sent));
  const sent = { name: "", email: "x", code: "a", tags: [], even: "odd" };
  const language_ = withHeader("accept-language", language);
  const response = await testRequest(app, "POST", "/", withJson(sent), language_);
  assertEquals(response.header("content-language"), language);
  assertEquals(response.header("vary"), "Accept-Language, Cookie");
  return JSON.parse(response.body).fields;
}

const english = {
  name: "is required",
  email: "must be an email address",
  code: "must have at least 3 characters",
  tags: "must have at least one",
  even: "must have an even length",
};
const portuguese = {
  ...english,
  name: "é obrigatório",
  email: "deve ser um endereço de email",
  code: "deve ter pelo menos 3 caracteres",
  tags: "deve ter pelo menos um",
};

const french = { required: "est obligatoire", "min.text": "au moins {param} signes" };
const worded: [name: string, settings: Settings, expected: Record<string, object>][] = [
  ["the framework's texts", {}, {
    "en": english,
    "pt-PT": portuguese,
    "pt-BR": {
      ...portuguese,
      email: "deve ser um endereço de e-mail",
      code: "deve ter ao menos 3 caracteres",
      tags: "deve ter ao menos um",
    },
    "fr": english,
  }],
  ["the application's texts for another language", {
    languageTexts: { fr: { validationMessages: french } },
  }, {
    "en": english,
    "fr": {
      ...english,
      name: "est obligatoire",
      tags: "est obligatoire",
      code: "au moins 3 signes",
    },
  }],
  ["the application's texts for a language and its country", {
    languageTexts: {
      "pt": { validationMessages: { required: "em falta", email: "endereço?" } },
      "pt-PT": { validationMessages: { required: "falta" } },
    },
  }, {
    "pt-PT": { ...portuguese, name: "falta", tags: "falta", email: "endereço?" },
    "en": english,
  }],
  ["texts without a language apply to the first", {
    validationMessages: { required: "fill this in", min: "more" },
  }, {
    "en": { ...english, name: "fill this in", code: "more", tags: "fill this in" },
    "pt-PT": portuguese,
  }],
];
for (const [name, settings, expected] of worded) {
  Deno.test(`validation messages: ${name}`, async () => {
    for (const [language, messages] of Object.entries(expected)) {
      assertEquals(await validate(settings, language), messages as Record<string, string>);
    }
  });
}

Deno.test("languages: concurrent requests to two applications keep their languages", async () => {
  const [own, other] = await Promise.all(
    ["A", "B"].map((required) =>
      validate({ languageTexts: { "pt-PT": { validationMessages: { required } } } }, "pt-PT")
    ),
  );
  assertEquals([own?.["name"], other?.["name"]], ["A", "B"]);
});

async function kit(settings: Settings, language: string): Promise<string> {
  const app = newApp(settings, async () => {
    // Later asynchronous work keeps the language of its request.
    await new Promise((resolve) => setTimeout(resolve, 1));
    return h.div(ui.nav(), ui.skeleton(1));
  });
  return (await testRequest(app, "GET", "/page", withHeader("accept-language", language))).body;
}

Deno.test("labels: the kit uses the language of each concurrent request", async () => {
  const words = { en: ["Main", "Loading"], "pt-PT": ["Principal", "A carregar"] };
  const pages = Object.keys(words).map(async (language) => [language, await kit({}, language)]);
  for (const [language = "", page = ""] of await Promise.all(pages)) {
    const expected = words[language as keyof typeof words];
    for (const word of expected) assert(page.includes(`aria-label="${word}"`), `${word}: ${page}`);
  }
  assert((await kit({}, "pt-BR")).includes("Carregando"));
});

Deno.test("labels: the application sets labels by language, and plain ones for the first", async () => {
  const fr = { labels: { nav: "Menu", loading: "Un instant" } };
  const settings = { labels: { loading: "One moment" }, languageTexts: { fr } };
  assert((await kit(settings, "fr")).includes('aria-label="Un instant"'));
  assert((await kit(settings, "fr")).includes('aria-label="Menu"'));
  assert((await kit(settings, "en")).includes('aria-label="One moment"'));
  assert((await kit(settings, "pt-PT")).includes('aria-label="A carregar"'));
});

const failures: [name: string, error: Error, held: string[]][] = [
  ["a missing page", httpError(404, "Not Found"), [
    "<h1>Página não encontrada</h1>",
    "Não há nada neste endereço.",
    "<title>404 Página não encontrada</title>",
    '<html lang="pt-PT">',
  ]],
  ["a failure", new Error("secret"), ["Erro do servidor", "Algo correu mal", "Referência: "]],
  ["a status without a text", httpError(418, "I'm a teapot"), ["Não foi possível responder"]],
  ["application's words", httpError(403, "Só para sócios"), ["Acesso recusado", "Só para sócios"]],
  ["code of the framework", httpError(429, "x", { code: "rate_limited" }), ["Aguarde um momento."]],
  ["a title of the application", new Problem({ status: 409, title: "Esgotado" }), ["<h1>Esgotado"]],
];
for (const [name, error, held] of failures) {
  Deno.test(`error pages: ${name} in Portuguese`, async () => {
    const app = newApp({ logger: createLogger({ write: () => {} }) }, () => {
      throw error;
    });
    const response = await testRequest(app, "GET", "/page", withHeader("accept-language", "pt-PT"));
    for (const part of held) assert(response.body.includes(part), response.body);
    assert(!response.body.includes("secret"));
    assertEquals(response.header("content-language"), "pt-PT");
  });
}

Deno.test("error pages: an application can add a language", async () => {
  const texts = { fr: { errorPages: { "404": "Introuvable", "404.text": "Rien ici." } } };
  const app = newApp({ languageTexts: texts }, () => httpError(404, "Not Found"));
  const { body } = await testRequest(app, "GET", "/page", withHeader("accept-language", "fr"));
  assert(body.includes("<h1>Introuvable</h1>") && body.includes("Rien ici."), body);
  const other = await testRequest(app, "GET", "/page", withHeader("accept-language", "en"));
  assert(other.body.includes("<h1>Not Found</h1>"), other.body);
});

const refusals: readonly [error: HttpError, language: string, text: string][] = [
  [httpError(403, "Your role does not allow this.", { code: "role_missing" }), "fr", "Rôle"],
  [
    httpError(403, "Your role.", { code: "role_missing" }),
    "pt-PT",
    "O seu papel não permite isto.",
  ],
  [httpError(401, "x", { code: "sign_in_required" }), "pt-PT", "É preciso iniciar sessão."],
  [httpError(405, "Method Not Allowed"), "pt-PT", "Este endereço não aceita esse método."],
  [httpError(406, "Not Acceptable"), "pt-PT", "Formato indisponível"],
  [httpError(403, "Your role.", { code: "role_missing" }), "en", "Your role."],
  [httpError(409, "Esgotado"), "fr", "Esgotado"],
];
for (const [error, language, text] of refusals) {
  Deno.test(`error pages: publicMessage of ${error.code} in ${language} is ${text}`, async () => {
    const languageTexts = { fr: { errorPages: { "role_missing": "Rôle" } } };
    const parts = { error: (_: Ctx, thrown: unknown) => h.p(publicMessage(thrown)) };
    const app = newApp({ languageTexts }, () => error, parts);
    const option = withHeader("accept-language", language);
    const { body } = await testRequest(app, "GET", "/page", option);
    assert(body.includes(`<p>${text}</p>`), body);
  });
}

Deno.test("problem documents: titles are not translated", async () => {
  const app = newApp({}, () => httpError(404, "Not Found"));
  const response = await testRequest(app, "GET", "/", withHeader("accept-language", "pt-PT"));
  assertEquals(JSON.parse(response.body).title, "Not Found");
  assertEquals(response.header("vary"), undefined);
});

Deno.test("a refused form: its title is translated", async () => {
  const app = newApp({}, () => null);
  app.route({
    pattern: "/form",
    page: () => null,
    methods: {
      POST: (c) => {
        c.title = "Novo";
        return c.render(422, h.p("x"));
      },
    },
  });
  const sent = withForm({ name: "" });
  const option = withHeader("accept-language", "pt-PT");
  const response = await testRequest(app, "POST", "/form", sent, option);
  assert(response.body.includes("<title>Erro: Novo</title>"), response.body);
});
