/**
 * Watches for transactions that nothing shows: a restore lost their rows and the signing record with them, and a reorg
 * removed a transaction below their nonces, so that nodes do not count them as pending. The same intent may be signed
 * again at the free nonce, and both are mined then: no evidence of the first one is left outside of the nodes' queues.
 */
import type { Hash } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import { isHex, keccak256 } from "viem"
import * as Mempool from "../test-chain/Mempool.ts"
import type { TestChain } from "../test-chain/TestChain.ts"
import type { Attempt } from "./RunEvidence.ts"

export interface HiddenTransactions {
  /** Notes what is hidden while signed bytes leave for the first time. */
  readonly onSend: (raw: string) => void
  /** Hashes of the transactions that were hidden while the one with this hash left for the first time. */
  readonly during: (hash: string) => ReadonlySet<string>
}

const none: ReadonlySet<string> = new Set()

/** `lost`: the attempts that restores without the signing record removed. */
export const make = (
  { chain, lost }: { readonly chain: TestChain; readonly lost: () => ReadonlyArray<Attempt> }
): HiddenTransactions => {
  const byHash = new Map<Hash, ReadonlySet<string>>()
  const hiddenNow = () => {
    const { head, mempool } = Effect.runSync(chain.snapshot)
    return lost().filter(({ hash, nonce, wallet }) =>
      Mempool.of(mempool, wallet).some(({ transaction }) => transaction.hash === hash) &&
      BigInt(nonce) >= Mempool.pendingNonce(mempool, head.world, wallet)
    )
  }
  return {
    during: (hash) => byHash.get(hash as Hash) ?? none,
    onSend: (raw) => {
      if (lost().length === 0 || !isHex(raw)) return
      const hash = keccak256(raw)
      if (!byHash.has(hash)) byHash.set(hash, new Set(hiddenNow().map((attempt) => attempt.hash)))
    }
  }
}
