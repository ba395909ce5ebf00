// Runs the main path of an integration against the sandbox, with clients that were
// generated from api/openapi.yaml and practicetest/control.yaml. The first thing that
// is not as it should be ends the program with an error. Without the variables of
// practice-sandbox it does nothing but say so.

import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import createClient from "openapi-fetch";
import type { components, paths } from "./interface.js";
import type { paths as Commands } from "./control.js";

function variable(name: string): string {
  const value = process.env["PRACTICE_" + name];
  assert(value, `PRACTICE_${name} is not set: start practice-sandbox and take what it prints`);
  return value;
}

const apiKey = variable("API_KEY");
const matterId = variable("MATTER_ID");

const sandbox = createClient<Commands>({ baseUrl: variable("SANDBOX_URL"), headers: { "x-api-key": apiKey } });

/** done gives the data of an answer, and fails for a refusal. */
async function done<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<NonNullable<T>> {
  const { data, error, response } = await call;
  assert(response.ok, `${response.url}: ${response.status} ${JSON.stringify(error)}`);
  return data as NonNullable<T>;
}

/** excuse forgets the one mistake that was just made on purpose. */
async function excuse(pattern: RegExp): Promise<void> {
  const { value } = await done(sandbox.DELETE("/violations"));
  assert.equal(value.length, 1, value.join("\n"));
  assert.match(value[0] ?? "", pattern);
}

