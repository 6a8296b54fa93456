/** Files of secrets that only the first start may create: a new secret could not decrypt existing wallets. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as SecretFile from "./SecretFile.ts"

/** Ensures that a secret's file exists. Creates it while the database holds no wallets. */
export const ensure = (file: string, what: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly some: boolean }>`select exists (select 1 from gas_wallets) as some`
    yield* SecretFile.ensure({ file, what, mayCreate: row?.some !== true })
  })
