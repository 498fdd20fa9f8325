import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type AiClient, type AiClientOptions, user } from "../../ai/mod.ts";
import { recordedFetch, scriptedModel } from "../../ai/testing.ts";
import { newFolder } from "../new_folder.ts";
import { clientOf, failureOf } from "./support.ts";

async function contentOf(folder: string): Promise<string> {
  const texts = [];
  for await (const { name } of Deno.readDir(folder)) {
    texts.push(name, await Deno.readTextFile(`${folder}/${name}`));
  }
  return texts.join("\n");
}

function recordedClient(...to: Parameters<typeof recordedFetch>): AiClient {
  return clientOf("https://model.example/v1", { fetch: recordedFetch(...to) });
}

const messages = [user("Hi")];

Deno.test("recordedFetch replays a recording, whole and as a stream", async () => {
  await using folder = await newFolder();
  const model = scriptedModel(["Olá", "Bom dia"]);
  const server: typeof fetch = async (input) =>
    await model.respond(await (input as Request).text());
  for (const [isRecording, fetch] of [[true, server], [false, undefined]] as const) {
    const options = { isRecording, ...(fetch === undefined ? {} : { fetch }) };
    const client = recordedClient(folder.path, options);
    const whole = await client.chat({ messages });
    const streamed = await client.stream({ messages }).response();
    assertEquals([whole.text, streamed.text], ["Olá", "Bom dia"]);
  }
  assertEquals(model.requests.length, 2);
});

Deno.test("recordedFetch fails at once for a missing recording and says how to record it", async () => {
  await using folder = await newFolder();
  const client = recordedClient(new URL(`file://${folder.path}`), { isRecording: false });
  const error = await failureOf(client.chat({ messages }));
  assertEquals(error.code, "ai_bad_request");
  assertStringIncludes(error.message, "Run once with FW_AI_RECORD=1");
});

Deno.test("recordedFetch replays error responses", async () => {
  await using folder = await newFolder();
  const server = (): Promise<Response> =>
    Promise.resolve(
      Response.json({ error: { message: "slow" } }, {
        status: 429,
        headers: { "retry-after": "9999" },
      }),
    );
  for (const isRecording of [true, false]) {
    const client = recordedClient(folder.path, { isRecording, fetch: server });
    const error = await failureOf(client.chat({ messages }));
    assertEquals([error.code, error.retryAfterMs], ["ai_rate_limited", 9_999_000]);
  }
});

const secrets = [
  ..."test-key-123456 sk-proj-abcdefghijklmnop1234 header-secret-1 query-secret-1".split(" "),
  ..."session-cookie-1 eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl".split(" "),
];

Deno.test("recordedFetch writes no secret anywhere in a recording", async () => {
  await using folder = await newFolder();
  const options: Partial<AiClientOptions> = { headers: { "api-key": "header-secret-1" } };
  const server = (): Promise<Response> =>
    Promise.resolve(
      Response.json({ choices: [{ message: { content: `You said ${secrets.join(" ")}` } }] }, {
        headers: { "set-cookie": "session-cookie-1", "x-request-key": secrets[1] ?? "" },
      }),
    );
  const ask = async (isRecording: boolean): Promise<string> => {
    const fetch = recordedFetch(folder.path, { isRecording, fetch: server });
    const client = clientOf("https://model.example/v1?key=query-secret-1", { ...options, fetch });
    const content = `My keys: ${secrets.slice(0, 5).join(" ")} and Bearer ${secrets[5]}`;
    return (await client.chat({ messages: [user(content)] })).text;
  };
  const [isRecording, isPlaying] = [true, false];
  const recorded = await ask(isRecording);
  const content = await contentOf(folder.path);
  for (const secret of secrets.filter((each) => !each.startsWith("session"))) {
    assert(!content.includes(secret), secret);
  }
  assert(!/authorization|set-cookie|x-request/i.test(content), content);
  assertEquals(await ask(isPlaying), recorded);
});

const spelled: [name: string, body: string][] = [
  ["escapes", JSON.stringify({ text: secrets[0] }).replace("test", "\\u0074est")],
  [
    "the events of a stream",
    ["test-ke", "y-1234", "56"].map((content) =>
      `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`
    ).join(""),
  ],
];

