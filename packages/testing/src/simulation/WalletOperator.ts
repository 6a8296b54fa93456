/** Refills wallets as an operator does: all of them once, and again those whose alerts say that a balance is too low. */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import type { TestChain } from "../test-chain/TestChain.ts"
import type { AlertLog } from "./AlertLog.ts"
import type { FaultCounts } from "./FaultCounts.ts"
import { fullBalance } from "./LongFaults.ts"
import type { Wallet } from "./RunFixture.ts"

export interface WalletOperator {
  /** Refills all wallets. Alerts are followed from now on. */
  readonly refillAll: Effect.Effect<void>
  /** Refills the wallets of alerts, each once; call it with each block. */
  readonly onBlock: Effect.Effect<void>
}

export const make = (
  { alertLog, chain, counts, wallets }: {
    readonly alertLog: AlertLog
    readonly chain: TestChain
    readonly counts: FaultCounts
    readonly wallets: ReadonlyArray<Wallet>
  }
): WalletOperator => {
  const left = new Set<Address>()
  return {
    refillAll: Effect.forEach(wallets, ({ address }) => {
      left.add(address)
      return chain.setBalance(address, fullBalance)
    }, { discard: true }),
    onBlock: Effect.suspend(() => {
      const alerts = alertLog.alerts().filter(({ kind, wallet }) => kind === "insufficient_funds" && left.has(wallet))
      return Effect.forEach(new Set(alerts.map(({ wallet }) => wallet)), (wallet) => {
        left.delete(wallet)
        counts.count("wallet refilled after an alert")
        // More than a foreign transaction can have queued: none was signed with more than a full balance.
        return chain.setBalance(wallet, 3n * fullBalance)
      }, { discard: true })
    })
  }
}
