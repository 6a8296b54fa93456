/** Changes of the assets that a vault may hold, as requests stored in the ledger. One request changes one asset. */
import * as Schema from "effect/Schema"

/** The asset: an address in lower case, or a symbol of the network's address book. */
const changed = { asset: Schema.String }

/** A request to let the vault hold an asset: a token, or a market's or manager's contract of positions. */
export const EnableAssetRequest = Schema.TaggedStruct("EnableAsset", changed).annotate({
  identifier: "EnableAsset"
})
export type EnableAssetRequest = typeof EnableAssetRequest.Type

/** A request to end that the vault may hold an asset of which it has none. */
export const DisableAssetRequest = Schema.TaggedStruct("DisableAsset", changed).annotate({
  identifier: "DisableAsset"
})
export type DisableAssetRequest = typeof DisableAssetRequest.Type
