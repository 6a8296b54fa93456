/** What a vault's actor does: answers about the vault at once, and moves its funds one intent at a time. */
import * as Entity from "@effect/cluster/Entity"
import { facts as networkFacts } from "@vault-trader/core/chain/Network"
import { format } from "@vault-trader/core/chain/Quantity"
import { mayTrade } from "@vault-trader/core/vault/Authority"
import { Plan } from "@vault-trader/core/intent/Intent"
import { parseId, Vault } from "@vault-trader/core/vault/Vault"
import * as Effect from "effect/Effect"
import { Prices } from "../billing/Prices.ts"
import { Chains } from "../chain/Chains.ts"
import { reasonOf } from "../chain/Revert.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { Tokens } from "../chain/Tokens.ts"
import { throughVault } from "./Action.ts"
import { Actions } from "./Actions.ts"
import * as IntentRunner from "./IntentRunner.ts"
import { explain } from "./PlatformRevert.ts"
import * as VaultReader from "./VaultReader.ts"

export const VaultLive = Vault.toLayer(
  Effect.gen(function*() {
    const { network, pool } = parseId((yield* Entity.CurrentAddress).entityId)
    const tokens = yield* Tokens
    const prices = yield* Prices
    const actions = yield* Actions
    const found = yield* Effect.either((yield* Chains).get(network))
    if (found._tag === "Left") {
      const notServed = () => found.left
      return { describe: notServed, composition: notServed, preview: notServed, execute: notServed }
    }
    const chain = found.right
    const reader = yield* VaultReader.make({ network, pool, chain })
    const runner = yield* IntentRunner.make({ network, pool, chain, reader })

    return {
      describe: ({ payload }) =>
        Effect.gen(function*() {
          const { assets, facts } = yield* reader.state
          return { facts, tokens: yield* Effect.forEach(payload.assets, (text) => tokens.resolve(network, text, assets)) }
        }),
      composition: () => reader.composition,
      preview: ({ payload: { wallet, request } }) =>
        Effect.gen(function*() {
          const state = yield* reader.recentState
          yield* mayTrade(state.facts, wallet)
          const action = actions.of(request)
          const decision = yield* action.plan({ network, pool, chain, ...state })
          const charge = yield* prices.charge(network, action.charge)
          const details = action.show(decision.details)
          if (decision.calls.length === 0) {
            return Plan.make({ details: { ...details, note: decision.nothingToDo }, gas: null, gas_cost: null, charge: { usd: 0, native_wei: "0" } })
          }
          const transaction = { from: wallet, to: pool, data: throughVault(decision.calls), value: 0n }
          const [gas, fees] = yield* Effect.mapError(
            Effect.all([chain.estimateGas(transaction), chain.fees], { concurrency: "unbounded" }),
            (failure) => failure._tag === "RpcRefused" ? explain(reasonOf(failure.data), "nothing was sent") : unavailable(failure)
          )
          return Plan.make({
            details,
            gas: gas.toString(),
            gas_cost: `${format(gas * fees.maxFeePerGas, 18)} ${networkFacts[network].native}`,
            charge: { usd: charge.usd, native_wei: charge.nativeWei?.toString() ?? null }
          })
        }),
      execute: ({ payload }) => runner.run(payload.intentId)
    }
  }),
  { concurrency: "unbounded", disableFatalDefects: true }
)
