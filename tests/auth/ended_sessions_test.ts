import { newTestClient, testRequest, withCookie } from "../../runtime/testing/mod.ts";
import { appWith } from "./session_kinds.ts";

Deno.test("sessions (stateless): an ended cookie stays invalid after any number of later sign-ins", async () => {
  const made = appWith(() => undefined);
  const ended: string[] = [];
  for (let count = 0; count < 100; count++) {
    const victim = newTestClient(made.app);
    await victim.postForm("/login", { subject: "victim" }).wantStatus(303);
    ended.push(victim.cookie("fw_session") ?? "");
    await victim.postForm("/logout", {}).wantStatus(303);
  }
  const other = newTestClient(made.app);
  for (let count = 0; count < 2_500; count++) {
    await other.postForm("/login", { subject: "mallory" }).wantStatus(303);
  }
  for (const cookie of ended) {
    await testRequest(made.app, "GET", "/who", withCookie("fw_session", cookie))
      .wantContains("null");
  }
});
