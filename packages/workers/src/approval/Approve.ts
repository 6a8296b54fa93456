/** Approves a venue or lender for an asset of the vault: unlimited by default, exact or revoked on request. */
import { Address } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { Token } from "@vault-trader/core/chain/Token"
import { explain } from "@vault-trader/core/failure/Explanation"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { LenderName } from "@vault-trader/core/lending/Lending"
import type { ApproveRequest } from "@vault-trader/core/trading/Trading"
import type { VenueName } from "@vault-trader/core/venue/VenueName"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { maxUint256 } from "viem"
import * as Contract from "../chain/Contract.ts"
import { readGroups } from "../chain/ReadGroups.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { erc20, Tokens } from "../chain/Tokens.ts"
import { lenders } from "../lending/LenderRegistry.ts"
import { allowed } from "../lending/LenderMarket.ts"
import { approval as lenderApproval } from "../lending/LendingMovements.ts"
import * as Action from "../vault/Action.ts"
import * as ContractGuard from "../platform/ContractGuard.ts"
import type { AggregatorClient } from "../venue/AggregatorClient.ts"
import { venues } from "../venue/VenueRegistry.ts"
import * as Allowance from "../platform/Allowance.ts"
import { refuseWhilePaused } from "../platform/TradingPause.ts"
import { candidates, notEnabled, routers } from "../trading/PairState.ts"
import { approval } from "../trading/TradeMovements.ts"

const Details = Schema.Struct({
  venue: Schema.String,
  spender: Address,
  token: Token,
  allowance: Schema.BigIntFromString
})
type Details = typeof Details.Type

/**
 * Returns true for an unlimited allowance. Some tokens reduce it by spending, so half of the maximum still counts as
 * unlimited.
 */
const isUnlimited = (allowance: bigint) => allowance >= maxUint256 / 2n

const formatAllowance = ({ token, allowance }: Pick<Details, "token" | "allowance">) =>
  isUnlimited(allowance) ? "unlimited" : Quantity.format(allowance, token.decimals)

const fields = (details: Details) => ({
  venue: details.venue,
  spender: details.spender,
  asset: details.token.address,
  symbol: details.token.symbol,
  allowance: formatAllowance(details)
})

const sentence = (details: Details) =>
  details.allowance === 0n
    ? `${details.venue} may no longer take ${details.token.symbol} from the vault.`
    : isUnlimited(details.allowance)
    ? `${details.venue} may now take ${details.token.symbol} from the vault.`
    : `${details.venue} may now take up to ${formatAllowance(details)} ${details.token.symbol} from the vault.`

export const Approve = Action.make<ApproveRequest, Details, typeof Details.Encoded, Tokens | AggregatorClient>({
  charge: "approve",
  details: Details,
  plan: (context, request) =>
    Effect.gen(function*() {
      yield* refuseWhilePaused(context)
      const tokens = yield* Tokens
      const { assets } = context
      const token = yield* tokens.resolve(context.network, request.asset, assets)
      if (!assets.some(({ address }) => address === token.address)) return yield* notEnabled(token, context.facts)
      const { venue, spender, current } = isLender(request.platform)
        ? yield* marketOf(context, request.platform, token)
        : yield* routerOf(context, request.platform, token)
      const allowance = yield* allowanceOf(request, token)
      const same = current === allowance || (isUnlimited(current) && isUnlimited(allowance))
      return {
        calls: same ? [] : Allowance.set(token.address, spender, current, allowance),
        details: { venue, spender, token, allowance },
        nothingToDo: `${venue} has this allowance for ${token.symbol} already; nothing was sent.`
      }
    }),
  decodeMovement: (chain, call) => approval(chain, call) ?? lenderApproval(chain, call),
  describe: fields,
  interpretReceipt: (_, details) => Effect.succeed({ message: sentence(details), result: fields(details) })
})

/**
 * Returns the requested allowance in smallest units. Refuses an amount that is too large to encode, or so small that it
 * would revoke.
 */
const allowanceOf = ({ amount }: ApproveRequest, token: Token): Effect.Effect<bigint, ValidationFailure> => {
  if (amount === undefined) return Effect.succeed(maxUint256)
  const raw = Quantity.toRaw(amount, token.decimals)
  const countable = raw <= maxUint256 && (raw > 0n || BigDecimal.isZero(amount))
  return countable
    ? Effect.succeed(raw)
    : new ValidationFailure({
      code: "1009",
      message: `amount: must be 0, or from ${Quantity.format(1n, token.decimals)} to ${
        Quantity.format(maxUint256, token.decimals)
      } ${token.symbol}`
    })
}

const isLender = Schema.is(LenderName)

/**
 * Finds the lender's market of the asset and its current allowance. The vault need not have it enabled, so that it can
 * be revoked.
 */
const marketOf = (context: Action.VaultContext, lender: LenderName, token: Token) =>
  Effect.map(
    Effect.flatMap(lenders[lender].find(context, token), allowed),
    ({ address, allowance }) => ({ venue: lender, spender: address, current: allowance })
  )

/**
 * Finds the router to approve and its current allowance: the named venue's, or for `auto` the first guarded and open
 * one of the chain.
 */
const routerOf = (context: Action.VaultContext, platform: VenueName | "auto", token: Token) =>
  Effect.gen(function*() {
    const wanted = candidates(context, platform)
    const deployed = routers(context)
    const [guards, allowances] = yield* Effect.mapError(
      readGroups(context.chain, [
        deployed.map(({ router }) => ContractGuard.read(context.chain.book, router)),
        deployed.map(({ router }) => Contract.read(erc20, token.address, "allowance", [context.pool, router]))
      ]),
      unavailable
    )
    const allowed = deployed.flatMap(({ name, router }, index) =>
      ContractGuard.isGuarded(guards[index])
        ? [{ venue: name, spender: router, current: Result.getOrElse(allowances[index]!, () => 0n) }]
        : []
    )
    const guarded = wanted.flatMap((name) => allowed.filter(({ venue }) => venue === name))
    const isOpen = ({ venue }: { readonly venue: VenueName }) =>
      Effect.match(venues[venue].open(context.chain, context.wallet), { onFailure: () => false, onSuccess: () => true })
    const open = platform === "auto" ? yield* Effect.findFirst(guarded, isOpen) : Option.none()
    const chosen = Option.getOrElse(open, () => guarded[0])
    if (chosen !== undefined) return chosen
    const { network } = context
    return yield* explain(
      platform === "auto"
        ? { _tag: "NoVenueAllowed", venues: wanted, network }
        : {
          _tag: "VenueNotAllowed",
          venue: platform,
          network,
          // Pool tokens are another kind of trade: toros is no alternative for a swap.
          alternatives: allowed.flatMap(({ venue }) => venue === "toros" ? [] : [venue])
        }
    )
  })
