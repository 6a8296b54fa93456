/**
 * Stores where the wallets' private keys are: encrypted in the row, unreadable without the key-encryption key, or held
 * by a key management service under a name.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"

/** The providers whose private keys never enter this service. */
export const remoteProviders = ["aws-kms", "gcp-kms", "web3signer"] as const
export type RemoteProvider = typeof remoteProviders[number]

/** The provider of a wallet's key, and the key's ciphertext (`local`) or the provider's own name of it. */
export interface StoredKey {
  readonly provider: "local" | RemoteProvider
  readonly reference: string
}

/** A wallet in the operator's list. */
export interface ListedWallet extends StoredKey {
  readonly address: Address
  /** The day (UTC) on which it was created or added, as 2026-11-25. */
  readonly since: string
  /** The end of its active API key; null where it has none. */
  readonly lastFour: string | null
}

export class GasWalletStore extends Context.Service<GasWalletStore, {
  /**
   * Stores a wallet; an existing wallet is left unchanged. `imported`: its key existed before and may have been used;
   * a key that was created here has no transaction on any chain.
   */
  readonly put: (
    wallet: { readonly address: Address; readonly ciphertext: string; readonly imported?: boolean }
  ) => Effect.Effect<void, SqlError>
  /** Stores a wallet whose key a provider holds; false, and nothing is changed, where the wallet exists. */
  readonly putRemote: (
    wallet: { readonly address: Address; readonly provider: RemoteProvider; readonly reference: string }
  ) => Effect.Effect<boolean, SqlError>
  /** Finds where a wallet's key is. */
  readonly key: (address: Address) => Effect.Effect<Option.Option<StoredKey>, SqlError>
  /** Lists all wallets, the oldest first. `reference` is empty for keys of this service: a ciphertext is not shown. */
  readonly list: Effect.Effect<ReadonlyArray<ListedWallet>, SqlError>
}>()("vault-trader/core/gas-wallet/GasWalletStore") {
  static readonly layer = Layer.effect(
    GasWalletStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      return {
        put: ({ address, ciphertext, imported }) =>
          Effect.asVoid(Audit.recorded(
            sql,
            sql`insert into gas_wallets (address, ciphertext, imported, imported_at)
              values (${address}, ${ciphertext}, ${imported ?? null}, case when ${imported === true} then now() end)
              on conflict (address) do nothing returning address`,
            (rows) =>
              rows.map(() => ({
                action: imported === true ? "wallet.imported" : "wallet.created",
                subject: address,
                wallet: address
              }))
          )),
        putRemote: ({ address, provider, reference }) =>
          Effect.map(
            Audit.recorded(
              sql,
              sql`insert into gas_wallets (address, provider, key_reference, imported, imported_at)
                values (${address}, ${provider}, ${reference}, true, now())
                on conflict (address) do nothing returning address`,
              (rows) =>
                rows.map(() => ({
                  action: "wallet.added" as const,
                  subject: address,
                  wallet: address,
                  details: { provider, reference }
                }))
            ),
            (rows) => rows.length > 0
          ),
        key: (address) =>
          Effect.map(
            sql<StoredKey>`select provider, coalesce(ciphertext, key_reference) as reference
              from gas_wallets where address = ${address}`,
            (rows) => Option.fromNullishOr(rows[0])
          ),
        list: sql<ListedWallet>`select w.address, w.provider, coalesce(w.key_reference, '') as reference,
          to_char(w.created_at at time zone 'UTC', 'YYYY-MM-DD') as since, k.last_four as "lastFour" from gas_wallets w
          left join api_keys k on k.wallet = w.address and k.revoked_at is null order by w.created_at, w.address`
      }
    })
  )
}
