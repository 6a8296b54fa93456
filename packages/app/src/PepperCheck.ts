/**
 * Verifies that the pepper belongs to this database: its digest is stored on the first start and compared on every
 * later one.
 */
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { pepperCheckText } from "@vault-trader/core/gas-wallet/PepperCheckText"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { CannotStart } from "./StartupFailure.ts"

/**
 * Fails when the database was first used with another pepper: existing API keys would not be recognised, and new ones
 * would be lost later.
 */
export const verify = (file: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const value = yield* Effect.flatMap(ApiKeyDigest, ({ digest }) => digest(pepperCheckText))
    yield* sql`insert into secret_checks (name, value) values ('pepper', ${value}) on conflict do nothing`
    const [row] = yield* sql<{ readonly value: string }>`select value from secret_checks where name = 'pepper'`
    if (row?.value !== value) {
      return yield* new CannotStart({
        message:
          `The file ${file} does not hold the API key pepper of this database: put the right file back (PEPPER_FILE names it).`
      })
    }
  })
