/**
 * Calls of the example that its own tests do not make, or not to their end: passkeys and the stream.
 */
import { newTestClient, testRequest, withForm, withHeader } from "@fw/fw/testing";
import { assertStringIncludes } from "@std/assert";
import { firstEmail } from "../../examples/events/lib/organisers.ts";
import { password, withApp } from "../../examples/events/tests/app.ts";
import { eventForm } from "../../examples/events/tests/event_fields.ts";
import { Authenticator, textOf } from "../auth/authenticator.ts";

const origin = "http://localhost:3000";
const keys = "/organize/account/passkeys";

Deno.test("calls: a passkey is added, and signs in", () =>
  withApp(async (app) => {
    const client = newTestClient(app);
    await client.get(keys, withHeader("accept", "text/html")).wantStatus(302);
    await client.postForm("/login", { email: firstEmail, password }).wantStatus(303);
    const key = await Authenticator.make();
    const changes = {
      rpId: "localhost",
      clientData: { origin },
      // The authenticator of the tests leaves out what no server reads.
      top: { rawId: textOf(key.id) },
    };
    const made = JSON.parse((await client.get(keys).wantStatus(200)).body);
    const wrong = { ...changes, clientData: { origin: "http://evil.example" } };
    await client.postJson(keys, await key.register(made, wrong)).wantStatus(400);
    const again = JSON.parse((await client.get(keys).wantStatus(200)).body);
    await client.postJson(keys, await key.register(again, changes)).wantStatus(201);
    await client.postForm("/logout", {}).wantStatus(303);
    const other = newTestClient(app);
    const asked = JSON.parse((await other.get("/login/passkey").wantStatus(200)).body);
    await other.postJson("/login/passkey", await key.signIn(asked, wrong)).wantStatus(400);
    const last = JSON.parse((await other.get("/login/passkey").wantStatus(200)).body);
    await other.postJson("/login/passkey", await key.signIn(last, changes)).wantStatus(200);
    await other.get(keys).wantStatus(200);
  }, { isSignedIn: false }));

Deno.test("calls: a stream is read up to its end", () =>
  withApp(async (app) => {
    const create = withForm(eventForm({ seats: "3" }));
    await testRequest(app, "POST", "/organize/events/new", create).wantStatus(303);
    const page = "swifts-over-the-roofs";
    const request = new Request(`http://localhost/api/events/${page}/attendees`, {
      headers: { accept: "text/event-stream" },
    });
    const reading = app.fetch(request);
    // The stream is open once it is read behind the proxy; it would be a 404 otherwise.
    await new Promise((resolve) => setTimeout(resolve, 500));
    await testRequest(app, "POST", `/organize/events/${page}/delete`).wantStatus(303);
    const text = await (await reading).text();
    assertStringIncludes(text, "event: seats");
    assertStringIncludes(text, "event: done");
  }));
