/**
 * Purges wallets that were created here and never held or did anything: their API keys end, their private keys stay
 * sealed. A wallet is kept when any served network cannot be read.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { type PurgeCursor, type PurgePage, WalletPurgeStore } from "@vault-trader/core/gas-wallet/WalletPurgeStore"
import * as Singleton from "effect/cluster/Singleton"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { Chains } from "../chain/Chains.ts"
import { balanceRead } from "../chain/Multicall3.ts"

/** Days without use after which a wallet is purged; 0: never. */
export const PurgeAfterDays = Context.Reference<number>("vault-trader/workers/gas-wallet/PurgeAfterDays", {
  defaultValue: () => 30
})

/** Pause between pages, so that trading has the database and the nodes. */
const pause = "1 second"

/**
 * Returns those of the wallets that have no balance, no transaction and no code on a network. Two of the network's
 * endpoints must have no balance, where it has so many.
 */
const emptyOn = (network: Chains["Service"]["networks"][number], wallets: ReadonlyArray<Address>) =>
  Effect.gen(function*() {
    const chain = yield* (yield* Chains).get(network)
    const { number } = yield* chain.head
    const [accounts, codes] = yield* Effect.all([chain.accounts(wallets, number), chain.codes(wallets)])
    const plain = new Set(codes.flatMap(({ code, wallet }) => code === "0x" ? [wallet] : []))
    // Wallets whose read the node refused are absent, so they are kept.
    const empty = accounts.flatMap(({ nonce, wallet, wei }) =>
      wei === 0n && nonce === 0n && plain.has(wallet) ? [wallet] : []
    )
    if (empty.length === 0 || chain.quorum < 2) return empty
    const balances = yield* chain.readConfirmed(empty.map((wallet) => balanceRead(chain.book.multicall3, wallet)))
    return empty.filter((_, index) => {
      const balance = balances[index]
      return balance !== undefined && Result.isSuccess(balance) && balance.success === 0n
    })
  })

/** Returns those of the wallets that are empty on every served network; fails when one of them cannot be read. */
const emptyEverywhere = (wallets: ReadonlyArray<Address>) =>
  Effect.gen(function*() {
    const { networks } = yield* Chains
    let left = networks.length === 0 ? [] : wallets
    for (const network of networks) {
      if (left.length === 0) return left
      left = yield* emptyOn(network, left)
    }
    return left
  })

/** Purges what a page found, and returns the number of wallets that it purged. */
const purgePage = ({ unused }: PurgePage, days: number) =>
  Effect.gen(function*() {
    const store = yield* WalletPurgeStore
    if (unused.length === 0) return 0
    const empty = new Set(yield* emptyEverywhere(unused))
    yield* store.recordHolding(unused.filter((wallet) => !empty.has(wallet)))
    const purged = yield* Effect.filter([...empty], (wallet) => store.purge(wallet, days))
    return purged.length
  })

/** Walks all wallets once; returns how many it purged. A network that cannot be read ends the round. */
export const round = (days: number) =>
  Effect.gen(function*() {
    const store = yield* WalletPurgeStore
    let from: PurgeCursor | null = null
    let purged = 0
    for (;;) {
      const page: PurgePage = yield* store.page(days, from)
      purged += yield* purgePage(page, days)
      if (page.next === null) return purged
      from = page.next
      yield* Effect.sleep(pause)
    }
  })

const WalletPurgeLive = (days: number) =>
  Singleton.make(
    "WalletPurge",
    round(days).pipe(
      Effect.tap((purged) =>
        purged === 0 ? Effect.void : Effect.logInfo(`${purged} wallets unused for ${days} days were purged`)
      ),
      Effect.catchCause((cause) =>
        Effect.logWarning("unused wallets could not be checked; the next round tries again", cause)
      ),
      // Delayed, so that it does not run while a starting service resumes its work.
      Effect.delay("5 minutes"),
      Effect.andThen(Effect.sleep("6 hours")),
      Effect.forever
    )
  )

/** The purge with the configured number of days, and the store that only it uses. */
export const layer = Layer.unwrap(
  Effect.map(PurgeAfterDays, (days) => days === 0 ? Layer.empty : WalletPurgeLive(days))
).pipe(Layer.provide(WalletPurgeStore.layer))
