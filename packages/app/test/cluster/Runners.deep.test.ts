/**
 * Several runners and a server on one PostgreSQL: a burst during which one of the runners is killed, stopped or frozen.
 */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { Market } from "@vault-trader/testing/harness/Market"
import * as ProcessGroup from "@vault-trader/testing/harness/ProcessGroup"
import { rows } from "@vault-trader/testing/harness/Harness"
import type * as NodeFront from "@vault-trader/testing/harness/NodeFront"
import { RpcHold, sends } from "@vault-trader/testing/harness/RpcHold"
import * as Trades from "@vault-trader/testing/harness/Trades"
import { until, within } from "@vault-trader/testing/harness/Until"

const network = "base" as const
/** Longer than a shard lock is valid without being refreshed. */
const long = "8 seconds"

const keys = (trades: ReadonlyArray<Trades.TradeRequest>) => trades.map(({ key }) => `'${key}'`).join(", ")
const succeededOf = (trades: ReadonlyArray<Trades.TradeRequest>) =>
  Effect.map(
    rows(`select count(*)::int as n from intents where status = 'succeeded' and idempotency_key in (${keys(trades)})`),
    ([row]) => Number(row?.["n"])
  )

/** Holds the first runner that sends a request of this kind during the burst, with all its later requests. */
const catchOne = (
  trades: ReadonlyArray<Trades.TradeRequest>,
  kind: (asked: Pick<NodeFront.NodeRequest, "calls">) => boolean
) =>
  Effect.gen(function*() {
    const { hold } = yield* RpcHold
    let caught: string | undefined
    const { reached, release } = yield* hold({
      network,
      when: (asked, moment) =>
        Effect.gen(function*() {
          if (moment === "before the answer") return false
          if (caught === undefined && kind(asked) && (yield* succeededOf(trades)) >= 5) caught ??= asked.caller
          return asked.caller === caught
        })
    })
    return {
      caught: Effect.map(
        within("a runner to be caught in the midst of a burst", reached),
        (name) => name as ProcessGroup.Name
      ),
      release
    }
  })

/** Starts a burst and returns the runner that was held in the middle of it; `settled` waits for the whole burst. */
const begin = (size: number, kind: Parameters<typeof catchOne>[1]) =>
  Effect.gen(function*() {
    const trades = (yield* Market).burst(size)
    const { caught, release } = yield* catchOne(trades, kind)
    const settling = yield* Effect.forkScoped(Effect.forEach(trades, Trades.settled, { concurrency: "unbounded" }))
    return { trades, name: yield* caught, release, settled: Fiber.join(settling) }
  })

/** Freezes a process until it is thawed, at the latest with the scope. */
const freeze = (name: ProcessGroup.Name) =>
  Effect.flatMap(ProcessGroup.ProcessGroup, ({ the }) => Effect.acquireRelease(the(name).freeze, () => the(name).thaw))

const secondsSince = (from: number) => ((Date.now() - from) / 1000).toFixed(1)
/**
 * Returns the seconds from `from` until the last of these outcomes was written, and until now, when every caller has
 * its answer.
 */
const tookSince = (from: number, trades: ReadonlyArray<Trades.TradeRequest>) =>
  Effect.gen(function*() {
    const known = secondsSince(from)
    const [row] = yield* rows(
      `select extract(epoch from max(updated_at))::float8 as last from intents where idempotency_key in (${
        keys(trades)
      })`
    )
    return `all outcomes written after ${
      (Number(row?.["last"]) - from / 1000).toFixed(1)
    } s, all callers answered after ${known} s`
  })
const locksOf = (name: ProcessGroup.Name) =>
  Effect.map(
    rows(`select count(*)::int as n from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and application_name = '${name}'`),
    ([row]) => Number(row?.["n"])
  )
/** Waits until a runner has shards. */
const works = (name: ProcessGroup.Name) =>
  until(`${name} to own shards`, Effect.map(locksOf(name), (locks) => locks > 0 ? true : undefined))

const fleet = ProcessGroup.layer({ names: ["server", "runner-1", "runner-2"], networks: [network] })

