/** A vault as its manager finds it. */
import * as Schema from "effect/Schema"
import { Address } from "./Address.ts"

/** A vault of a manager. */
export const ManagedVault = Schema.Struct({
  pool: Address,
  /** As its token is named. */
  name: Schema.String,
  /** Who may trade it; nobody yet where null. */
  trader: Schema.NullOr(Address)
}).annotate({ identifier: "ManagedVault" })
export type ManagedVault = typeof ManagedVault.Type
