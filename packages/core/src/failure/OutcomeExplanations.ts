/** Explains reverts and the answers of exchanges. */
import type { Explained, ExplanationTable } from "./ExplanationTable.ts"
import type { OutcomeReason, Reverted } from "./Reason.ts"
import { revertMeanings } from "./RevertMeaning.ts"

const revertText = ({ meaning, revert, venue }: Reverted): string =>
  `${venue === undefined ? "" : `${venue}: `}${revertMeanings[meaning][1]} (${revert})`

export const outcomeExplanations: ExplanationTable<OutcomeReason> = {
  Reverted: (reverted) => {
    const [errorType, , nextStep]: Explained = revertMeanings[reverted.meaning]
    return nextStep === undefined ? [errorType, revertText(reverted)] : [errorType, revertText(reverted), nextStep]
  },
  FeesNotMintable: ({ vaults }) => [
    revertMeanings[vaults[0].reverted.meaning][0],
    `Not all of them can be minted: ${
      vaults.map(({ pool, reverted }) => `${pool}: ${revertText(reverted)}`).join("; ")
    }`
  ],
  AssetNotEmpty: ({ asset, held }) => [
    "transaction_reverted",
    `The vault has ${held} of ${asset}, and only an asset of which it has none can be disabled`,
    "Sell, withdraw or unlend all of it first."
  ],
  LastDepositAsset: ({ asset }) => [
    "transaction_reverted",
    `${asset} is the only asset that investors can deposit into the vault, so it cannot be disabled`,
    "The vault's manager can accept another asset for deposits first."
  ],
  NoFeeMinted: ({ vaults }) => [
    "transaction_reverted",
    `None of the ${vaults} vault${vaults === 1 ? "" : "s"} minted its fee`
  ],
  InfoUnavailable: ({ detail }) => [
    "exchange_error",
    `HyperCore's info API cannot be queried (${detail})`,
    "Try again in a moment."
  ],
  ExchangeUnavailable: ({ detail, exchange }) => [
    "exchange_error",
    `${exchange} is unavailable: ${detail}`,
    "Try again."
  ],
  ExchangeRefused: ({ detail, exchange }) => ["exchange_rejected", `${exchange} refused: ${detail}`],
  OrderNotReceived: () => [
    "exchange_rejected",
    "HyperCore never received the order: it has no record of it, long after the transaction. Nothing was traded, and " +
    "nothing will be"
  ],
  OrderRefused: ({ detail, status }) => [
    "exchange_rejected",
    `HyperCore refused the order: ${detail} (${status}). Nothing was traded`
  ],
  OrderCancelled: ({ status }) => [
    "exchange_rejected",
    `The order reached HyperCore and was cancelled there (${status}); nothing was traded`
  ],
  OrderStillOpen: ({ order }) => [
    "exchange_rejected",
    `HyperCore did not cancel order ${order}: it is still open, long after the transaction`
  ],
  OrderFilledFirst: ({ order }) => ["exchange_rejected", `Order ${order} was filled before it could be cancelled`],
  WithdrawalNotReceived: ({ amount }) => [
    "exchange_rejected",
    `HyperCore never received the withdrawal of ${amount}: it has no record of it, long after the ` +
    "transaction. Nothing was moved"
  ],
  WithdrawalIncomplete: ({ amount }) => [
    "exchange_rejected",
    `HyperCore did not send ${amount} to the vault. They are on the spot side of the vault's account`,
    "Withdraw again to take them from there."
  ]
}