async function askToken(form: Record<string, string>): Promise<{ status: number; body: Record<string, unknown> }> {
  const id = variable("CLIENT_ID");
  const pair = `${encodeURIComponent(id)}:${encodeURIComponent(variable("CLIENT_SECRET"))}`;
  const response = await fetch(variable("TOKEN_URL"), {
    method: "POST",
    headers: { Authorization: "Basic " + Buffer.from(pair).toString("base64") },
    body: new URLSearchParams({ ...form, client_id: id }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Credentials puts a token on every request; it is renewed when it was refused. */
class Credentials {
  private token = "";

  async renew(): Promise<void> {
    const { status, body } = await askToken({ grant_type: "refresh_token", refresh_token: variable("REFRESH_TOKEN") });
    assert.equal(status, 200, JSON.stringify(body));
    this.token = body["access_token"] as string;
  }

  onRequest = ({ request }: { request: Request }): Request => {
    request.headers.set("x-api-key", apiKey);
    request.headers.set("Authorization", "Bearer " + this.token);
    return request;
  };
}

const credentials = new Credentials();
const client = createClient<paths>({ baseUrl: variable("BASE_URL") });
client.use(credentials);

async function tokens(): Promise<void> {
  await credentials.renew();
  const own = await askToken({ grant_type: "client_credentials" });
  assert.deepEqual([own.status, own.body["token_type"], own.body["expires_in"]], [200, "Bearer", 3600]);
  const refused = await askToken({ grant_type: "refresh_token", refresh_token: "nonsense" });
  assert.deepEqual([refused.status, refused.body["error"]], [400, "invalid_grant"]);
}

async function lists(): Promise<void> {
  const { events } = await done(sandbox.GET("/seed"));
  const found = new Set<string>();
  let size = 1;
  for (let Offset = 0; Offset < size; Offset += 37) {
    const page = await done(client.GET("/events", { params: { query: { Offset, Limit: 37, From: "2000-01-01T00:00:00" } } }));
    size = page.size ?? 0;
    for (const event of page.value ?? []) found.add(event?.id ?? "");
  }
  assert.deepEqual([found.size, size], [events, events]);
}

type Page = components["schemas"]["FolderListingPage"];

function names(page: Page): (string | null | undefined)[] {
  return (page?.value ?? []).flatMap((listing) => listing?.folders ?? []).map((folder) => folder?.name);
}

async function documents(): Promise<void> {
  const path = { matterId };
  const name = "From TypeScript ✉";
  const folder = await done(client.POST("/matters/{matterId}/documents/folders", { params: { path }, body: { name } }));
  const before = await done(client.GET("/matters/{matterId}/documents/folders", { params: { path } }));
  assert(!names(before).includes(name), "it is accepted, and not there yet");
  await done(sandbox.POST("/settle"));
  const after = await done(client.GET("/matters/{matterId}/documents/folders", { params: { path } }));
  assert(names(after).includes(name));

  const content = randomBytes(300_000);
  const file = await done(
    client.POST("/matters/{matterId}/documents/files", { params: { path }, body: { fileName: "random.bin", folderId: folder.id } }),
  );
  await done(sandbox.POST("/settle"));
  assert(file.uploadUrl && file.fileId);
  // A body of bytes has no media type, which the address is signed for; a text has one.
  assert.equal((await fetch(file.uploadUrl, { method: "PUT", body: content })).status, 200);
  assert.equal((await fetch(file.uploadUrl, { method: "PUT", body: "text" })).status, 403);
  await excuse(/Content-Type/);
  assert.equal((await fetch(file.uploadUrl, { method: "PUT", body: "text", headers: { "Content-Type": "" } })).status, 200);
  assert.equal((await fetch(file.uploadUrl, { method: "PUT", body: content })).status, 200);
  await done(sandbox.POST("/settle"));

  const { downloadUrl } = await done(
    client.GET("/matters/{matterId}/documents/files/{fileId}/download", { params: { path: { matterId, fileId: file.fileId } } }),
  );
  assert(downloadUrl);
  assert(content.equals(Buffer.from(await (await fetch(downloadUrl)).arrayBuffer())));
  const part = await fetch(downloadUrl, { headers: { Range: "bytes=1000-1999" } });
  assert.equal(part.status, 206);
  assert(content.subarray(1000, 2000).equals(Buffer.from(await part.arrayBuffer())));
}

async function badWeather(): Promise<void> {
  const staff = { params: { path: { id: variable("STAFF_ID") } } };
  await done(sandbox.POST("/faults", { body: { operation: "getStaff", kind: "rate-limit", times: 2, retryAfter: "1" } }));
  const statuses: number[] = [];
  for (const _ of [1, 2, 3]) statuses.push((await client.GET("/staff/{id}", staff)).response.status);
  assert.deepEqual(statuses, [429, 429, 200]);

  await done(sandbox.POST("/faults", { body: { operation: "getStaff", kind: "truncated" } }));
  await assert.rejects(client.GET("/staff/{id}", staff));

  await done(sandbox.DELETE("/requests"));
  await done(sandbox.POST("/clock", { body: { advanceMilliseconds: 61 * 60 * 1000 } }));
  assert.equal((await client.GET("/staff/{id}", staff)).response.status, 401);
  await credentials.renew();
  assert.equal((await client.GET("/staff/{id}", staff)).response.status, 200);
  const { value } = await done(sandbox.GET("/requests"));
  assert.deepEqual(value.map((r) => [r.operation, r.status]), [["getStaff", 401], ["token", 200], ["getStaff", 200]]);
}

/** receive runs use while notifications to its address are kept. */
async function receive(use: (address: string) => Promise<void>): Promise<{ headers: IncomingHttpHeaders; event: Record<string, unknown> }[]> {
  const received: { headers: IncomingHttpHeaders; event: Record<string, unknown> }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ headers: request.headers, event: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown> });
    response.writeHead(204).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
  return received;
}

async function webhooks(): Promise<void> {
  const key = "a key that is known to two only";
  const received = await receive(async (eventNotificationUrl) => {
    const { id } = await done(
      client.POST("/webhooks", { body: { name: "TypeScript", key, eventTypes: ["matter.updated", "error"], eventNotificationUrl } }),
    );
    await done(sandbox.POST("/emit", { body: { type: "matter.updated", payload: { id: matterId } } }));
    await done(sandbox.POST("/failures", { body: { operation: "patchFee", message: "The fee is finalized" } }));
    const path = { matterId, id: variable("FEE_ID") };
    await done(client.PATCH("/matters/{matterId}/fees/{id}", { params: { path }, body: { subject: "Changed" } }));
    await done(sandbox.POST("/settle"));
    await done(sandbox.POST("/flush", { body: {} }));
    await done(client.DELETE("/webhooks/{id}", { params: { path: { id: id ?? "" } } }));
  });
  assert.deepEqual(received.map(({ event }) => event["type"]), ["matter.updated", "error"]);
  for (const { headers } of received) {
    const signed = [headers["timestamp"], headers["requestid"], variable("CLIENT_ID")].join("|");
    assert.equal(headers["signature"], createHmac("sha256", key).update(signed).digest("hex"));
  }
  assert.equal((received[1]?.event["payload"] as { message: string }).message, "The fee is finalized");
  const { value } = await done(sandbox.GET("/deliveries"));
  assert.deepEqual(value.map((delivery) => delivery.status), [204, 204]);
}

async function mistakes(): Promise<void> {
  const misspelt = { name: "n", parentFolderid: variable("FOLDER_ID") };
  const { error } = await client.POST("/matters/{matterId}/documents/folders", { params: { path: { matterId } }, body: misspelt });
  assert.equal(error?.status, 400);
  await excuse(/createFolder.*parentFolderid/);
  const refused = await sandbox.POST("/faults", { body: { operation: "getStaf" } });
  assert.equal(refused.response.status, 400);
}

for (const step of [tokens, lists, documents, badWeather, webhooks, mistakes]) {
  await step();
  console.log("ok", step.name);
}
await done(sandbox.POST("/reset"));
assert.deepEqual((await done(sandbox.GET("/requests"))).value, []);
