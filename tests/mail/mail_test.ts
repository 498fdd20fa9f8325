import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { openSqlite } from "../../data/sqlite/mod.ts";
import * as h from "../../html/mod.ts";
import type { Db } from "../../data/mod.ts";
import { job, type JobEngine, PermanentError, provideJobs, sqliteJobs } from "../../jobs/mod.ts";
import { drainJobs } from "../../jobs/testing.ts";
import { checkAddress, httpMail, mail, mailButton, provideMail } from "../../mail/mod.ts";
import type { Mail, MailTransport } from "../../mail/mod.ts";
import { outbox, sentMail } from "../../mail/testing.ts";
import { App, createLogger, Off, struct, text } from "../../mod.ts";
import { bindTexts } from "../../runtime/addon.ts";
import { testRequest } from "../../runtime/testing/mod.ts";

const options = { from: "Events <events@example.org>", origin: "https://example.org" };
const plain: Mail = { to: "ada@example.org", subject: "Hello", body: h.p("Hi") };

function createApp(env: "dev" | "prod" = "prod"): App {
  const app = new App({ env, logRequest: Off });
  provideMail(app, outbox(), options);
  return app;
}

interface JobApp extends AsyncDisposable {
  readonly app: App;
  readonly db: Db;
  readonly engine: JobEngine;
}

async function openJobApp(transport: MailTransport = outbox()): Promise<JobApp> {
  const db = await openSqlite(":memory:");
  const app = new App({ logRequest: Off });
  const engine = sqliteJobs(db);
  provideMail(app, transport, options);
  await provideJobs(app, engine, { jobs: [] });
  return { app, db, engine, [Symbol.asyncDispose]: () => db.close() };
}

const addresses: readonly [text: string, want: string | undefined][] = [
  ["ada@example.org", "ada@example.org"],
  [" ada+news@mail.example.org ", "ada+news@mail.example.org"],
  ["Ada Lovelace <ada@example.org>", "Ada Lovelace <ada@example.org>"],
  ["João <joão@exemplo.pt>", "João <joão@exemplo.pt>"],
  ["ada@bücher.example", "ada@xn--bcher-kva.example"],
  ["root@localhost", "root@localhost"],
  ["", undefined],
  ["ada", undefined],
  ["ada@", undefined],
  ["@example.org", undefined],
  ["ada@example", undefined],
  ["ada@example.org\r\nBcc: eve@example.org", undefined],
  ["Ada\nBcc: eve <ada@example.org>", undefined],
  ["ada@example.org, eve@example.org", undefined],
  ["ada@example.org;eve@example.org", undefined],
  ["<ada@example.org> <eve@example.org>", undefined],
  ['"Lovelace, Ada" <ada@example.org>', '"Lovelace, Ada" <ada@example.org>'],
  ["Ada (London) <ada@example.org>", '"Ada (London)" <ada@example.org>'],
  ["Ada (London） <ada@example.org>", '"Ada (London）" <ada@example.org>'],
  ["ada@home <ada@example.org>", '"ada@home" <ada@example.org>'],
  ["Dr. Ada [IT] <ada@example.org>", '"Dr. Ada [IT]" <ada@example.org>'],
  ['"Ada" <ada@example.org>, "Eve" <eve@example.org>', undefined],
  ['"Ada\\" <ada@example.org>', undefined],
  ['"Ada\nBcc: eve" <ada@example.org>', undefined],
  ["ada@exam ple.org", undefined],
  ["ada..l.@example.org", "ada..l.@example.org"],
  ["हिन्दी@उदाहरण.भारत", "हिन्दी@xn--p1b6ci4b4b3a.xn--h2brj9c"],
  ["ada@example.org/other.example", undefined],
  ["ada@example.org?x", undefined],
  ["ada@example.org#x", undefined],
  ["ada@ex%61mple.org", undefined],
  ["ada@0x7f.1", undefined],
  ["ada@127.0.0.1", undefined],
  ["ada@example..org", undefined],
  ["ada@example.", undefined],
  ["Ada\u0085Bcc: eve <ada@example.org>", undefined],
  ["Ada\u2028 <ada@example.org>", undefined],
  ["ada@example.org\0", undefined],
  [`${"a".repeat(65)}@example.org`, undefined],
];
for (const [text, want] of addresses) {
  Deno.test(`checkAddress: ${JSON.stringify(text.slice(0, 50))}`, () => {
    if (want === undefined) assertThrows(() => checkAddress(text), TypeError);
    else assertEquals(checkAddress(text), want);
  });
}

