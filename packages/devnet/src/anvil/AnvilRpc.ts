/** Typed JSON-RPC client of an anvil node: the standard methods the devnet needs, and anvil's own. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type Address, type Hash, Hex } from "@vault-trader/core/chain/Address"
import { Block, Quantity, Receipt, type TransactionRequest, toHex, wireTransaction } from "./RpcSchema.ts"
import { type RpcFailure, RpcRefused, revertReason, RpcUnreachable, TransactionReverted } from "./RpcFailure.ts"

/** When blocks are mined: at every transaction, at a fixed interval, or only by `mine`. */
export type Mining = "automatic" | "manual" | { readonly everySeconds: number }

export interface AnvilRpc {
  readonly url: string
  /** Calls any method; the result is decoded by `schema`. */
  readonly request: <A, I>(
    method: string,
    params: ReadonlyArray<unknown>,
    schema: Schema.Codec<A, I>
  ) => Effect.Effect<A, RpcFailure>
  readonly chainId: Effect.Effect<number, RpcFailure>
  readonly blockNumber: Effect.Effect<bigint, RpcFailure>
  readonly latestBlock: Effect.Effect<Block, RpcFailure>
  readonly balance: (address: Address) => Effect.Effect<bigint, RpcFailure>
  readonly code: (address: Address) => Effect.Effect<Hex, RpcFailure>
  /** Number of the address's transactions, including those not mined yet. */
  readonly nonce: (address: Address) => Effect.Effect<number, RpcFailure>
  readonly receipt: (hash: Hash) => Effect.Effect<Option.Option<Receipt>, RpcFailure>
  readonly call: (transaction: TransactionRequest) => Effect.Effect<Hex, RpcFailure>
  /** Anvil's first development account, which any process on this machine may send from. */
  readonly developer: Effect.Effect<Address, RpcFailure>
  /** Sends from an unlocked account and waits for the block; fails with the reason if the transaction reverts. */
  readonly send: (transaction: TransactionRequest & { readonly from: Address }) => Effect.Effect<Receipt, RpcFailure>
  /** Sends a signed transaction and waits for the block; fails if it reverts. */
  readonly sendRaw: (signed: Hex) => Effect.Effect<Receipt, RpcFailure>
  readonly mine: Effect.Effect<void, RpcFailure>
  readonly setMining: (mining: Mining) => Effect.Effect<void, RpcFailure>
  readonly setBalance: (address: Address, wei: bigint) => Effect.Effect<void, RpcFailure>
  readonly addBalance: (address: Address, wei: bigint) => Effect.Effect<void, RpcFailure>
  readonly setNextBaseFee: (wei: bigint) => Effect.Effect<void, RpcFailure>
  readonly increaseTime: (seconds: number) => Effect.Effect<void, RpcFailure>
  readonly snapshot: Effect.Effect<bigint, RpcFailure>
  /**
   * Returns false when the snapshot was already used. Empties the pool, too: under load anvil prunes a mined transaction
   * late, and would mine it again after its block is gone.
   */
  readonly revert: (snapshot: bigint) => Effect.Effect<boolean, RpcFailure>
  readonly dropTransaction: (hash: Hash) => Effect.Effect<void, RpcFailure>
  readonly setLogging: (enabled: boolean) => Effect.Effect<void, RpcFailure>
  /** Runs `effect` while the node accepts unsigned transactions from `address`. */
  readonly impersonating: <A, E, R>(
    address: Address,
    effect: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | RpcFailure, R>
}

const Answer = Schema.Struct({
  result: Schema.optional(Schema.Unknown),
  error: Schema.optional(
    Schema.Struct({ code: Schema.Int, message: Schema.String, data: Schema.optional(Schema.Unknown) })
  )
})

const post = (url: string, method: string, params: ReadonlyArray<unknown>) =>
  Effect.tryPromise({
    try: async (signal): Promise<unknown> => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        signal
      })
      return response.json()
    },
    // fetch reports only "fetch failed"; the socket's error is in its cause.
    catch: (error) => {
      const reason = error instanceof Error && error.cause !== undefined ? error.cause : error
      return new RpcUnreachable({ url, method, reason: String(reason) })
    }
  })

