// test: child, runs the entry of a new application
import { assert, assertEquals, assertStringIncludes, fail } from "@std/assert";
import { join } from "@std/path";
import { Ajv } from "npm:ajv@8.20.0";
import { gatherBinaryFacts } from "../../../cli/build/tell/facts.ts";
import { tellProgram, tellWords } from "../../../cli/build/tell/program.ts";
import { formatSbom } from "../../../cli/build/tell/sbom.ts";
import { createProject } from "../../../cli/project/project.ts";
import { readModuleGraph } from "../../../cli/project/sources/graph.ts";
import { freePort } from "../../free_port.ts";
import { shareFolder } from "../shared_folder.ts";
import { deno, runCli, writeFiles } from "../support.ts";

const texts = { usage: "Usage: shop --fw routes|…", missing: "It was not there." };

const shared = shareFolder("tell", async (folder) => {
  assertEquals((await runCli(["new", "shop"], { cwd: folder })).code, 0);
  const cwd = join(folder, "shop");
  const path = join(cwd, "deno.json");
  const manifest = JSON.parse(await Deno.readTextFile(path));
  Object.assign(manifest, { name: "@me/shop", version: "1.2.3", exports: undefined });
  await Deno.writeTextFile(path, JSON.stringify(manifest));
  await writeFiles(cwd, {
    "app/about/page.ts": `import { red } from "npm:kleur@4.1.5/colors";
export function Page(): void {
  console.log(red("x"));
}
`,
    "islands/counter.ts": `import { h } from "npm:preact@10.29.8";
export default function counter(): void {
  console.log(h);
}
`,
    "app/setup.ts": `export function Setup(): void {
  Deno.writeTextFileSync("ran.txt", "Setup ran");
}
`,
  });
  await runCli(["gen"], { cwd });
});

interface Sbom {
  readonly serialNumber: string;
  readonly components: readonly {
    readonly "bom-ref": string;
    readonly name: string;
    readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
    readonly licenses?: readonly { readonly expression?: string }[];
    readonly purl?: string;
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

async function factsOf(cwd: string): ReturnType<typeof gatherBinaryFacts> {
  return await gatherBinaryFacts(createProject(cwd), {
    entry: "fw_gen.ts",
    target: "t",
    onWarning: ({ message }) => fail(message),
  });
}

/** Checks a document against the schema of CycloneDX 1.6, as its own library carries it. */
async function faultsOf(document: unknown): Promise<readonly unknown[]> {
  const graph = await readModuleGraph(shared(), "npm:@cyclonedx/cyclonedx-library@10.3.0");
  const folder = [...graph?.npm.values() ?? []]
    .find(({ name }) => name === "@cyclonedx/cyclonedx-library")?.folder ?? "";
  const read = async (name: string): Promise<Record<string, unknown>> =>
    JSON.parse(await Deno.readTextFile(join(folder, "res/schema", name)));
  const formats = ["iri-reference", "idn-email", "iri", "email", "date-time", "uri", "regex"];
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    formats: Object.fromEntries(formats.map((name) => [name, true])),
  });
  const base = "http://cyclonedx.org/schema/";
  ajv.addSchema(await read("spdx.SNAPSHOT.schema.json"), `${base}spdx.SNAPSHOT.schema.json`);
  ajv.addSchema(
    await read("jsf-0.82.SNAPSHOT.schema.json"),
    `${base}jsf-0.82.SNAPSHOT.schema.json`,
  );
  const validate = ajv.compile(await read("bom-1.6.SNAPSHOT.schema.json"));
  return validate(document) ? [] : validate.errors ?? ["?"];
}

Deno.test("tell: the bill of materials is valid, and names packages, digests, licenses and edges", async () => {
  const cwd = join(shared(), "shop");
  await deno(["cache", "fw_gen.ts", "islands/counter.ts"], cwd);
  const facts = await factsOf(cwd);
  const sbom: Sbom = JSON.parse(facts.sbom ?? "");
  assertEquals(await faultsOf(sbom), []);
  // The schema is one that can refuse.
  assert((await faultsOf({ ...sbom, components: [{ type: "x", name: 1 }] })).length > 0);
  const kleur = sbom.components.find(({ name }) => name === "kleur");
  assertEquals(kleur?.purl, "pkg:npm/kleur@4.1.5");
  assertEquals(kleur?.licenses, [{ expression: "MIT" }]);
  assertEquals(kleur?.hashes?.map(({ alg, content }) => [alg, content.length]), [["SHA-512", 128]]);
  const refs = sbom.components.map((component) => component["bom-ref"]);
  for (const ref of ["npm:preact@10.29.8", "file:@fw/fw", `deno@${Deno.version.deno}`]) {
    assert(refs.includes(ref), `${ref} of ${refs}`);
  }
  assertEquals(new Set(refs).size, refs.length);
  const app = sbom.dependencies.find(({ ref }) => ref === "app");
  for (const ref of ["npm:kleur@4.1.5", "npm:preact@10.29.8", "file:@fw/fw"]) {
    assert(app?.dependsOn.includes(ref), `${ref} of ${app?.dependsOn}`);
  }
  assertEquals((await factsOf(cwd)).sbom, facts.sbom, "the same sources give the same text");
  assertStringIncludes(facts.licenses ?? "", "npm:kleur@4.1.5  MIT\n");
  assertStringIncludes(facts.licenses ?? "", "--- npm:kleur@4.1.5 ---");
  assertStringIncludes(facts.routes ?? "", "GET      /about");
  assertStringIncludes(facts.version ?? "", "@me/shop 1.2.3\nfw ");
  assertStringIncludes(facts.policy ?? "", "GET /about kind=page");
  assertEquals(Object.keys(JSON.parse(facts.openapi ?? "").paths), ["/api/hello"]);
});