Deno.test("checkAddress accepts the same addresses as the rule email", async () => {
  const Form = struct({ to: text("required,email") });
  const signs = [..."ab.@-1_é्ß1☃。'+%/?#", "xn--", ".de", "@b.de", "٣"];
  let taken = 0;
  for (let round = 0; round < 6_000; round++) {
    const to = Array.from(
      { length: 1 + round % 9 },
      () => signs[Math.floor(Math.random() * signs.length)],
    ).join("");
    const { ok } = await bindTexts(Form, new Map([["to", [to]]]));
    if (!ok) continue;
    taken++;
    checkAddress(to);
  }
  assert(taken > 30);
});

const refused: readonly [name: string, message: Partial<Mail>][] = [
  ["a subject of two lines", { subject: "Hello\nBcc: eve@example.org" }],
  ["a Unicode line break in a subject", { subject: "Hello\u0085Bcc: eve@example.org" }],
  ["a long subject", { subject: "x".repeat(251) }],
  ["no address", { to: [] }],
  ["too many addresses", { to: Array(51).fill("ada@example.org") }],
  ["a second header in replyTo", { replyTo: "a@example.org\nX: y" }],
  ["a file name with a directional override", {
    attachments: [{ filename: "invoice\u202efdp.exe", content: "" }],
  }],
  ["a path as a file name", { attachments: [{ filename: "../x", content: "" }] }],
  ["a line feed", { attachments: [{ filename: "x", content: "", contentType: "a/b; x=\ny" }] }],
  ["no media type", { attachments: [{ filename: "x", content: "", contentType: "pdf" }] }],
];
for (const [name, message] of refused) {
  Deno.test(`mail refuses: ${name}`, async () => {
    const app = createApp();
    await assertRejects(() => mail(app, { ...plain, ...message }), TypeError);
    assertEquals(sentMail(app), []);
  });
}

Deno.test("mail: adds a charset to a text file and accepts media types with parameters", async () => {
  const app = createApp();
  const types = {
    "text/csv": "text/csv; charset=utf-8",
    "text/calendar; method=REQUEST": "text/calendar; method=REQUEST; charset=utf-8",
    "text/calendar; charset=utf-8; method=REQUEST": "text/calendar; charset=utf-8; method=REQUEST",
    "application/json": "application/json",
  };
  const attachments = Object.keys(types)
    .map((contentType) => ({ filename: "a", content: "é", contentType }));
  await mail(app, { ...plain, attachments });
  const found = sentMail(app)[0]?.attachments.map(({ contentType }) => contentType);
  assertEquals(found, Object.values(types));
});

const plainTexts: readonly [name: string, body: h.Node, want: string][] = [
  ["style, comment", h.raw("<!--[if mso]><b>x</b><![endif]--><style>p{}</style><p>a</p>"), "a\n"],
  ["terms, descriptions", h.dl(h.dt("a"), h.dd("b"), h.dt("c"), h.dd("d")), "a\n\nb\n\nc\n\nd\n"],
  [
    "parts of a page",
    h.fragment(h.main(h.nav("a"), h.address("b")), h.figure(h.figcaption("c"))),
    "a\n\nb\n\nc\n",
  ],
  [
    "a link and a place",
    h.p(h.a(h.href("/a"), "a"), h.a(h.id("b"), "b")),
    "a <https://example.org/a>b\n",
  ],
  ["preformatted text", h.fragment("a", h.pre("b"), "c"), "a\n\nb\n\nc\n"],
];
for (const [name, body, want] of plainTexts) {
  Deno.test(`mail: the text part of ${name}`, async () => {
    const app = createApp();
    await mail(app, { ...plain, body });
    assertEquals(sentMail(app)[0]?.text, want);
  });
}

Deno.test("mail: HTML has inline styles, a text part and absolute links", async () => {
  const app = createApp();
  const body = h.fragment(
    h.h1("Sea & sand"),
    h.p("Dear <Ada>,", h.br(), 'see "it"'),
    h.ul(h.li("one"), h.li(h.strong("two"))),
    mailButton("/events/1?a=1&b=2", "Open"),
    h.p(h.styleAttr("color:red"), h.a(h.href("https://other.example/"), "Other")),
    h.table(h.tr(h.td("Seats"), h.td("3"))),
    h.img(h.src("/logo.png"), h.alt("Logo")),
  );
  await mail(app, { ...plain, body });
  const [sent] = sentMail(app);
  assertEquals(sent?.from, options.from);
  assertEquals(
    sent?.text,
    `Sea & sand

Dear <Ada>,
see "it"

- one
- two

Open <https://example.org/events/1?a=1&b=2>

Other <https://other.example/>

Seats 3

Logo
`,
  );
  for (
    const part of [
      '<h1 style="margin:0 0 16px;',
      'href="https://example.org/events/1?a=1&amp;b=2"',
      '<p style="color:red">',
      'src="https://example.org/logo.png"',
      '<html lang="en">',
      "<title>Hello</title>",
    ]
  ) assertStringIncludes(sent?.html ?? "", part);
});

