/** A runner is killed between a guardian's trip and its action, and while the action is in progress. */
import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { movePrices } from "@vault-trader/devnet/devnet/MarketMaker"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, rows, Running, trader, yieldVault } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import * as ProcessGroup from "@vault-trader/testing/harness/ProcessGroup"
import { until } from "@vault-trader/testing/harness/Until"
import * as Effect from "effect/Effect"

const network = "base"

const moveTo = (usd: number) =>
  Effect.flatMap(Devnet, (devnet) => Effect.orDie(movePrices(devnet, [{ network, symbol: "WETH", usd }])))

/** Refuses an insert into the actions: a guardian that has tripped cannot begin what it does. */
const withActionsRefused = <A, E, R>(meanwhile: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.andThen(
      rows(`create function refuse_action() returns trigger language plpgsql as $$
        begin raise exception 'not yet' using errcode = '53100'; end $$`),
      rows(`create trigger refuse_action before insert on vault_guardian_actions
        for each statement execute function refuse_action()`)
    ),
    () => meanwhile,
    () => rows("drop function refuse_action() cascade")
  )

const fleet = ProcessGroup.layer({
  names: ["server", "runner-1"],
  networks: [network],
  env: { WAIT_SECONDS: "60", GUARDIAN_CHECK_SECONDS: "1" }
})

layer(fleet, { timeout: 240_000, excludeTestServices: true })("a health factor guardian", (it) => {
  it.effect("acts once although its runner is killed between its trip and its action, and during the action", () =>
    Effect.gen(function*() {
      yield* moveTo(2500)
      const { ask } = yield* Running
      const { start, the } = yield* ProcessGroup.ProcessGroup
      const rpc = yield* Effect.flatMap(Devnet, (devnet) => Effect.orDie(devnet.rpc(network)))
      const pool = yield* yieldVault(network)
      const { address, apiKey } = yield* trader({ pool })
      const call = (path: string, json: Fields) =>
        Effect.map(ask(path, { json: { apiKey, network, pool, ...json } }), succeeded)
      const state = Effect.map(rows("select state from vault_guardians"), ([row]) => row?.["state"])
      // Each reading is of a later block; nodes mine only on request here.
      const untilState = (wanted: string) =>
        until(
          `the guardian to be ${wanted}`,
          Effect.andThen(
            Effect.orDie(rpc.mine),
            Effect.map(Effect.delay(state, "200 millis"), (found) => found === wanted ? true as const : undefined)
          )
        )
      yield* call("/lend", { asset: "WETH", share: 100 })
      yield* call("/borrow", { asset: "USDC", share: 60 })
      const { data } = yield* call("/getHealthFactor", {})
      const factor = Number((data as Fields)["healthFactor"])
      yield* call("/setGuardian", {
        ...{ kind: "health_factor", floor: (factor - 0.1).toFixed(3), target: (factor + 0.1).toFixed(3) }
      })
      const sent = yield* OnChain.transactionCount(network, address)

      yield* moveTo(2200)
      yield* withActionsRefused(Effect.andThen(untilState("acting"), the("runner-1").kill))
      assert.deepStrictEqual(yield* rows("select step from vault_guardian_actions"), [])
      assert.strictEqual(yield* OnChain.transactionCount(network, address), sent)
      yield* start("runner-1")
      yield* until(
        "the action to be begun",
        Effect.map(
          rows("select step from vault_guardian_actions"),
          ({ length }) => length > 0 ? true as const : undefined
        )
      )
      yield* the("runner-1").kill
      yield* start("runner-1")
      yield* untilState("armed")

      const actions = yield* rows(
        "select step, action ->> '_tag' as action, state, tx_hash from vault_guardian_actions"
      )
      assert.deepStrictEqual(actions.map(({ action, state: of, step }) => [step, action, of]), [[
        0,
        "repay",
        "succeeded"
      ]])
      assert.strictEqual(yield* OnChain.transactionCount(network, address), sent + 1)
      const events = yield* rows("select kind from vault_guardian_events order by id")
      assert.deepStrictEqual(
        events.map(({ kind }) => kind),
        ["set", "tripped", "action_begun", "action_succeeded", "cleared"]
      )
      yield* moveTo(3000)
    }))
})
