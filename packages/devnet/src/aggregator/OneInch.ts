/** A fake of 1inch's swap API v6: one request returns the calldata. */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { encodeFunctionData, parseAbi } from "viem"
import type { Hex } from "@vault-trader/core/chain/Address"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import { answering, type Complaints, Refused } from "./Answer.ts"
import type { Fault } from "./AggregatorFault.ts"
import type { FaultBoard } from "./FaultBoard.ts"
import { Amount, AnyAddress, byChainId, type Grounds, routed } from "./ServedNetworks.ts"
import * as Order from "./Order.ts"
import * as Route from "./Route.ts"

export const routerAbi = parseAbi([
  "struct SwapDescription { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }",
  "function swap(address executor, SwapDescription desc, bytes data) payable returns (uint256 returnAmount, uint256 spentAmount)",
  "function unoswap(uint256 token, uint256 amount, uint256 minReturn, uint256 dex) returns (uint256 returnAmount)",
  "function unoswap2(uint256 token, uint256 amount, uint256 minReturn, uint256 dex, uint256 dex2) returns (uint256 returnAmount)",
  "error ReturnAmountIsNotEnough(uint256 result, uint256 minReturn)",
  "error ZeroMinReturn()"
])

const flag = Schema.Literals(["true", "false"]).pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform({ decode: (text) => text === "true", encode: (is) => is ? "true" : "false" })
  ),
  Schema.withDecodingDefaultType(Effect.succeed(false))
)

const SwapQuery = Schema.Struct({
  src: AnyAddress,
  dst: AnyAddress,
  amount: Amount,
  from: AnyAddress,
  receiver: Schema.optional(AnyAddress),
  /** Percent. */
  slippage: Schema.NumberFromString.check(Schema.isBetween({ minimum: 0, maximum: 50 })),
  disableEstimate: flag,
  usePermit2: flag
})

const complain = (statusCode: number, error: string, description: string) => ({
  error,
  description,
  statusCode,
  requestId: "devnet",
  meta: []
})

const complaints: Complaints = {
  badRequest: (reason) => complain(400, "Bad Request", reason),
  noRoute: () => complain(400, "Bad Request", "insufficient liquidity"),
  unauthorized: () => complain(401, "Unauthorized", "The provided API key is not valid"),
  rateLimited: () => complain(429, "Too Many Requests", "The limit of requests per second has been exceeded"),
  serverError: () => complain(500, "Internal Server Error", "Internal server error")
}

/** Refuses any API key other than the devnet's. */
const authorised = (apiKey: string) =>
  Effect.flatMap(
    HttpServerRequest.HttpServerRequest,
    ({ headers }) =>
      headers["authorization"] === `Bearer ${apiKey}` ? Effect.void : new Refused({ kind: "unauthorized" })
  )

const uniswapV3 = 1n << 253n
const zeroForOne = 1n << 247n

/** Encodes the hops as `unoswap` packs them: pool, kind and direction in one word. */
const dexes = (ground: Route.AggregatorNetwork, { hops }: Route.Route) =>
  Effect.forEach(
    hops,
    (hop) =>
      Effect.map(Route.poolOf(ground, hop), (pool) => uniswapV3 | (hop.from < hop.to ? zeroForOne : 0n) | BigInt(pool))
  )

const encodeUnoswap = (
  ground: Route.AggregatorNetwork,
  { minOut, route }: Order.Order
): Effect.Effect<Hex, RpcFailure> =>
  Effect.map(dexes(ground, route), ([first = 0n, second]) => {
    const start = [BigInt(Route.soldToken(route)), route.amountIn, minOut] as const
    return second === undefined
      ? encodeFunctionData({ abi: routerAbi, functionName: "unoswap", args: [...start, first] })
      : encodeFunctionData({ abi: routerAbi, functionName: "unoswap2", args: [...start, first, second] })
  })

const encodeSwap = ({ deployed }: Route.AggregatorNetwork, { minOut, receiver, route, router }: Order.Order): Hex => {
  const { executor } = deployed.aggregators
  const description = {
    srcToken: Route.soldToken(route),
    dstToken: Route.boughtToken(route),
    srcReceiver: executor,
    dstReceiver: receiver,
    amount: route.amountIn,
    minReturnAmount: minOut,
    flags: 0n
  }
  const args = [executor, description, Order.executorData(route, router)] as const
  return encodeFunctionData({ abi: routerAbi, functionName: "swap", args })
}

const encode = (ground: Route.AggregatorNetwork, order: Order.Order, fault: Fault | undefined) =>
  fault === "unoswap" ? encodeUnoswap(ground, order) : Effect.succeed(encodeSwap(ground, order))

/**
 * Requires `disableEstimate`: callers are contracts here, which the API's simulation of a transaction does not support.
 */
const demandNoEstimate = (disabled: boolean) =>
  disabled
    ? Effect.void
    : new Refused({
      kind: "badRequest",
      reason: "Not enough allowance. Amount: 0. Use disableEstimate to skip the check"
    })

export const routes = (board: FaultBoard, grounds: Grounds, apiKey: string) => {
  const answer = answering(board, "1inch", complaints)
  const swap = answer("both", (fault) =>
    Effect.gen(function*() {
      yield* authorised(apiKey)
      const { chainId } = yield* HttpRouter.schemaPathParams(Schema.Struct({ chainId: Schema.NumberFromString }))
      const query = yield* HttpServerRequest.schemaSearchParams(SwapQuery)
      const ground = yield* byChainId(grounds, chainId)
      yield* demandNoEstimate(query.disableEstimate)
      const route = yield* routed(ground, query.src, query.dst, query.amount)
      const dstAmount = Order.quoted(route.amountOut, fault)
      const order = yield* Order.withFault(ground, {
        router: ground.deployed.aggregators["1inch"],
        receiver: query.receiver ?? query.from,
        route,
        minOut: Order.lowered(dstAmount, query.slippage * 100)
      }, fault)
      const data = yield* encode(ground, order, fault)
      const tx = { from: query.from, to: order.router, data, value: "0", gas: 0, gasPrice: "1000000000" }
      return { dstAmount: String(dstAmount), tx }
    }))
  return [HttpRouter.route("GET", "/swap/v6.0/:chainId/swap", swap)]
}
