/**
 * The devnet manager's account as a browser wallet (EIP-1193). The devnet generated its key, which controls nothing
 * elsewhere.
 */
import { Address, Hex } from "@vault-trader/core/chain/Address"
import { facts } from "@vault-trader/core/chain/Network"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import { type TypedDataDefinition } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import * as AnvilRpc from "../anvil/AnvilRpc.ts"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import { Quantity, toHex } from "../anvil/RpcSchema.ts"
import { type DevnetFile, entries } from "../devnet/DevnetFile.ts"

/** A request that the wallet refused; codes of EIP-1193 and JSON-RPC. */
export class WalletRefused
  extends Schema.TaggedError<WalletRefused>()("WalletRefused", { code: Schema.Int, message: Schema.String })
{}

/** A page's request, and the chain it believes the wallet to be on. */
export const WalletRequest = Schema.Struct({
  chainId: Schema.Int,
  method: Schema.String,
  params: Schema.Array(Schema.Unknown).pipe(Schema.withDecodingDefaultType(Effect.succeed([])))
})
export type WalletRequest = typeof WalletRequest.Type

interface DevnetWallet {
  readonly address: Address
  /** The chain a page starts on. */
  readonly chainId: number
  /** Returns the method's result as JSON. */
  readonly request: (request: WalletRequest) => Effect.Effect<unknown, WalletRefused>
}

const Transaction = Schema.Struct({
  from: Schema.optional(Schema.String),
  to: Schema.optional(Address),
  data: Schema.optional(Hex),
  value: Schema.optional(Quantity)
})

/** Typed data as wallets receive it: text, or the object itself. */
const TypedData = Schema.Union([Schema.fromJsonString(Schema.ObjectKeyword), Schema.ObjectKeyword])

/** Read-only methods. Excludes what signs with the node's own accounts, and all of anvil's own methods. */
const readOnlyMethods = /^(eth_(?!sign|send|accounts|coinbase)\w+|net_version|web3_clientVersion)$/

/** Minimum balance on every network in wei, so that the wallet does not run dry. */
const minBalance = 100n * 10n ** 18n

const gwei = 1_000_000_000n

const refusedByNode = (failed: RpcFailure) => new WalletRefused({ code: -32000, message: failed.message })

const decodeParam = <A, I>(schema: Schema.Codec<A, I>, value: unknown, what: string) =>
  Effect.mapError(
    Schema.decodeUnknownEffect(schema)(value),
    () => new WalletRefused({ code: -32602, message: `${what} is missing or malformed.` })
  )

/** Signs and sends as the manager; returns the transaction's hash. */
const send = (
  rpc: AnvilRpc.AnvilRpc,
  account: ReturnType<typeof privateKeyToAccount>,
  chainId: number,
  transaction: unknown
) =>
  Effect.gen(function*() {
    const { data = "0x", from = account.address, to, value = 0n } = yield* decodeParam(
      Transaction,
      transaction,
      "The transaction"
    )
    if (from.toLowerCase() !== account.address.toLowerCase()) {
      return yield* new WalletRefused({ code: 4100, message: `The Devnet Wallet has no account ${from}.` })
    }
    const call = { from: account.address, data, value: toHex(value), ...(to === undefined ? {} : { to }) }
    const gas = yield* rpc.request("eth_estimateGas", [call], Quantity)
    const [{ baseFeePerGas }, nonce] = yield* Effect.all([rpc.latestBlock, rpc.nonce(account.address)])
    const signed = yield* Effect.promise(() =>
      account.signTransaction({
        type: "eip1559",
        chainId,
        nonce,
        to,
        data,
        value,
        gas: gas * 12n / 10n,
        maxFeePerGas: baseFeePerGas * 2n + 2n * gwei,
        maxPriorityFeePerGas: gwei
      })
    )
    return yield* rpc.request("eth_sendRawTransaction", [signed], Hex)
  })

/** Makes the wallet of a devnet. Adds native token to its account on every network where it has little. */
export const make = (file: DevnetFile): Effect.Effect<DevnetWallet, RpcFailure> =>
  Effect.gen(function*() {
    const nodes = new Map(entries(file).map(([network, { rpcUrl }]) => [facts[network].chainId, AnvilRpc.make(rpcUrl)]))
    const account = privateKeyToAccount(file.manager.privateKey)
    const { address } = file.manager
    // Two concurrent transactions would take the same nonce.
    const lock = yield* Semaphore.make(1)
    yield* Effect.forEach(nodes.values(), (rpc) =>
      Effect.flatMap(rpc.balance(address), (wei) =>
        wei < minBalance ? rpc.addBalance(address, minBalance) : Effect.void), {
      concurrency: "unbounded",
      discard: true
    })
    const nodeOf = (chainId: number) => {
      const rpc = nodes.get(chainId)
      return rpc === undefined
        ? new WalletRefused({ code: 4902, message: `The devnet has no chain ${chainId}.` })
        : Effect.succeed(rpc)
    }
    const answer = ({ chainId, method, params }: WalletRequest): Effect.Effect<unknown, WalletRefused | RpcFailure> => {
      switch (method) {
        case "eth_accounts":
        case "eth_requestAccounts":
          return Effect.succeed([address])
        case "wallet_addEthereumChain":
        case "wallet_switchEthereumChain":
          return Effect.flatMap(decodeParam(Schema.Struct({ chainId: Quantity }), params[0], "The chain"), (to) =>
            Effect.as(nodeOf(Number(to.chainId)), null))
        case "personal_sign":
          return Effect.flatMap(decodeParam(Hex, params[0], "The message"), (raw) =>
            Effect.promise(() =>
              account.signMessage({ message: { raw } })
            ))
        case "eth_signTypedData_v4":
          return Effect.flatMap(decodeParam(TypedData, params[1], "The typed data"), (data) =>
            Effect.tryPromise({
              try: () =>
                account.signTypedData(data as unknown as TypedDataDefinition),
              catch: () =>
                new WalletRefused({
                  code: -32602,
                  message: "The typed data cannot be signed: it is not valid EIP-712 typed data."
                })
            }))
        case "eth_sendTransaction":
          return Effect.flatMap(nodeOf(chainId), (rpc) =>
            lock.withPermits(1)(send(rpc, account, chainId, params[0])))
        default:
          return readOnlyMethods.test(method)
            ? Effect.flatMap(nodeOf(chainId), (rpc) =>
              rpc.request(method, params, Schema.Unknown))
            : new WalletRefused({ code: 4200, message: `The Devnet Wallet does not support ${method}.` })
      }
    }
    return {
      address,
      chainId: [...nodes.keys()].includes(facts.base.chainId)
        ? facts.base.chainId
        : [...nodes.keys()][0] ?? facts.base.chainId,
      request: (request) =>
        Effect.mapError(answer(request), (failed) =>
          failed._tag === "WalletRefused" ? failed : refusedByNode(failed))
    }
  })