Deno.test("mail: uses the language of the request, or of the mail", async () => {
  const app = new App({ languages: ["en", "pt-PT"], logRequest: Off });
  provideMail(app, outbox(), options);
  app.route({
    pattern: "/",
    methods: {
      GET: async (c) => {
        await mail(c, plain);
        await mail(c, { ...plain, language: "ar" });
        return c.noContent();
      },
    },
  });
  const headers = { "accept-language": "pt-PT" };
  await app.fetch(new Request("http://localhost/", { headers }));
  const languages = sentMail(app).map(({ html }) => /<html ([^>]*)>/.exec(html)?.[1]);
  assertEquals(languages, ['lang="pt-PT"', 'lang="ar" dir="rtl"']);
});

Deno.test("mail: mirrors its styles in right-to-left languages", async () => {
  const app = createApp();
  const body = h.blockquote(h.ul(h.li("x")));
  await mail(app, { ...plain, body, language: "he" });
  const { html = "" } = sentMail(app)[0] ?? {};
  assertStringIncludes(html, '<div lang="he" dir="rtl" style="max-width');
  assertStringIncludes(html, "padding:0 12px 0 0;border-right:3px");
  assertStringIncludes(html, "padding:0 20px 0 0");
});

Deno.test("mail: is a job if jobs are provided, with attachments, in the transaction of the data", async () => {
  await using opened = await openJobApp();
  const { app, db } = opened;
  const content = new Uint8Array([0, 255, 10]);
  await db.tx(async () => {
    await mail(app, { ...plain, attachments: [{ filename: "a.bin", content }] });
    throw new Error("undo");
  }).catch(() => {});
  const attachments = [{ filename: "a.bin", content }];
  await mail(app, { ...plain, replyTo: "b@example.org", attachments });
  assertEquals(sentMail(app), []);
  assertEquals([await drainJobs(app), sentMail(app).length], [[], 1]);
  assertEquals(sentMail(app)[0]?.attachments[0]?.content, content.toBase64());
  assertEquals(sentMail(app)[0]?.replyTo, "b@example.org");
});

Deno.test("mail: as a job takes 20 MB of files, and says how much it takes", async () => {
  await using opened = await openJobApp();
  const { app } = opened;
  const content = new Uint8Array(20_000_000).fill(7);
  await mail(app, { ...plain, attachments: [{ filename: "a.pdf", content }] });
  assertEquals(await drainJobs(app), []);
  assertEquals(sentMail(app)[0]?.attachments[0]?.content, content.toBase64());
  const attachments = [1, 2].map((n) => ({ filename: `${n}.pdf`, content }));
  await assertRejects(() => mail(app, { ...plain, attachments }), TypeError, "maxValueChars");
});

Deno.test("mail: as a job survives an outage of the mail server of about a day, and names its reason", async () => {
  await using db = await openSqlite(":memory:");
  await using app = new App({ logRequest: Off, logger: createLogger({ write: () => {} }) });
  const cause = new Error("refused (https://mail.example.org/send?token=secret)");
  const transport = { send: () => Promise.reject(new TypeError("fetch failed", { cause })) };
  provideMail(app, transport, options);
  const engine = sqliteJobs(db, { pollMs: 1 });
  const work = engine.work.bind(engine);
  const dead = Promise.withResolvers<string>();
  let pausesMs = 0;
  engine.work = (given) =>
    work({
      ...given,
      run: async (claimed) => {
        const end = await given.run(claimed);
        if (end.kind !== "failed") return end;
        if (end.retryAtMs === undefined) {
          dead.resolve(end.error);
          return end;
        }
        pausesMs += end.retryAtMs - Date.now();
        return { ...end, retryAtMs: Date.now() };
      },
    });
  await provideJobs(app, engine, { jobs: [] });
  await mail(app, plain);
  await app.startWork();
  const reason = "TypeError: fetch failed, caused by Error: refused (https://mail.example.org)";
  assertEquals(await dead.promise, reason);
  const hours = pausesMs / 3_600_000;
  assert(hours > 18 && hours < 31, `${hours} h`);
});

