/** Decodes signed transactions with the workers' own curve: recovering senders is most of the cost of a block. */
import { type RpcRefused, refused, serverError } from "../test-chain/Rpc.ts"
import type { Decoder, SignedTransaction } from "../test-chain/Transaction.ts"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { Secp256k1 } from "@vault-trader/workers/gas-wallet/Secp256k1"
import * as Effect from "effect/Effect"

const lower = (address: string): Address => `0x${address.slice(2).toLowerCase()}`

const signedOf = async (curve: Secp256k1, raw: Hex): Promise<SignedTransaction> => {
  // Wallets and foreign senders of a run sign no other type.
  const { sender, transaction } = await curve.read(raw as `0x02${string}`)
  return {
    hash: curve.hash(raw),
    raw,
    type: "eip1559",
    chainId: transaction.chainId,
    from: lower(sender),
    to: typeof transaction.to === "string" ? lower(transaction.to) : null,
    nonce: BigInt(transaction.nonce ?? 0),
    gas: transaction.gas ?? 0n,
    maxFeePerGas: transaction.maxFeePerGas ?? 0n,
    maxPriorityFeePerGas: transaction.maxPriorityFeePerGas ?? 0n,
    value: transaction.value ?? 0n,
    data: transaction.data ?? "0x"
  }
}

/** Builds the decoder of one run. It caches by raw bytes, and starts empty so that earlier runs cannot affect it. */
export const decoder = (curve: Secp256k1): Decoder => {
  const known = new Map<string, SignedTransaction>()
  return {
    decode: (text) =>
      Effect.suspend((): Effect.Effect<SignedTransaction, RpcRefused> => {
        const found = known.get(text)
        return found !== undefined ? Effect.succeed(found) : Effect.tap(
          Effect.tryPromise({
            try: () => signedOf(curve, `0x${text.slice(2)}`),
            catch: () => refused(serverError, "rlp: the transaction does not decode")
          }),
          (transaction) => Effect.sync(() => known.set(text, transaction))
        )
      })
  }
}
