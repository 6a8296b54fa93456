/**
 * Caps the gas that a wallet spends in a day (UTC) on a network: the signer signs no transaction that could exceed it.
 * Cancellations and fillers may exceed it by a margin, because they are small and end what is in flight.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import { format } from "@vault-trader/core/chain/Quantity"
import { type GasSpending, GasSpendingStore } from "@vault-trader/core/gas-wallet/GasSpendingStore"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { Prices } from "../billing/Prices.ts"
import { Chains } from "../chain/Chains.ts"
import { type GasAmounts, weiOf } from "./GasAmount.ts"
import { Signer } from "./Signer.ts"
import { GasCapReached } from "./SigningStop.ts"

/** The maximum gas of one wallet in a day; undefined without a cap. */
export const MaxGasPerDay = Context.Reference<GasAmounts | undefined>("vault-trader/workers/gas-wallet/MaxGasPerDay", {
  defaultValue: () => undefined
})

/** The share of the cap, in percent, by which cancellations and fillers may exceed it. */
const marginPercent = 25n

/** Maximum number of lanes whose first nonce of the day is remembered. */
const maxLanes = 10_000

interface Lane {
  readonly network: Network
  readonly wallet: Address
}

/** Makes the function that fails when a transaction of this maximum cost exceeds what is left of the wallet's day. */
const make = (caps: GasAmounts) =>
  Effect.gen(function*() {
    const store = yield* GasSpendingStore
    const prices = yield* Prices
    const first = new Map<string, GasSpending>()
    const lastPrices = new Map<Network, bigint>()

    /** Reads the spending of the day. */
    const spentToday = ({ network, wallet }: Lane): Effect.Effect<bigint, SqlError> =>
      Effect.gen(function*() {
        const name = `${network}/${wallet}`
        const known = first.get(name)
        const spending = yield* store.today(network, wallet, known?.from ?? 0n)
        // A day's first read with transactions bounds the later ones: what it found settled gets no further attempt.
        if (spending.from === 0n || spending.day === known?.day) return spending.wei
        first.set(name, spending)
        if (first.size > maxLanes) first.delete(first.keys().next().value ?? name)
        return spending.wei
      })

    /** The last usable price also counts: a cap must not stop a wallet whenever sources disagree for a moment. */
    const priceOf = (network: Network) =>
      Effect.map(prices.usable(network), (reading) => {
        if (Option.isSome(reading)) lastPrices.set(network, reading.value.usd18)
        return lastPrices.get(network)
      })

    return (lane: Lane, cost: bigint, mayExceed: boolean): Effect.Effect<void, SqlError | GasCapReached> =>
      Effect.gen(function*() {
        const amount = caps(lane.network)
        if (amount === undefined) return
        const cap = weiOf(amount, amount._tag === "usd" ? yield* priceOf(lane.network) : undefined)
        if (cap === undefined) {
          return yield* new GasCapReached({
            room: 0n,
            message: `there is no price of ${facts[lane.network].native} for the cap of ${amount.text}`
          })
        }
        const left = cap - (yield* spentToday(lane))
        const room = left > 0n ? left : 0n
        if (cost <= left + (mayExceed ? cap * marginPercent / 100n : 0n)) return
        return yield* new GasCapReached({
          room,
          message: `${format(room, 18)} ${facts[lane.network].native} are left of today's ${amount.text}`
        })
      })
  })

/** Puts a cap in front of a signer. */
export const capWith = <E, R>(signer: Layer.Layer<Signer, E, R>, caps: GasAmounts) =>
  Layer.effect(
    Signer,
    Effect.gen(function*() {
      const inner = yield* Signer
      const chains = yield* Chains
      const check = yield* make(caps)
      const networks = new Map(
        yield* Effect.forEach(chains.networks, (network) =>
          Effect.map(Effect.orDie(chains.get(network)), ({ book }) => [book.chainId, network] as const))
      )
      const checked = (chainId: number, wallet: Address, cost: bigint, mayExceed: boolean) => {
        const network = networks.get(chainId)
        return network === undefined ? Effect.void : check({ network, wallet }, cost, mayExceed)
      }
      return {
        ...inner,
        sign: (from, transactions) => {
          const cost = transactions.reduce((sum, { gasLimit, maxFeePerGas }) =>
            sum + gasLimit * maxFeePerGas, 0n)
          const [one] = transactions
          return one === undefined
            ? inner.sign(from, transactions)
            : Effect.andThen(checked(one.chainId, from, cost, false), inner.sign(from, transactions))
        },
        replace: (from, raw, fees) =>
          Effect.gen(function*() {
            const earlier = yield* inner.read(from, raw)
            if (Option.isSome(earlier)) {
              const { chainId, data, gasLimit, maxFeePerGas, to, value } = earlier.value.transaction
              const isEmpty = to === from && data === "0x" && value === 0n
              yield* checked(chainId, from, gasLimit * (fees.maxFeePerGas - maxFeePerGas), isEmpty)
            }
            return yield* inner.replace(from, raw, fees)
          }),
        fill: (from, empty) =>
          Effect.andThen(
            checked(empty.chainId, from, empty.gasLimit * empty.maxFeePerGas, true),
            inner.fill(from, empty)
          )
      }
    })
  ).pipe(Layer.provide(signer))

/** Puts the configured cap in front of a signer; without one the signer is unchanged. */
export const cap = <E, R>(
  signer: Layer.Layer<Signer, E, R>
): Layer.Layer<Signer, E, R | Chains | SqlClient.SqlClient> =>
  Layer.unwrap(
    Effect.map(MaxGasPerDay, (caps): Layer.Layer<Signer, E, R | Chains | SqlClient.SqlClient> =>
      caps === undefined
        ? signer
        : Layer.provide(capWith(signer, caps), [GasSpendingStore.layer, Prices.layer]))
  )
