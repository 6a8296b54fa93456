/**
 * Lets a vault hold an asset, or no longer hold it. The wallet calls the vault's manager contract itself: the platform
 * gives this right to the vault's manager and, unless the manager has taken it away, to its trader.
 */
import { Address, type Hex } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { explain } from "@vault-trader/core/failure/Explanation"
import { type ExecutionFailure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import type { DisableAssetRequest, EnableAssetRequest } from "@vault-trader/core/trading/AssetChange"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { addressOf } from "../address-book/TokenName.ts"
import * as Calldata from "../chain/Calldata.ts"
import * as Contract from "../chain/Contract.ts"
import { reasonOf } from "../chain/Revert.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { Tokens } from "../chain/Tokens.ts"
import type { Movement } from "../platform/AssetMovement.ts"
import { factoryAbi, managerLogicAbi } from "../platform/PlatformAbi.ts"
import { meaningOf } from "../platform/PlatformRevert.ts"
import type { VaultCall } from "../platform/VaultCall.ts"
import * as Action from "../vault/Action.ts"

/** The plan. `symbol` is null for an asset that is not a token. */
const Details = Schema.Struct({ asset: Address, symbol: Schema.NullOr(Schema.String), enabled: Schema.Boolean })
type Details = typeof Details.Type

/** An asset with its name for messages: the symbol and address of a token, the address of anything else. */
interface Named {
  readonly asset: Address
  readonly symbol: string | null
  readonly decimals: number
  readonly label: string
}

/** Finds the asset that a request names. */
const nameOf = ({ chain, network }: Action.VaultContext, text: string) =>
  Effect.gen(function*() {
    const asset = addressOf(chain.book, text)
    if (asset === undefined) {
      return yield* new ValidationFailure({
        code: "1010",
        message: `asset: '${text}' is no symbol of the address book of ${network}; give the token's address`
      })
    }
    const [token] = yield* (yield* Tokens).at(network, [asset])
    return {
      asset,
      symbol: token?.symbol ?? null,
      decimals: token?.decimals ?? 18,
      label: token === undefined ? asset : `${token.symbol} (${asset})`
    } satisfies Named
  })

/** Reads what decides whether an asset of a vault can be changed. */
const stateOf = ({ chain, facts }: Action.VaultContext, asset: Address) => {
  const { managerLogic } = facts
  const { platformFactory } = chain.book
  return Effect.mapError(
    chain.readAll([
      Contract.read(managerLogicAbi, managerLogic, "getSupportedAssets", []),
      Contract.read(factoryAbi, platformFactory, "isValidAsset", [asset]),
      Contract.read(factoryAbi, platformFactory, "getMaximumSupportedAssetCount", []),
      Contract.read(managerLogicAbi, managerLogic, "assetBalance", [asset])
    ]),
    unavailable
  )
}

/** Fails unless the vault lets the wallet change its assets. */
const mayChange = ({ facts, wallet }: Action.VaultContext): Effect.Effect<void, ExecutionFailure> =>
  facts.manager !== wallet && facts.traderChangesAssets === false
    ? explain({ _tag: "AssetChangeNotAllowed", manager: facts.manager })
    : Effect.void

const changeCall = ({ facts }: Action.VaultContext, change: { readonly add?: Address; readonly remove?: Address }) => ({
  to: facts.managerLogic,
  data: Calldata.encode({
    abi: managerLogicAbi,
    functionName: "changeAssets",
    // Which assets investors may deposit is the manager's decision.
    args: [
      change.add === undefined ? [] : [{ asset: change.add, isDeposit: false }],
      change.remove === undefined ? [] : [change.remove]
    ]
  })
})

/** Estimates the gas of the call; a revert becomes the refusal. */
const estimated = ({ chain, wallet }: Action.VaultContext, call: VaultCall) =>
  Effect.gen(function*() {
    const at = yield* Clock.currentTimeMillis
    const gas = yield* Effect.mapError(
      chain.estimateGas({ from: wallet, ...call, value: 0n }),
      (failure) => failure._tag === "RpcRefused" ? explain(meaningOf(reasonOf(failure.data))) : unavailable(failure)
    )
    return { calls: [], direct: call, estimate: { gas, at } }
  })

/** Decodes a change of exactly one asset; `undefined` for any other. An enabled asset is never one for deposits. */
const changeIn = (
  data: Hex
): { readonly added: Address | undefined; readonly removed: Address | undefined } | undefined => {
  const call = Calldata.read(managerLogicAbi, data)
  if (call?.functionName !== "changeAssets") return undefined
  const [added, removed] = call.args
  if (added.length + removed.length !== 1 || added.some(({ isDeposit }) => isDeposit)) return undefined
  const [first] = added
  const [gone] = removed
  return {
    added: first === undefined ? undefined : Contract.lower(first.asset),
    removed: gone === undefined ? undefined : Contract.lower(gone)
  }
}

const movementOf = (asset: Address | undefined): Movement | undefined =>
  asset === undefined ? undefined : { gives: [], receiver: null, changedAsset: asset }

const messageOf = ({ asset, enabled, symbol }: Details) =>
  `${symbol === null ? asset : `${symbol} (${asset})`} is ${enabled ? "enabled" : "disabled"} in the vault.`

const shared = {
  charge: "free",
  details: Details,
  // A vault never changes its own assets by itself.
  decodeMovement: () => undefined,
  describe: (details: Details) => details,
  interpretReceipt: (_: unknown, details: Details) =>
    Effect.succeed({ message: messageOf(details), result: { ...details } })
} as const

export const EnableAsset = Action.make<EnableAssetRequest, Details, typeof Details.Encoded, Tokens>({
  ...shared,
  directMovement: (_, { data }) => movementOf(changeIn(data)?.added),
  plan: (context, { asset: text }) =>
    Effect.gen(function*() {
      const { asset, label, symbol } = yield* nameOf(context, text)
      const details = { asset, symbol, enabled: true }
      const [supported, valid, limit] = yield* stateOf(context, asset)
      const held = Result.getOrElse(supported, () => [])
      if (held.some((each) => Contract.lower(each.asset) === asset)) {
        return { calls: [], details, nothingToDo: `${label} is enabled in the vault already; nothing was sent.` }
      }
      yield* mayChange(context)
      if (Result.isSuccess(valid) && !valid.success) {
        return yield* explain({ _tag: "AssetNotSupported", asset: label, network: context.network })
      }
      if (Result.isSuccess(limit) && Result.isSuccess(supported) && BigInt(held.length) >= limit.success) {
        return yield* explain({ _tag: "AssetLimitReached", asset: label, limit: String(limit.success) })
      }
      return { ...(yield* estimated(context, changeCall(context, { add: asset }))), details, nothingToDo: "" }
    })
})

export const DisableAsset = Action.make<DisableAssetRequest, Details, typeof Details.Encoded, Tokens>({
  ...shared,
  directMovement: (_, { data }) => movementOf(changeIn(data)?.removed),
  plan: (context, { asset: text }) =>
    Effect.gen(function*() {
      const { asset, decimals, label, symbol } = yield* nameOf(context, text)
      const details = { asset, symbol, enabled: false }
      const [supported, , , balance] = yield* stateOf(context, asset)
      if (Result.isSuccess(supported)) {
        const own = supported.success.find((each) => Contract.lower(each.asset) === asset)
        if (own === undefined) {
          return { calls: [], details, nothingToDo: `${label} is not enabled in the vault; nothing was sent.` }
        }
        yield* mayChange(context)
        if (own.isDeposit && supported.success.filter(({ isDeposit }) => isDeposit).length === 1) {
          return yield* explain({ _tag: "LastDepositAsset", asset: label })
        }
      }
      // Zero is a reading; an asset that cannot be counted may be one that the vault has.
      if (Result.isFailure(balance)) return yield* explain({ _tag: "AssetBalanceUnknown", asset: label })
      if (balance.success > 0n) {
        const held = Quantity.format(balance.success, decimals)
        return yield* explain({ _tag: "AssetNotEmpty", asset: label, held })
      }
      return { ...(yield* estimated(context, changeCall(context, { remove: asset }))), details, nothingToDo: "" }
    })
})
