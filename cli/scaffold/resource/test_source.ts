/**
 * The test of a resource: the way of a browser without scripts, and what is refused.
 *
 * @module
 */
import {
  maxSearchChars,
  type ResourcePlan,
  searchedFields,
  shownField,
  titleField,
} from "./plan.ts";
import { hasWords } from "./texts.ts";
import { uploadTest } from "./upload_test_source.ts";
import { type RefusedValue, refusedValue, type Sample, sampleOf } from "./samples.ts";

/** Returns the text of the test beside the list. */
export function resourceTestSource(plan: ResourcePlan): string {
  const { names: { url, words: [, words] }, fields } = plan;
  const first = sampleOf(fields);
  const second = sampleOf(fields, { isOther: true });
  const refused = refusedValue(fields);
  const searched = searchedText(plan, first);
  const upload = uploadTest(plan);
  const absent = ["7", "x", "7/edit", "7/delete", ...upload.paths];
  const shown = shownText(plan, first);
  const changed = shownText(plan, second);
  return `import { newTestClient, testApp, withForm, withoutCsrf } from "@fw/fw/testing";

// The database of the tests is in memory.
const config = { variables: { FW_DB: ":memory:" } };

const form = 'main form[method="post"]';
const first = ${JSON.stringify(first)};
const second = ${JSON.stringify(second)};
${upload.constants}
Deno.test("${words} are added, ${
    searched === undefined ? "" : "found, "
  }changed and deleted", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app);
  await client.get("/${url}").wantStatus(200);
  await client.get("/${url}/new").submit(form, ${upload.first}).wantRedirect("/${url}/1");
  await client.get("/${url}/1").wantStatus(200)${contains(shown)};
  await client.get("/${url}").wantContains("/${url}/1");
${
    searched !== undefined
      ? `  const found = \`/${url}?q=\${encodeURIComponent(${JSON.stringify(searched)})}\`;
  await client.get(found).wantContains("/${url}/1");
  await client.get("/${url}?q=%25%25").wantNotContains("/${url}/1");\n`
      : ""
  }  await client.get("/${url}/1/edit").submit(form, second).wantRedirect("/${url}/1");
  await client.get("/${url}/1")${contains(changed) || ".wantStatus(200)"};
${upload.shown}  await client.get("/${url}/1/delete").submit(form, {}).wantRedirect("/${url}");
  await client.get("/${url}/1").wantStatus(404);
});

Deno.test("${words} that are not there are a 404, and a post without a token is a 403", async () => {
  await using app = await testApp({ config });
  const client = newTestClient(app);
  for (const path of ${JSON.stringify(absent)}) {
    await client.get(\`/${url}/\${path}\`).wantStatus(404);
  }
  await client.postForm("/${url}/7/edit", first).wantStatus(404);
  await client.postForm("/${url}/7/delete", {}).wantStatus(404);
  await client.request("POST", "/${url}/new", withForm(first), withoutCsrf()).wantStatus(403);
});
${refused === undefined ? "" : refusedTest(plan, refused)}`;
}

function refusedTest(plan: ResourcePlan, { name, literal, fitsForm }: RefusedValue): string {
  const { names: { url, words: [, words] }, uploads } = plan;
  // With the files, so that nothing else is refused.
  const files = uploads.length === 0 || !fitsForm ? "" : "...files, ";
  const send = fitsForm
    ? `get("/${url}/new").submit(form, wrong)`
    : `postForm("/${url}/new", wrong)`;
  return `
Deno.test("${words} are refused with what was typed", async () => {
  await using app = await testApp({ config });
  const wrong = { ...first, ${files}${name}: ${literal} };
  const client = newTestClient(app);
  await client.${send}.wantStatus(422);
  await client.get("/${url}").wantNotContains("/${url}/1");
});
`;
}

/** Returns a text of the sample that the detail page shows. */
function shownText(plan: ResourcePlan, sample: Sample): string | undefined {
  const field = shownField(plan);
  const isWorded = field !== undefined && plan.texts.hasCatalog && hasWords(field);
  return field === undefined || isWorded ? undefined : sample[field.name];
}

/** Returns a text of the sample by which the search finds it. */
function searchedText(plan: ResourcePlan, sample: Sample): string | undefined {
  const field = titleField(plan) ?? searchedFields(plan)[0];
  return field === undefined ? undefined : sample[field.name]?.slice(0, maxSearchChars);
}

function contains(text: string | undefined): string {
  return text === undefined ? "" : `.wantContains(${JSON.stringify(text)})`;
}
