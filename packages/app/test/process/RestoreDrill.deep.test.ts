/**
 * The restore of an older copy of the database: what the copy has forgotten is not executed and not paid again. The
 * chain runs outside the service and remembers everything. docs/restore.md describes the steps to operators.
 */
import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { ended } from "@vault-trader/testing/harness/Answers"
import type { Fields } from "@vault-trader/testing/harness/Harness"
import { until } from "@vault-trader/testing/harness/Until"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Fs from "node:fs"
import { backedUp, network, quarantined, released, scene, traded, unsigned } from "./RestoreSetup.ts"

const drill = <E>(name: string, test: Effect.Effect<void, E, Devnet | Scope.Scope>) =>
  [name, () => Effect.scoped(test)] as const

layer(Devnet.layer({ networks: [network] }), { timeout: 240_000, excludeTestServices: true })(
  "a restored database",
  (it) => {
    it.effect(
      ...drill(
        "executes nothing and pays nothing again while the signing record is kept",
        Effect.gen(function*() {
          const house = yield* scene
          const { address, apiKey, command, count, mine, paid, restore, rows, start, tradeOf } = house
          const paidBefore = yield* paid
          const { again, executed } = yield* backedUp(house)
          assert.strictEqual(yield* count, 2)
          yield* again.stop
          yield* restore

          const service = yield* start()
          const [row] = yield* rows("select id::text from intents where idempotency_key = 'forgotten'")
          const intent = yield* ended(service.ask, apiKey, row!["id"])
          assert.deepStrictEqual([intent["status"], intent["tx_hash"]], ["success", executed["tx_hash"]])
          const repeated = yield* traded(service, tradeOf("forgotten"))
          assert.deepStrictEqual(
            [repeated["intent_id"], repeated["tx_hash"], repeated["sold"], repeated["bought"]],
            [executed["intent_id"], executed["tx_hash"], executed["sold"], executed["bought"]]
          )
          assert.strictEqual(yield* count, 2)

          // Each trade is charged and paid once.
          yield* service.stop
          yield* start({ SETTLE_ABOVE_USD: "0" })
          yield* until(
            "the payment",
            Effect.andThen(
              mine,
              Effect.map(
                rows("select 1 from charges c join settlements s on s.id = c.settlement_id where s.status = 'paid'"),
                ({ length }) => length === 2 ? true : undefined
              )
            )
          )
          const [sum] = yield* rows("select sum(native_wei)::text as wei, count(*)::int as many from charges")
          assert.strictEqual(sum!["many"], 2)
          assert.strictEqual((yield* paid) - paidBefore, BigInt(String(sum!["wei"])))
          const check = yield* command("ledger", "check")
          assert.deepStrictEqual([check.code, check.stderr], [0, ""], check.stdout)
          assert.include(check.stdout, `${address} base: 2 charges`)
          assert.lengthOf(yield* rows("select 1 from lane_quarantines where released_at is null"), 0)
        })
      )
    )

    it.effect(
      ...drill(
        "quarantines the wallet when the signing record is lost, until it is released",
        Effect.gen(function*() {
          const house = yield* scene
          const { apiKey, count, movePrice, record, restore, rows, start } = house
          const { again, executed } = yield* backedUp(house)
          yield* again.stop
          yield* restore
          Fs.rmSync(record, { recursive: true })
          // A step that is planned with the same call would be given the transaction.
          yield* movePrice

          const service = yield* start()
          yield* quarantined(house, service, executed["tx_hash"])
          // The accepted trade may have been executed before: nothing is said about it.
          const [row] = yield* rows("select id::text, status from intents where idempotency_key = 'forgotten'")
          assert.include(["accepted", "submitted"], row!["status"])
          const shown = yield* service.ask("/getIntent", { query: { apiKey, intent_id: row!["id"] as string } })
          assert.match(String(shown.fields["message"]), /Its wallet signs nothing on base until that is explained/)
          assert.strictEqual(yield* count, 2)

          const after = yield* released(house, service)
          assert.notStrictEqual(after["tx_hash"], executed["tx_hash"])
          const forgotten = yield* ended(service.ask, apiKey, row!["id"])
          const failure = forgotten["failure"] as Fields
          assert.strictEqual(failure["status_code"], "2042", JSON.stringify(forgotten))
          assert.include(failure["message"], executed["tx_hash"] as string)
          assert.strictEqual(yield* count, 3)
        })
      )
    )

    it.effect(
      ...drill(
        "quarantines a wallet whose request it does not know, until it is released",
        Effect.gen(function*() {
          const house = yield* scene
          const { backUp, count, restore, rows, service, start, tradeOf } = house
          yield* traded(service, tradeOf("before"))
          yield* service.stop
          yield* backUp
          const again = yield* start()
          const executed = yield* traded(again, tradeOf("forgotten"))
          yield* again.stop
          yield* restore

          const restored = yield* start()
          yield* quarantined(house, restored, executed["tx_hash"])
          // Its repeat is refused, too: the copy does not know its key.
          unsigned(yield* restored.ask("/vaultTrade", { json: tradeOf("forgotten") }))
          assert.lengthOf(yield* rows("select 1 from intents where idempotency_key = 'forgotten'"), 0)
          assert.strictEqual(yield* count, 2)

          yield* released(house, restored)
          assert.strictEqual(yield* count, 3)
        })
      )
    )

    it.effect(
      ...drill(
        "does not pay the treasury again for charges that were paid after the copy",
        Effect.gen(function*() {
          const house = yield* scene
          const { apiKey, command, count, mine, paid, restore, rows, start } = house
          const paidBefore = yield* paid
          const { again, executed } = yield* backedUp(house)
          yield* again.stop
          const paying = yield* start({ SETTLE_ABOVE_USD: "0.15" })
          yield* until(
            "the payment",
            Effect.andThen(
              mine,
              Effect.map(
                rows("select 1 from settlements where status = 'paid'"),
                ([row]) => row
              )
            )
          )
          const [payment] = yield* rows("select hash from attempts where submission_key like 'settlement/%'")
          const sum = (yield* paid) - paidBefore
          assert.isTrue(sum > 0n)
          yield* paying.stop
          yield* restore

          const service = yield* start({ SETTLE_ABOVE_USD: "0.15" })
          const [row] = yield* rows("select id::text from intents where idempotency_key = 'forgotten'")
          const intent = yield* ended(service.ask, apiKey, row!["id"])
          assert.deepStrictEqual([intent["status"], intent["tx_hash"]], ["success", executed["tx_hash"]])
          // The payment is booked again from the signing record, with both charges.
          const [booked] = yield* until(
            "the payment in the restored ledger",
            Effect.andThen(
              mine,
              Effect.map(
                rows("select tx_hash, charges from settlements where status = 'paid'"),
                (found) => found.length > 0 ? found : undefined
              )
            )
          )
          assert.deepStrictEqual(booked, { tx_hash: payment!["hash"], charges: 2 })
          yield* until(
            "the end of the quarantine",
            Effect.map(
              rows("select 1 from lane_quarantines where released_at is null"),
              ({ length }) => length === 0 ? true : undefined
            )
          )
          yield* Effect.repeat(mine, { times: 3 })
          assert.strictEqual(yield* count, 3)
          assert.strictEqual((yield* paid) - paidBefore, sum)
          const check = yield* command("ledger", "check")
          assert.deepStrictEqual([check.code, check.stderr], [0, ""], check.stdout)
        })
      )
    )
  }
)
