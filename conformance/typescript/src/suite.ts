// Tests of an integration against the sandbox, with clients that were generated from its
// descriptions: copy this file and write your own. With the variables of practice-sandbox
// set, node --test runs them. Each test begins with the firm as it was made up, and fails
// for every request that the interface does not allow and for every fault that no request
// has met.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import createClient from "openapi-fetch";
import type { paths } from "./interface.js";
import type { paths as Commands } from "./control.js";

function variable(name: string): string {
  const value = process.env["PRACTICE_" + name];
  assert(value, `PRACTICE_${name} is not set: start practice-sandbox and take what it prints`);
  return value;
}

const key = { "x-api-key": variable("API_KEY") };
const sandbox = createClient<Commands>({ baseUrl: variable("SANDBOX_URL"), headers: key });
const client = createClient<paths>({
  baseUrl: variable("BASE_URL"), headers: { ...key, Authorization: "Bearer " + variable("ACCESS_TOKEN") },
});
const fee = { path: { matterId: variable("MATTER_ID"), id: variable("FEE_ID") } };

/** renameFee stands for the code under test: it tries a refusal for its rate once more. */
async function renameFee(subject: string): Promise<number> {
  const send = async () => (await client.PATCH("/matters/{matterId}/fees/{id}", { params: fee, body: { subject } })).response.status;
  const status = await send();
  return status === 429 ? send() : status;
}

async function subject(): Promise<string | null | undefined> {
  return (await client.GET("/matters/{matterId}/fees/{id}", { params: fee })).data?.subject;
}

beforeEach(async () => {
  await sandbox.POST("/reset", { body: { clock: true } });
});

afterEach(async () => {
  assert.deepEqual((await sandbox.DELETE("/violations")).data?.value, []);
  assert.deepEqual((await sandbox.GET("/unmet")).data?.value, []);
});

test("a write is seen when it has taken effect", async () => {
  assert.equal(await renameFee("Advice"), 202);
  await sandbox.POST("/settle");
  assert.equal(await subject(), "Advice");
});

test("a refusal for the rate is tried again", async () => {
  await sandbox.POST("/faults", { body: { operation: "patchFee", kind: "rate-limit" } });
  assert.equal(await renameFee("Advice"), 202);
  assert.deepEqual((await sandbox.GET("/requests")).data?.value.map((sent) => sent.status), [429, 202]);
});

test("a refusal says why in the log", async () => {
  assert.equal(await renameFee(""), 400);
  const [sent] = (await sandbox.GET("/requests")).data?.value ?? [];
  assert.match(sent?.answer ?? "", /subject/);
  assert.equal(sent?.violations.length, 1);
  assert.equal((await sandbox.DELETE("/violations")).data?.value.length, 1, "it was made on purpose");
});

test("a write that fails late changes nothing", async () => {
  const before = await subject();
  await sandbox.POST("/failures", { body: { operation: "patchFee", message: "The fee is finalized" } });
  assert.equal(await renameFee("Advice"), 202);
  await sandbox.POST("/settle");
  assert.equal(await subject(), before);
  assert.match((await sandbox.GET("/failures")).data?.value[0] ?? "", /The fee is finalized/);
});

test("an answer of one's own", async () => {
  const path = `/matters/${fee.path.matterId}/fees/${fee.path.id}`;
  await sandbox.POST("/stubs", { body: { pattern: "GET " + path, status: 200, body: JSON.stringify({ subject: "Stubbed" }) } });
  assert.equal(await subject(), "Stubbed");
});

test("a fault that nothing meets is told", async () => {
  await sandbox.POST("/faults", { body: { operation: "patchFee", kind: "rate-limit" } });
  assert.deepEqual((await sandbox.GET("/unmet")).data?.value, ['the fault injected for "patchFee" was not used by any request']);
  await sandbox.DELETE("/faults");
});

test("a record of one's own", async () => {
  const made = await sandbox.POST("/records", { body: { path: "/activitycodes", record: { code: "ADV" } } });
  const read = await client.GET("/activitycodes/{id}", { params: { path: { id: made.data?.id ?? "" } } });
  assert.equal(read.data?.code, "ADV");
  assert.equal((await sandbox.GET("/changes")).data?.value.at(-1)?.source, "Application");
});
