/** A fake of KyberSwap's aggregator API v1: a route first, then the calldata for exactly that route. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { encodeFunctionData, parseAbi, toHex } from "viem"
import { realTime } from "../anvil/RealTime.ts"
import { answering, type Complaints, Refused } from "./Answer.ts"
import type { FaultBoard } from "./FaultBoard.ts"
import { Amount, AnyAddress, byName, type Grounds, routed } from "./ServedNetworks.ts"
import * as Order from "./Order.ts"
import * as Route from "./Route.ts"

export const routerAbi = parseAbi([
  "struct SwapDescriptionV2 { address srcToken; address dstToken; address[] srcReceivers; uint256[] srcAmounts; address[] feeReceivers; uint256[] feeAmounts; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; bytes permit; }",
  "struct SwapExecutionParams { address callTarget; address approveTarget; bytes targetData; SwapDescriptionV2 desc; bytes clientData; }",
  "function swap(SwapExecutionParams execution) payable returns (uint256 returnAmount, uint256 gasUsed)",
  "function swapSimpleMode(address caller, SwapDescriptionV2 desc, bytes executorData, bytes clientData) returns (uint256 returnAmount, uint256 gasUsed)"
])

const RoutesQuery = Schema.Struct({ tokenIn: AnyAddress, tokenOut: AnyAddress, amountIn: Amount })

const Leg = Schema.Struct({
  pool: AnyAddress,
  tokenIn: AnyAddress,
  tokenOut: AnyAddress,
  swapAmount: Schema.String,
  amountOut: Schema.String,
  exchange: Schema.Literal("uniswapv3"),
  poolType: Schema.Literal("uniswapv3"),
  poolExtra: Schema.Struct({ fee: Schema.Int })
})

/** The route summary, which `build` expects back unchanged. */
const RouteSummary = Schema.Struct({
  tokenIn: AnyAddress,
  amountIn: Schema.String,
  amountInUsd: Schema.String,
  tokenOut: AnyAddress,
  amountOut: Schema.String,
  amountOutUsd: Schema.String,
  gas: Schema.String,
  gasPrice: Schema.String,
  gasUsd: Schema.String,
  extraFee: Schema.Struct({
    feeAmount: Schema.String,
    chargeFeeBy: Schema.String,
    isInBps: Schema.Boolean,
    feeReceiver: Schema.String
  }),
  route: Schema.NonEmptyArray(Schema.NonEmptyArray(Leg)),
  routeID: Schema.String,
  checksum: Schema.String,
  /** Unix seconds. */
  timestamp: Schema.Int
})
type RouteSummary = typeof RouteSummary.Type

const BuildBody = Schema.Struct({
  routeSummary: RouteSummary,
  sender: AnyAddress,
  recipient: AnyAddress,
  /** Basis points. */
  slippageTolerance: Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 2000 })).pipe(
    Schema.withDecodingDefaultType(Effect.succeed(0))
  ),
  deadline: Schema.optional(Schema.Int),
  source: Schema.optional(Schema.String),
  skipSimulateTx: Schema.optional(Schema.Boolean)
})

const complain = (code: number, message: string) => ({ code, message, details: null, requestId: "devnet" })

const complaints: Complaints = {
  badRequest: (reason) => complain(4000, `bad request: ${reason}`),
  noRoute: () => complain(4008, "route not found"),
  unauthorized: () => complain(4001, "unauthorized"),
  rateLimited: () => complain(4290, "too many requests"),
  serverError: () => complain(500, "internal server error")
}

const success = (data: object) => ({ code: 0, message: "successfully", data, requestId: "devnet" })

/** Hashes the fields that the calldata is made from. */
const checksum = (
  { amountIn, amountOut, route, timestamp }: Pick<RouteSummary, "amountIn" | "amountOut" | "route" | "timestamp">
) => {
  const hops = route[0].map(({ poolExtra, tokenIn, tokenOut }) => [tokenIn, poolExtra.fee, tokenOut])
  return createHash("sha256").update(JSON.stringify([amountIn, amountOut, hops, timestamp])).digest("hex").slice(0, 16)
}

/** How long a route is valid. */
const maxRouteAgeSeconds = 30
const nowSeconds = Effect.map(realTime(Clock.currentTimeMillis), (millis) => Math.floor(millis / 1000))

const legs = (ground: Route.AggregatorNetwork, { amountIn, amountOut, hops }: Route.Route) =>
  Effect.forEach(hops, (hop) =>
    Effect.map(Route.poolOf(ground, hop), (pool): typeof Leg.Type => ({
      pool,
      tokenIn: hop.from,
      tokenOut: hop.to,
      swapAmount: String(amountIn),
      amountOut: String(amountOut),
      exchange: "uniswapv3",
      poolType: "uniswapv3",
      poolExtra: { fee: hop.fee }
    })))

