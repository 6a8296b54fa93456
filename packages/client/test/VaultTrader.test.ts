import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import { inspect } from "node:util"
import { ConnectionError, OutcomePending, VaultTrader, VaultTraderError } from "../src/VaultTrader.ts"
import {
  boxed,
  failing,
  fakeService,
  flat,
  pending,
  type Reply,
  run,
  success,
  throttled,
  unreachable
} from "./FakeService.ts"

const url = "https://service.example"
const apiKey = "01234567-89ab-4def-8123-456789abcdef"
const trade = { network: "base", pool: "0xpool", from: "USDC", to: "WETH", amount: "1000" } as const
const traded = { intent_id: "intent-1", tx_hash: "0xhash", message: "Sold.", route: ["a", "b"], sold: { amount: "1" } }

const clientOf = (...replies: ReadonlyArray<Reply>) => {
  const { fetch, sent } = fakeService(...replies)
  return { client: new VaultTrader({ url, apiKey, fetch }), sent }
}

const intent = (fields: Readonly<Record<string, unknown>>) =>
  success({ intent: { endpoint: "vaultTrade", status: "pending", message: "Sent.", tx_hash: null, ...fields } })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe("a request", () => {
  it("is a POST with the parameters in its body and the key in a header", async () => {
    const { client, sent } = clientOf(success({ balance: "1" }))
    await run(() => client.getGasBalance({ network: "base", USD: true }))
    assert.deepStrictEqual(sent, [{
      url: `${url}/getGasBalance`,
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", authorization: `Bearer ${apiKey}` },
      body: { network: "base", USD: true }
    }])
  })

  it("fills path segments, keeps the path of the URL, and sends no key where none is taken", async () => {
    const { fetch, sent } = fakeService(success({}))
    const client = new VaultTrader({ url: `${url}/trader/`, apiKey, fetch })
    await run(() => client.calculateFee({ action: "lenderAV3/lend", network: "base" }))
    assert.deepStrictEqual([sent[0]?.url, sent[0]?.body], [`${url}/trader/calculate-fee/lenderAV3%2Flend/base`, {}])
    assert.notProperty(sent[0]?.headers, "authorization")
    const outside = await failing(TypeError, () => client.calculateFee({ action: "..", network: "base" }))
    assert.match(outside.message, /^action is missing/)
  })

  it("leaves the key out where another proof is given", async () => {
    const { client, sent } = clientOf(success({}), success({}))
    await run(() => client.getAllBots({ manager: "0xmanager", signature: "v2.1.1.0x" }))
    await run(() => client.getAllBots())
    assert.deepStrictEqual(sent.map(({ headers }) => "authorization" in headers), [false, true])
  })

  it("needs a key where the endpoint does", async () => {
    const { fetch, sent } = fakeService()
    const error = await failing(TypeError, () => new VaultTrader({ url, fetch }).vaultTrade(trade))
    assert.match(error.message, /^vaultTrade needs an API key/)
    assert.lengthOf(sent, 0)
  })

  it("sends integers of any size", async () => {
    const { client, sent } = clientOf(success(traded))
    await run(() => client.vaultTrade({ ...trade, amount: 2n ** 70n as never }))
    assert.strictEqual(sent[0]?.body["amount"], "1180591620717411303424")
  })
})