const broken: readonly [name: string, send: () => Promise<void>, message: string][] = [
  ["that ignores its signal", () => new Promise(() => {}), "longer than 1 ms (timeoutMs"],
  ["that throws at once", () => {
    throw new Error("no template");
  }, "no template"],
];
for (const [name, send, message] of broken) {
  Deno.test(`mail: a transport ${name} rejects once`, async () => {
    const app = new App({ logRequest: Off });
    const late = Promise.withResolvers<unknown>();
    const transport: MailTransport = {
      send: (_, { signal }) => {
        signal.addEventListener("abort", late.resolve);
        return send();
      },
    };
    provideMail(app, transport, { ...options, timeoutMs: 1 });
    await assertRejects(() => mail(app, plain), Error, message);
    // An unhandled rejection would end the process.
    await late.promise;
  });
}

Deno.test("mail: development shows the outbox, and production has no such page", async () => {
  const app = createApp("dev");
  await testRequest(app, "GET", "/_fw/dev/mail").wantStatus(200).wantContains(
    "No mail was sent yet.",
  );
  await mail(app, { ...plain, subject: "<b>Hello</b>" });
  await testRequest(app, "GET", "/_fw/dev/mail").wantContains("&lt;b&gt;Hello");
  const page = await testRequest(app, "GET", "/_fw/dev/mail/1").wantStatus(200).wantContains(
    ">Hi</p>",
  );
  assertStringIncludes(page.header("content-security-policy") ?? "", "default-src 'none'");
  // Without an icon, a browser's request for one is a 404 in the log.
  page.wantContains('<head><link rel="icon"');
  await testRequest(app, "GET", "/_fw/dev/mail/2").wantStatus(404);
  await testRequest(createApp(), "GET", "/_fw/dev/mail").wantStatus(404);
});

for (
  const [env, transport, warns] of [["prod", outbox(), true], ["dev", outbox(), false], [
    "prod",
    { send: () => Promise.resolve() },
    false,
  ]] as const
) {
  Deno.test(`provideMail: ${env} with ${Object.keys(transport)} ${warns ? "warns" : "is silent"}`, () => {
    let log = "";
    const logger = createLogger({ write: (line) => void (log += line) });
    provideMail(new App({ env, logger }), transport, options);
    assertEquals(log.includes("Mail goes nowhere"), warns, log);
  });
}

Deno.test("mail: development shows previews and the text form, and ignores names of Object.prototype", async () => {
  const previews = { welcome: () => ({ subject: "Welcome", body: () => h.p("Hi ", h.b("Ada")) }) };
  const app = new App({ env: "dev", logRequest: Off });
  provideMail(app, outbox(), { ...options, previews });
  await testRequest(app, "GET", "/_fw/dev/mail").wantContains("/_fw/dev/mail/welcome");
  await testRequest(app, "GET", "/_fw/dev/mail/welcome").wantContains("Hi <b>Ada</b></p>");
  await testRequest(app, "GET", "/_fw/dev/mail/welcome?text").wantContains("Welcome\n\nHi Ada\n");
  for (const name of ["constructor", "other", "0"]) {
    await testRequest(app, "GET", `/_fw/dev/mail/${name}`).wantStatus(404);
  }
});

const origins = [
  "example.org",
  "https://example.org/",
  "https://example.org/a",
  "ftp://example.org",
  "",
];
for (const origin of origins) {
  Deno.test(`provideMail refuses the origin ${JSON.stringify(origin)}`, () => {
    assertThrows(() => provideMail(new App(), outbox(), { ...options, origin }), TypeError);
  });
}

Deno.test("httpMail: sends JSON with the token, and rejects if the service refuses", async () => {
  const requests: Request[] = [];
  let status = 202;
  const service: typeof fetch = (input, init) => {
    requests.push(new Request(input, init));
    return Promise.resolve(new Response(null, { status }));
  };
  const app = new App({ logRequest: Off });
  const transport = httpMail({ url: "https://mail.example/send", token: "t", fetch: service });
  provideMail(app, transport, options);
  await mail(app, { ...plain, attachments: [{ filename: "a.txt", content: "é" }] });
  const body = await requests[0]?.json();
  assertEquals([body.to, body.attachments], [["ada@example.org"], [
    { filename: "a.txt", contentType: "application/octet-stream", content: "w6k=" },
  ]]);
  assertEquals(requests[0]?.headers.get("authorization"), "Bearer t");
  // Otherwise the token would follow a redirect.
  assertEquals(requests[0]?.redirect, "error");
  assert(/^[-\da-f]{36}$/.test(requests[0]?.headers.get("idempotency-key") ?? ""));
  for (const refusal of [400, 401, 404, 413, 422, 429, 500, 503]) {
    status = refusal;
    const error = await assertRejects(() => mail(app, plain), Error, `${refusal}`);
    assertEquals(error instanceof PermanentError, [400, 413, 422].includes(refusal));
  }
  for (const url of ["http://mail.example/", "mail.example", "file:///x"]) {
    assertThrows(() => httpMail({ url, token: "t" }), TypeError);
  }
});

