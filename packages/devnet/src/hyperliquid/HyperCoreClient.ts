/**
 * Controls the fake derivatives exchange from devnet.json alone: its market, its faults, and which vaults may trade
 * there.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { encodeFunctionData, parseAbi } from "viem"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { AnvilRpc } from "../anvil/AnvilRpc.ts"
import { type RpcFailure, RpcUnreachable } from "../anvil/RpcFailure.ts"
import { coins } from "../contract/Coins.ts"
import { feedAnswer } from "../contract/Market.ts"
import type { DevnetFile } from "../devnet/DevnetFile.ts"
import { NotInDevnet } from "../devnet/NotInDevnet.ts"
import type { InfoFault, FaultOrder } from "./FakeHyperCore.ts"
import type { Question } from "./Info.ts"
import { type FaultRule, Text } from "./FaultRule.ts"

type Done = Effect.Effect<void, NotInDevnet | RpcFailure>

/**
 * Controls of the fake exchange. All but `fail` and `heal` are sent as transactions, so they need blocks; they complete
 * once the exchange has seen them.
 */
export interface CoreClient {
  /**
   * Moves the middle of a coin's book, its mark and its oracle price; resting orders fill at the new price if it
   * reaches them.
   */
  readonly setPrice: (move: { readonly coin: string; readonly usd: number }) => Done
  /** Drops the next actions: their transactions succeed and nothing else happens. */
  readonly drop: (actions: number) => Done
  /** Holds actions until `resume`. */
  readonly hold: Done
  readonly resume: Done
  /**
   * Sets how many coins (a decimal text) an order finds in the book, at one price; restores the default levels without
   * `size`.
   */
  readonly setDepth: (depth: { readonly coin: string; readonly size?: string }) => Done
  /** Sets whether the platform's guard lets a vault trade there. `vaults[1]` may from the start. */
  readonly whitelist: (vault: { readonly pool: Address; readonly allowed?: boolean }) => Done
  /** Makes the info API fail with `rateLimited`, `serverError` or `silence`, for `times` requests or until `heal`. */
  readonly fail: (fault: InfoFault, times?: number) => Done
  readonly heal: Done
  /** Waits until the exchange has seen the chain's last block and the chain has its report. */
  readonly settled: Done
  /** Queries the info API like any other client. */
  readonly info: (question: typeof Question.Encoded) => Effect.Effect<unknown, NotInDevnet | RpcFailure>
}

const abi = parseAbi([
  "function setPrice(uint32 asset, uint64 px)",
  "function tell(string ruling)",
  "function setWhitelisted(address pool, bool whitelisted)"
])

const request = (url: string, method: string, body?: unknown): Effect.Effect<unknown, RpcUnreachable> =>
  Effect.tryPromise({
    try: async (signal): Promise<unknown> => {
      const json = body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }
      const response = await fetch(url, { method, signal, ...json })
      if (!response.ok) throw new Error(`HTTP ${response.status}`)
      return response.json()
    },
    catch: (error) => new RpcUnreachable({ url, method, reason: String(error) })
  })

const missing = new NotInDevnet({ what: "derivatives exchange; it comes with the network hyperliquid" })

export const make = (file: DevnetFile, node: Effect.Effect<AnvilRpc, NotInDevnet>): CoreClient => {
  const exchange = file.perpetuals === undefined ? missing : Effect.succeed(file.perpetuals)
  const contracts = Effect.suspend(() => {
    const contracts = file.networks.hyperliquid?.perpetuals
    return contracts === undefined ? missing : Effect.succeed(contracts)
  })
  const settled = Effect.flatMap(exchange, ({ controlUrl }) => Effect.asVoid(request(`${controlUrl}/settled`, "POST")))
  const send = (to: "mirror" | "guard", data: Hex): Done =>
    Effect.gen(function*() {
      const rpc = yield* node
      yield* rpc.send({ from: yield* rpc.developer, to: (yield* contracts)[to], data })
      yield* settled
    })
  const assetOf = (coin: string) => {
    const asset = coins.findIndex(({ name }) => name === coin)
    return asset < 0 ? new NotInDevnet({ what: `coin ${coin}` }) : Effect.succeed(asset)
  }
  const rule = (ruling: FaultRule): Done =>
    Effect.flatMap(
      Effect.orDie(Schema.encodeEffect(Text)(ruling)),
      (text) => send("mirror", encodeFunctionData({ abi, functionName: "tell", args: [text] }))
    )
  return {
    setPrice: ({ coin, usd }) =>
      Effect.flatMap(
        assetOf(coin),
        (asset) => send("mirror", encodeFunctionData({ abi, functionName: "setPrice", args: [asset, feedAnswer(usd)] }))
      ),
    drop: (actions) => rule({ rule: "drop", actions }),
    hold: rule({ rule: "hold" }),
    resume: rule({ rule: "resume" }),
    setDepth: ({ coin, size }) =>
      Effect.flatMap(assetOf(coin), (asset) => rule({ rule: "depth", asset, ...(size === undefined ? {} : { size }) })),
    whitelist: ({ allowed = true, pool }) =>
      send("guard", encodeFunctionData({ abi, functionName: "setWhitelisted", args: [pool, allowed] })),
    fail: (fault, times) => {
      const order: FaultOrder = times === undefined ? { fault } : { fault, times }
      return Effect.flatMap(
        exchange,
        ({ controlUrl }) => Effect.asVoid(request(`${controlUrl}/faults`, "POST", order))
      )
    },
    heal: Effect.flatMap(exchange, ({ controlUrl }) => Effect.asVoid(request(`${controlUrl}/faults`, "DELETE"))),
    settled,
    info: (question) => Effect.flatMap(exchange, ({ infoUrl }) => request(infoUrl, "POST", question))
  }
}
