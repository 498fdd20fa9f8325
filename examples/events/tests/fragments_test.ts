import { newTestClient, testRequest, withForm, withHeader } from "@fw/fw/testing";
import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { withApp } from "./app.ts";
import { eventForm } from "./event_fields.ts";

const event = "/events/fado-without-a-microphone";

/** Asks for the element of an id alone, as the script of the kit does. */
function asking(id: string): ReturnType<typeof withHeader> {
  return withHeader("fw-fragment", id);
}

Deno.test("fragment: the list comes alone, with the title of its page", () =>
  withApp(async (app) => {
    const path = "/events?category=music";
    const { body } = await testRequest(app, "GET", path, asking("events")).wantStatus(200)
      .wantHeader("vary", "FW-Fragment, Accept-Language, Cookie");
    assert(body.startsWith('<title>Music · Miradouro</title><div id="events">'));
    assertFalse(body.includes("<main"));
    const page = await testRequest(app, "GET", path).wantStatus(200);
    assertEquals(page.body.match(/<title>/g)?.length, 1);
    assertStringIncludes(page.body, body.slice(body.indexOf("<div")));
  }));

Deno.test("fragment: who is going changes in the facts alone, and the message is in a header", () =>
  withApp(async (app) => {
    const visitor = newTestClient(app);
    await visitor.get(event);
    const steps: [button: string, message: string][] = [
      ["I cannot come", "See you there"],
      ["I am going", "Your seat is free"],
    ];
    for (const [button, message] of steps) {
      const answer = await visitor.get(event).submit(".going form", {}, asking("facts")).wantStatus(
        200,
      )
        .wantContains(`>${button}</button>`);
      assert(answer.body.startsWith('<aside id="facts"'));
      const flash = decodeURIComponent(answer.headers.get("fw-flash") ?? "");
      assertStringIncludes(flash, message);
    }
    assertFalse((await visitor.get(event)).body.includes("ui-toast "));
  }));

Deno.test("fragment: a form that is wrong comes back alone, and takes no focus by itself", () =>
  withApp(async (app) => {
    const form = withForm(eventForm({ seats: "many" }));
    const { body } = await testRequest(
      app,
      "POST",
      "/organize/events/new",
      form,
      asking("event-form"),
    ).wantStatus(422);
    assert(body.startsWith('<div class="ui-stack" id="event-form">'), body.slice(0, 80));
    assertStringIncludes(body, 'aria-invalid="true"');
    // The script gives the focus to the first field that is wrong; the summary has it without a script.
    assertFalse(/<(?:input|select|textarea|button)[^>]* autofocus/.test(body));
  }));

Deno.test("fragment: a form that is saved leads to the page of its event", () =>
  withApp(async (app) => {
    const client = newTestClient(app);
    const form = withForm(eventForm());
    await client.request("POST", "/organize/events/new", form, asking("event-form"))
      .wantStatus(204).wantHeader("fw-location", "/events/swifts-over-the-roofs");
    await client.get("/events/swifts-over-the-roofs").wantContains("is on the schedule.");
  }));
