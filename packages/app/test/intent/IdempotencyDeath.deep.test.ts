/**
 * Clients repeat their trades with the same idempotency key while processes fail, and stop at the first final answer.
 */
import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as DatabaseFaults from "@vault-trader/testing/harness/DatabaseFaults"
import * as ProcessGroup from "@vault-trader/testing/harness/ProcessGroup"
import { type Answer, rows, Running } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { RpcHold } from "@vault-trader/testing/harness/RpcHold"
import * as Trades from "@vault-trader/testing/harness/Trades"
import { until } from "@vault-trader/testing/harness/Until"

const network = "base" as const
const slow = 600_000

const fleet = ProcessGroup.layer({
  names: ["server", "runner-1", "runner-2"],
  networks: [network],
  env: { WAIT_SECONDS: "3", REQUEST_SECONDS: "6", RPC_TIMEOUT_MS: "1000", MAX_OPEN_PER_VAULT: "8" }
})

/** Freezes a process until the scope closes. */
const frozen = (name: ProcessGroup.Name) =>
  Effect.flatMap(ProcessGroup.ProcessGroup, ({ the }) => Effect.acquireRelease(the(name).freeze, () => the(name).thaw))

/** A success, or any failure that is not marked as unknown: clients stop there. */
const isFinal = ({ fields, status }: Answer) => status !== 503 && fields["status"] !== "pending"

/** Repeats a trade until a final answer; hangs up after a while, as clients do, and repeats the request. */
const client = (trade: Trades.TradeRequest) =>
  until(
    `a final answer about ${trade.key}`,
    Effect.map(Effect.exit(Effect.timeoutOption(Trades.asked(trade), "2 seconds")), (exit) =>
      Exit.isSuccess(exit) && Option.isSome(exit.value) && isFinal(exit.value.value) ? exit.value.value : undefined)
  )

const outcomeOf = ({ key }: Trades.TradeRequest) =>
  Effect.map(rows(`select id::text, status from intents where idempotency_key = '${key}'`), ([row]) => row)