describe("an answer", () => {
  it("is unboxed by one level: a list of one remains a list", async () => {
    const { client } = clientOf(success({ address: "0x", pools: [["only"]], nested: [] }))
    assert.deepStrictEqual<unknown>(await run(() => client.getGasWalletPools({})), {
      address: "0x",
      pools: [["only"]],
      nested: []
    })
  })

  it("that refuses is a VaultTraderError with its code", async () => {
    const { client, sent } = clientOf(boxed({ status: "fail", status_code: "1007", message: "share: must be less" }))
    const error = await failing(VaultTraderError, () => client.vaultTrade(trade))
    assert.deepInclude(error, {
      _tag: "VaultTraderError",
      code: "1007",
      errorType: null,
      message: "share: must be less",
      endpoint: "vaultTrade",
      intentId: null,
      httpStatus: 200,
      idempotencyKey: String(sent[0]?.body["idempotency_key"])
    })
  })

  it("that reports a failure has its type and intent, and is not repeated", async () => {
    const { client, sent } = clientOf(
      flat(400, {
        status: "fail",
        status_code: "2001",
        error_type: "insufficient_gas",
        message: "No gas. Nothing was sent.",
        intent_id: "intent-1",
        tx_hash: "0xhash"
      })
    )
    const error = await failing(VaultTraderError, () => client.vaultTrade(trade))
    assert.deepInclude(error, { code: "2001", errorType: "insufficient_gas", intentId: "intent-1", txHash: "0xhash" })
    assert.lengthOf(sent, 1)
  })

  it("of something else is unreadable", async () => {
    for (const reply of [{ status: 200, text: "<html>" }, flat(200, { ok: true }), { status: 404, text: "no" }]) {
      const { client, sent } = clientOf(reply)
      const error = await failing(ConnectionError, () => client.getTicks())
      assert.deepInclude(error, { reason: "unreadable", outcome: "nothing" })
      assert.lengthOf(sent, 1)
    }
  })

  it("to a dry run is the plan itself", async () => {
    const { client } = clientOf(success({ dryRun: true, plan: { venue: "1inch" }, message: "Planned." }))
    assert.deepStrictEqual<unknown>(await run(() => client.vaultTrade({ ...trade, dryRun: true })), {
      dryRun: true,
      plan: { venue: "1inch" },
      message: "Planned."
    })
  })
})

