/** Stores the wallets' private keys, encrypted. They cannot be read without the key-encryption key. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"

export class GasWalletStore extends Context.Service<GasWalletStore, {
  /**
   * Stores a wallet; an existing wallet is left unchanged. `imported`: its key existed before and may have been used;
   * a key that was created here has no transaction on any chain.
   */
  readonly put: (
    wallet: { readonly address: Address; readonly ciphertext: string; readonly imported?: boolean }
  ) => Effect.Effect<void, SqlError>
  readonly ciphertext: (address: Address) => Effect.Effect<Option.Option<string>, SqlError>
}>()("vault-trader/core/gas-wallet/GasWalletStore") {
  static readonly layer = Layer.effect(
    GasWalletStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      return {
        put: ({ address, ciphertext, imported }) =>
          Effect.asVoid(Audit.recorded(
            sql,
            sql`insert into gas_wallets ${sql.insert({ address, ciphertext, imported: imported ?? null })}
              on conflict (address) do nothing returning address`,
            (rows) =>
              rows.map(() => ({
                action: imported === true ? "wallet.imported" : "wallet.created",
                subject: address,
                wallet: address
              }))
          )),
        ciphertext: (address) =>
          Effect.map(
            sql<{ readonly ciphertext: string }>`select ciphertext from gas_wallets where address = ${address}`,
            (rows) => Option.map(Option.fromNullishOr(rows[0]), (row) => row.ciphertext)
          )
      }
    })
  )
}
