/** Who a manager's signature is by: an account's is recovered from the bytes, a contract wallet is asked on chain. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { Signed, type Statement, typedData } from "@vault-trader/core/signature/ManagerSignature"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { encodeDeployData, erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode, hashMessage, hashTypedData, recoverAddress } from "viem"
import type { ChainClient } from "../chain/ChainClient.ts"
import { unavailable } from "../chain/RpcFailure.ts"

type Asked = Pick<ChainClient, "callInitcode" | "code">

/** Whether the manager's own key made the signature. Bytes that are no signature of a key are nobody's. */
const byAccount = (manager: string, digest: Hex, signature: Hex): Effect.Effect<boolean> =>
  Effect.tryPromise(() => recoverAddress({ hash: digest, signature })).pipe(
    Effect.map((signer) => signer.toLowerCase() === manager),
    Effect.orElseSucceed(() => false)
  )

/** EIP-1271 and EIP-6492, by the validator that ERC-6492 publishes: run by the node, never deployed. It answers 1 or 0. */
const byContract = (chain: Asked, manager: Hex, digest: Hex, signature: Hex) =>
  chain.callInitcode(encodeDeployData({ abi: erc6492SignatureValidatorAbi, args: [manager, digest, signature], bytecode: erc6492SignatureValidatorByteCode })).pipe(
    Effect.map((answer) => /^0x0*1$/.test(answer)),
    // Code that reverts, or that is something else altogether, accepts nothing.
    Effect.catchTag("RpcRefused", () => Effect.succeed(false))
  )

/** Whose signature over this digest it is, as far as this network can tell; 2020 when it cannot be asked. */
const digestSignedBy = (chain: Asked, manager: Address, digest: Hex, signature: Redacted.Redacted<Hex>): Effect.Effect<Signed, ExecutionFailure> =>
  Effect.gen(function*() {
    const bytes = Redacted.value(signature)
    if (yield* byAccount(manager, digest, bytes)) return Signed.make({ by: "account", hasCode: false })
    const [accepted, code] = yield* Effect.all([byContract(chain, manager, digest, bytes), chain.code(manager)], { concurrency: 2 })
    return Signed.make({ by: accepted ? "contract" : "nobody", hasCode: code !== "0x" })
  }).pipe(Effect.catchTags({ RpcUnavailable: (failure) => Effect.fail(unavailable(failure)), RpcRefused: (failure) => Effect.fail(unavailable(failure)) }))

/** Who signed the statement. */
export const signedBy = (chain: Asked, statement: Statement, signature: Redacted.Redacted<Hex>): Effect.Effect<Signed, ExecutionFailure> =>
  Effect.suspend(() => digestSignedBy(chain, statement.manager, hashTypedData(typedData(statement)), signature))

/** Who signed the text, as wallets sign texts (EIP-191). */
export const textSignedBy = (
  chain: Asked,
  { manager, signature, text }: { readonly manager: Address; readonly text: string; readonly signature: Redacted.Redacted<Hex> }
): Effect.Effect<Signed, ExecutionFailure> => Effect.suspend(() => digestSignedBy(chain, manager, hashMessage(text), signature))
