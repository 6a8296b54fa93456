/**
 * Followers of a run: a server sets and removes followers of the vaults, whose trades are intents like any other. A vault
 * never trades more than the cap of an interval, however often its follower is removed and set again.
 */
import { FollowerTerms } from "@vault-trader/core/follower/Follower"
import { FollowerStore } from "@vault-trader/core/follower/FollowerStore"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { FollowerTradeStore } from "@vault-trader/core/intent/FollowerTradeStore"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import * as SeededRandom from "@vault-trader/app/SeededRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { network } from "./RunFixture.ts"
import type { Options, SideWorkload } from "./SideWorkload.ts"

/** Seconds between two readings of a follower: a run has faults for ninety. */
export const readingSeconds = 2

/** Returns true for the runs that have followers. */
export const isOnIn = (seed: number): boolean => seed % 4 === 2

/** It holds WETH only, so that its followers buy as long as their caps allow it. */
const leader = "0x1eade70000000000000000000000000000000002"

const one18 = 10n ** 18n
const [mostTraded18, intervalSeconds] = [1_000n * one18, 120]

/** Seconds that followers trade after the faults, before and after they are set again. */
const quietSeconds = 45

interface Row {
  readonly pool: string
  readonly trades: number
  readonly intents: number
  readonly traded: string | null
}

/** Sums what a vault's trades moved within an interval that ends with one of them; trades that failed moved nothing. */
const traded = `select f.pool, count(*)::int as trades, count(distinct t.intent_id)::int as intents, (
    select sum(o.usd18) from vault_follower_trades o join vault_followers g on g.id = o.follower_id
      left join intents i on i.id = o.intent_id
    where g.pool = f.pool and o.begun_at <= t.begun_at
      and o.begun_at > t.begun_at - make_interval(secs => ${intervalSeconds})
      and (o.state = 'succeeded' or i.status = 'succeeded' and o.message like '%removed%'))::text as traded
  from vault_follower_trades t join vault_followers f on f.id = t.follower_id group by f.pool, t.begun_at`

export const make = ({ fixture: { chain, vaults }, seed, sessions, sql }: Options): SideWorkload => {
  const isOn = isOnIn(seed)
  const chance = SeededRandom.make(seed + 2_000_000)
  const server = Layer.mergeAll(FollowerTradeStore.layer, FollowerStore.layer).pipe(
    Layer.provide([IntentStore.layer, KillSwitch.layer]),
    Layer.provide(sql)
  )
  const base = chain.book().tokens.find(({ symbol }) => symbol === "USDC")
  let isRich = false

  /** A caller without an answer does not know the outcome of its request. */
  const answered = <A, E>(effect: Effect.Effect<A, E, FollowerTradeStore | FollowerStore>) =>
    effect.pipe(Effect.provide(server), Effect.scoped, Effect.sandbox, Effect.option)

  const removeFrom = (pool: (typeof vaults)[number]["pool"]) =>
    answered(Effect.gen(function*() {
      const found = yield* (yield* FollowerStore).ofVault(network, pool)
      if (Option.isSome(found)) yield* (yield* FollowerTradeStore).remove(found.value.id)
    }))

  const set = ({ pool, wallet }: (typeof vaults)[number]) =>
    Effect.gen(function*() {
      if (base === undefined) return
      if (!isRich) yield* chain.mintToken("WETH", leader, 10n * one18)
      isRich = true
      const terms = FollowerTerms.make({
        ...{ leader, leaderKind: "wallet", base, ratio: 100, threshold: 2, maxWeight: null, assets: null, without: [] },
        ...{ maxUsd18: 400n * one18, maxUsdInInterval18: mostTraded18, intervalSeconds, delaySeconds: 0 },
        ...{ slippage: 3, maxImpact: 3 }
      })
      yield* answered(Effect.gen(function*() {
        // New terms begin without what was seen: a follower that is always set again never trades.
        if (Option.isSome(yield* (yield* FollowerStore).ofVault(network, pool))) return
        yield* (yield* FollowerTradeStore).set({ network, pool, wallet: wallet.address, keyId: wallet.keyId, terms })
      }))
    })

  return {
    isOn,
    submit: Effect.suspend(() => {
      const vault = vaults[chance.below(vaults.length)]
      if (!isOn || vault === undefined) return Effect.void
      return Effect.andThen(chance.happens(0.25) ? removeFrom(vault.pool) : Effect.void, set(vault))
    }),
    onBlock: () => undefined,
    // While nothing fails they trade all that they may: set again within the interval, they may no more.
    stop: Effect.suspend(() =>
      !isOn ? Effect.void : Effect.gen(function*() {
        yield* Effect.sleep(`${quietSeconds} seconds`)
        for (const vault of vaults) yield* Effect.andThen(removeFrom(vault.pool), set(vault))
        yield* Effect.sleep(`${quietSeconds} seconds`)
        for (const { pool } of vaults) yield* Effect.repeat(removeFrom(pool), { times: 3 })
      })
    ),
    countOpen: () =>
      isOn
        ? sessions.peek("select 1 from vault_followers where ended_at is null or open_intent is not null").length
        : 0,
    check: (_, expect) => {
      if (!isOn) return
      const most = Number(mostTraded18 / one18)
      for (const row of sessions.peek(traded) as unknown as ReadonlyArray<Row>) {
        expect(row.intents === row.trades, `10: vault ${row.pool} has ${row.trades} trades and ${row.intents} intents`)
        const usd = Number(BigInt(row.traded ?? "0") / one18)
        expect(
          usd <= most,
          `10: the follower of ${row.pool} traded $${usd} of at most $${most} in an interval`
        )
      }
    }
  }
}
