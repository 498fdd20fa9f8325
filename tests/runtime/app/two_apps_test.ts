/** An application's configuration is not shared by the process: two applications keep their own. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  addRule,
  App,
  limit,
  struct,
  text,
  validationMessages,
  validationMessagesPtBr,
} from "@fw/fw";
import type { Ctx, Result, Settings } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { testRequest, withJson } from "@fw/fw/testing";

function newApp(settings: Settings, handler: (c: Ctx) => Result | Promise<Result>): App {
  const app = new App({ env: "dev", logRequest: () => false, ...settings });
  app.route({ pattern: "/", methods: { GET: handler, POST: handler } });
  return app;
}

const Sent = struct({ name: text("required"), email: text("email"), code: text("min=3") });

async function validate(settings: Settings): Promise<Record<string, string>> {
  const app = newApp(settings, async (c) => void await c.bind(Sent));
  const option = withJson({ name: "", email: "x", code: "a" });
  const response = await testRequest(app, "POST", "/", option);
  return JSON.parse(response.body).fields;
}

const english = {
  name: "is required",
  email: "must be an email address",
  code: "must have at least 3 characters",
};

Deno.test("validationMessages: each application of a process uses its own texts", async () => {
  const [portuguese, plain, own] = await Promise.all([
    validate({ validationMessages: validationMessagesPtBr }),
    validate({}),
    validate({ validationMessages: { required: "fill this in", "min.text": "{param} or more" } }),
  ]);
  assertEquals(portuguese, {
    name: "é obrigatório",
    email: "deve ser um endereço de e-mail",
    code: "deve ter ao menos 3 caracteres",
  });
  assertEquals([plain, own], [english, { ...english, name: "fill this in", code: "3 or more" }]);
});

Deno.test("validationMessages: a process-wide text appears unless the application sets its own", async () => {
  const before = validationMessages["email"] ?? "";
  validationMessages["email"] = "an address, please";
  try {
    assertEquals((await validate({})).email, "an address, please");
    const own = await validate({ validationMessages: { email: "mine" } });
    assertEquals(own.email, "mine");
  } finally {
    validationMessages["email"] = before;
  }
});

Deno.test("validationMessages: names of inherited object members set no text", async () => {
  const settings = { validationMessages: Object.freeze({ other: "x" }) };
  assertEquals(await validate(settings), english);
});

async function labelsOf(settings: Settings): Promise<string> {
  const page = async (): Promise<h.Node> => {
    // Later asynchronous work keeps the texts of its application.
    await new Promise((resolve) => setTimeout(resolve, 1));
    return h.div(ui.nav(), ui.dialogClose("d"), ui.skeleton(1));
  };
  return (await testRequest(newApp(settings, page), "GET", "/")).body;
}

Deno.test("labels: each application of a process uses its own texts", async () => {
  const [portuguese, plain, own] = await Promise.all([
    labelsOf({ labels: ui.labelsPtBr }),
    labelsOf({}),
    labelsOf({ labels: { nav: "Menu" } }),
  ]);
  assertEquals(/<nav[^>]*aria-label="([^"]*)"/.exec(portuguese)?.[1], "Principal");
  assertEquals(/<nav[^>]*aria-label="([^"]*)"/.exec(plain)?.[1], "Main");
  assertEquals(/<nav[^>]*aria-label="([^"]*)"/.exec(own)?.[1], "Menu");
  assert(own.includes('aria-label="Loading"'));
});

const limited = limit(1, 2);

Deno.test("limit: twelve applications that share a middleware count separately", async () => {
  const statuses: number[] = [];
  for (let index = 0; index < 12; index++) {
    const app = new App({ env: "dev", logRequest: () => false });
    const middleware = [{ Middleware: limited }];
    app.route({ pattern: "/", middleware, methods: { POST: (c) => c.text(200, "") } });
    statuses.push((await testRequest(app, "POST", "/")).status);
  }
  assertEquals(statuses, Array(12).fill(200));
});

Deno.test("signers: a cookie of one application is invalid in another", async () => {
  const handler = (c: Ctx): Result => {
    const read = c.signed("session");
    if (read === undefined) c.setSigned("session", "ada", 60_000);
    return c.text(200, read ?? "none");
  };
  const [one, other] = ["a", "b"].map((letter) => newApp({ secret: letter.repeat(32) }, handler));
  if (one === undefined || other === undefined) throw new Error("two applications");
  const [cookie = ""] = (await testRequest(one, "GET", "/")).header("set-cookie")?.split(";") ?? [];
  const ask = async (app: App): Promise<string> =>
    await (await app.fetch(new Request("http://localhost/", { headers: { cookie } }))).text();
  assertEquals([await ask(one), await ask(other)], ["ada", "none"]);
});

// As in a `Setup`, each run creates its own function.
function addSku(): void {
  addRule("two_apps_sku", ({ text }) => /^[A-Z]{2}-\d+$/.test(text));
}

Deno.test("addRule: the Setup of a second application may add the rule again, and both apply it", async () => {
  const rule: string = "two_apps_sku";
  for (const [sku, status] of [["PT-1", 204], ["1", 422]] as const) {
    addSku();
    const schema = struct({ sku: text(rule) });
    const app = newApp({}, async (c) => void await c.bind(schema));
    const response = await testRequest(app, "POST", "/", withJson({ sku }));
    assertEquals(response.status, status);
  }
});

Deno.test("addRule: refuses different code for an existing rule", () => {
  addSku();
  const other = (): boolean => true;
  assertThrows(() => addRule("two_apps_sku", other), TypeError, "it exists already");
  const bound = other.bind(undefined);
  addRule("two_apps_bound", bound);
  addRule("two_apps_bound", bound);
  const again = other.bind(undefined);
  assertThrows(() => addRule("two_apps_bound", again), TypeError, "it exists already");
});
