/** Stores the code at the addresses of gas wallets; an account without a delegation has none. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Address, Hex } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"

/** Minutes for which the code of a wallet is not read again. */
const rereadMinutes = 60

interface WalletCode {
  readonly wallet: Address
  readonly code: Hex
}

/** A wallet whose code has to be read, and the code that was read last. */
interface DueCode {
  readonly wallet: Address
  readonly known: Hex
}

export class WalletCodeStore extends Context.Service<WalletCodeStore, {
  /** Lists those of these wallets whose code was not read within the last hour. */
  readonly due: (
    network: Network,
    wallets: ReadonlyArray<Address>
  ) => Effect.Effect<ReadonlyArray<DueCode>, SqlError>
  readonly put: (network: Network, codes: ReadonlyArray<WalletCode>) => Effect.Effect<void, SqlError>
}>()("vault-trader/core/gas-wallet/WalletCodeStore") {
  static readonly layer = Layer.effect(
    WalletCodeStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      due: (network, wallets) =>
        sql<DueCode>`select v.wallet, coalesce(c.code, '0x') as known
          from jsonb_array_elements_text(${JSON.stringify(wallets)}::jsonb) as v(wallet)
            left join wallet_codes c on c.network = ${network} and c.wallet = v.wallet
          where c.read_at is null or c.read_at < now() - make_interval(mins => ${rereadMinutes})`,
      put: (network, codes) =>
        codes.length === 0 ? Effect.void : Effect.asVoid(sql`insert into wallet_codes (network, wallet, code)
          select ${network}, v.wallet, v.code
          from jsonb_to_recordset(${JSON.stringify(codes)}::jsonb) as v(wallet text, code text)
          on conflict (network, wallet) do update set code = excluded.code, read_at = now()`)
    }))
  )
}
