/** Plans and simulates one request of a vault's trader, as its dry run would. Nothing is signed or sent. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Failure } from "@vault-trader/core/failure/Failure"
import type { IntentRequest } from "@vault-trader/core/intent/Intent"
import * as Effect from "effect/Effect"
import type { ChainClient } from "../chain/ChainClient.ts"
import { Actions, transactionOf } from "../vault/Action.ts"
import * as PlanCost from "../vault/PlanCost.ts"
import type { VaultReader } from "../vault/VaultReader.ts"
import type { StepPlan } from "./Step.ts"

/** The vault, and the trader or manager in whose name every call is simulated. */
export interface Sender {
  readonly network: Network
  readonly pool: Address
  readonly chain: ChainClient
  readonly wallet: Address
  readonly reader: VaultReader
  /** The vault lets its trader enable assets. */
  readonly traderChangesAssets: boolean
}

export interface RehearsedPlan extends StepPlan {
  /** Message of a plan that sends nothing; null for one that does. */
  readonly nothingToDo: string | null
}

/** Plans the request. A call that would revert fails with the reason. */
export const of = (
  { chain, network, pool, reader, wallet }: Sender,
  request: IntentRequest
): Effect.Effect<RehearsedPlan, Failure, Actions> =>
  Effect.gen(function*() {
    const action = (yield* Actions).of(request)
    const planned = yield* Effect.catchTag(
      action.plan({ network, pool, chain, wallet, state: reader.recentState }),
      "Waiting",
      ({ reason }) => Effect.succeed(reason)
    )
    if (typeof planned === "string") {
      return { details: {}, gas: null, gas_cost: null, gas_cost_wei: null, nothingToDo: planned }
    }
    const decision = planned
    const details = action.describe(decision.details)
    const call = transactionOf(pool, decision)
    if (call === undefined) {
      return { details, gas: null, gas_cost: null, gas_cost_wei: null, nothingToDo: decision.nothingToDo }
    }
    const { gas, wei } = yield* PlanCost.of({ chain, wallet }, call, decision)
    return {
      details,
      gas: gas.toString(),
      gas_cost: PlanCost.text(chain, wei),
      gas_cost_wei: wei.toString(),
      nothingToDo: null
    }
  })
