/** Reads the chain directly, bypassing the service. */
import type { Address } from "@vault-trader/core/chain/Address"
import { Quantity } from "@vault-trader/devnet/anvil/RpcSchema"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  decodeFunctionResult,
  encodeFunctionData,
  parseAbi
} from "viem"
import { network, type DemoSetup } from "./DemoSetup.ts"

const abi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function allowance(address, address) view returns (uint256)",
  "function getUserReserveData(address asset, address user) view returns (uint256 supplied, uint256, uint256, uint256, uint256, uint256, uint256, uint40, bool)"
])

/** Null for blocks before the state that a devnet starts with. */
const Block = Schema.NullOr(
  Schema.Struct({ transactions: Schema.Array(Schema.Struct({ from: Schema.String, input: Schema.String })) })
)

/** Number of latest blocks that are searched; a recipe takes fewer. */
const recent = 100n

export const of = ({ address, devnet, entry, pool }: DemoSetup) => {
  const tokenOf = (symbol: string): Address => entry.tokens[symbol]?.address ?? "0x"
  const call = <N extends ContractFunctionName<typeof abi, "view">>(
    to: Address,
    functionName: N,
    args: ContractFunctionArgs<typeof abi, "view", N>
  ) =>
    Effect.gen(function*() {
      const rpc = yield* devnet.rpc(network)
      // Three functions of one shape: viem's inference does not work on generic parameters, and only the first word is
      // used.
      const one = { abi: abi as Abi, functionName: functionName as string, args: args as ReadonlyArray<unknown> }
      const result: unknown = decodeFunctionResult({
        ...one,
        data: yield* rpc.call({ to, data: encodeFunctionData(one) })
      })
      return BigInt(String(Array.isArray(result) ? result[0] : result))
    })
  return {
    /** Returns the vault's balance of a token, in smallest units. */
    held: (symbol: string) => call(tokenOf(symbol), "balanceOf", [pool]),
    /** Returns the holder's balance of shares of `vault`. */
    sharesOf: (vault: Address, holder: Address) => call(vault, "balanceOf", [holder]),
    /** Returns the vault's allowance of a token for lenderA. */
    allowedToLenderA: (symbol: string) => call(tokenOf(symbol), "allowance", [pool, entry.aaveV3?.pool ?? "0x"]),
    /** Returns the vault's supplied balance at lenderA. */
    supplied: (symbol: string) =>
      call(entry.aaveV3?.poolDataProvider ?? "0x", "getUserReserveData", [tokenOf(symbol), pool]),
    /** Counts the gas wallet's mined transactions without plain payments, which are its charges. */
    sent: Effect.gen(function*() {
      const rpc = yield* devnet.rpc(network)
      const head = yield* rpc.request("eth_blockNumber", [], Quantity)
      const heights = Array.from(
        { length: Number(head < recent ? head : recent) },
        (_, back) => `0x${(head - BigInt(back)).toString(16)}`
      )
      const blocks = yield* Effect.forEach(
        heights,
        (height) => rpc.request("eth_getBlockByNumber", [height, true], Block),
        { concurrency: 8 }
      )
      return blocks.flatMap((block) => block?.transactions ?? []).filter(({ from, input }) =>
        from === address && input !== "0x"
      ).length
    })
  }
}