describe("retries", () => {
  it("of a read follow a network failure, 429, 503, and no other answer", async () => {
    const { client, sent } = clientOf(unreachable(), throttled(), { status: 429, text: "" }, success({ price: 1 }))
    assert.deepStrictEqual<unknown>(await run(() => client.getTicks()), { price: 1 })
    assert.lengthOf(sent, 4)
    const broken = clientOf(flat(500, { status: "fail", message: "Internal error." }))
    assert.deepInclude(await failing(ConnectionError, () => broken.client.getTicks()), {
      reason: "unavailable",
      httpStatus: 500
    })
    assert.lengthOf(broken.sent, 1)
  })

  it("wait as long as Retry-After says", async () => {
    const { client, sent } = clientOf(throttled("7"), success({ price: 1 }))
    const done = client.getTicks()
    await vi.advanceTimersByTimeAsync(6_999)
    assert.lengthOf(sent, 1)
    await vi.advanceTimersByTimeAsync(1)
    assert.lengthOf(sent, 2)
    await done
    const date = clientOf(throttled(new Date(Date.now() + 3_000).toUTCString()), success({ price: 1 }))
    await run(() => date.client.getTicks())
    assert.lengthOf(date.sent, 2)
  })

  it("end where Retry-After is more than a minute", async () => {
    const { client, sent } = clientOf(throttled("3600"))
    const error = await failing(ConnectionError, () => client.getTicks())
    assert.deepInclude(error, { reason: "throttled", retryAfterSeconds: 3600, outcome: "nothing" })
    assert.lengthOf(sent, 1)
  })

  it("of a write have one idempotency key, and the next write has another", async () => {
    const unknown = flat(503, { status: "unknown", message: "not known", intent_id: null })
    const { client, sent } = clientOf(unreachable(), unknown, throttled(), success(traded), success(traded))
    await run(() => client.vaultTrade(trade))
    await run(() => client.vaultTrade(trade))
    const keys = sent.map(({ body }) => body["idempotency_key"])
    assert.lengthOf(new Set(keys.slice(0, 4)), 1)
    assert.match(String(keys[0]), /^[0-9a-f]{32}$/)
    assert.notStrictEqual(keys[3], keys[4])
  })

  it("of a write use the caller's key where one is given", async () => {
    const { client, sent } = clientOf(unreachable(), success(traded))
    const write = await run(() => client.vaultTrade({ ...trade, idempotency_key: "signal-1" }))
    assert.deepStrictEqual(sent.map(({ body }) => body["idempotency_key"]), ["signal-1", "signal-1"])
    assert.deepInclude(write, { endpoint: "vaultTrade", idempotencyKey: "signal-1" })
  })

  it("are not made for a change that may have been made", async () => {
    const doubtful = flat(503, { status: "fail", message: "it is not certain whether the change was made." })
    for (const reply of [unreachable(), doubtful, { status: 502, text: "bad gateway" }]) {
      const { client, sent } = clientOf(reply)
      const error = await failing(ConnectionError, () => client.createGasWallet())
      assert.strictEqual(error.outcome, "unknown")
      assert.lengthOf(sent, 1)
    }
    const { client, sent } = clientOf(throttled(), success({ address: "0x" }))
    assert.deepStrictEqual<unknown>(await run(() => client.createGasWallet()), { address: "0x" })
    assert.lengthOf(sent, 2)
  })

  it("of a write that ends in doubt name the key to repeat it with", async () => {
    const { client, sent } = clientOf(...Array.from({ length: 4 }, unreachable))
    const error = await failing(ConnectionError, () => client.vaultTrade(trade))
    assert.deepInclude(error, { outcome: "unknown", reason: "network", systemCode: "ECONNREFUSED" })
    assert.strictEqual(error.idempotencyKey, sent[0]?.body["idempotency_key"])
    const never = clientOf(...Array.from({ length: 4 }, () => throttled()))
    assert.strictEqual((await failing(ConnectionError, () => never.client.vaultTrade(trade))).outcome, "nothing")
  })

  it("follow an attempt that is not answered in time, and stop at the caller's signal", async () => {
    const { client, sent } = clientOf("silence", success({ price: 1 }))
    assert.deepStrictEqual<unknown>(await run(() => client.getTicks({}, { timeoutMillis: 10 })), { price: 1 })
    assert.lengthOf(sent, 2)
    const controller = new AbortController()
    const aborted = clientOf("silence")
    const call = failing(
      ConnectionError,
      () => aborted.client.vaultTrade(trade, { signal: controller.signal, timeoutMillis: 1e9 })
    )
    controller.abort()
    assert.deepInclude(await call, { reason: "aborted", outcome: "unknown" })
    const early = await failing(ConnectionError, () => aborted.client.vaultTrade(trade, { signal: controller.signal }))
    assert.deepInclude(early, { reason: "aborted", outcome: "nothing" })
    assert.lengthOf(aborted.sent, 1)
  })
})

const written = async (client: VaultTrader) => {
  const write = await run(() => client.vaultTrade(trade))
  if (write instanceof Error) throw write
  return write
}

