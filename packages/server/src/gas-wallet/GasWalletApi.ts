/** Handlers of the gas wallet endpoints. */
import * as Audit from "@vault-trader/core/audit/Audit"
import type { Network } from "@vault-trader/core/chain/Network"
import { Caller, Principal } from "@vault-trader/core/endpoint/Admission"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { type AccessKind, accessKinds, type Ended } from "@vault-trader/core/gas-wallet/Ended"
import { GasWalletApi } from "@vault-trader/core/gas-wallet/GasWalletApi"
import { Keyring } from "@vault-trader/core/gas-wallet/Keyring"
import { maxLinks, VaultLinkStore } from "@vault-trader/core/gas-wallet/VaultLinkStore"
import { type ManagedWallet, ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import { WalletAuthorityStore } from "@vault-trader/core/manager/WalletAuthorityStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Handlers from "../wire/Handlers.ts"
import { read, write, query } from "../gate/ActorCall.ts"
import { KeyCache } from "../gate/KeyCache.ts"
import { Directory } from "../gate/ServedNetworks.ts"
import { WalletCode } from "../gate/WalletCode.ts"
import { gasBalances } from "./GasBalances.ts"
import { LinkedVaults } from "./LinkedVaults.ts"

const countText = (count: number, what: string) => count === 0 ? [] : [`${count} ${what}${count === 1 ? "" : "s"}`]

/** Describes access to a wallet in a sentence; empty if there is none. */
const accessText = (
  verb: string,
  { channels, managers, sessions, webhook_tokens: tokens, webhooks }: Ended
): ReadonlyArray<string> => {
  const all = [
    ...countText(managers.length, "manager"),
    ...countText(sessions, "console session"),
    ...countText(tokens.length, "chart alert token"),
    ...countText(webhooks.length, "webhook"),
    ...countText(channels.length, "notification channel")
  ]
  return all.length === 0 ? [] : [`${verb}: ${all.join(", ")}.`]
}

/** Returns the kinds of access that `keep` names. */
const keptKinds = (keep: ReadonlyArray<AccessKind | "true" | "false"> = []): ReadonlyArray<AccessKind> =>
  keep.includes("true") ? accessKinds : accessKinds.filter((kind) => keep.includes(kind))

const keyHandlers = Handlers.part(
  GasWalletApi,
  Effect.gen(function*() {
    const keyrings = yield* Keyring.client
    // Keyrings are stateless: a random name spreads them over the runners.
    const keyring = Effect.sync(() => keyrings(crypto.randomUUID().slice(0, 2)))
    const authorities = yield* WalletAuthorityStore
    const checkCode = yield* WalletCode
    const keyCache = yield* KeyCache
    return {
      createGasWallet: () =>
        Effect.gen(function*() {
          const { address, privateKey, apiKey } = yield* write((yield* keyring).create({ actor: yield* Audit.Actor }))
          return { address, private_key: privateKey, apiKey }
        }),
      getNewApiKey: ({ keep, privateKey }) =>
        Effect.gen(function*() {
          const wallet = yield* read((yield* keyring).addressOf({ privateKey }))
          // A known wallet's key is always rotated: its owner may be getting rid of a thief.
          if (!(yield* query(authorities.isKnown(wallet)))) {
            yield* checkCode(wallet, "privateKey", "Nothing was imported")
          }
          const { address, apiKey, ended, kept, revoked } = yield* write(
            (yield* keyring).issue({
              privateKey,
              keep: keptKinds(keep),
              actor: { ...(yield* Audit.Actor), kind: "owner", credential: "privateKey" }
            })
          )
          yield* keyCache.forget(address)
          const message = [
            revoked ? "New API key issued; the previous one is revoked." : "API key issued.",
            ...accessText("Ended with it", ended),
            ...accessText("Kept", kept)
          ].join(" ")
          return { address, apiKey, message, ended, kept }
        })
    }
  })
)

const balanceHandlers = Handlers.part(
  GasWalletApi,
  Effect.gen(function*() {
    const directory = yield* Directory
    const managers = yield* ManagerStore
    const { balanceOf, balanceOrError } = yield* gasBalances

    /** Returns the caller's wallets: the key's wallet, or all of the manager's list. */
    const walletsOf = (network: Network | null) =>
      Effect.flatMap(Principal, (principal) =>
        principal._tag === "key"
          ? Effect.succeed<ReadonlyArray<Pick<ManagedWallet, "wallet" | "label">>>([{
            wallet: principal.caller.wallet,
            label: null
          }])
          : query(managers.walletsOf({ manager: principal.manager, network })))

    return {
      getGasBalance: ({ network, USD }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const usd = USD ?? false
          if (network !== "all") {
            return { address: wallet, ...(yield* balanceOf(network, wallet, usd)) }
          }
          const balances = yield* Effect.forEach(
            directory.networks,
            (each) =>
              Effect.map(
                balanceOrError(each, wallet, usd),
                (balance) => ({ network: each, address: wallet, ...balance })
              ),
            { concurrency: "unbounded" }
          )
          return { address: wallet, balances }
        }),
      getAllGasBalance: ({ network: named }) =>
        Effect.gen(function*() {
          const wallets = yield* walletsOf(named ?? null)
          const networks = named === undefined ? directory.networks : [named]
          const pairs = wallets.flatMap((each) => networks.map((network) => ({ ...each, network })))
          const balances = yield* Effect.forEach(pairs, ({ label, network, wallet }) =>
            Effect.map(
              balanceOrError(network, wallet, true),
              (balance) => ({ network, address: wallet, label, ...balance })
            ), { concurrency: 32 })
          const total_usd = balances.reduce(
            (sum, balance) => sum + ("balance_usd" in balance ? balance.balance_usd ?? 0 : 0),
            0
          )
          return { balances, total_usd: Math.round(total_usd * 1e6) / 1e6 }
        })
    }
  })
)

const linkHandlers = Handlers.part(
  GasWalletApi,
  Effect.gen(function*() {
    const linked = yield* LinkedVaults
    const directory = yield* Directory
    const links = yield* VaultLinkStore
    return {
      linkGasWallet: ({ network, pool, protocol }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const result = yield* query(
            links.link({ wallet, network, pool, protocol: protocol ?? directory.protocols[0] ?? "" })
          )
          if (result === "full") {
            return yield* new ValidationFailure({
              code: "1004",
              message: `pool: ${wallet} is linked to ${maxLinks} vaults, the maximum; unlink one first`
            })
          }
          const message = result === "linked"
            ? "The vault is linked to the wallet."
            : "The vault is already linked to the wallet; nothing changed."
          return { address: wallet, message }
        }),
      unlinkGasWallet: ({ network, pool }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          if (!(yield* query(links.unlink(wallet, network, pool)))) {
            return yield* new ValidationFailure({
              code: "1004",
              message:
                `pool: ${pool} on ${network} is not linked to ${wallet}; /getGasWalletPools lists its linked vaults`
            })
          }
          return { address: wallet, message: "The vault is no longer linked to the wallet." }
        }),
      getGasWalletPools: ({ network }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const pools = yield* linked(wallet, network === "all" ? undefined : network)
          return { address: wallet, pools }
        })
    }
  })
)

export const GasWalletApiLive = Handlers.layer(
  GasWalletApi,
  Effect.gen(function*() {
    return { ...(yield* keyHandlers), ...(yield* balanceHandlers), ...(yield* linkHandlers) }
  })
).pipe(Layer.provide([VaultLinkStore.layer, ManagerStore.layer, WalletAuthorityStore.layer]))
