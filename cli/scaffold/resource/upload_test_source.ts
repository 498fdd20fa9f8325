/**
 * What the tests of a resource say of its uploads.
 *
 * @module
 */
import type { ResourcePlan } from "./plan.ts";

/** The parts of a test. */
export interface UploadTest {
  /** The constants above the tests; `""` without uploads. */
  readonly constants: string;
  /** The values of the form that adds a row. */
  readonly first: string;
  /** The checks of the page of the row. */
  readonly shown: string;
  /** The paths that are a 404 without a row. */
  readonly paths: readonly string[];
}

/** Returns the parts of the tests that are about uploads. */
export function uploadTest({ uploads, names: { url } }: ResourcePlan): UploadTest {
  if (uploads.length === 0) return { constants: "", first: "first", shown: "", paths: [] };
  const isPicture = uploads.some(({ type }) => type === "image");
  const members = uploads.map(({ name, type }) =>
    type === "image"
      ? `  ${name}: new File([png], "${name}.png"),\n`
      : `  ${name}: new File(["What ${name} says."], "${name}.txt"),\n`
  );
  const checks = uploads.map(({ name, type }) => {
    const [selector, attribute, header] = type === "image"
      ? [`main img[src*="/${name}?"]`, "src", ["content-type", "image/png"]]
      : [`main a[href*="/${name}?"]`, "href", [
        "content-disposition",
        `attachment; filename*=UTF-8''${name}.txt`,
      ]];
    return `  const ${name}Url = (await client.get("/${url}/1")).query(${
      JSON.stringify(selector)
    })?.attribute("${attribute}");
  await client.get(${name}Url ?? "").wantStatus(200).wantHeader(${
      header.map((text) => JSON.stringify(text)).join(", ")
    })
    .wantHeader("cache-control", "private, max-age=31536000, immutable");
  await client.get("/${url}/1/${name}").wantHeader("cache-control", "private, no-cache");
  await client.get("/${url}/1/edit").wantContains("${name}.${
      type === "image" ? "png" : "txt"
    }</a>");
`;
  });
  return {
    constants: `\n${
      isPicture
        ? "/** The start of a PNG, by which its type is found. */\nconst png = " +
          "new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);\n"
        : ""
    }const files = {\n${members.join("")}};\n`,
    first: "{ ...first, ...files }",
    shown: checks.join(""),
    paths: uploads.map(({ name }) => `7/${name}`),
  };
}
