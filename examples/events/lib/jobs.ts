/** Background work: emails to guests. */
import { type Application, struct, use, variable } from "@fw/fw";
import { daily, job, provideJobs, sqliteJobs, weekly } from "@fw/fw/jobs";
import { httpMail, mail, outbox, provideMail } from "@fw/fw/mail";
import { Guests } from "./attendance.ts";
import { timeZone } from "./clock.ts";
import { Database } from "./database.ts";
import { Store } from "./events/store.ts";
import { reminder, siteOrigin, weeklyDigest } from "./guest_mails.ts";

/** Reminds the guests of tomorrow's events. It runs daily, so moved events are included. */
export const remind = job("remind", struct({}), async (_, { app }) => {
  const store = use(app, Store);
  const tomorrow = store.now().toPlainDate().add({ days: 1 });
  // Emails are jobs in the same database, so all are enqueued or none, and a retry repeats none.
  await use(app, Database).tx(async () => {
    for (const { slug, ...guest } of await use(app, Guests).takeUnreminded(tomorrow)) {
      const event = await store.findBySlug(slug);
      if (event !== undefined) await mail(app, reminder(event, guest));
    }
  });
});

/** Sends the weekly digest to each guest who wants emails. */
export const digest = job("digest", struct({}), async (_, { app }) => {
  const write = await weeklyDigest(app);
  if (write === undefined) return;
  await use(app, Database).tx(async () => {
    for (const guest of await use(app, Guests).listMailed()) await mail(app, write(guest));
  });
});

/**
 * Provides jobs and mail. Without FW_MAIL_URL emails are only kept: development shows them at
 * `/_fw/dev/mail`, production warns at boot.
 */
export async function openJobs(app: Application): Promise<void> {
  await provideJobs(app, sqliteJobs(use(app, Database)), {
    jobs: [remind, digest],
    schedule: [
      daily("10:00", remind, { zone: timeZone }),
      weekly("mon 08:00", digest, { zone: timeZone }),
    ],
  });
  const url = variable(app, "FW_MAIL_URL");
  const transport = url === undefined
    ? outbox()
    : httpMail({ url, token: variable(app, "FW_MAIL_TOKEN") ?? "" });
  const from = variable(app, "FW_MAIL_FROM") ?? "Miradouro <events@miradouro.example>";
  provideMail(app, transport, { from, origin: siteOrigin(app) });
}
