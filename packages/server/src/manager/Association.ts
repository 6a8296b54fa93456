/**
 * Decides if a wallet may be added to a manager's list. For a new wallet, its API key is enough. A used wallet also
 * needs its private key, or a manager who manages every vault it trades, so that a leaked API key gives no control of
 * the wallet.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { Chain } from "@vault-trader/core/network/Chain"
import type { Network } from "@vault-trader/core/chain/Network"
import { explain } from "@vault-trader/core/failure/Explanation"
import { type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import type { Caller } from "@vault-trader/core/endpoint/Admission"
import { Keyring } from "@vault-trader/core/gas-wallet/Keyring"
import { isNone } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import {
  type Authority,
  type History,
  isAnothers,
  isNew,
  type KnownVault,
  ManagerStore,
  maxWallets
} from "@vault-trader/core/manager/ManagerStore"
import { idOf, Vault, type VaultFacts } from "@vault-trader/core/vault/Vault"
import type { Sharding } from "effect/cluster/Sharding"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { read, query } from "../gate/ActorCall.ts"
import { Directory } from "../gate/ServedNetworks.ts"
import { WalletCode } from "../gate/WalletCode.ts"

/** A requested association, by a caller with the wallet's key and a manager whose authority is proven. */
export interface Asked extends Authority {
  readonly caller: Caller["Service"]
  readonly label: string | null
  /** The wallet's private key, if the caller gives it as proof. */
  readonly privateKey: Redacted.Redacted<string> | undefined
}

/** A vault that a wallet currently trades. */
interface Traded extends KnownVault {
  readonly facts: VaultFacts
}

const refuse = (message: string) => new ValidationFailure({ code: "1010", message })

const full = refuse(`manager: the list holds ${maxWallets} wallets, the maximum; remove one first`)
const revoked = new ValidationFailure({ code: "1002", message: "apiKey: unknown or revoked" })

/** Explains why the API key alone is not enough. */
const notNew = (wallet: Address, { lists, vaults }: History, authority: Authority): ValidationFailure => {
  const reason = lists.some((list) => isAnothers(list, authority))
    ? "it is in another manager's list"
    : vaults.length > 0
    ? "it has vaults, bots or trades"
    : "it was used before"
  return refuse(
    `apiKey: ${wallet} is not a new wallet (${reason}), so its API key alone does not give it a manager. Give ` +
      "its private key as privateKey, " +
      "or sign as the manager, on chain, of every vault it trades"
  )
}

/** Adds wallets to managers' lists. `onlyNew`: only if the wallet was never used. */
const listing = Effect.map(ManagerStore, (managers) =>
(
  { caller: { keyId, wallet }, label, manager, network }: Omit<Asked, "privateKey">,
  onlyNew: boolean
) =>
  Effect.gen(function*() {
    const result = yield* query(managers.associate({ manager, network, wallet, keyId, label, onlyNew }))
    if (result === "full") return yield* full
    if (result === "revoked") return yield* revoked
    if (result === "not new") {
      return yield* notNew(wallet, yield* query(managers.history(wallet)), { manager, network })
    }
  }))