const summarise = (ground: Route.AggregatorNetwork, route: Route.Route, amountOut: bigint) =>
  Effect.gen(function*() {
    const summary = {
      tokenIn: Route.soldToken(route),
      amountIn: String(route.amountIn),
      amountInUsd: "0",
      tokenOut: Route.boughtToken(route),
      amountOut: String(amountOut),
      amountOutUsd: "0",
      gas: "300000",
      gasPrice: "1000000000",
      gasUsd: "0",
      extraFee: { feeAmount: "0", chargeFeeBy: "", isInBps: false, feeReceiver: "" },
      route: [yield* legs(ground, route)] as const,
      routeID: "devnet",
      timestamp: yield* nowSeconds
    }
    return { ...summary, checksum: checksum(summary) }
  })

/** Returns the route that a summary describes, if this fake made it recently. */
const decodeRoute = (summary: RouteSummary) =>
  Effect.gen(function*() {
    const refuse = (reason: string) => new Refused({ kind: "badRequest", reason })
    if (summary.checksum !== checksum(summary)) return yield* refuse("the route summary was changed")
    if ((yield* nowSeconds) - summary.timestamp > maxRouteAgeSeconds) return yield* refuse("the route is stale")
    const [first, ...others] = summary.route[0]
    const hop = ({ poolExtra: { fee }, tokenIn, tokenOut }: typeof Leg.Type) => ({ from: tokenIn, to: tokenOut, fee })
    const route: Route.Route = {
      hops: [hop(first), ...others.map(hop)],
      amountIn: BigInt(summary.amountIn),
      amountOut: BigInt(summary.amountOut)
    }
    return route
  })

const encode = ({ deployed }: Route.AggregatorNetwork, { minOut, receiver, route }: Order.Order, source: string) => {
  const { executor } = deployed.aggregators
  const desc = {
    srcToken: Route.soldToken(route),
    dstToken: Route.boughtToken(route),
    srcReceivers: [executor],
    srcAmounts: [route.amountIn],
    feeReceivers: [],
    feeAmounts: [],
    dstReceiver: receiver,
    amount: route.amountIn,
    minReturnAmount: minOut,
    flags: 0n,
    permit: "0x"
  } as const
  const clientData = toHex(JSON.stringify({ Source: source }))
  const targetData = Order.executorData(route, receiver)
  const execution = { callTarget: executor, approveTarget: executor, targetData, desc, clientData }
  return encodeFunctionData({ abi: routerAbi, functionName: "swap", args: [execution] })
}

const groundOf = (grounds: Grounds) =>
  Effect.flatMap(
    HttpRouter.schemaPathParams(Schema.Struct({ chain: Schema.String })),
    ({ chain }) => byName(grounds, chain)
  )

export const routes = (board: FaultBoard, grounds: Grounds) => {
  const answer = answering(board, "kyberswap", complaints)
  const quote = answer("quote", (fault) =>
    Effect.gen(function*() {
      const ground = yield* groundOf(grounds)
      const { amountIn, tokenIn, tokenOut } = yield* HttpServerRequest.schemaSearchParams(RoutesQuery)
      const route = yield* routed(ground, tokenIn, tokenOut, amountIn)
      const routeSummary = yield* summarise(ground, route, Order.quoted(route.amountOut, fault))
      return success({ routeSummary, routerAddress: ground.deployed.aggregators.kyberswap })
    }))
  const build = answer("calldata", (fault) =>
    Effect.gen(function*() {
      const ground = yield* groundOf(grounds)
      const body = yield* HttpServerRequest.schemaBodyJson(BuildBody)
      const route = yield* decodeRoute(body.routeSummary)
      const order = yield* Order.withFault(ground, {
        router: ground.deployed.aggregators.kyberswap,
        receiver: body.recipient,
        route,
        minOut: Order.lowered(route.amountOut, body.slippageTolerance)
      }, fault)
      return success({
        amountIn: String(route.amountIn),
        amountInUsd: "0",
        amountOut: String(route.amountOut),
        amountOutUsd: "0",
        gas: "300000",
        gasUsd: "0",
        data: encode(ground, order, body.source ?? ""),
        routerAddress: order.router,
        transactionValue: "0"
      })
    }))
  return [
    HttpRouter.route("GET", "/:chain/api/v1/routes", quote),
    HttpRouter.route("POST", "/:chain/api/v1/route/build", build)
  ]
}
