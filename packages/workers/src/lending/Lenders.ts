/** Answers for the lending markets of one network, and for what vaults have there and have earned. */
import { Network } from "@vault-trader/core/chain/Network"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { Lenders } from "@vault-trader/core/lending/Lenders"
import { TotalYield } from "@vault-trader/core/lending/Yields"
import type { VaultSnapshot } from "@vault-trader/core/vault/VaultSnapshotStore"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Chains } from "../chain/Chains.ts"
import * as TtlCache from "../chain/TtlCache.ts"
import { Tokens } from "../chain/Tokens.ts"
import * as Snapshots from "../vault/Snapshots.ts"
import * as LendingAccount from "./LendingAccount.ts"
import * as Earnings from "./Earnings.ts"
import * as Rates from "./Rates.ts"

/** How long rates are good for another caller. */
const goodMillis = 15_000

const day = 86_400_000

/** Days before which a pace says nothing about a year. */
const meaningful = 7

const gain = (first: VaultSnapshot, price: bigint, now: Date) => {
  const days = (now.getTime() - first.at.getTime()) / day
  const growth = Number(price * 10n ** 18n / first.tokenPrice) / 1e18
  return TotalYield.make({
    total: Rates.rounded((growth - 1) * 100),
    token_price: Quantity.format(price, 18),
    first_token_price: Quantity.format(first.tokenPrice, 18),
    since: Math.floor(first.at.getTime() / 1000),
    days: Math.round(days * 100) / 100,
    annualised: days < meaningful ? null : Rates.rounded((growth ** (365 / days) - 1) * 100)
  })
}

const unpriced = new ExecutionFailure({
  errorType: "price_unavailable",
  message: "The price of the vault's token cannot be told: an asset has no fresh price, or nobody has invested."
})

export const LendersLive = Lenders.toLayer(
  Effect.gen(function*() {
    const network = Schema.decodeUnknownSync(Network)((yield* Entity.CurrentAddress).entityId)
    const tokens = yield* Tokens
    const found = yield* Effect.result((yield* Chains).get(network))
    if (found._tag === "Failure") {
      const notServed = () => found.failure
      return { account: notServed, yields: notServed, estimatedYield: notServed, totalYield: notServed }
    }
    const chain = found.success
    const snapshots = yield* Snapshots.make(network, chain)
    const provided = Effect.provideService(Tokens, tokens)
    const rates = yield* TtlCache.make(provided(Rates.read(network, chain)), goodMillis)

    return {
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
          if (first === undefined || price === undefined) return yield* unpriced
          return gain(first, price, new Date(yield* Effect.clockWith((clock) => clock.currentTimeMillis)))
        })
    }
  }),
  { concurrency: "unbounded", disableFatalDefects: true }
)
