/**
 * Verifies a manager's signature: an account's signer is recovered from the bytes, a contract wallet is queried on
 * chain.
 */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { Signed, type Statement, typedData } from "@vault-trader/core/signature/ManagerSignature"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import {
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  hashMessage,
  hashTypedData,
  recoverAddress
} from "viem"
import type { ChainClient } from "../chain/ChainClient.ts"
import { RpcRefused, RpcUnavailable, unavailable } from "../chain/RpcFailure.ts"

interface Verifier extends Pick<ChainClient, "initcodeOutputs" | "quorum"> {
  readonly book: Pick<ChainClient["book"], "network">
}

/** Returns true when the manager's own key made the signature; false for bytes that are not a signature. */
const byAccount = (manager: string, digest: Hex, signature: Hex): Effect.Effect<boolean> =>
  Effect.tryPromise(() => recoverAddress({ hash: digest, signature })).pipe(
    Effect.map((signer) => signer.toLowerCase() === manager),
    Effect.orElseSucceed(() => false)
  )

/**
 * Checks EIP-1271 and EIP-6492 with the validator published in ERC-6492, which the nodes run without deploying it. It
 * returns 1 or 0. Where the network has several endpoints, most of those that answer must return 1, two at least: one
 * alone would decide who is a manager.
 */
const byContract = (chain: Verifier, manager: Hex, digest: Hex, signature: Hex) =>
  Effect.gen(function*() {
    const outputs = yield* chain.initcodeOutputs(
      encodeDeployData({
        abi: erc6492SignatureValidatorAbi,
        args: [manager, digest, signature],
        bytecode: erc6492SignatureValidatorByteCode
      })
    )
    if (outputs.length < chain.quorum) {
      const reason = outputs.length === 0 ? "no RPC endpoint answers" : "no second RPC endpoint answers to confirm it"
      return yield* new RpcUnavailable({ network: chain.book.network, reason })
    }
    // Code that reverts, or that is not a validator, accepts nothing.
    const accepting = outputs.filter((output) => output !== null && /^0x0*1$/.test(output)).length
    const refusing = outputs.length - accepting
    if (accepting > refusing && accepting >= chain.quorum) return true
    if (refusing >= chain.quorum) return false
    const reason = "the network's RPC endpoints contradict each other about a contract's signature"
    return yield* new RpcRefused({ code: 0, reason })
  })

/** Finds the signer of this digest as far as this network knows; fails with 2020 when no node answers. */
const digestSignedBy = (
  chain: Verifier,
  manager: Address,
  digest: Hex,
  signature: Redacted.Redacted<Hex>
): Effect.Effect<Signed, ExecutionFailure> =>
  Effect.gen(function*() {
    const bytes = Redacted.value(signature)
    if (yield* byAccount(manager, digest, bytes)) return Signed.make({ by: "account", hasCode: false })
    const accepted = yield* byContract(chain, manager, digest, bytes)
    return Signed.make({ by: accepted ? "contract" : "nobody", hasCode: false })
  }).pipe(Effect.catchTags({
    RpcUnavailable: (failure) => Effect.fail(unavailable(failure)),
    RpcRefused: (failure) => Effect.fail(unavailable(failure))
  }))

/** Finds the signer of the statement. */
export const signedBy = (
  chain: Verifier,
  statement: Statement,
  signature: Redacted.Redacted<Hex>
): Effect.Effect<Signed, ExecutionFailure> =>
  Effect.suspend(() => digestSignedBy(chain, statement.manager, hashTypedData(typedData(statement)), signature))

/** Finds the signer of a text signed by EIP-191. */
export const textSignedBy = (
  chain: Verifier,
  { manager, signature, text }: {
    readonly manager: Address
    readonly text: string
    readonly signature: Redacted.Redacted<Hex>
  }
): Effect.Effect<Signed, ExecutionFailure> =>
  Effect.suspend(() => digestSignedBy(chain, manager, hashMessage(text), signature))
