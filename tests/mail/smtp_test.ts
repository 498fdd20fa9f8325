import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import nodemailer from "npm:nodemailer@10.6.1";
import { SMTPServer } from "npm:smtp-server@3.21.6";
import * as h from "../../html/mod.ts";
import { mail, provideMail, smtp } from "../../mail/mod.ts";
import { App, Off } from "../../mod.ts";

/** Runs a mail server on a free port. @returns The received mails, one text each. */
async function withServer(run: (port: number) => Promise<void>): Promise<string[]> {
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo(address: { address: string }, _session: unknown, done: (error?: Error) => void): void {
      done(address.address.startsWith("nobody") ? new Error("no such reader") : undefined);
    },
    onData(
      stream: AsyncIterable<Uint8Array>,
      _session: unknown,
      done: (error?: Error) => void,
    ): void {
      Array.fromAsync(stream).then((parts) => {
        received.push(parts.map((part) => new TextDecoder().decode(part)).join(""));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await run((server.server.address() as { port: number }).port);
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
  return received;
}

Deno.test("smtp: a real server receives both forms, the attachment and no injected header", async () => {
  const received = await withServer(async (port) => {
    const transporter = nodemailer.createTransport({ host: "127.0.0.1", port, ignoreTLS: true });
    const app = new App({ logRequest: Off });
    const origin = "https://example.org";
    provideMail(app, smtp(transporter), { from: "events@example.org", origin });
    await mail(app, {
      to: "Ada <ada@example.org>",
      subject: "Olá",
      body: h.p("Até já"),
      attachments: [{
        filename: "event.ics",
        content: "BEGIN:VCALENDAR",
        contentType: "text/calendar",
      }],
    });
    const lost = mail(app, { to: "nobody@example.org", subject: "x", body: h.p("x") });
    await assertRejects(() => lost, Error);
    transporter.close();
  });
  assertEquals(received.length, 1);
  for (
    const part of [
      "To: Ada <ada@example.org>",
      "text/plain",
      "text/html",
      "filename=event.ics",
      "text/calendar",
    ]
  ) assertStringIncludes(received[0] ?? "", part);
});
