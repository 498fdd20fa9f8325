/**
 * Helpers for tests: requests through the whole application without a socket, a client that keeps cookies,
 * and a single route or page. They need no test runner and open no connection.
 *
 * @example
 * ```ts
 * import { App } from "@fw/fw";
 * import { testRequest, withForm } from "@fw/fw/testing";
 *
 * const app = new App({ env: "dev", logRequest: () => false });
 * app.route({ pattern: "/events", methods: { POST: (c) => c.redirect("/events") } });
 * await testRequest(app, "POST", "/events", withForm({ title: "Meeting" }))
 *   .wantStatus(303).wantHeader("location", "/events");
 * ```
 *
 * @module
 */

export type { FieldValue, FilledValues } from "./form_entries.ts";
export type { TestElement } from "./html_tree.ts";
export { newTestClient, TestClient } from "./client.ts";
export {
  type FormValues,
  type RequestPlan,
  type TestOption,
  withApp,
  withBody,
  withCookie,
  withForm,
  withHeader,
  withJson,
  withMaxEvents,
  withoutCsrf,
  withSigned,
} from "./options.ts";
export { type SampleField, sampleForm, sampleJson } from "./sample_values.ts";
export { type TestedPage, testPage, testRequest, testRoute } from "./request.ts";
export { type PendingResponse, TestResponse } from "./response.ts";
export type { ServerEvent as TestEvent } from "../request/sse/parser.ts";
export { testApp, type TestAppOptions } from "./test_app.ts";
