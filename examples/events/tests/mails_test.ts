import { enqueue, type Job } from "@fw/fw/jobs";
import { drainJobs } from "@fw/fw/jobs/testing";
import { type SentMail, sentMail } from "@fw/fw/mail/testing";
import { type App, use } from "@fw/fw";
import { newTestClient, withForm } from "@fw/fw/testing";
import { testRequest } from "@fw/fw/testing";
import { assert, assertEquals } from "@std/assert";
import { Store } from "@/lib/events/store.ts";
import { digest, remind } from "@/lib/jobs.ts";
import { withApp } from "./app.ts";
import { eventForm } from "./event_fields.ts";

const path = "/events/swifts-over-the-roofs";

/** Takes a seat and requests emails. */
async function ask(
  app: App,
  email: string,
  prefix = "",
): Promise<ReturnType<typeof newTestClient>> {
  const visitor = newTestClient(app);
  await visitor.postForm(`${prefix}${path}?/join`, {}).wantStatus(303);
  await visitor.postForm(`${prefix}${path}?/remind`, { email }).wantStatus(303);
  return visitor;
}

async function create(app: App): Promise<void> {
  const form = withForm(eventForm({ seats: "9" }));
  await testRequest(app, "POST", "/organize/events/new", form).wantStatus(303);
}

async function run(app: App, job: Job<Record<never, never>>): Promise<readonly SentMail[]> {
  const before = sentMail(app).length;
  await enqueue(app, job, {});
  assertEquals(await drainJobs(app), []);
  return sentMail(app).slice(before);
}

Deno.test("mails: a guest gets a confirmation with a calendar file, in the language of the page", () =>
  withApp(async (app) => {
    await create(app);
    const ana = await ask(app, "ana@example.org");
    await ana.get(path).wantContains("A mail is on its way to ana@example.org.");
    await ask(app, "rui@example.org", "/pt-PT");
    assertEquals(await drainJobs(app), []);
    const mails = sentMail(app).toSorted((a, b) => String(a.to).localeCompare(String(b.to)));
    assertEquals(mails.map(({ to, subject }) => [String(to), subject.split(":")[0]]), [
      ["ana@example.org", "Your seat"],
      ["rui@example.org", "O seu lugar"],
    ]);
    const [file] = mails[0]?.attachments ?? [];
    assertEquals([file?.filename, file?.contentType], [
      `${path.slice(8)}.ics`,
      "text/calendar; charset=utf-8",
    ]);
    assert(atob(file?.content ?? "").includes("BEGIN:VEVENT"));
    assert(mails[1]?.text.includes(`<http://localhost:3000/pt-PT${path}>`));
  }));

Deno.test("mails: no seat and no address, no mail", () =>
  withApp(async (app) => {
    await create(app);
    const visitor = newTestClient(app);
    await visitor.postForm(`${path}?/remind`, { email: "ana@example.org" }).wantStatus(303);
    await visitor.get(path).wantContains("You had no seat.");
    for (const email of ["", "nobody", "a@b.example\r\nbcc: c@d.example", "a@127.0.0.1"]) {
      const guest = await ask(app, email);
      await guest.get(path).wantContains("No mail can be sent to that address.");
    }
    assertEquals(await drainJobs(app), []);
    assertEquals(sentMail(app), []);
  }));

Deno.test("mails: a reminder once, the day before, and a digest to each guest who still has a seat", () =>
  withApp(async (app) => {
    await create(app);
    await ask(app, "ana@example.org");
    const rui = await ask(app, "rui@example.org", "/pt-PT");
    assertEquals(await drainJobs(app), []);
    assertEquals((await run(app, remind)).length, 0, "the event is not tomorrow");
    const event = await use(app, Store).findBySlug(path.slice(8));
    assert(event !== undefined);
    const digests = await run(app, digest);
    assertEquals(digests.map(({ subject }) => subject).toSorted(), [
      "Esta semana em Lisboa",
      "This week in Lisbon",
    ]);
    assert(digests[0]?.text.includes("- "));
    await rui.postForm(`${path}?/leave`, {}).wantStatus(303);
    const eve = Temporal.PlainDateTime.from(event.startsAt).subtract({ days: 1 });
    use(app, Store).now = () => eve;
    const reminders = await run(app, remind);
    assertEquals(reminders.map(({ to, subject }) => [String(to), subject.split(":")[0]]), [
      ["ana@example.org", "Tomorrow"],
    ]);
    assertEquals((await run(app, remind)).length, 0);
  }));
