/** The signer, its policy and its signing record as a runner sees them, where they are in a process of their own. */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SettlementPolicy } from "../billing/Settlements.ts"
import { GasPolicy } from "../gas-wallet/GasMonitor.ts"
import * as Secp256k1 from "../gas-wallet/Secp256k1.ts"
import { CannotSign, read, Signer } from "../gas-wallet/Signer.ts"
import { isPayee } from "../gas-wallet/PaymentReview.ts"
import { type Permit, SigningPolicy } from "../gas-wallet/SigningPolicy.ts"
import { RecordConflict, RecordUnwritable, SigningRecord } from "../gas-wallet/SigningRecord.ts"
import { SignerAway } from "../gas-wallet/SigningStop.ts"
import { SignerConnection } from "./SignerConnection.ts"

/**
 * A review reads vaults from nodes. A signature must not keep a database transaction open for long, and lasts longer
 * than a request to a key provider (KEY_PROVIDER_TIMEOUT_MS), so that the provider is named if it does not sign.
 */
const limits = {
  review: "20 seconds",
  sign: "7 seconds",
  key: "10 seconds",
  record: "12 seconds",
  read: "5 seconds"
} as const

/** The signer's review has to be repeated: it was restarted, or another runner used the permit. */
const again = ({ message }: { readonly message: string }) => new SignerAway({ message })

/**
 * The policy and the signer of the process at the other end. The permits of a review name its submissions here, and
 * permit nothing by themselves: the signer signs what it has permitted itself.
 */
export const RemoteSigner: Layer.Layer<Signer | SigningPolicy, never, SignerConnection> = Layer.unwrap(
  Effect.gen(function*() {
    const { ask } = yield* SignerConnection
    const { treasuries } = yield* SettlementPolicy
    const { topUps } = yield* GasPolicy
    const curve = yield* Effect.promise(() => Secp256k1.make())
    const keys = new WeakMap<Permit, string>()

    const policy = SigningPolicy.of({
      review: (chain, wallet, submissions) =>
        Effect.map(
          ask(limits.review, (signer) => signer.review({ network: chain.book.network, wallet, submissions })),
          ({ forged, permitted, refusals }) => {
            const isPermitted = new Set(permitted)
            const permits = new Map(
              submissions.filter(({ key }) => isPermitted.has(key)).map(({ data, key, to, value }) => {
                const permit = Object.freeze({ chainId: chain.book.chainId, from: wallet, to, data, value })
                keys.set(permit, key)
                return [key, permit] as const
              })
            )
            return {
              forged: new Set(forged),
              permits,
              refusals: new Map(refusals.map(({ failure, key }) => [key, failure]))
            }
          }
        ),
      admits: () => false,
      isPayee: isPayee(treasuries, topUps)
    })

    const signer = Signer.of({
      sign: (from, transactions) => {
        const named = transactions.flatMap(({ permit, ...transaction }) => {
          const key = permit === undefined ? undefined : keys.get(permit)
          return key === undefined ? [] : [{ ...transaction, key }]
        })
        return named.length < transactions.length
          ? new CannotSign({ message: "The signing policy has not permitted this transaction." })
          : ask(limits.sign, (client) => client.sign({ from, transactions: named })).pipe(
            Effect.catchTag("NotReviewed", again)
          )
      },
      replace: (from, raw, { maxFeePerGas, maxPriorityFeePerGas }) =>
        ask(limits.sign, (client) => client.replace({ from, raw, fees: { maxFeePerGas, maxPriorityFeePerGas } })).pipe(
          Effect.catchTag("NotReviewed", again)
        ),
      fill: (from, empty) =>
        ask(limits.sign, (client) => client.fill({ from, ...empty })).pipe(Effect.catchTag("NotReviewed", again)),
      read: (from, raw) => read(curve, from, raw),
      create: ask(limits.key, (client) => client.create()),
      importKey: (privateKey) =>
        Effect.map(
          ask(limits.key, (client) => client.importKey({ privateKey })),
          (address: Address | null) => Option.fromNullOr(address)
        )
    })
    return Layer.merge(Layer.succeed(Signer, signer), Layer.succeed(SigningPolicy, policy))
  })
)

/** The signing record of the process at the other end. While that does not answer, nothing can be recorded. */
export const RemoteRecord: Layer.Layer<SigningRecord, never, SignerConnection> = Layer.effect(
  SigningRecord,
  Effect.map(SignerConnection, ({ ask, status }) => ({
    check: (entries) =>
      Effect.map(
        ask(limits.read, (client) => client.check({ entries })),
        (found) =>
          Option.map(Option.fromNullOr(found), ({ entry, message, recorded }) =>
            new RecordConflict({ entry, message, recorded: recorded ?? undefined }))
      ),
    commit: (entries) =>
      ask(limits.record, (client) => client.commit({ entries })).pipe(
        Effect.catchTags({
          EntryConflict: ({ entry, message, recorded }) =>
            new RecordConflict({ entry, message, recorded: recorded ?? undefined }),
          EntriesUnwritable: ({ message }) => new RecordUnwritable({ message }),
          SignerAway: ({ message }) => new RecordUnwritable({ message })
        })
      ),
    nextNonce: (chainId, wallet) =>
      Effect.map(ask(limits.read, (client) => client.nextNonce({ chainId, wallet })), Option.fromNullOr),
    find: (chainId, wallet, nonce) => ask(limits.read, (client) => client.find({ chainId, wallet, nonce })),
    findKeys: (keys) => ask(limits.read, (client) => client.findKeys({ keys })),
    status: Effect.map(
      status,
      (found) => found._tag === "away" ? { _tag: "unwritable" as const, message: found.message } : found
    )
  }))
)
