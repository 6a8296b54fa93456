/** Signed bytes as the chain reads them: by the machine's own curve, because recovering senders is most of what a block costs. */
import { type RpcRefused, refused, serverError } from "@vault-trader/devnet/test-chain/Rpc"
import type { Decoder, SignedTransaction } from "@vault-trader/devnet/test-chain/Transaction"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { Curve } from "@vault-trader/workers/gas-wallet/Secp256k1"
import * as Effect from "effect/Effect"

const lower = (address: string): Address => `0x${address.slice(2).toLowerCase()}`

const signedOf = async (curve: Curve, raw: Hex): Promise<SignedTransaction> => {
  // Wallets and strangers of a life sign nothing else.
  const { said, sender } = await curve.read(raw as `0x02${string}`)
  return {
    hash: curve.hash(raw),
    raw,
    type: "eip1559",
    chainId: said.chainId,
    from: lower(sender),
    to: typeof said.to === "string" ? lower(said.to) : null,
    nonce: BigInt(said.nonce ?? 0),
    gas: said.gas ?? 0n,
    maxFeePerGas: said.maxFeePerGas ?? 0n,
    maxPriorityFeePerGas: said.maxPriorityFeePerGas ?? 0n,
    value: said.value ?? 0n,
    data: said.data ?? "0x"
  }
}

/** A decoder of one life: what ran before leaves nothing in it. */
export const decoder = (curve: Curve): Decoder => {
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
