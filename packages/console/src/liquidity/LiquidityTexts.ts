/** The words of actions on liquidity. */
import type { OutcomeTexts } from "../intent/Outcome.tsx"
import type { LiquidityAction } from "./Positions.ts"
import { t } from "../text/Text.ts"

interface ActionTexts extends OutcomeTexts {
  /** The button that does it. */
  readonly action: string
  /** A sentence about the action; null where its form says it. */
  readonly about: string | null
}

const unread = () => t("The request may still complete; check Activity before you send it again.")

export const actionTexts: Readonly<Record<LiquidityAction, ActionTexts>> = {
  addLiquidity: {
    action: t("Add liquidity"),
    about: null,
    pending: t("Adding liquidity"),
    done: t("Liquidity added"),
    failed: t("Liquidity was not added"),
    nothing: t("Nothing was added"),
    unread: unread()
  },
  removeLiquidity: {
    action: t("Remove liquidity"),
    about: null,
    pending: t("Removing liquidity"),
    done: t("Liquidity removed"),
    failed: t("Liquidity was not removed"),
    nothing: t("Nothing was removed"),
    unread: unread()
  },
  collectFees: {
    action: t("Collect fees"),
    about: t("Pays the fees that the position has earned to the vault. The position stays as it is."),
    pending: t("Collecting fees"),
    done: t("Fees collected"),
    failed: t("Fees were not collected"),
    nothing: t("Nothing was collected"),
    unread: unread()
  },
  stakeLiquidity: {
    action: t("Stake"),
    about: t("Puts the position into the exchange’s staking contract, where it earns rewards."),
    pending: t("Staking the position"),
    done: t("Position staked"),
    failed: t("The position was not staked"),
    nothing: t("Nothing was staked"),
    unread: unread()
  },
  unstakeLiquidity: {
    action: t("Unstake"),
    about: t("Takes the position back from the staking contract, with its rewards."),
    pending: t("Unstaking the position"),
    done: t("Position unstaked"),
    failed: t("The position was not unstaked"),
    nothing: t("Nothing was unstaked"),
    unread: unread()
  },
  claimRewards: {
    action: t("Claim rewards"),
    about: t("Pays the rewards of staking to the vault. The position stays staked."),
    pending: t("Claiming rewards"),
    done: t("Rewards claimed"),
    failed: t("Rewards were not claimed"),
    nothing: t("Nothing was claimed"),
    unread: unread()
  }
}
