import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Body } from "../../src/strategy-test/CallRefused.ts"
import type { Params, TestVault } from "../../src/strategy-test/TestedService.ts"
import { Fault } from "../../src/test-chain/NodeFault.ts"
import { VaultTraderTest } from "../../src/VaultTraderTest.ts"

type Fields = Readonly<Record<string, unknown>>

const resultsOf = (answer: Body) => answer["results"] as ReadonlyArray<Fields>
const statesOf = (answer: Body) => resultsOf(answer).map(({ state }) => state)
const idsOf = (answer: Body) => resultsOf(answer).map(({ intent_id }) => intent_id)

/** Vaults that one wallet trades, in a group. */
const sceneOf = (
  holdings: ReadonlyArray<Readonly<Record<string, string>>>,
  weights: ReadonlyArray<number> = []
) =>
  Effect.gen(function*() {
    const service = yield* VaultTraderTest
    yield* service.setPrice("WETH", 3000)
    const first = yield* service.vault(holdings[0] ?? {})
    const others = yield* Effect.forEach(holdings.slice(1), (each) => service.vault(each, first))
    const vaults: ReadonlyArray<TestVault> = [first, ...others]
    const { apiKey, network, wallet } = first
    const members = (of: ReadonlyArray<{ readonly pool: string }>) =>
      JSON.stringify(of.map(({ pool }, index) => ({ network, pool, weight: weights[index] })))
    yield* service.call("setVaultGroup", { apiKey, group: "majors", members: members(vaults) })
    const trade = (params: Params) =>
      service.call("tradeGroup", {
        ...{ apiKey, group: "majors", from: "USDC", to: "WETH", slippage: 3, valid_for: 600, ...params }
      })
    const held = (symbol: string) =>
      Effect.forEach(vaults, ({ pool }) =>
        Effect.map(service.call("poolComposition", { apiKey, network, pool }), ({ composition }) => {
          const line = (composition as ReadonlyArray<Fields>).find((each) =>
            each["symbol"] === symbol
          )
          return Number(line?.["amount"] ?? 0)
        }))
    return { ...service, apiKey, held, members, network, sent: service.transactionCount(wallet), trade, vaults }
  })

/** A pattern that matches only the second statement that it would match. */
class Second extends RegExp {
  seen = 0
  override test(text: string) {
    if (super.test(text)) this.seen += 1
    return this.seen === 2
  }
}

/** Statements around which the service dies: before the second acceptance, one trade is accepted and two are not. */
const deaths = [
  { statement: /^insert into vault_group_calls/i, when: "before" },
  { statement: /^insert into vault_group_calls/i, when: "after" },
  { statement: /^insert into intents/i, when: "before" },
  { statement: /^insert into intents/i, when: "after" },
  { statement: new Second("^insert into intents", "i"), when: "before" }
] as const