const licenses: readonly (readonly [string, unknown])[] = [
  ["MIT", { expression: "MIT" }],
  ["(MIT OR Apache-2.0)", { expression: "(MIT OR Apache-2.0)" }],
  ["GPL-2.0+ WITH Classpath-exception-2.0", {
    expression: "GPL-2.0+ WITH Classpath-exception-2.0",
  }],
  ["SEE LICENSE IN x.txt", { license: { name: "SEE LICENSE IN x.txt" } }],
  ['my own, "free"', { license: { name: 'my own, "free"' } }],
];

for (const [license, want] of licenses) {
  Deno.test(`tell: the license ${license} is valid in the bill of materials`, async () => {
    const component = {
      ref: "npm:@a/b@1.0.0",
      registry: "npm",
      name: "@a/b",
      version: "1.0.0",
      hash: undefined,
      license,
      licenseText: undefined,
    } as const;
    const app = { name: "x", version: undefined };
    const sbom = JSON.parse(formatSbom(app, { list: [component], edges: new Map() }));
    assertEquals(sbom.components[0].licenses, [want]);
    assertEquals(sbom.components[0].purl, "pkg:npm/%40a/b@1.0.0");
    assertEquals(await faultsOf(sbom), []);
  });
}

/** Runs the entry with the module before it, as the executable does. */
async function run(
  args: readonly string[],
  options: { readonly env?: Record<string, string> } = {},
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const cwd = join(shared(), "shop");
  const facts = { version: "shop 1\n", sbom: "x".repeat(300_000), policy: '"`${1}\\\u2028\n' };
  await writeFiles(cwd, { ".fw/build/tell.ts": tellProgram(facts, texts) });
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--no-check",
      "--preload=./.fw/build/tell.ts",
      "fw_gen.ts",
      ...args,
    ],
    cwd,
    env: { NO_COLOR: "1", ...options.env },
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

const rows: readonly (readonly [readonly string[], number, string, string])[] = [
  [["--fw", "version"], 0, "shop 1\n", ""],
  [["--fw=version"], 0, "shop 1\n", ""],
  [["--now", "--fw", "version"], 0, "shop 1\n", ""],
  [["--fw", "policy"], 0, '"`${1}\\\u2028\n', ""],
  [["--fw", "sbom"], 0, "x".repeat(300_000), ""],
  [["--fw", "openapi"], 1, "", texts.missing],
  [["--fw"], 2, "", texts.usage],
  [["--fw", "routers"], 2, "", texts.usage],
  [["--fw", "version", "extra"], 2, "", texts.usage],
  [["--fw", "toString"], 2, "", texts.usage],
  [["--fw=", "version"], 2, "", texts.usage],
];

for (const [args, want, stdout, stderr] of rows) {
  Deno.test(`tell: ${args.join(" ")} ends with ${want}, and no server starts`, async () => {
    const answer = await run(args);
    assertEquals([answer.code, answer.stdout], [want, stdout]);
    assertStringIncludes(answer.stderr, stderr);
    // Nothing of the application runs: it would fail here for want of permissions.
    assert(!answer.stderr.includes("NotCapable") && !answer.stderr.includes("Cannot start"));
    await Deno.lstat(join(shared(), "shop/ran.txt")).then(
      () => fail("Setup ran"),
      (error) => assert(error instanceof Deno.errors.NotFound),
    );
  });
}

for (const flag of ["--fw", "--fw=routes"]) {
  Deno.test(`tell: from sources ${flag} starts no server either`, async () => {
    const cwd = join(shared(), "shop");
    const { code, output } = await deno(["run", "-A", "--no-check", "fw_gen.ts", flag], cwd);
    assertEquals(code, 1);
    assertStringIncludes(output, "Cannot answer --fw: this program was not made by `fw build`");
    assert(!output.includes("boot.ts"), output);
  });
}

Deno.test("tell: without the flag the application runs as ever, and HTTP reaches nothing of it", async () => {
  const cwd = join(shared(), "shop");
  const secret = "fact-6f1c9b";
  await writeFiles(cwd, {
    ".fw/build/tell.ts": tellProgram({ version: secret, policy: secret, sbom: secret }, texts),
  });
  const port = freePort();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--preload=./.fw/build/tell.ts", "fw_gen.ts"],
    cwd,
    env: { NO_COLOR: "1", ADDR: `127.0.0.1:${port}`, FW_ENV: "prod" },
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    const base = `http://127.0.0.1:${port}`;
    let isUp = false;
    const endMs = performance.now() + 90_000;
    while (!isUp && performance.now() < endMs) {
      isUp = await fetch(`${base}/_fw/health/live`).then(async (response) => {
        await response.body?.cancel();
        return response.ok;
      }, () => false);
      if (!isUp) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert(isUp);
    const paths = tellWords.flatMap((word) => [
      `/--fw/${word}`,
      `/?--fw=${word}`,
      `/_fw/${word}`,
      `/.fw/${word}`,
    ]);
    for (const path of [...paths, "/.fw/build/tell.ts", "/..%2f.fw/build/tell.ts"]) {
      const text = await (await fetch(base + path)).text();
      assert(!text.includes(secret), path);
    }
  } finally {
    child.kill("SIGTERM");
    await child.status;
    await Deno.remove(join(cwd, "ran.txt")).catch(() => {});
  }
});