layer(Layer.provideMerge(Market.layer(network), fleet), { timeout: 120_000, excludeTestServices: true })(
  "runners on one database",
  (it) => {
    it.effect("carry on for one that is killed in the midst of a burst", () =>
      Effect.gen(function*() {
        const { start, the } = yield* ProcessGroup.ProcessGroup
        const { burst, holdsWith } = yield* Market
        const calm = Date.now()
        const forty = burst(40)
        const undisturbed = yield* Effect.forEach(forty, Trades.settled, { concurrency: "unbounded" })
        console.log(`40 trades, two runners, no kill: ${yield* tookSince(calm, forty)}`)
        yield* holdsWith(undisturbed)

        const { name, release, settled, trades } = yield* begin(40, sends)
        const struck = Date.now()
        yield* the(name).kill
        yield* (yield* RpcHold).bury(name)
        yield* release
        const done = yield* settled
        console.log(`40 trades, one of two runners killed with -9: ${yield* tookSince(struck, trades)}`)
        yield* holdsWith(done)
        yield* start(name)
      }).pipe(Effect.scoped), 600_000)

    it.effect("carry on for one that is asked to end in the midst of a burst", () =>
      Effect.gen(function*() {
        const { start, the } = yield* ProcessGroup.ProcessGroup
        const { holdsWith } = yield* Market
        yield* Effect.forEach(["runner-1", "runner-2"] as const, works)
        const { name, release, settled, trades } = yield* begin(40, sends)
        const struck = Date.now()
        const stopping = yield* Effect.forkChild(
          Effect.map(the(name).stop, ({ code }) => ({ code, seconds: secondsSince(struck) }))
        )
        yield* release
        const done = yield* settled
        const took = yield* tookSince(struck, trades)
        const { code, seconds } = yield* Fiber.join(stopping)
        console.log(`40 trades, one of two runners asked to end: ${took}; it ended after ${seconds} s`)
        assert.strictEqual(code, 0)
        yield* holdsWith(done)
        yield* start(name)
      }).pipe(Effect.scoped), 600_000)

    it.effect(
      "carry on for one that is frozen and cut off from the database, and refuse what it still does when it wakes up",
      () =>
        Effect.gen(function*() {
          const { cutOff, start, the } = yield* ProcessGroup.ProcessGroup
          const { burst, holdsWith } = yield* Market
          yield* start("runner-3")
          yield* Effect.forEach(["runner-1", "runner-2", "runner-3"] as const, works)
          const { name, release, settled, trades } = yield* begin(40, (asked) => !sends(asked))
          const struck = Date.now()
          yield* freeze(name)
          yield* cutOff([name])
          // The node answers the earlier requests; the frozen runner reads the answers when they are old.
          yield* release
          const done = yield* settled
          console.log(`40 trades, one of three runners frozen and cut off: ${yield* tookSince(struck, trades)}`)
          yield* Effect.sleep(long)
          yield* the(name).thaw
          const atWaking = yield* Effect.forEach(burst(12), Trades.settled, { concurrency: "unbounded" })
          yield* works(name)
          const later = yield* Effect.forEach(burst(12), Trades.settled, { concurrency: "unbounded" })
          yield* holdsWith([...done, ...atWaking, ...later])
        }).pipe(Effect.scoped),
      600_000
    )

    it.effect(
      "carry on for one that is frozen with its connections open, and refuse what it still does when it wakes up",
      () =>
        Effect.gen(function*() {
          const { the } = yield* ProcessGroup.ProcessGroup
          const { burst, holdsWith } = yield* Market
          const { name, release, settled, trades } = yield* begin(40, sends)
          const struck = Date.now()
          yield* freeze(name)
          yield* release
          // Only the others' work ends this: the frozen runner wakes up afterwards.
          const done = yield* settled
          console.log(`40 trades, one of three runners frozen: ${yield* tookSince(struck, trades)}`)
          const during = yield* Effect.forEach(burst(12), Trades.settled, { concurrency: "unbounded" })
          assert.strictEqual(yield* locksOf(name), 0)
          yield* the(name).thaw
          const atWaking = yield* Effect.forEach(burst(12), Trades.settled, { concurrency: "unbounded" })
          yield* works(name)
          const later = yield* Effect.forEach(burst(12), Trades.settled, { concurrency: "unbounded" })
          yield* holdsWith([...done, ...during, ...atWaking, ...later])
        }).pipe(Effect.scoped),
      600_000
    )
  }
)
