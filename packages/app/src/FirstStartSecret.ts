/** Files of secrets that only the first start may create: a new secret could not decrypt existing wallets. */
import { census, type Sealed } from "@vault-trader/workers/gas-wallet/Rewrap"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as SecretFile from "./SecretFile.ts"

/** Ensures that a secret's file exists. Creates it while the database holds no wallets, or none of these secrets. */
export const ensure = (file: string, what: string, columns?: ReadonlyArray<Sealed>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    if (columns !== undefined) {
      const counts = yield* census(columns)
      return yield* SecretFile.ensure({ file, what, mayCreate: counts.size === 0 })
    }
    const [row] = yield* sql<{ readonly some: boolean }>`select exists (select 1 from gas_wallets) as some`
    yield* SecretFile.ensure({ file, what, mayCreate: row?.some !== true })
  })