layer(fleet, { timeout: slow, excludeTestServices: true })(
  "a write's idempotency key in a fleet that comes to harm",
  (it) => {
    it.effect(
      "is answered truthfully: each client's last answer is what the ledger and the chain say",
      () =>
        Effect.gen(function*() {
          const { cutOff, start, the } = yield* ProcessGroup.ProcessGroup
          const { dataDir } = yield* Running
          const { hold } = yield* RpcHold
          const devnet = yield* Devnet
          const vaults = yield* Trades.traded(network, { vaults: 4, wallets: 2 })
          const appoint = (trader: (vault: typeof vaults[number]) => Address) =>
            Effect.forEach(
              vaults,
              (vault) => Effect.orDie(devnet.setTrader({ network, pool: vault.pool, trader: trader(vault) })),
              { discard: true }
            )
          const usdc = Effect.forEach(vaults, ({ pool }) => OnChain.balanceOf(network, "USDC", pool))
          const before = yield* usdc
          const trades = Trades.burst(vaults, 100)
          const asking = yield* Effect.forkChild(
            Effect.forEach(trades, (trade, index) => Effect.delay(client(trade), `${index * 250} millis`), {
              concurrency: "unbounded"
            })
          )
          const accepted = (many: number) =>
            until(
              `${many} accepted trades`,
              Effect.map(
                Effect.exit(rows("select count(*)::int as n from intents")),
                (exit) => Exit.isSuccess(exit) && Number(exit.value[0]!["n"]) > many ? true as const : undefined
              )
            )

          yield* accepted(5)
          yield* Effect.scoped(Effect.andThen(frozen("runner-1"), Effect.sleep("4 seconds")))
          yield* cutOff(["server", "runner-1", "runner-2"])
          yield* accepted(10)
          // The node hangs for all processes.
          yield* Effect.scoped(Effect.andThen(
            hold({
              network,
              when: (_, moment) => Effect.succeed(moment === "before the node")
            }),
            Effect.sleep("8 seconds")
          ))
          yield* accepted(15)
          yield* the("runner-2").kill
          yield* start("runner-2")
          yield* accepted(20)
          yield* Effect.scoped(Effect.andThen(DatabaseFaults.diskFull, Effect.sleep("5 seconds")))
          yield* accepted(25)
          yield* Effect.scoped(Effect.andThen(DatabaseFaults.frozen(dataDir), Effect.sleep("5 seconds")))
          yield* accepted(30)
          yield* DatabaseFaults.shutDown(dataDir)
          yield* until(
            "the database to be back",
            Effect.map(Effect.exit(rows("select 1")), (exit) => Exit.isSuccess(exit) ? true as const : undefined)
          )
          // Another wallet trades the vaults for a while.
          yield* appoint(() => `0x${"99".repeat(20)}`)
          yield* Effect.sleep("3 seconds")
          yield* appoint(({ by }) => by.address)
          const heard = yield* Fiber.join(asking)

          yield* until(
            "everything accepted to be over",
            Effect.map(
              rows("select 1 from intents where status in ('accepted', 'submitted')"),
              (open) => open.length === 0 ? true as const : undefined
            )
          )
          const wrong: Array<string> = []
          for (const [index, { fields, text }] of heard.entries()) {
            const row = yield* outcomeOf(trades[index]!)
            // A failure of planning is stored, even if the answer does not name its intent.
            const named = fields["intent_id"] ?? row?.["id"]
            const right = fields["status"] === "success"
              ? row?.["status"] === "succeeded" && row["id"] === named
              : row === undefined || (row["status"] === "failed" && row["id"] === named)
            if (!right) {
              wrong.push(`${trades[index]!.key}: heard ${text}, the ledger says ${JSON.stringify(row)}`)
            }
          }
          assert.deepStrictEqual(wrong, [])
          const words = heard.map(({ fields: { status, status_code: code } }) =>
            typeof code === "string" ? `${String(status)} ${code}` : String(status)
          )
          console.log(`${trades.length} clients heard: ${
            [...new Set(words)].map((word) => `${words.filter((each) => each === word).length} × ${word}`).join(", ")
          }`)
          // A transaction that reverted because the trader changed while it was in flight moved nothing: the vaults'
          // balances show it.
          const executed = trades.filter((_, index) =>
            heard[index]!.fields["status"] === "success"
          )
          const after = yield* usdc
          assert.deepStrictEqual(
            vaults.map((_, index) => before[index]! - after[index]!),
            vaults.map(({ pool }) =>
              executed.filter((trade) => trade.pool === pool).reduce((sum, { sold }) => sum + sold, 0n)
            ),
            "each vault has sold what its clients' answers say"
          )
          const ids = yield* Effect.forEach(executed, outcomeOf)
          const charged = yield* rows("select intent_id::text as id from charges order by 1")
          assert.deepStrictEqual(
            charged.map(({ id }) => id),
            ids.map((row) => row?.["id"]).sort(),
            "each executed trade is charged once"
          )
        }),
      slow
    )

    it.effect(
      "names an executed trade while every runner is frozen, and after they were killed",
      () =>
        Effect.gen(function*() {
          const { start, the } = yield* ProcessGroup.ProcessGroup
          const [vault] = yield* Trades.traded(network, { vaults: 1, wallets: 1 })
          const trade = Trades.wanted(vault!)
          const { intentId } = yield* Trades.settled(trade)
          const first = yield* Trades.asked(trade)
          const repeats = Effect.gen(function*() {
            const { fields, status, text } = yield* Trades.asked(trade)
            assert.deepStrictEqual([status, fields], [200, first.fields], text)
            assert.strictEqual(fields["intent_id"], intentId)
          })
          yield* Effect.scoped(Effect.gen(function*() {
            yield* frozen("runner-1")
            yield* frozen("runner-2")
            yield* repeats
          }))
          for (const name of ["runner-1", "runner-2"] as const) {
            yield* the(name).kill
          }
          yield* repeats
          for (const name of ["runner-1", "runner-2"] as const) {
            yield* start(name)
          }
        }),
      slow
    )
  }
)