describe("the outcome of a write", () => {
  it("is there at once when it has succeeded", async () => {
    const { client, sent } = clientOf(success(traded))
    const write = await written(client)
    assert.deepInclude(write, { status: "success", intentId: "intent-1", txHash: "0xhash", message: "Sold." })
    assert.deepStrictEqual<unknown>(await run(() => write.outcome()), traded)
    assert.lengthOf(sent, 1)
  })

  it("is read from its intent, and then from the endpoint under the same key", async () => {
    const { client, sent } = clientOf(
      pending(),
      intent({}),
      unreachable(),
      intent({ status: "success" }),
      success(traded)
    )
    const write = await written(client)
    assert.strictEqual(write.status, "pending")
    assert.deepStrictEqual<unknown>(await run(() => write.outcome()), traded)
    assert.deepStrictEqual(sent.map((each) => each.url.replace(url, "")), [
      "/vaultTrade",
      "/getIntent",
      "/getIntent",
      "/getIntent",
      "/vaultTrade"
    ])
    assert.deepStrictEqual(sent[4], sent[0])
  })

  it("is a VaultTraderError when it has failed", async () => {
    const failure = {
      status: "fail",
      status_code: "2016",
      error_type: "expired",
      message: "Expired.",
      intent_id: "intent-1"
    }
    const { client } = clientOf(pending(), intent({ status: "fail" }), flat(400, failure))
    const write = await written(client)
    assert.deepInclude(await failing(VaultTraderError, () => write.outcome()), { code: "2016", intentId: "intent-1" })
  })

  it("follows several intents, of which the first has not started", async () => {
    const { client, sent } = clientOf(
      pending({ intent_id: null }),
      pending({ intent_id: "leg-1" }),
      intent({ status: "success" }),
      pending({ intent_id: "leg-2" }),
      intent({ status: "success" }),
      success(traded)
    )
    const write = await written(client)
    assert.deepStrictEqual<unknown>(await run(() => write.outcome()), traded)
    assert.deepStrictEqual(sent.flatMap(({ body }) => body["intent_id"] ?? []), ["leg-1", "leg-2"])
  })

  it("is OutcomePending when the time is over, and can be waited for again", async () => {
    const { client } = clientOf(
      pending(),
      intent({ message: "Waiting: cooldown." }),
      intent({ status: "success" }),
      success(traded)
    )
    const write = await written(client)
    const error = await failing(OutcomePending, () => write.outcome({ timeoutMillis: 400 }))
    assert.deepInclude(error, { intentId: "intent-1", endpoint: "vaultTrade" })
    assert.include(error.message, "Waiting: cooldown.")
    assert.deepStrictEqual<unknown>(await run(() => write.outcome()), traded)
  })

  it("is followed by its id alone", async () => {
    const failure = { status_code: "2005", error_type: "transaction_reverted", message: "Reverted." }
    const { client } = clientOf(
      intent({}),
      intent({ status: "success", message: "Sold.", tx_hash: "0xhash", result: { venue: "1inch" } }),
      intent({ status: "fail", message: "Reverted.", failure })
    )
    assert.deepStrictEqual<unknown>(await run(() => client.followIntent("intent-1")), {
      intentId: "intent-1",
      endpoint: "vaultTrade",
      txHash: "0xhash",
      message: "Sold.",
      result: { venue: "1inch" }
    })
    assert.deepInclude(await failing(VaultTraderError, () => client.followIntent("intent-1")), {
      code: "2005",
      errorType: "transaction_reverted",
      intentId: "intent-1"
    })
  })
})

describe("the API key", () => {
  const texts = (value: unknown) => [
    String(value),
    JSON.stringify(value),
    inspect(value, { depth: 10, showHidden: true, getters: true }),
    ...(value instanceof Error ? [value.stack ?? "", inspect(value.cause, { depth: 10 })] : [])
  ]

  it("is in no text of the client, of a write or of an error", async () => {
    const leaky = new TypeError(`Headers.append: "Bearer ${apiKey}" is an invalid header value`)
    const echo = `key ${apiKey} is unknown`
    const { client } = clientOf(
      pending(),
      leaky,
      boxed({ status: "fail", status_code: "1002", message: echo }),
      flat(500, { status: "fail", message: echo })
    )
    const write = await written(client)
    const network = await failing(ConnectionError, () => client.vaultTrade(trade, { retries: 0 }))
    const refused = await failing(VaultTraderError, () => client.vaultTrade(trade))
    const internal = await failing(ConnectionError, () => client.vaultTrade(trade))
    for (const value of [client, write, network, refused, internal]) {
      for (const text of texts(value)) assert.notInclude(text, apiKey)
    }
    assert.strictEqual(refused.message, "key [API key] is unknown")
    assert.strictEqual(JSON.stringify(client), `{"url":"${url}"}`)
  })

  it("that cannot be a header is refused without being repeated", () => {
    for (const key of [`${apiKey}\n`, "", "ключ"]) {
      assert.throws(() => new VaultTrader({ url, apiKey: key }), /^apiKey must be the UUID/)
    }
  })
})

it("a URL with credentials, or of another scheme, is refused", () => {
  assert.throws(() => new VaultTrader({ url: "https://user:secret@host" }), /must not contain credentials/)
  assert.throws(() => new VaultTrader({ url: "ftp://host" }), /http or https/)
  assert.throws(() => new VaultTrader({ url: "host" }), /must be the service's URL/)
})