Deno.test("mail: is a job even if provideMail follows provideJobs; another job of that name is refused", async () => {
  await using db = await openSqlite(":memory:");
  const app = new App({ logRequest: Off });
  await provideJobs(app, sqliteJobs(db), { jobs: [] });
  provideMail(app, outbox(), options);
  await mail(app, plain);
  assertEquals(sentMail(app), []);
  await drainJobs(app);
  assertEquals(sentMail(app).length, 1);
  const other = new App({ logRequest: Off });
  provideMail(other, outbox(), options);
  const jobs = [job("mail", struct({}), () => {})];
  await assertRejects(() => provideJobs(other, sqliteJobs(db), { jobs }), TypeError, '"mail"');
});

Deno.test("mail: a job whose transport refuses all recipients, as by LMTP, has its attempts alone", async () => {
  let attempts = 0;
  const send: MailTransport["send"] = ({ recipients = ["a@b.example", "c@d.example"] }) => {
    // Without an end of its own, the test would never end.
    if (++attempts > 50) throw new PermanentError("more than 50 attempts");
    return Promise.resolve(attempts === 1 ? recipients.slice(1) : recipients);
  };
  await using opened = await openJobApp({ send });
  await mail(opened.app, { ...plain, to: ["a@b.example", "c@d.example"] });
  const [dead] = await drainJobs(opened.app);
  assertEquals(attempts, 35);
  assertMatch(dead?.error ?? "", /refused 1 of 1 recipients: c@d.example/);
});

Deno.test("mail: a failure to enqueue the refused recipients mails the others no second time", async () => {
  const sent: (readonly string[])[] = [];
  const send: MailTransport["send"] = ({ to, recipients = to }) =>
    Promise.resolve(sent.push(recipients) === 1 ? recipients.slice(1) : []);
  await using opened = await openJobApp({ send });
  const { app, engine } = opened;
  await mail(app, { ...plain, to: ["a@b.example", "c@d.example"] });
  const { enqueue } = engine;
  engine.enqueue = () => {
    engine.enqueue = enqueue;
    return Promise.reject(new Error("the database is busy"));
  };
  assertEquals(await drainJobs(app), []);
  assertEquals(sent, [["a@b.example", "c@d.example"], ["c@d.example"]]);
});

Deno.test("mail: jobs of an earlier version, whose mails have no id, keep their own recipients", async () => {
  const sent: string[] = [];
  const send: MailTransport["send"] = ({ to, recipients = to }) =>
    Promise.resolve(sent.push(recipients.join()) === 1 ? recipients.slice(1) : []);
  await using opened = await openJobApp({ send });
  const { app, db, engine } = opened;
  await mail(app, { ...plain, to: ["a@b.example", "c@d.example"] });
  await mail(app, { ...plain, to: ["e@f.example"] });
  await db.run`update fw_jobs set payload = json_set(payload, '$.id', '')`;
  const { enqueue } = engine;
  engine.enqueue = () => {
    engine.enqueue = enqueue;
    return Promise.reject(new Error("the database is busy"));
  };
  assertEquals(await drainJobs(app), []);
  assertEquals(sent.sort(), ["a@b.example,c@d.example", "c@d.example", "e@f.example"]);
});

Deno.test("outbox: keeps the last 100 mails with their numbers", async () => {
  const kept = outbox();
  const message = { id: "", from: "", to: [], subject: "", html: "", text: "", attachments: [] };
  for (let sent = 0; sent < 102; sent++) {
    await kept.send(message, { signal: new AbortController().signal });
  }
  assertEquals([kept.mails.length, kept.mails[0]?.number], [100, 3]);
});

for (const number of [NaN, 0, -1, 1.5, Infinity]) {
  Deno.test(`provideMail refuses a timeoutMs of ${number}`, () => {
    const provide = (): void => provideMail(new App(), outbox(), { ...options, timeoutMs: number });
    assertThrows(provide, RangeError, "timeoutMs");
  });
}
