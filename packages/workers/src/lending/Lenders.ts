/** Reports the lending markets of one network, and the accounts and earnings of vaults there. */
import { Network } from "@vault-trader/core/chain/Network"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { explain } from "@vault-trader/core/failure/Explanation"
import { Lenders } from "@vault-trader/core/lending/Lenders"
import { TotalYield } from "@vault-trader/core/lending/Yields"
import type { VaultSnapshot } from "@vault-trader/core/vault/VaultSnapshotStore"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Chains } from "../chain/Chains.ts"
import { orNotServed } from "../chain/ServedChain.ts"
import * as TtlCache from "../chain/TtlCache.ts"
import { Tokens } from "../chain/Tokens.ts"
import * as Snapshots from "../vault/Snapshots.ts"
import * as LendingAccount from "./LendingAccount.ts"
import * as Earnings from "./Earnings.ts"
import * as Rates from "./Rates.ts"

/** How long rates are cached for other callers. */
const ratesTtlMillis = 15_000

const dayMillis = 86_400_000

/** Minimum number of days before a growth rate is annualised. */
const minDaysToAnnualise = 7

const gain = (first: VaultSnapshot, price: bigint, now: Date) => {
  const days = (now.getTime() - first.at.getTime()) / dayMillis
  const growth = Number(price * 10n ** 18n / first.tokenPrice) / 1e18
  return TotalYield.make({
    total: Rates.round((growth - 1) * 100),
    token_price: Quantity.format(price, 18),
    first_token_price: Quantity.format(first.tokenPrice, 18),
    since: Math.floor(first.at.getTime() / 1000),
    days: Math.round(days * 100) / 100,
    annualised: days < minDaysToAnnualise ? null : Rates.round((growth ** (365 / days) - 1) * 100)
  })
}

const noTokenPrice = explain({ _tag: "VaultTokenPriceUnknown" })

export const LendersLive = Lenders.toLayer(
  Effect.gen(function*() {
    const network = Schema.decodeUnknownSync(Network)((yield* Entity.CurrentAddress).entityId)
    const tokens = yield* Tokens
    const chain = yield* (yield* Chains).get(network)
    const snapshots = yield* Snapshots.make(network, chain)
    const provided = Effect.provideService(Tokens, tokens)
    const rates = yield* TtlCache.make(provided(Rates.read(network, chain)), ratesTtlMillis)

    return Lenders.of({
      account: ({ payload: { pool } }) => provided(LendingAccount.read(network, chain, pool)),
      yields: () => rates,
      estimatedYield: ({ payload: { pool } }) =>
        rates.pipe(
          Effect.flatMap((yields) => provided(Earnings.estimate(network, chain, pool, yields))),
          Effect.tap(snapshots.note(pool))
        ),
      totalYield: ({ payload: { pool } }) =>
        Effect.gen(function*() {
          const { first, price } = yield* snapshots.since(pool)
          if (first === undefined || price === undefined) return yield* noTokenPrice
          return gain(first, price, new Date(yield* Effect.clockWith((clock) => clock.currentTimeMillis)))
        })
    })
  }).pipe(
    orNotServed((refuse) => ({ account: refuse, yields: refuse, estimatedYield: refuse, totalYield: refuse }))
  ),
  { concurrency: "unbounded", disableFatalDefects: true }
)
