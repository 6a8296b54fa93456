/** A vault as its manager sees it. */
import * as Schema from "effect/Schema"
import { Address } from "./Address.ts"

/** A vault that belongs to a manager. */
export const ManagedVault = Schema.Struct({
  pool: Address,
  /** The name of its token. */
  name: Schema.String,
  /** The address that may trade it; null when no trader is set yet. */
  trader: Schema.NullOr(Address)
}).annotate({ identifier: "ManagedVault" })
export type ManagedVault = typeof ManagedVault.Type
