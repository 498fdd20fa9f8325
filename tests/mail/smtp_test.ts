import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import nodemailer from "npm:nodemailer@10.6.1";
import { SMTPServer } from "npm:smtp-server@3.21.6";
import { openSqlite } from "../../data/sqlite/mod.ts";
import * as h from "../../html/mod.ts";
import { jobEngine, provideJobs, sqliteJobs } from "../../jobs/mod.ts";
import { drainJobs } from "../../jobs/testing.ts";
import { type Mail, mail, provideMail, smtp } from "../../mail/mod.ts";
import { App, createLogger } from "../../mod.ts";

type Done = (error?: Error) => void;

/** The answers of the server: one status for each attempt, then it accepts; 0 closes the connection. */
interface Answers {
  readonly greeting?: number[];
  readonly data?: number[];
  readonly recipients?: Readonly<Record<string, number[]>>;
}

interface Delivery {
  readonly to: readonly string[];
  readonly text: string;
}

/** Sends a mail as a job to a real server. */
async function deliver(
  message: Partial<Mail>,
  { greeting = [], data = [], recipients = {} }: Answers,
): Promise<{ attempts: number; received: Delivery[]; errors: string[]; log: string }> {
  const received: Delivery[] = [];
  let attempts = 0;
  const answer = (statuses: number[] | undefined, done: Done): void => {
    const status = statuses?.shift();
    if (status === 0) { for (const { _socket } of server.connections) _socket.destroy(); }
    else if (status === undefined) done();
    else done(Object.assign(new Error("not here"), { responseCode: status }));
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onConnect(_session: unknown, done: Done): void {
      attempts++;
      answer(greeting, done);
    },
    onRcptTo({ address }: { address: string }, _session: unknown, done: Done): void {
      answer(recipients[address], done);
    },
    onData(
      stream: AsyncIterable<Uint8Array>,
      { envelope }: { envelope: { rcptTo: readonly { address: string }[] } },
      done: Done,
    ): void {
      Array.fromAsync(stream).then((parts) => {
        const text = parts.map((part) => new TextDecoder().decode(part)).join("");
        // A status below means that the message was refused; a lost connection, that it may have arrived.
        if ((data[0] ?? 0) === 0) {
          received.push({ to: envelope.rcptTo.map(({ address }) => address), text });
        }
        answer(data, done);
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as { port: number };
  const transporter = nodemailer.createTransport({ host: "127.0.0.1", port, ignoreTLS: true });
  await using db = await openSqlite(":memory:");
  let log = "";
  const logger = createLogger({ write: (line) => void (log += line) });
  const app = new App({ logger });
  try {
    const options = { from: "Events <events@example.org>", origin: "https://example.org" };
    provideMail(app, smtp(transporter), options);
    await provideJobs(app, sqliteJobs(db), { jobs: [] });
    await mail(app, { to: "ada@example.org", subject: "Olá", body: h.p("Até já"), ...message });
    await drainJobs(app);
    const errors = (await jobEngine(app).list("dead")).map(({ error = "" }) => error);
    return { attempts, received, errors, log };
  } finally {
    transporter.close();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}

const three = ["ada@example.org", "Grace <grace@example.org>", '"B" <bob@bücher.example>'];
const bob = "bob@bücher.example";

const rows: readonly [
  name: string,
  message: Partial<Mail>,
  answers: Answers,
  want: { readonly attempts: number; readonly to: string[]; readonly dead?: RegExp },
][] = [
  ["accepted", {}, {}, { attempts: 1, to: ["ada@example.org"] }],
  ["a recipient refused for good", {}, { recipients: { "ada@example.org": [550] } }, {
    attempts: 1,
    to: [],
    dead: /refused the mail.*550 not here/,
  }],
  ["a recipient on the greylist", {}, { recipients: { "ada@example.org": [450, 451] } }, {
    attempts: 3,
    to: ["ada@example.org"],
  }],
  ["a message refused for good", {}, { data: [554] }, { attempts: 1, to: [], dead: /554/ }],
  ["a message refused for now", {}, { data: [452] }, { attempts: 2, to: ["ada@example.org"] }],
  ["a server that wants a sign-in", {}, { recipients: { "ada@example.org": [530] } }, {
    attempts: 2,
    to: ["ada@example.org"],
  }],
  ["a greeting that refuses", {}, { greeting: [554] }, { attempts: 2, to: ["ada@example.org"] }],
  ["a connection lost after the message", {}, { data: [0] }, {
    attempts: 2,
    to: ["ada@example.org", "ada@example.org"],
  }],
  ["one of three refused for good", { to: three }, { recipients: { [bob]: [550, 550] } }, {
    attempts: 2,
    to: ["ada@example.org grace@example.org"],
    dead: /550/,
  }],
  ["one of three on the greylist", { to: three }, { recipients: { [bob]: [450, 450] } }, {
    attempts: 3,
    to: ["ada@example.org grace@example.org", bob],
  }],
  ["two of three refused, one for good", { to: three }, {
    recipients: { "ada@example.org": [550, 550, 550, 550, 550], [bob]: [450, 450, 450] },
  }, { attempts: 5, to: ["grace@example.org", bob], dead: /550/ }],
];
for (const [name, message, answers, want] of rows) {
  Deno.test(`smtp: ${name}`, async () => {
    const { attempts, received, errors, log } = await deliver(message, answers);
    assertEquals(attempts, want.attempts, log);
    assertEquals(received.map(({ to }) => to.join(" ")), want.to);
    assertEquals(errors.length, want.dead === undefined ? 0 : 1, errors.join());
    if (want.dead !== undefined) {
      assert(want.dead.test(errors.join()), errors.join());
      assertStringIncludes(log, "job is dead");
    }
    const ids = received.map(({ text }) =>
      /^Message-ID: (<[-\da-f]+@example\.org>)\r?$/m.exec(text)?.[1]
    );
    assert(!ids.includes(undefined) && new Set(ids).size <= 1, ids.join());
    const sent = received.map(({ text }) =>
      /^To: ([^]+?)\r?\n\w/m.exec(text)?.[1]?.split(",").length
    );
    // Each recipient sees all of them.
    assert(sent.every((count) => count === [message.to ?? ""].flat().length), sent.join());
  });
}

Deno.test("smtp: a real server receives both forms and the attachment", async () => {
  const content = "BEGIN:VCALENDAR";
  const attachments = [{ filename: "event.ics", content, contentType: "text/calendar" }];
  const { received } = await deliver({ to: "Ada <ada@example.org>", attachments }, {});
  const parts = ["To: Ada <ada@example.org>", "text/plain", "text/html", "filename=event.ics"];
  for (const part of [...parts, "text/calendar"]) {
    assertStringIncludes(received[0]?.text ?? "", part);
  }
});
