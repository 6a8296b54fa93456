import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { type EventOptions, type IntentEvent, VaultTrader, VaultTraderError } from "../src/VaultTrader.ts"
import { boxed, fakeService, type Reply, success, unreachable } from "./FakeService.ts"

const at = (second: number): string => new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString()

const row = (id: number, status: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  intent_id: `intent-${id}`,
  endpoint: "vaultTrade",
  status,
  network: "base",
  pool: "0xpool",
  tx_hash: null,
  message: status,
  created_at: at(id),
  updated_at: at(id),
  ...fields
})

const page = (rows: ReadonlyArray<object>, cursor: string | null = null) => success({ intents: rows, cursor })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Reads events until the replies are used up, and returns them with what was asked and how it ended. */
const read = async (replies: ReadonlyArray<Reply>, options: EventOptions = {}) => {
  const { fetch, sent } = fakeService(...replies)
  const stop = new AbortController()
  const stopping: typeof fetch = (url, init) => {
    if (sent.length === replies.length) stop.abort()
    return fetch(url, init)
  }
  const client = new VaultTrader({ url: "https://service.example", apiKey: "key-of-test", fetch: stopping })
  const seen: Array<IntentEvent> = []
  const ended = (async () => {
    for await (const event of client.events({ signal: stop.signal, ...options })) seen.push(event)
  })().catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  return {
    error: await ended,
    events: seen.map(({ intent_id, message }) => `${intent_id} ${message}`),
    asked: sent.map(({ body }) => body)
  }
}

describe("events", () => {
  it("are the changes after the first read, each once, the oldest first", async () => {
    const { asked, error, events } = await read([
      page([row(2, "pending"), row(1, "success")]),
      page([row(2, "pending"), row(1, "success")]),
      page([
        row(4, "pending"),
        row(3, "success"),
        row(2, "pending", { message: "Sent.", tx_hash: "0x1" }),
        row(1, "success")
      ]),
      page([row(4, "fail"), row(3, "success"), row(2, "success"), row(1, "success")])
    ], { network: "base", pool: "0xpool" })
    assert.isUndefined(error)
    assert.deepStrictEqual(events, [
      "intent-2 Sent.",
      "intent-3 success",
      "intent-4 pending",
      "intent-2 success",
      "intent-4 fail"
    ])
    assert.deepStrictEqual(asked[0], { network: "base", pool: "0xpool", limit: 100 })
  })

  it("of more requests than a page has are read from older pages, down to one that is known", async () => {
    const { asked, events } = await read([
      page([row(1, "success")], "older"),
      page([row(4, "success"), row(3, "success")], "after-3"),
      page([row(2, "success"), row(1, "success")], "after-1")
    ])
    assert.deepStrictEqual(events, ["intent-2 success", "intent-3 success", "intent-4 success"])
    assert.deepStrictEqual(asked.slice(0, 3).map(({ cursor }) => cursor), [undefined, undefined, "after-3"])
  })

  it("of a request that is open and on no page that was read are read by its id", async () => {
    const { asked, events } = await read([
      page([row(2, "success"), row(1, "pending")], "older"),
      page([row(3, "success"), row(2, "success")], "older"),
      success({ intent: { ...row(1, "success"), result: { venue: "1inch" }, failure: null } }),
      page([row(3, "success"), row(2, "success")], "older")
    ])
    assert.deepStrictEqual(events, ["intent-1 success", "intent-3 success"])
    assert.deepStrictEqual(asked.map(({ intent_id }) => intent_id).filter((id) => id !== undefined), ["intent-1"])
  })

  it("since a time begin with what changed since then, from as many pages as it takes", async () => {
    const { asked, events } = await read([
      page([row(5, "success"), row(4, "pending")], "after-4"),
      page([row(3, "success"), row(2, "success", { updated_at: at(9) })], "after-2"),
      page([row(1, "success", { updated_at: at(9) }), row(0, "success")], "after-0")
    ], { since: new Date(at(2)) })
    assert.deepStrictEqual(events, [
      "intent-1 success",
      "intent-2 success",
      "intent-3 success",
      "intent-4 pending",
      "intent-5 success"
    ])
    assert.deepStrictEqual(asked.slice(0, 3).map(({ cursor }) => cursor), [undefined, "after-4", "after-2"])
  })

  it("of the time in which the service was away are yielded when it is back", async () => {
    const away = Array.from({ length: 4 }, unreachable)
    const { error, events } = await read([
      page([row(1, "pending")]),
      ...away,
      ...away,
      page([row(2, "fail"), row(1, "success")])
    ])
    assert.isUndefined(error)
    assert.deepStrictEqual(events, ["intent-1 success", "intent-2 fail"])
  })

  it("end with the refusal of the service", async () => {
    const revoked = boxed({ status: "fail", status_code: "1002", message: "The API key is not valid." })
    const { error, events } = await read([page([row(1, "pending")]), revoked])
    assert.instanceOf(error, VaultTraderError)
    assert.deepInclude(error, { code: "1002" })
    assert.deepStrictEqual(events, [])
    const other = await read([page([row(1, "pending")]), { status: 404, text: "<html>" }])
    assert.deepInclude(other.error, { _tag: "ConnectionError", reason: "unreadable" })
  })
})
