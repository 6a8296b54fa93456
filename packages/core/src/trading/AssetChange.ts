/** Changes of the assets that a vault may hold, as requests stored in the ledger. One request changes one asset. */
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"

/** A request to let the vault hold an asset: a token, or a market's or manager's contract of positions. */
export const EnableAssetRequest = Schema.TaggedStruct("EnableAsset", { asset: Address }).annotate({
  identifier: "EnableAsset"
})
export type EnableAssetRequest = typeof EnableAssetRequest.Type

/** A request to end that the vault may hold an asset of which it has none. */
export const DisableAssetRequest = Schema.TaggedStruct("DisableAsset", { asset: Address }).annotate({
  identifier: "DisableAsset"
})
export type DisableAssetRequest = typeof DisableAssetRequest.Type