for (const [name, body] of spelled) {
  Deno.test(`recordedFetch refuses to record a key that is spelled with ${name}`, async () => {
    await using folder = await newFolder();
    const server = (): Promise<Response> => Promise.resolve(new Response(body));
    const fetch = recordedFetch(folder.path, { isRecording: true, fetch: server });
    const headers = { authorization: `Bearer ${secrets[0]}` };
    await assertRejects(() => fetch("https://model.example/v1", { headers }), Error, "a key in");
    assertEquals(await contentOf(folder.path), "");
  });
}

const hiddenParts: readonly [
  name: string,
  part: { url?: string; body?: string; answer?: string; authorization?: string },
  secret: string,
][] = [
  ...`
    apiKey x-api-key API_KEY secretKey openai.api.key accessToken id_token clientSecret
    db_password passwd aws-credentials X-Amz-Signature
  `.trim().split(/\s+/)
    .map((member): [string, { body: string }, string] => [member, {
      body: JSON.stringify({ a: { [member]: "s3cr3t" } }),
    }, "s3cr3t"]),
  ["a member that contains quotes", { body: '{"apiKey":"s3\\"cr3t"}' }, "cr3t"],
  ["a member of JSON in a string", {
    answer: JSON.stringify({ text: JSON.stringify({ apiKey: "s3cr3t" }) }),
  }, "s3cr3t"],
  ["a form", { body: "grant_type=x&client_secret=s3cr3t&a=1" }, "s3cr3t"],
  ["the first field of a form", { answer: "access_token=s3cr3t&b=1" }, "s3cr3t"],
  ["a URL in a text", { body: JSON.stringify({ url: "https://a.example/?key=s3cr3t" }) }, "s3cr3t"],
  ["a password of Basic", {
    authorization: `Basic ${btoa("ada:hunter22")}`,
    answer: '{"echo":"hunter22"}',
  }, "hunter22"],
  ["a fragment", { url: "https://model.example/v1#s3cr3t" }, "s3cr3t"],
  ["a query without a name", { url: "https://model.example/v1?s3cr3t" }, "s3cr3t"],
  ["a response's fragment", { url: "https://model.example/v1#s3cr3t", answer: "s3cr3t" }, "s3cr3t"],
  ["a key in the path", { url: `https://model.example/ghp_${"a".repeat(36)}/v1` }, "ghp_"],
  ...[
    `AKIA${"A1".repeat(8)}`,
    `ghp_${"a".repeat(36)}`,
    `github_pat_${"a".repeat(30)}`,
    `sk-${"a".repeat(20)}`,
    `sk-ant-api03-${"a".repeat(20)}`,
    `glpat-${"a".repeat(20)}`,
    `hf_${"a".repeat(30)}`,
    `xoxb-${"1".repeat(20)}`,
  ]
    .map((
      key,
    ): [string, { body: string }, string] => [key.slice(0, 12), { body: `Use ${key}.` }, key]),
];

for (
  const [
    name,
    { url = "https://model.example/v1", body = "{}", answer = "{}", authorization = "" },
    secret,
  ] of hiddenParts
) {
  Deno.test(`recordedFetch hides ${name} and still replays it`, async () => {
    await using folder = await newFolder();
    const server = (): Promise<Response> => Promise.resolve(new Response(answer));
    for (const isRecording of [true, false]) {
      const fetch = recordedFetch(folder.path, { isRecording, fetch: server });
      const response = await fetch(url, { method: "POST", headers: { authorization }, body });
      await response.body?.cancel();
      assertEquals(response.status, 200);
      const content = await contentOf(folder.path);
      assert(!content.includes(secret), content);
    }
  });
}

Deno.test("recordedFetch keeps values that only resemble a secret", async () => {
  await using folder = await newFolder();
  const body =
    '{"max_tokens":9,"prompt_cache_key":"c1","token":"Hel","keys":"k","monkey":1,"a":"desk-top"}';
  const fetch = recordedFetch(folder.path, {
    isRecording: true,
    fetch: () => Promise.resolve(new Response(body)),
  });
  const response = await fetch("https://model.example/v1?api-version=1&a=2", {
    method: "POST",
    body,
  });
  assertEquals(await response.text(), body);
  assertStringIncludes(await contentOf(folder.path), "v1?api-version=1&a=HIDDEN");
});
