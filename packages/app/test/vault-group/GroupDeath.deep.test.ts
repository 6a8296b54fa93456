/**
 * Processes are killed at each step of a group's trade over three vaults. No step is met by chance: a statement waits for
 * a lock of the test, or a request to the node is held. A caller that repeats the call with its key then finds each vault
 * traded once, by the ledger and by every block of the chain.
 */
import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as ChainProof from "@vault-trader/testing/harness/ChainProof"
import { type Answer, type Fields, rows, Running, wallet } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import * as ProcessGroup from "@vault-trader/testing/harness/ProcessGroup"
import { RpcHold, sends } from "@vault-trader/testing/harness/RpcHold"
import { until, within } from "@vault-trader/testing/harness/Until"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"

const network = "base"
const size = 3

/** Where a call is stopped: at a statement of the server, or at the runner's first transaction. */
type Stop =
  | { readonly table: "vault_group_calls" | "intents"; readonly rows: string }
  | { readonly moment: "before the node" | "before the answer" }

interface Death {
  readonly title: string
  readonly stop: Stop
  readonly killed: ReadonlyArray<"server" | "runner-1">
  /** The database ends the statement of the dead process; else it carries the statement out. */
  readonly ends: boolean
  /** Counts in the database when the processes are dead and the stop is over: calls, and the fewest and most intents. */
  readonly stored: readonly [calls: number, fewest: number, most: number]
}

const call = { table: "vault_group_calls", rows: "true" } as const
const trades = { table: "intents", rows: "new.idempotency_key like 'group-%'" } as const

const deaths: ReadonlyArray<Death> = [
  { title: "before the call is stored", stop: call, killed: ["server"], ends: true, stored: [0, 0, 0] },
  { title: "while the call is being stored", stop: call, killed: ["server"], ends: false, stored: [1, 0, 0] },
  { title: "before its trades are accepted", stop: trades, killed: ["server"], ends: true, stored: [1, 0, 0] },
  // The server accepts trades that arrive together in one statement: this one has the first, or more of them.
  { title: "while its first trades are accepted", stop: trades, killed: ["server"], ends: false, stored: [1, 1, size] },
  {
    ...{ title: "before a transaction is sent", stop: { moment: "before the node" }, killed: ["runner-1"] },
    ...{ ends: true, stored: [1, size, size] }
  },
  {
    ...{ title: "before it hears of a transaction", stop: { moment: "before the answer" } },
    ...{ killed: ["runner-1", "server"], ends: true, stored: [1, size, size] }
  }
]

/** One wallet, a group of vaults for each death, and the proof of all that happens to them. */
class Groups extends Context.Service<Groups, {
  readonly apiKey: string
  readonly vaultsOf: (death: Death) => ReadonlyArray<ChainProof.Trade>
  readonly holdsWith: ChainProof.ChainProof["holdsWith"]
}>()("vault-trader/app/test/vault-group/Groups") {
  static readonly layer = Layer.effect(
    Groups,
    Effect.gen(function*() {
      const devnet = yield* Devnet
      const by = yield* wallet
      yield* Effect.orDie(devnet.faucet({ network, address: by.address, amountWei: 10n ** 18n }))
      // No two vaults hold the same, so that a percent of each is its trade's name on the chain.
      const vaults = yield* Effect.forEach(
        Array.from({ length: deaths.length * size }),
        (_, index) =>
          Effect.gen(function*() {
            const pool = yield* OnChain.createVault(network, 10_000n + BigInt(index))
            yield* Effect.orDie(devnet.setTrader({ network, pool, trader: by.address }))
            return {
              network,
              pool,
              wallet: by.address,
              sold: 100_000_000n + 10_000n * BigInt(index),
              intentId: ""
            } as const
          })
      )
      const { holdsWith } = yield* ChainProof.begin(vaults)
      const vaultsOf = (death: Death) => vaults.slice(deaths.indexOf(death) * size, (deaths.indexOf(death) + 1) * size)
      return { apiKey: by.apiKey, vaultsOf, holdsWith }
    })
  )
}

/** Makes insertions of these rows wait until the scope closes. `reached` waits for the first of them. */
const insertionHeld = ({ rows: which, table }: Extract<Stop, { readonly table: string }>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const taken = yield* Deferred.make<void>()
    yield* Effect.acquireRelease(
      Effect.andThen(
        rows(`create function wait_for_test() returns trigger language plpgsql as $$
          begin perform pg_advisory_xact_lock_shared(77); return new; end $$`),
        rows(`create trigger wait_for_test before insert on ${table} for each row when (${which})
          execute function wait_for_test()`)
      ),
      () => rows("drop function wait_for_test() cascade")
    )
    // Ends before the trigger is dropped, which waits for the insertions.
    yield* Effect.forkScoped(sql.withTransaction(Effect.gen(function*() {
      yield* rows("select pg_advisory_xact_lock(77)")
      yield* Deferred.succeed(taken, undefined)
      return yield* Effect.never
    })))
    yield* Deferred.await(taken)
    const reached = until(
      `an insertion into ${table}`,
      Effect.map(
        rows("select 1 from pg_locks where locktype = 'advisory' and objid = 77 and not granted"),
        (found) => found.length > 0 ? "held" : undefined
      )
    )
    return { reached }
  })

