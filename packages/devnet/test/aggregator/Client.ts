/** Calls the fake aggregators as their real clients would. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Address } from "@vault-trader/core/chain/Address"
import { Hex } from "@vault-trader/core/chain/Address"
import type { AggregatorName } from "../../src/aggregator/AggregatorFault.ts"
import { AddressResult } from "../../src/contract/Deployer.ts"
import { Devnet } from "../../src/devnet/Devnet.ts"

export interface Question {
  readonly chainId: number
  readonly chain: string
  readonly from: Address
  readonly to: Address
  readonly amount: bigint
  readonly vault: Address
  /** Percent. */
  readonly slippage: number
}

export interface Swap {
  readonly router: Address
  readonly data: Hex
  readonly amountOut: bigint
}

/** A response whose status is not 200. */
export class Unanswered extends Schema.TaggedError<Unanswered>()("Unanswered", {
  status: Schema.Int,
  body: Schema.String,
  retryAfter: Schema.NullOr(Schema.String)
}) {}

const OneInchAnswer = Schema.Struct({
  dstAmount: Schema.BigIntFromString,
  tx: Schema.Struct({ to: AddressResult, data: Hex, value: Schema.Literal("0") })
})
const KyberRoute = Schema.Struct({
  code: Schema.Literal(0),
  data: Schema.Struct({ routeSummary: Schema.Unknown, routerAddress: AddressResult })
})
const KyberBuild = Schema.Struct({
  code: Schema.Literal(0),
  data: Schema.Struct({
    data: Hex,
    amountOut: Schema.BigIntFromString,
    routerAddress: AddressResult,
    transactionValue: Schema.Literal("0")
  })
})
const OdosQuote = Schema.Struct({ pathId: Schema.String, outAmounts: Schema.Tuple([Schema.BigIntFromString]) })
const OdosAssembly = Schema.Struct({
  transaction: Schema.Struct({ to: AddressResult, data: Hex, value: Schema.Literal("0") }),
  outputTokens: Schema.Tuple([Schema.Struct({ amount: Schema.BigIntFromString })])
})

/** Returns the text of a response; fails when its status is not 200. */
export const fetched = (url: string, init: RequestInit = {}) =>
  Effect.gen(function*() {
    const response = yield* Effect.promise((signal) => fetch(url, { signal, ...init }))
    const body = yield* Effect.promise(() => response.text())
    if (response.status !== 200) {
      return yield* new Unanswered({ status: response.status, body, retryAfter: response.headers.get("retry-after") })
    }
    return body
  })

const get = <A, I>(
  schema: Schema.Codec<A, I>,
  url: string,
  query: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>
) =>
  Effect.flatMap(
    fetched(`${url}?${new URLSearchParams(query).toString()}`, { headers }),
    Schema.decodeEffect(Schema.fromJsonString(schema))
  )

const post = <A, I>(
  schema: Schema.Codec<A, I>,
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>>
) =>
  Effect.flatMap(
    fetched(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body)
    }),
    Schema.decodeEffect(Schema.fromJsonString(schema))
  )

const oneInch = (url: string, key: string, { amount, chainId, from, slippage, to, vault }: Question) =>
  Effect.map(
    get(
      OneInchAnswer,
      `${url}/swap/v6.0/${chainId}/swap`,
      {
        src: from,
        dst: to,
        amount: String(amount),
        from: vault,
        receiver: vault,
        slippage: String(slippage),
        disableEstimate: "true",
        usePermit2: "false"
      },
      { authorization: `Bearer ${key}` }
    ),
    ({ dstAmount, tx }): Swap => ({ router: tx.to, data: tx.data, amountOut: dstAmount })
  )

const kyberswap = (url: string, { amount, chain, from, slippage, to, vault }: Question) =>
  Effect.gen(function*() {
    const headers = { "x-client-id": "tests" }
    const query = { tokenIn: from, tokenOut: to, amountIn: String(amount) }
    const { data: { routeSummary } } = yield* get(KyberRoute, `${url}/${chain}/api/v1/routes`, query, headers)
    const body = {
      routeSummary,
      sender: vault,
      recipient: vault,
      slippageTolerance: slippage * 100,
      source: "tests",
      skipSimulateTx: true
    }
    const { data } = yield* post(KyberBuild, `${url}/${chain}/api/v1/route/build`, body, headers)
    return { router: data.routerAddress, data: data.data, amountOut: data.amountOut } satisfies Swap
  })

const odos = (url: string, key: string, { amount, chainId, from, slippage, to, vault }: Question) =>
  Effect.gen(function*() {
    const headers = { "x-api-key": key }
    const { outAmounts: [quoted], pathId } = yield* post(OdosQuote, `${url}/sor/quote/v3`, {
      chainId,
      inputTokens: [{ tokenAddress: from, amount: String(amount) }],
      outputTokens: [{ tokenAddress: to, proportion: 1 }],
      slippageLimitPercent: slippage,
      userAddr: vault,
      compact: false,
      referralFee: 0
    }, headers)
    const { transaction } = yield* post(OdosAssembly, `${url}/sor/assemble`, { pathId, userAddr: vault }, headers)
    return { router: transaction.to, data: transaction.data, amountOut: quoted } satisfies Swap
  })

/** Returns the swap that an aggregator of the devnet proposes. */
export const ask = (aggregator: AggregatorName, question: Question, key?: string) =>
  Effect.gen(function*() {
    const { file: { aggregators: { apiKey, urls } } } = yield* Devnet
    if (aggregator === "1inch") return yield* oneInch(urls["1inch"], key ?? apiKey, question)
    if (aggregator === "kyberswap") return yield* kyberswap(urls.kyberswap, question)
    return yield* odos(urls.odosV3, key ?? apiKey, question)
  })
