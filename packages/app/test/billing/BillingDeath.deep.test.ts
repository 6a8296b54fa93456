/**
 * Billed actions while the runner, the server and every database session are killed at random: at the end the charges
 * equal what was paid and what is outstanding, and the treasury holds the payments. `TEST_DEEP=1
 * BILLING_ACTIONS=1000 npx vitest run test/billing/BillingDeath.deep.test.ts` runs a thousand; `BILLING_SEED` repeats a run's choices.
 */
import { assert, layer } from "@effect/vitest"
import { check } from "@vault-trader/core/billing/LedgerCheck"
import type { Address } from "@vault-trader/core/chain/Address"
import { format } from "@vault-trader/core/chain/Quantity"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as ProcessGroup from "@vault-trader/testing/harness/ProcessGroup"
import { rows, Running } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import * as Trades from "@vault-trader/testing/harness/Trades"
import { until } from "@vault-trader/testing/harness/Until"

const network = "base"
const treasury: Address = "0x7ea5000000000000000000000000000000000002"
const actions = Number(process.env["BILLING_ACTIONS"] ?? 100)
const seed = Number(process.env["BILLING_SEED"] ?? Math.floor(Math.random() * 1e9))
/** Number of kills, spread over the run. */
const deaths = Math.max(4, Math.min(24, Math.floor(actions / 20)))

type Vault = Effect.Success<ReturnType<typeof Trades.traded>>[number]

/** Requests a unique allowance under its own key until the outcome is known. */
const approved = ({ by, pool }: Vault, index: number) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const json = { apiKey: by.apiKey, network, pool, asset: "USDC", amount: format(BigInt(index + 1), 6) }
    const asked = Effect.exit(ask("/approve", { json, headers: { "idempotency-key": `approve-${index}` } }))
    const answer = yield* until(
      `the approval ${index}`,
      Effect.map(asked, (exit) => Exit.isSuccess(exit) && !Trades.isOpen(exit.value) ? exit.value : undefined)
    )
    assert.strictEqual(answer.fields["status"], "success", answer.text)
  })

/** Kills the next process and restarts it. */
const blow = Effect.gen(function*() {
  const { cutOff, start, the } = yield* ProcessGroup.ProcessGroup
  const kinds = ["the runner", "the server", "every database session"] as const
  const what = kinds[yield* Random.nextIntBetween(0, kinds.length)]!
  if (what === "every database session") return yield* Effect.as(cutOff(["server", "runner-1"]), what)
  const name = what === "the runner" ? "runner-1" : "server"
  yield* the(name).kill
  yield* start(name)
  return what
})

const fleet = ProcessGroup.layer({ names: ["server", "runner-1"], networks: [network], env: { TREASURY: treasury } })

layer(fleet, { timeout: 240_000, excludeTestServices: true })("the billing ledger", (it) => {
  it.effect(
    `balances with the chain after ${actions} billed actions and ${deaths} deaths between them (seed ${seed})`,
    () =>
      Effect.gen(function*() {
        const devnet = yield* Devnet
        const rpc = yield* Effect.orDie(devnet.rpc(network))
        const vaults = yield* Trades.traded(network, { vaults: 6, wallets: 3 })
        // Without new blocks nothing becomes final.
        yield* Effect.forkScoped(Effect.forever(Effect.delay(Effect.ignore(rpc.mine), "200 millis")))
        let done = 0
        let fallen = 0
        const dying = yield* Effect.forkScoped(Effect.gen(function*() {
          while (fallen < deaths) {
            const due = Math.floor((fallen + 1) * actions / (deaths + 1))
            yield* until("the next death's turn", Effect.sync(() => done >= due ? true : undefined))
            yield* Effect.delay(blow, `${yield* Random.nextIntBetween(0, 1500)} millis`)
            fallen += 1
          }
        }))
        yield* Effect.forEach(Array.from({ length: actions }, (_, index) => index), (index) =>
          Effect.tap(approved(vaults[index % vaults.length]!, index), () =>
            Effect.sync(() => {
              done += 1
            })), { concurrency: 12, discard: true })
        yield* Fiber.join(dying)
        const open = () =>
          rows(
            "select (select count(*) from charges where settlement_id is null)::int + (select count(*) from " +
              "settlements where status = 'open')::int as n"
          )
        yield* until(
          "every charge is paid",
          Effect.map(open(), ([row]) =>
            row?.["n"] === 0 ? true : undefined)
        )

        const { accounts, faults } = yield* Effect.orDie(check)
        assert.deepStrictEqual(faults, [])
        const settled = accounts.reduce((sum, { settledWei }) =>
          sum + settledWei, 0n)
        assert.strictEqual(
          accounts.reduce((sum, { chargedWei, outstandingWei }) =>
            sum + chargedWei - outstandingWei, 0n),
          settled
        )
        assert.strictEqual(yield* Effect.orDie(rpc.balance(treasury)), settled)
        const charged = yield* rows(
          "select count(*)::int as n, count(distinct intent_id)::int as intents, sum(usd)::text as usd from charges"
        )
        assert.deepStrictEqual(charged, [{ n: actions, intents: actions, usd: (actions * 0.02).toFixed(6) }])
        // Each wallet has as many transactions as actions and payments: nothing was sent twice.
        for (const { by: { address } } of vaults.slice(0, 3)) {
          const [row] = yield* rows(`select (select count(*) from intents where wallet = '${address}')::int +
          (select count(*) from settlements where wallet = '${address}' and status = 'paid')::int as n`)
          assert.strictEqual(yield* OnChain.transactionCount(network, address), row?.["n"])
        }
        const [payments] = yield* rows(
          "select count(*) filter (where status = 'paid')::int as paid, count(*) filter (where status = " +
            "'released')::int as released from settlements"
        )
        console.log(
          `${actions} actions, ${fallen} deaths, ${String(payments?.["paid"])} payments, ${
            String(payments?.["released"])
          } released; seed ${seed}`
        )
      }).pipe(Random.withSeed(seed)),
    3_600_000
  )
})