const requester = (url: string): AnvilRpc["request"] => (method, params, schema) =>
  Effect.gen(function*() {
    const malformed = (cause: unknown) => new RpcUnreachable({ url, method, reason: String(cause) })
    const answer = yield* Effect.flatMap(
      post(url, method, params),
      (json) => Effect.mapError(Schema.decodeUnknownEffect(Answer)(json), malformed)
    )
    if (answer.error !== undefined) {
      const { code, data, message } = answer.error
      return yield* new RpcRefused({ method, code, reason: message, revert: revertReason(data) })
    }
    return yield* Effect.mapError(Schema.decodeUnknownEffect(schema)(answer.result), malformed)
  })

/** Builds a client of the node at `url`. It does not check the address: callers assert loopback. */
export const make = (url: string): AnvilRpc => {
  const request = requester(url)
  const cheat = (method: string, ...params: ReadonlyArray<unknown>) =>
    Effect.asVoid(request(method, params, Schema.Unknown))
  const call: AnvilRpc["call"] = (transaction) => request("eth_call", [wireTransaction(transaction), "latest"], Hex)
  // A mined revert carries no reason; calling the transaction again returns it.
  const demandSuccess = (receipt: Receipt, transaction: TransactionRequest | undefined) => {
    if (receipt.status === 1n) return Effect.succeed(receipt)
    const reason = transaction === undefined ? Effect.succeed(undefined) : call(transaction).pipe(
      Effect.as(undefined),
      Effect.catchTag("RpcRefused", (refused) => Effect.succeed(refused.revert))
    )
    return Effect.flatMap(reason, (revert) => new TransactionReverted({ hash: receipt.transactionHash, revert }))
  }
  return {
    url,
    request,
    chainId: Effect.map(request("eth_chainId", [], Quantity), Number),
    blockNumber: request("eth_blockNumber", [], Quantity),
    latestBlock: request("eth_getBlockByNumber", ["latest", false], Block),
    balance: (address) => request("eth_getBalance", [address, "latest"], Quantity),
    code: (address) => request("eth_getCode", [address, "latest"], Hex),
    nonce: (address) => Effect.map(request("eth_getTransactionCount", [address, "pending"], Quantity), Number),
    receipt: (hash) =>
      Effect.map(request("eth_getTransactionReceipt", [hash], Schema.NullOr(Receipt)), Option.fromNullishOr),
    call,
    developer: Effect.map(
      request("eth_accounts", [], Schema.NonEmptyArray(Receipt.fields.from)),
      ([first]) => first
    ),
    send: (transaction) =>
      Effect.flatMap(
        request("eth_sendTransactionSync", [wireTransaction(transaction)], Receipt),
        (receipt) => demandSuccess(receipt, transaction)
      ),
    sendRaw: (signed) =>
      Effect.flatMap(
        request("eth_sendRawTransactionSync", [signed], Receipt),
        (receipt) => demandSuccess(receipt, undefined)
      ),
    mine: cheat("evm_mine"),
    setMining: (mining) => {
      if (mining === "automatic") return cheat("evm_setAutomine", true)
      if (mining === "manual") return cheat("evm_setAutomine", false)
      return cheat("evm_setIntervalMining", mining.everySeconds)
    },
    setBalance: (address, wei) => cheat("anvil_setBalance", address, toHex(wei)),
    addBalance: (address, wei) => cheat("anvil_addBalance", address, toHex(wei)),
    setNextBaseFee: (wei) => cheat("anvil_setNextBlockBaseFeePerGas", toHex(wei)),
    increaseTime: (seconds) => cheat("evm_increaseTime", seconds),
    snapshot: request("evm_snapshot", [], Quantity),
    revert: (snapshot) =>
      Effect.tap(request("evm_revert", [toHex(snapshot)], Schema.Boolean), () => cheat("anvil_dropAllTransactions")),
    dropTransaction: (hash) => cheat("anvil_dropTransaction", hash),
    setLogging: (enabled) => cheat("anvil_setLoggingEnabled", enabled),
    impersonating: (address, effect) =>
      Effect.acquireUseRelease(
        cheat("anvil_impersonateAccount", address),
        () => effect,
        () => Effect.ignore(cheat("anvil_stopImpersonatingAccount", address))
      )
  }
}