/** Stops what comes next until the scope closes. `reached` waits until something is stopped. */
const held = (stop: Stop) =>
  Effect.gen(function*() {
    if ("table" in stop) return yield* insertionHeld(stop)
    const { hold } = yield* RpcHold
    return yield* hold({
      network,
      when: (request, moment) => Effect.succeed(moment === stop.moment && sends(request))
    })
  })

/** Ends the database sessions of a dead process, with what they wait for. */
const sessionsEnded = (name: ProcessGroup.Name) =>
  Effect.gen(function*() {
    const { cutOff } = yield* ProcessGroup.ProcessGroup
    yield* cutOff([name])
    yield* until(
      `the sessions of ${name} to end`,
      Effect.map(
        rows(`select 1 from pg_stat_activity where application_name = '${name}'`),
        (found) => found.length === 0 ? true : undefined
      )
    )
  })

const resultsOf = ({ body }: Answer) => [body["results"]].flat(2) as ReadonlyArray<Fields>

const fleet = ProcessGroup.layer({ names: ["server", "runner-1"], networks: [network], env: { WAIT_SECONDS: "2" } })

layer(Layer.provideMerge(Groups.layer, fleet), { timeout: 300_000, excludeTestServices: true })(
  "a group's trade of three vaults",
  (it) => {
    for (const [index, death] of deaths.entries()) {
      it.effect(
        `whose ${death.killed.join(" and ")} is killed ${death.title} trades each vault once when it is repeated`,
        () =>
          Effect.gen(function*() {
            const { ask } = yield* Running
            const { apiKey, holdsWith, vaultsOf } = yield* Groups
            const { start, the } = yield* ProcessGroup.ProcessGroup
            const { bury } = yield* RpcHold
            const vaults = vaultsOf(death)
            const [group, key] = [`group-${index}`, `death-${index}`]
            const members = vaults.map(({ network, pool }) => ({ network, pool }))
            assert.strictEqual((yield* ask("/setVaultGroup", { json: { apiKey, group, members } })).status, 200)
            const trade = Effect.exit(
              ask("/tradeGroup", {
                json: {
                  apiKey,
                  group,
                  from: "USDC",
                  to: "WETH",
                  share: 1,
                  slippage: 2,
                  idempotency_key: key,
                  valid_for: 600
                }
              })
            )
            const calls = rows(`select id::text as id from vault_group_calls where idempotency_key = '${key}'`)
            const accepted = Effect.flatMap(calls, ([found]) =>
              rows(`select id::text as id, idempotency_key, status, pool from intents
              where idempotency_key like 'group-${String(found?.["id"])}-%' order by idempotency_key`))

            const caller = yield* Effect.scoped(Effect.gen(function*() {
              const { reached } = yield* held(death.stop)
              const asking = yield* Effect.forkChild(trade)
              yield* within("the call to be stopped", reached)
              for (const name of death.killed) {
                yield* the(name).kill
                if (death.ends) {
                  yield* sessionsEnded(name)
                }
                yield* bury(name)
              }
              return asking
            }))
            const heard = yield* Fiber.join(caller)
            yield* until(
              "what is stored",
              Effect.map(Effect.all([calls, accepted]), ([one, { length }]) => {
                const [count, fewest, most] = death.stored
                return one.length === count && length >= fewest && length <= most ? true : undefined
              })
            )
            for (const name of death.killed) {
              yield* start(name)
            }

            const states = (answer: Answer) =>
              resultsOf(answer).map(({ state }) =>
                state
              )
            const ended = yield* until(
              "every vault's trade",
              Effect.map(trade, (exit) =>
                Exit.isSuccess(exit) && states(exit.value).filter((state) =>
                      state === "success"
                    ).length === size
                  ? exit.value
                  : undefined)
            )
            const again = yield* trade
            assert.deepStrictEqual(Exit.isSuccess(again) ? again.value.body : again, ended.body)

            const ids = resultsOf(ended).map(({ intent_id }) => String(intent_id))
            assert.deepStrictEqual(
              (yield* accepted).map(({ id, pool, status }) => [id, pool, status]),
              vaults.map(({ pool }, place) => [ids[place], pool, "succeeded"])
            )
            // An answer that its caller got before the end named the same trades.
            if (Exit.isSuccess(heard)) {
              assert.deepStrictEqual(resultsOf(heard.value).map(({ intent_id }) => intent_id), ids)
            }
            yield* holdsWith(vaults.map((vault, place) => ({ ...vault, intentId: ids[place] ?? "" })))
          }),
        300_000
      )
    }
  }
)
