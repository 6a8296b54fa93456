/**
 * Deposits a vault's USDC to its HyperCore account: approval and deposit in one transaction, confirmed by HyperCore's
 * ledger.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { Token } from "@vault-trader/core/chain/Token"
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import type { DepositToPerpetualsRequest } from "@vault-trader/core/perpetual/Perpetual"
import type { PerpetualMoveStore } from "@vault-trader/core/perpetual/PerpetualMoveStore"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { reasonOf } from "../chain/Revert.ts"
import type { Tokens } from "../chain/Tokens.ts"
import * as Allowance from "../platform/Allowance.ts"
import * as RequestedAmount from "../platform/RequestedAmount.ts"
import * as Action from "../vault/Action.ts"
import { usdValueOrNull } from "@vault-trader/core/chain/Quantity"
import type { HyperCoreInfo } from "./HyperCoreInfo.ts"
import { meaningOf } from "./HyperCoreRevert.ts"
import * as HyperCoreWriter from "./HyperCoreWriter.ts"
import * as PerpetualContext from "./PerpetualContext.ts"
import { toUnits } from "./HyperCoreSchema.ts"
import * as HyperCoreLedger from "./HyperCoreLedger.ts"

const Details = Schema.Struct({ token: Token, amount: Schema.BigIntFromString })
type Details = typeof Details.Type

const fields = ({ amount, token }: Details) => ({ deposited: { ...Quantity.of(token, amount) } })

export const DepositToPerpetuals = Action.make<
  DepositToPerpetualsRequest,
  Details,
  typeof Details.Encoded,
  Tokens | HyperCoreInfo | PerpetualMoveStore
>({
  charge: "free",
  details: Details,
  plan: (context, request) =>
    Effect.gen(function*() {
      const { allowance, balance, book, price, usdc } = yield* PerpetualContext.read(context, "depositWallet")
      const amount = yield* RequestedAmount.upTo(request, usdc, balance)
      const calls = [
        ...(allowance >= amount ? [] : Allowance.set(usdc.address, book.depositWallet, allowance, amount)),
        HyperCoreWriter.deposit(book.depositWallet, amount)
      ]
      const estimate = yield* PerpetualContext.simulate(context, calls)
      return {
        calls,
        worth: usdValueOrNull(amount, price, usdc.decimals),
        details: { token: usdc, amount },
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

/** Matches a credit from the chain: a deposit, or a transfer sent by the chain's own account. */
const isReceived = (pool: Address, { amount, token }: Details) => ({ delta }: HyperCoreLedger.Entry) => {
  const sent = delta.type === "send" && delta.destination?.toLowerCase() === pool && delta.user?.toLowerCase() !== pool
  const credited = delta.type === "deposit" ? delta.usdc : sent ? delta.amount : undefined
  return credited !== undefined && toUnits(credited, token.decimals) === amount
}

/**
 * Waits for HyperCore to credit the deposit. The USDC has left the vault, so this never fails; polling continues until
 * it is credited.
 */
const confirmOutcome = (here: Action.ConfirmContext, details: Details, receipt: Receipt) =>
  Effect.gen(function*() {
    const { amount, token } = details
    const book = yield* PerpetualContext.bookOf(here.network, here.chain)
    const entries = yield* HyperCoreLedger.since(here, book, receipt, isReceived(here.pool, details))
    if (!(yield* HyperCoreLedger.claim(here, entries))) {
      return yield* new Action.Unconfirmed({ reason: "HyperCore has not credited the deposit yet" })
    }
    return {
      message: `Deposited ${Quantity.format(amount, token.decimals)} ${token.symbol}; HyperCore has it.`,
      result: fields(details)
    }
  })
