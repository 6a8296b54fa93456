/** The contract that computes the L1 data fee, where OP-stack networks have it. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { AnvilRpc } from "../anvil/AnvilRpc.ts"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import type { Bundle } from "./Bundle.ts"

/** Its address on every OP-stack network. */
export const address: Address = "0x420000000000000000000000000000000000000f"

const rollups: ReadonlySet<Network> = new Set<Network>(["optimism", "base"])

/** Puts the contract at its address on optimism and base. The chain itself takes no data fee: receipts have none. */
export const install = (rpc: AnvilRpc, network: Network, { own }: Bundle): Effect.Effect<void, RpcFailure> =>
  Effect.gen(function*() {
    if (!rollups.has(network)) return
    // The output of the creation code is the contract's code.
    const code = yield* rpc.call({ data: own.GasPriceOracle.bytecode })
    yield* rpc.request("anvil_setCode", [address, code], Schema.Unknown)
  })
