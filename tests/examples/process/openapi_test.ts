import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { describeApi } from "../../../cli/describe/openapi/describe.ts";
import { createProject } from "../../../cli/project/project.ts";
import { checkout } from "../../cli/describe/openapi_app.ts";

for (const name of ["events", "gallery"]) {
  Deno.test(`openapi: the document of ${name} is that of its code`, async () => {
    const root = join(checkout, "examples", name);
    const { document, problems, warnings } = await describeApi(createProject(root));
    assertEquals({ problems, warnings }, { problems: [], warnings: [] });
    const written = await Deno.readTextFile(join(root, "openapi.json"));
    assertEquals(`${JSON.stringify(document, null, 2)}\n`, written, 'run "deno task openapi"');
  });
}