layer(VaultTraderTest.layer())("a group of vaults", (it) => {
  it.effect("sells the same share in each vault, each by an intent of its own; a repeat returns the same trades", () =>
    Effect.gen(function*() {
      const { apiKey, call, held, sent, trade } = yield* sceneOf([{ USDC: "1000" }, { USDC: "5000" }])
      const answer = yield* trade({ share: 50, idempotency_key: "halves" })
      assert.deepStrictEqual(statesOf(answer), ["success", "success"])
      assert.match(String(answer["message"]), /^2 of 2 vaults traded\.$/)
      assert.deepStrictEqual(yield* held("USDC"), [500, 2500])
      const again = yield* trade({ share: 50, idempotency_key: "halves" })
      assert.deepStrictEqual(again, answer)
      assert.strictEqual(yield* sent, 2)
      const intent = yield* call("getIntent", { apiKey, intent_id: String(idsOf(answer)[0]) })
      assert.strictEqual((intent["intent"] as Fields)["endpoint"], "vaultTrade")
      const refused = yield* Effect.flip(trade({ share: 51, idempotency_key: "halves" }))
      assert.match(refused.message, /^idempotency_key: was used for another request/)
    }))

  it.effect("splits an amount by weight, or by what each vault holds", () =>
    Effect.gen(function*() {
      const { held, trade } = yield* sceneOf([{ USDC: "1000" }, { USDC: "3000" }], [60, 40])
      yield* trade({ amount: "100", idempotency_key: "by-weight" })
      assert.deepStrictEqual(yield* held("USDC"), [940, 2960])
      yield* trade({ amount: "390", split: "holding", idempotency_key: "by-holding" })
      assert.deepStrictEqual(yield* held("USDC"), [846, 2664])
      const tooMuch = yield* Effect.flip(trade({ amount: "4000", split: "holding", idempotency_key: "too-much" }))
      assert.match(tooMuch.message, /^amount: is more than the 3510 USDC that the vaults hold together/)
    }))

  it.effect("skips a vault that does not hold the asset, and says so", () =>
    Effect.gen(function*() {
      const { held, trade } = yield* sceneOf([{ USDC: "1000" }, { WETH: "1" }])
      const answer = yield* trade({ share: 100, idempotency_key: "all" })
      assert.deepStrictEqual(statesOf(answer), ["success", "skipped"])
      assert.strictEqual(resultsOf(answer)[1]?.["message"], "The vault holds no USDC.")
      assert.deepStrictEqual(yield* held("USDC"), [0, 0])
      assert.match(String(answer["message"]), /1 of 2 vaults traded; 1 skipped\./)
    }))

  it.effect("is refused as a whole when the key may not trade a vault, which is named", () =>
    Effect.gen(function*() {
      const { apiKey, call, held, members, network, trade, vault, vaults } = yield* sceneOf([{ USDC: "1000" }])
      const foreign = yield* vault({ USDC: "1000" })
      yield* call("setVaultGroup", { apiKey, group: "Majors", members: members([...vaults, foreign]) })
      const refused = yield* Effect.flip(trade({ share: 50, idempotency_key: "rights" }))
      assert.strictEqual(refused.code, "1006")
      assert.include(refused.message, `${network}/${foreign.pool}`)
      assert.notInclude(refused.message, String(vaults[0]?.pool))
      assert.match(refused.message, /Nothing was accepted/)
      assert.deepStrictEqual(yield* held("USDC"), [1000])
    }))

  it.effect("applies a sub-key's list of vaults and its maximum to each trade", () =>
    Effect.gen(function*() {
      const { apiKey, call, held, network, trade, vaults } = yield* sceneOf([{ USDC: "1000" }, { USDC: "100" }])
      const key = (only: ReadonlyArray<TestVault>) =>
        Effect.map(
          call("createSubKey", {
            ...{ apiKey, scopes: "trade", max_usd_per_trade: 150, max_usd_per_day: 10_000, label: "agent" },
            vaults: only.map(({ pool }) => `${network}/${pool}`).join(",")
          }),
          (made) => String(made["apiKey"])
        )
      const one = yield* key(vaults.slice(0, 1))
      const refused = yield* Effect.flip(trade({ apiKey: one, share: 10, idempotency_key: "one" }))
      assert.include(refused.message, `this sub-key is not for ${network}/${vaults[1]?.pool}`)
      assert.deepStrictEqual(yield* held("USDC"), [1000, 100])
      const both = yield* key(vaults)
      const answer = yield* trade({ apiKey: both, share: 50, idempotency_key: "both" })
      assert.deepStrictEqual(statesOf(answer), ["fail", "success"])
      assert.match(String(resultsOf(answer)[0]?.["message"]), /150/)
      assert.deepStrictEqual(yield* held("USDC"), [1000, 50])
      const setting = yield* Effect.flip(call("removeVaultGroup", { apiKey: both, group: "majors" }))
      assert.match(setting.message, /may not call removeVaultGroup/)
    }))

  it.effect("waits while the wallet is stopped: nothing is signed", () =>
    Effect.gen(function*() {
      const { apiKey, call, sent, trade } = yield* sceneOf([{ USDC: "1000" }, { USDC: "1000" }])
      yield* call("pauseWallet", { apiKey, reason: "test" })
      const answer = yield* trade({ share: 50, idempotency_key: "stopped", valid_for: 10 })
      assert.isTrue(statesOf(answer).every((state) => state === "pending" || state === "fail"))
      assert.strictEqual(yield* sent, 0)
    }))

  it.effect("previews every trade and accepts none with dryRun; needs a key and a size otherwise", () =>
    Effect.gen(function*() {
      const { apiKey, call, sent, trade } = yield* sceneOf([{ USDC: "1000" }, { WETH: "1" }])
      const { plan } = yield* trade({ share: 50, dryRun: true })
      const { results } = plan as { results: ReadonlyArray<Fields> }
      assert.deepStrictEqual(results.map(({ state }) => state), ["planned", "skipped"])
      assert.match((yield* Effect.flip(trade({ share: 50 }))).message, /^idempotency_key: is missing/)
      assert.match((yield* Effect.flip(trade({ idempotency_key: "k" }))).message, /^share: give the share/)
      const unknown = yield* Effect.flip(trade({ group: "minors", share: 5, idempotency_key: "k" }))
      assert.match(unknown.message, /^group: the key's wallet has no group minors/)
      const { groups } = yield* call("getVaultGroups", { apiKey })
      assert.deepStrictEqual((groups as ReadonlyArray<Fields>).map(({ group }) => group), ["majors"])
      yield* call("removeVaultGroup", { apiKey, group: "MAJORS" })
      assert.deepStrictEqual((yield* call("getVaultGroups", { apiKey }))["groups"], [])
      assert.strictEqual(yield* sent, 0)
    }))

  it.effect("whose vault cannot be read trades the others by share, and splits no amount by holdings", () =>
    Effect.gen(function*() {
      const { advance, apiKey, call, fault, network, trade, vaults } = yield* sceneOf([{ USDC: "1000" }, {
        USDC: "2000"
      }])
      yield* advance("1 second")
      const silent = String(vaults[1]?.pool).slice(2)
      yield* fault({ when: (params) => JSON.stringify(params).includes(silent), fault: Fault.Http({ status: 503 }) })
      const refused = yield* Effect.flip(trade({ amount: "30", idempotency_key: "thirty" }))
      assert.match(refused.message, /^amount: cannot be split, because the holding of .* is not known/)
      const answer = yield* trade({ share: 50, idempotency_key: "half" })
      assert.deepStrictEqual(statesOf(answer), ["success", "refused"])
      const [first] = vaults
      assert.isDefined(first)
      const { composition } = yield* call("poolComposition", { apiKey, network, pool: first.pool })
      const usdc = (composition as ReadonlyArray<Fields>).find((each) => each["symbol"] === "USDC")
      assert.strictEqual(Number(usdc?.["amount"]), 500)
    }))

  for (const moment of ["before the call", "with the call only", "with one trade accepted"] as const) {
    it.effect(`that a restored copy from ${moment} is called for again trades no vault twice`, () =>
      Effect.gen(function*() {
        const { advance, backup, held, kills, killAt, restart, sent, trade } = yield* sceneOf([
          ...[{ USDC: "1000" }, { USDC: "2000" }]
        ])
        const call = trade({ share: 50, idempotency_key: "forgotten" })
        if (moment !== "before the call") {
          const before = yield* kills
          yield* killAt({
            statement: moment === "with the call only" ? /^insert into vault_group_calls/i : /^insert into intents/i,
            when: "after"
          })
          yield* Effect.exit(call)
          assert.strictEqual(yield* kills, before + 1)
        }
        const restore = yield* backup
        yield* advance("5 seconds")
        yield* call
        yield* advance("2 minutes")
        assert.deepStrictEqual(statesOf(yield* call), ["success", "success"])
        assert.strictEqual(yield* sent, 2)
        yield* restore
        for (let repeats = 0; repeats < 3; repeats++) {
          // Refused as a whole, by vault, or pending: nothing is signed while a transaction is unexplained.
          const answer = yield* Effect.option(call)
          if (Option.isSome(answer) && moment !== "with one trade accepted") {
            assert.notInclude(statesOf(answer.value), "success")
          }
          yield* advance("2 minutes")
          yield* restart()
        }
        assert.strictEqual(yield* sent, 2)
        assert.deepStrictEqual(yield* held("USDC"), [500, 1000])
      }))
  }

  for (const { statement, when } of deaths) {
    it.effect(`whose service dies ${when} ${statement.source} is finished by a repeat, and trades each vault once`, () =>
      Effect.gen(function*() {
        const { advance, held, kills, killAt, sent, trade } = yield* sceneOf([
          ...[{ USDC: "1000" }, { USDC: "2000" }, { USDC: "3000" }]
        ])
        const before = yield* kills
        yield* killAt({ statement, when })
        yield* Effect.exit(trade({ share: 50, idempotency_key: "dies" }))
        yield* advance("10 seconds")
        assert.strictEqual(yield* kills, before + 1)
        const answer = yield* trade({ share: 50, idempotency_key: "dies" })
        yield* advance("2 minutes")
        const ended = yield* trade({ share: 50, idempotency_key: "dies" })
        assert.deepStrictEqual(statesOf(ended), ["success", "success", "success"])
        assert.deepStrictEqual(idsOf(ended), idsOf(answer))
        assert.deepStrictEqual(yield* held("USDC"), [500, 1000, 1500])
        assert.strictEqual(yield* sent, 3)
      }))
  }
})
