/** A fake of Odos's SOR API v3: a quote with a path id, then the transaction assembled for that path. */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Schema from "effect/Schema"
import { randomUUID } from "node:crypto"
import { encodeFunctionData, getAddress, parseAbi, zeroAddress } from "viem"
import type { Address } from "@vault-trader/core/chain/Address"
import { answering, type Complaints, Refused } from "./Answer.ts"
import type { FaultBoard } from "./FaultBoard.ts"
import { Amount, AnyAddress, byChainId, type Grounds, routed } from "./ServedNetworks.ts"
import * as Order from "./Order.ts"
import * as Route from "./Route.ts"

export const routerAbi = parseAbi([
  "struct SwapTokenInfo { address inputToken; uint256 inputAmount; address inputReceiver; address outputToken; uint256 outputQuote; uint256 outputMin; address outputReceiver; }",
  "struct SwapReferralInfo { uint64 code; uint64 fee; address feeRecipient; }",
  "function swap(SwapTokenInfo tokenInfo, bytes pathDefinition, address executor, SwapReferralInfo referralInfo) payable returns (uint256 amountOut)"
])

const One = <A, I>(item: Schema.Codec<A, I>) => Schema.Tuple([item])

const QuoteBody = Schema.Struct({
  chainId: Schema.Int,
  inputTokens: One(Schema.Struct({ tokenAddress: AnyAddress, amount: Amount })),
  outputTokens: One(Schema.Struct({ tokenAddress: AnyAddress, proportion: Schema.Literal(1) })),
  /** Percent. */
  slippageLimitPercent: Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 50 })),
  userAddr: AnyAddress,
  /** The devnet's router does not decode compact calldata. */
  compact: Schema.Literal(false),
  referralFee: Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 2 })).pipe(
    Schema.withDecodingDefaultType(Effect.succeed(0))
  )
})
type QuoteBody = typeof QuoteBody.Type

const AssembleBody = Schema.Struct({
  pathId: Schema.String,
  userAddr: AnyAddress,
  receiver: Schema.optional(AnyAddress),
  simulate: Schema.optional(Schema.Boolean)
})

interface Path {
  readonly ground: Route.AggregatorNetwork
  readonly request: QuoteBody
  readonly route: Route.Route
  readonly amountOut: bigint
}

const complain = (errorCode: number, detail: string) => ({ detail, traceId: randomUUID(), errorCode })

const complaints: Complaints = {
  badRequest: (reason) => complain(4000, reason),
  noRoute: () => complain(2000, "No viable path"),
  unauthorized: () => complain(4010, "Invalid API key"),
  rateLimited: () => complain(4290, "Too many requests"),
  serverError: () => complain(1000, "Internal service error")
}

const authorised = (apiKey: string) =>
  Effect.flatMap(
    HttpServerRequest.HttpServerRequest,
    ({ headers }) => headers["x-api-key"] === apiKey ? Effect.void : new Refused({ kind: "unauthorized" })
  )

/** Converts a referral fee in percent to the router's unit, 1e18 being 100%. */
const referral = (
  percent: number
) => ({ code: 1n, fee: BigInt(Math.round(percent * 1e16)), feeRecipient: zeroAddress } as const)

const encode = ({ amountOut, ground, request }: Path, { minOut, receiver, route, router }: Order.Order) => {
  const { executor } = ground.deployed.aggregators
  const tokenInfo = {
    inputToken: Route.soldToken(route),
    inputAmount: route.amountIn,
    inputReceiver: executor,
    outputToken: Route.boughtToken(route),
    outputQuote: amountOut < minOut ? minOut : amountOut,
    outputMin: minOut,
    outputReceiver: receiver
  }
  const args = [tokenInfo, Order.executorData(route, router), executor, referral(request.referralFee)] as const
  return encodeFunctionData({ abi: routerAbi, functionName: "swap", args })
}

const assembleBody = (path: Path, order: Order.Order, userAddr: Address, blockNumber: bigint) => ({
  deprecated: null,
  blockNumber: Number(blockNumber),
  gasEstimate: 300_000,
  gasEstimateValue: 0,
  inputTokens: [{ tokenAddress: getAddress(Route.soldToken(path.route)), amount: String(path.route.amountIn) }],
  outputTokens: [{ tokenAddress: getAddress(Route.boughtToken(path.route)), amount: String(path.amountOut) }],
  netOutValue: 0,
  outValues: ["0"],
  transaction: {
    gas: 600_000,
    gasPrice: 1_000_000_000,
    value: "0",
    to: getAddress(order.router),
    from: getAddress(userAddr),
    data: encode(path, order),
    nonce: 0,
    chainId: path.ground.chainId
  },
  simulation: null
})

const quoteBody = (
  pathId: string,
  { amountOut, request: { inputTokens: [input], outputTokens: [output] }, route }: Path,
  blockNumber: bigint
) => ({
  inTokens: [getAddress(input.tokenAddress)],
  outTokens: [getAddress(output.tokenAddress)],
  inAmounts: [String(route.amountIn)],
  outAmounts: [String(amountOut)],
  gasEstimate: 300_000,
  dataGasEstimate: 0,
  gweiPerGas: 1,
  gasEstimateValue: 0,
  inValues: [0],
  outValues: [0],
  netOutValue: 0,
  priceImpact: null,
  percentDiff: 0,
  partnerFeePercent: 0,
  pathId,
  pathViz: null,
  blockNumber: Number(blockNumber)
})

/** Maximum number of quotes that can be assembled; older ones have expired. */
const maxPaths = 1000

export const routes = (board: FaultBoard, grounds: Grounds, apiKey: string) => {
  const answer = answering(board, "odosV3", complaints)
  const paths = new Map<string, Path>()
  const quote = answer("quote", (fault) =>
    Effect.gen(function*() {
      yield* authorised(apiKey)
      const request = yield* HttpServerRequest.schemaBodyJson(QuoteBody)
      const { inputTokens: [input], outputTokens: [output] } = request
      const ground = yield* byChainId(grounds, request.chainId)
      const route = yield* routed(ground, input.tokenAddress, output.tokenAddress, input.amount)
      const pathId = randomUUID()
      const path = { ground, request, route, amountOut: Order.quoted(route.amountOut, fault) }
      paths.set(pathId, path)
      for (const [oldest] of paths) if (paths.size > maxPaths) paths.delete(oldest)
      return quoteBody(pathId, path, yield* ground.rpc.blockNumber)
    }))
  const assemble = answer("calldata", (fault) =>
    Effect.gen(function*() {
      yield* authorised(apiKey)
      const body = yield* HttpServerRequest.schemaBodyJson(AssembleBody)
      const path = paths.get(body.pathId)
      if (path === undefined || path.request.userAddr !== body.userAddr) {
        return yield* new Refused({ kind: "badRequest", reason: "The pathId is not valid or has expired" })
      }
      const { amountOut, ground, request, route } = path
      const order = yield* Order.withFault(ground, {
        router: ground.deployed.aggregators.odosV3,
        receiver: body.receiver ?? body.userAddr,
        route,
        minOut: Order.lowered(amountOut, request.slippageLimitPercent * 100)
      }, fault)
      return assembleBody(path, order, body.userAddr, yield* ground.rpc.blockNumber)
    }))
  return [HttpRouter.route("POST", "/sor/quote/v3", quote), HttpRouter.route("POST", "/sor/assemble", assemble)]
}