/** Checks whether managers manage every vault that a wallet trades. */
const authority = Effect.gen(function*() {
  const { networks } = yield* Directory
  const chains = yield* Chain.client
  const vaults = yield* Vault.client

  /**
   * Returns the vaults among these that the wallet currently trades on chain. Addresses that are no longer vaults
   * are skipped.
   */
  const tradedOf = (known: ReadonlyArray<KnownVault>, wallet: Address) =>
    Effect.map(
      Effect.forEach(known, ({ network, pool }) =>
        read(vaults(idOf(network, pool)).describe({ assets: [], confirmed: true })).pipe(
          Effect.map(({ facts }) =>
            facts.trader === wallet || facts.manager === wallet ? [{ network, pool, facts }] : []
          ),
          Effect.catchTag("ValidationFailure", () =>
            Effect.succeed<ReadonlyArray<Traded>>([]))
        ), { concurrency: 16 }),
      (found) =>
        found.flat()
    )

  /** Returns the vaults of these managers, on all networks, that have the wallet as trader. */
  const ofManagers = (all: ReadonlyArray<Address>, wallet: Address) =>
    Effect.map(
      Effect.forEach(
        all.flatMap((manager) => networks.map((network) => ({ manager, network }))),
        ({ manager, network }) =>
          Effect.map(read(chains(network).managedBy({ manager })), (found) =>
            found.flatMap(({ pool, trader }): ReadonlyArray<KnownVault> =>
              trader === wallet ? [{ network, pool }] : []
            )),
        { concurrency: 8 }
      ),
      (found) => found.flat()
    )

  /**
   * Returns true if the manager manages every vault the wallet trades, at least one, within its authority. One of
   * several vaults proves nothing, because anyone can create a vault and set the wallet as its trader.
   */
  return ({ manager, network }: Authority, wallet: Address, history: History) =>
    Effect.gen(function*() {
      // Vaults on a network that is no longer served cannot be checked.
      if (history.vaults.some((vault) => !networks.includes(vault.network))) return false
      const known = [
        ...history.vaults,
        ...(yield* ofManagers([...new Set([manager, ...history.lists.map((list) => list.manager)])], wallet))
      ]
      const distinct = [...new Map(known.map((vault) => [`${vault.network}/${vault.pool}`, vault])).values()]
      const current = yield* tradedOf(distinct, wallet)
      const counts = (on: Network) => network === null || network === on
      return current.length > 0 &&
        current.every(({ facts, network: on }) => facts.manager === manager && facts.trader === wallet && counts(on))
    })
})

export class Association extends Context.Service<Association, {
  /** Adds the caller's wallet to the manager's list, or fails with the missing proof. */
  readonly add: (asked: Asked) => Effect.Effect<void, Failure>
  /** Adds a wallet that was just created for this manager to the list. */
  readonly enlist: (asked: Omit<Asked, "privateKey">) => Effect.Effect<void, Failure>
}>()("vault-trader/server/manager/Association") {
  static readonly layer: Layer.Layer<Association, never, Directory | KeyLimitStore | ManagerStore | Sharding> = Layer
    .effect(
      Association,
      Effect.gen(function*() {
        const limits = yield* KeyLimitStore
        const managers = yield* ManagerStore
        const keyrings = yield* Keyring.client
        const put = yield* listing
        const managesAll = yield* authority
        const checkCode = yield* WalletCode

        const isKeyOf = (wallet: Address, privateKey: Redacted.Redacted<string>) =>
          Effect.gen(function*() {
            const address = yield* read(keyrings(crypto.randomUUID().slice(0, 2)).addressOf({ privateKey }))
            if (address !== wallet) {
              return yield* refuse(`privateKey: is not the key of ${wallet}, the wallet of the API key`)
            }
          })

        return {
          enlist: (asked) => put(asked, true),
          add: (asked) =>
            Effect.gen(function*() {
              const { caller: { wallet }, privateKey } = asked
              const { limits: keyLimits } = yield* query(limits.find(wallet))
              if (keyLimits.readOnly) {
                return yield* explain({ _tag: "KeyCannotAssociate", readOnly: true })
              }
              if (privateKey !== undefined) yield* isKeyOf(wallet, privateKey)
              else if (!isNone(keyLimits)) return yield* explain({ _tag: "KeyCannotAssociate", readOnly: false })
              if (yield* query(managers.has(asked, wallet))) return yield* put(asked, false)
              yield* checkCode(wallet, "apiKey", "Nothing was changed")
              if (privateKey !== undefined) return yield* put(asked, false)
              const history = yield* query(managers.history(wallet))
              if (isNew(history, asked)) return yield* put(asked, true)
              if (!(yield* managesAll(asked, wallet, history))) return yield* notNew(wallet, history, asked)
              return yield* put(asked, false)
            })
        }
      })
    )
}

export const AssociationLive = Layer.provide(Association.layer, [KeyLimitStore.layer, ManagerStore.layer])
