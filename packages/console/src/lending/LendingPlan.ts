/** The four actions with lenders: what each asks of the service, and the plan of its dry run. */
import { useQuery } from "@tanstack/react-query"
import type { Quantity } from "@vault-trader/core/chain/Quantity"
import { type Costs, planOf, planQuery } from "../connection/DryRun.ts"
import { call, type Client } from "../connection/RpcConnection.ts"
import type { Request } from "../connection/Wire.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { t } from "../text/Text.ts"

export type LendingAction = "lend" | "unlend" | "borrow" | "repay"

/** The words of each action. */
export const texts = {
  lend: {
    title: t("Supply"),
    review: t("Review supply"),
    moves: t("Supplies"),
    moved: t("Supplied"),
    pending: t("Supply in progress"),
    done: t("Supplied to the lender"),
    failed: t("Supply failed")
  },
  unlend: {
    title: t("Withdraw"),
    review: t("Review withdrawal"),
    moves: t("Withdraws"),
    moved: t("Withdrawn"),
    pending: t("Withdrawal in progress"),
    done: t("Withdrawn from the lender"),
    failed: t("Withdrawal failed")
  },
  borrow: {
    title: t("Borrow"),
    review: t("Review loan"),
    moves: t("Borrows"),
    moved: t("Borrowed"),
    pending: t("Loan in progress"),
    done: t("Borrowed from the lender"),
    failed: t("Borrowing failed")
  },
  repay: {
    title: t("Repay"),
    review: t("Review repayment"),
    moves: t("Repays"),
    moved: t("Repaid"),
    pending: t("Repayment in progress"),
    done: t("Repaid to the lender"),
    failed: t("Repayment failed")
  }
} as const satisfies Readonly<Record<LendingAction, Readonly<Record<string, string>>>>

/** The terms of an action. `isAll`: a share of 100, so that interest up to the transaction is included. */
export interface Terms {
  readonly action: LendingAction
  readonly asset: string
  readonly platform: string
  readonly amount: string
  readonly isAll: boolean
}

/** Returns the parameters of the terms, as the endpoint takes them. */
export const paramsOf = ({ amount, asset, isAll, platform }: Terms) => ({
  asset,
  platform,
  ...(isAll ? { share: 100 } : { amount: amount.trim() })
})

/** The part of an answer that says how to follow the request; a dry run has none. */
interface Answer {
  readonly intent_id: string | null
}

/** Returns the request of the terms. */
export const requestOf = (
  vault: VaultRef,
  terms: Terms,
  more: { readonly dryRun: true } | { readonly idempotency_key: string }
) =>
(client: Client): Request<Answer> => {
  const params = { ...vault, ...paramsOf(terms), ...more }
  switch (terms.action) {
    case "lend":
      return client.wallet.lend(params)
    case "unlend":
      return client.wallet.unlend(params)
    case "borrow":
      return client.wallet.borrow(params)
    case "repay":
      return client.wallet.repay(params)
  }
}

/** The part of a plan or a result that says what moves, and what that means for the vault's safety. */
export interface Moves {
  readonly lender: string
  readonly market: string
  /** Null where the lender has no health factor, or a price is missing. */
  readonly projected_health_factor: string | null
  readonly supplied?: Quantity
  readonly withdrawn?: Quantity
  readonly borrowed?: Quantity
  readonly repaid?: Quantity
  /** The debt after a repayment; null when it is unknown. */
  readonly still_owed?: Quantity | null
}

export type LendingPlan = Moves & Costs

const fields = { lend: "supplied", unlend: "withdrawn", borrow: "borrowed", repay: "repaid" } as const

/** Returns the quantity that an action moves. */
export const quantityOf = (action: LendingAction, moves: Moves): Quantity | undefined => moves[fields[action]]

/** Queries the plan of the terms now; idle without terms. */
export const useLendingPlan = (vault: VaultRef, terms: Terms | undefined) =>
  useQuery(
    planQuery(
      "lending-plan",
      terms === undefined ? undefined : { vault, terms },
      async ({ terms: about, vault: at }, signal) =>
        planOf<LendingPlan>(await call(requestOf(at, about, { dryRun: true }), signal), [
          ...["gas_cost", "charge", "lender", "market", "projected_health_factor"] as const,
          fields[about.action]
        ])
    )
  )
