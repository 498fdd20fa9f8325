/**
 * The test of the JSON API of a resource.
 *
 * @module
 */
import type { Field } from "./fields.ts";
import { canAddByApi, type ResourcePlan, shownField } from "./plan.ts";
import { uploadTest } from "./upload_test_source.ts";
import { refusedValue, type Sample, sampleOf } from "./samples.ts";

/** Returns the text of the test beside the route of the list. */
export function apiTestSource(plan: ResourcePlan): string {
  const { names: { url, words: [, words] }, fields } = plan;
  const path = `/api/${url}`;
  const [first, second] = [sampleOf(fields), sampleOf(fields, { isOther: true })];
  const refused = refusedValue(fields);
  const canAdd = canAddByApi(plan);
  const upload = uploadTest(plan);
  const create = canAdd
    ? `await client.postJson("${path}", first).wantStatus(201).wantHeader("location", url);`
    : `// JSON carries no upload: the form of the page adds the row.
  await client.get("/${url}/new").submit('main form[method="post"]', ${upload.first})
    .wantStatus(303);`;
  return `import { newTestClient, testApp, withJson } from "@fw/fw/testing";

// The database of the tests is in memory.
const config = { variables: { FW_DB: ":memory:" } };

const first = ${canAdd ? jsonOf(fields, first) : JSON.stringify(first)};
const second = ${jsonOf(fields, second)};
${canAdd ? "" : upload.constants}
Deno.test("the API ${canAdd ? "adds, " : ""}lists, replaces and deletes ${words}", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app);
  const url = "${path}/1";
  ${create}
  await client.get(url).wantStatus(200)${contains(plan, first)};
  await client.get("${path}").wantStatus(200).wantContains('"pages":1');
  await client.request("PUT", url, withJson(second)).wantStatus(200)${contains(plan, second)};
  await client.request("DELETE", url).wantStatus(204);
  await client.get(url).wantStatus(404);
  await client.request("PUT", url, withJson(second)).wantStatus(404);
  await client.request("DELETE", url).wantStatus(404);
});
${
    refused === undefined ? "" : `
Deno.test("the API refuses ${words} that break a rule", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app);
  const wrong = { ...${canAdd ? "first" : "second"}, ${refused.name}: ${refused.literal} };
  await client.${
      canAdd ? `postJson("${path}", wrong)` : `request("PUT", "${path}/1", withJson(wrong))`
    }.wantStatus(422);
  await client.get("${path}").wantContains('"rows":[]');
});
`
  }`;
}

/** Returns the literal of a sample as a client of an API sends it. */
function jsonOf(fields: readonly Field[], sample: Sample): string {
  const values = fields.map(({ name, builder }): [string, unknown] => {
    const value = sample[name];
    if (builder === "bool") return [name, true];
    // Not every integer of 64 bits is a number of JavaScript: one of JSON may be a text.
    return [name, builder === "int" || builder === "float" ? Number(value) : value];
  });
  return JSON.stringify(Object.fromEntries(values));
}

/** Returns the check of a member of the response. */
function contains(plan: ResourcePlan, sample: Sample): string {
  const field = shownField(plan);
  if (field === undefined || field.builder === "date") return "";
  const value = JSON.stringify(sample[field.name]);
  const shown = field.builder === "text" ? value : sample[field.name];
  return `.wantContains(${JSON.stringify(`"${field.name}":${shown}`)})`;
}
