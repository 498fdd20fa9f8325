import { withUser } from "@fw/fw/auth/testing";

import { newTestClient, testApp } from "@fw/fw/testing";
import { sessions } from "../../lib/sessions.ts";

const config = { variables: { FW_DB: ":memory:" } };

Deno.test("the page of the jobs is for operators", async () => {
  await using app = await testApp({ config });
  const guest = newTestClient(app);
  await guest.get("/jobs").wantStatus(302);
  await newTestClient(app, withUser(sessions)).get("/jobs").wantStatus(403);
  const operator = newTestClient(app, withUser(sessions, { roles: ["admin"] }));
  await operator.get("/jobs").wantStatus(200).wantContains("<h1");
  await operator.postForm("/jobs", { id: "1", change: "retry" }).wantRedirect("/jobs");
});
