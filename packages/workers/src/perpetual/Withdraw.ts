/** Withdraws USDC from a vault's HyperCore account to the vault, confirmed by HyperCore's ledger. */
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { Token } from "@vault-trader/core/chain/Token"
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import type { WithdrawFromPerpetualsRequest } from "@vault-trader/core/perpetual/Perpetual"
import type { PerpetualMoveStore } from "@vault-trader/core/perpetual/PerpetualMoveStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { reasonOf } from "../chain/Revert.ts"
import type { Tokens } from "../chain/Tokens.ts"
import * as RequestedAmount from "../platform/RequestedAmount.ts"
import * as Action from "../vault/Action.ts"
import * as HyperCoreConfirmation from "./HyperCoreConfirmation.ts"
import * as HyperCoreInfo from "./HyperCoreInfo.ts"
import { meaningOf } from "./HyperCoreRevert.ts"
import * as HyperCoreWriter from "./HyperCoreWriter.ts"
import * as PerpetualContext from "./PerpetualContext.ts"
import { toUnits, spotDecimals } from "./HyperCoreSchema.ts"
import * as HyperCoreLedger from "./HyperCoreLedger.ts"

/**
 * `transferred` is the part taken from the perpetual side; the rest was on the spot side. Smallest units of the chain's
 * USDC.
 */
const Details = Schema.Struct({ token: Token, amount: Schema.BigIntFromString, transferred: Schema.BigIntFromString })
type Details = typeof Details.Type

const fields = ({ amount, token }: Details) => ({ withdrawn: { ...Quantity.of(token, amount) } })

/** Returns the units of the spot side per unit of the chain, where USDC has fewer decimals. */
const spotUnit = ({ decimals }: Token) => 10n ** BigInt(spotDecimals - decimals)

export const WithdrawFromPerpetuals = Action.make<
  WithdrawFromPerpetualsRequest,
  Details,
  typeof Details.Encoded,
  Tokens | HyperCoreInfo.HyperCoreInfo | PerpetualMoveStore
>({
  charge: "free",
  details: Details,
  plan: (context, request) =>
    Effect.gen(function*() {
      const info = yield* HyperCoreInfo.HyperCoreInfo
      const { book, usdc } = yield* PerpetualContext.read(context, "writer")
      const [account, spot] = yield* Effect.mapError(
        Effect.all([info.account(book, context.pool), info.spotUsdc(book, context.pool)], { concurrency: "unbounded" }),
        HyperCoreInfo.unavailable
      )
      // Uses first what an earlier, incomplete withdrawal left on the spot side.
      const onSpotSide = spot / spotUnit(usdc)
      const free = toUnits(account.withdrawable, usdc.decimals)
      const amount = yield* RequestedAmount.upTo(
        request,
        usdc,
        onSpotSide + (free > 0n ? free : 0n),
        "withdrawable"
      )
      const transferred = amount > onSpotSide ? amount - onSpotSide : 0n
      const calls = [
        ...(transferred === 0n ? [] : [HyperCoreWriter.toSpot(book.coreWriter, transferred)]),
        HyperCoreWriter.toChain(book.coreWriter, amount * spotUnit(usdc))
      ]
      const estimate = yield* PerpetualContext.simulate(context, calls)
      return {
        calls,
        details: { token: usdc, amount, transferred },
        nothingToDo: "",
        ...(estimate === undefined ? {} : { estimate })
      }
    }),
  decodeMovement: PerpetualContext.movement,
  explainRevert: (revert) => meaningOf(reasonOf(revert)),
  describe: fields,
  interpretReceipt: (_, details) => Effect.succeed({ message: "", result: fields(details) }),
  confirm: (here, details, receipt) => confirmOutcome(here, details, receipt)
})

/** Matches a transfer by the vault from the spot side to the system address, which moves it to the chain. */
const isSent = ({ amount, token }: Details) => ({ delta }: HyperCoreLedger.Entry) =>
  (delta.type === "spotTransfer" || delta.type === "send") && delta.amount !== undefined &&
  delta.destination?.toLowerCase() === HyperCoreWriter.systemAddress &&
  toUnits(delta.amount, token.decimals) === amount

const confirmOutcome = (here: Action.ConfirmContext, details: Details, receipt: Receipt) =>
  Effect.gen(function*() {
    const quantity = `${Quantity.format(details.amount, details.token.decimals)} ${details.token.symbol}`
    const book = yield* PerpetualContext.bookOf(here.network, here.chain)
    const claim = Effect.flatMap(HyperCoreLedger.since(here, book, receipt, isSent(details)), (entries) =>
      HyperCoreLedger.claim(here, entries))
    if (yield* claim) {
      return {
        message: `HyperCore has sent ${quantity} to the vault; they arrive within seconds.`,
        result: fields(details)
      }
    }
    if (!(yield* HyperCoreConfirmation.isLate(here, book, receipt))) {
      return yield* new Action.Unconfirmed({ reason: "HyperCore has not sent the USDC yet" })
    }
    if (yield* claim) {
      return {
        message: `HyperCore has sent ${quantity} to the vault; they arrive within seconds.`,
        result: fields(details)
      }
    }
    const moved = Option.fromNullishOr(
      (yield* HyperCoreLedger.since(here, book, receipt, ({ delta }) =>
        delta.type === "accountClassTransfer"))[0]
    )
    return yield* HyperCoreConfirmation.rejection({
      _tag: Option.isNone(moved) ? "WithdrawalNotReceived" : "WithdrawalIncomplete",
      amount: quantity
    })
  })
