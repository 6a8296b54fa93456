/** Implements the Vault actor: answers reads about the vault at once, and executes its intents in order. */
import { vaultsOf } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { Plan } from "@vault-trader/core/intent/Intent"
import * as IntentTrace from "@vault-trader/core/telemetry/IntentTrace"
import { parseId, Vault } from "@vault-trader/core/vault/Vault"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Prices } from "../billing/Prices.ts"
import { Chains } from "../chain/Chains.ts"
import { orNotServed } from "../chain/ServedChain.ts"
import { resolveAll, Tokens } from "../chain/Tokens.ts"
import { Actions, transactionOf } from "./Action.ts"
import * as IntentRunner from "./IntentRunner.ts"
import * as OracleGuard from "./OracleGuard.ts"
import * as PlanCost from "./PlanCost.ts"
import * as Snapshots from "./Snapshots.ts"
import * as VaultReader from "./VaultReader.ts"

const noCharge = { usd: 0, native_wei: "0" }

export const VaultLive = Vault.toLayer(
  Effect.gen(function*() {
    const { network, pool } = parseId((yield* Entity.CurrentAddress).entityId)
    const tokens = yield* Tokens
    const prices = yield* Prices
    const actions = yield* Actions
    const limits = yield* KeyLimitStore
    const chain = yield* (yield* Chains).get(network)
    const reader = yield* VaultReader.make({ network, pool, chain })
    const unlessHeld = yield* OracleGuard.make({ chain, network })
    const snapshots = yield* Snapshots.make(network, chain)
    const runner = yield* IntentRunner.make({
      chain,
      queue: { of: "vault", network, address: pool },
      stateOf: () => reader.recentState
    })

    return Vault.of({
      describe: ({ payload }) =>
        Effect.gen(function*() {
          const { assets, facts } = yield* payload.confirmed === true ? reader.confirmedState : reader.state
          return {
            facts,
            tokens: yield* resolveAll(tokens, network, payload.assets, assets)
          }
        }),
      composition: () => Effect.tap(reader.composition, snapshots.note(pool)),
      preview: ({ payload: { wallet, request, subKeyId } }) =>
        Effect.gen(function*() {
          const action = actions.of(request)
          const place = { network, pool, chain, wallet, state: reader.recentState }
          yield* Effect.catchTag(unlessHeld(action.charge, place), "SqlError", Effect.die)
          const planned = yield* Effect.catchTag(
            action.plan(place),
            "Waiting",
            (waiting) => Effect.succeed(waiting)
          )
          if ("_tag" in planned) {
            return Plan.make({ details: { note: planned.reason }, gas: null, gas_cost: null, charge: noCharge })
          }
          const decision = planned
          const charge = yield* prices.charge(network, action.charge, wallet)
          const details = action.describe(decision.details)
          const call = transactionOf(pool, decision)
          if (call === undefined) {
            return Plan.make({
              details: { ...details, note: decision.nothingToDo },
              gas: null,
              gas_cost: null,
              charge: noCharge
            })
          }
          const spending = {
            wallet,
            subKeyId,
            vaults: vaultsOf({ network, pool, wallet }, decision.vaults),
            usd18: decision.worth === undefined ? 0n : decision.worth
          }
          yield* Effect.flatMap(
            Effect.orDie(limits.refusal(spending)),
            Option.match({ onNone: () => Effect.void, onSome: Effect.fail })
          )
          const { gas, wei } = yield* PlanCost.of({ chain, wallet }, call, decision)
          return Plan.make({
            details,
            gas: gas.toString(),
            gas_cost: PlanCost.text(chain, wei),
            charge: { usd: charge.usd, native_wei: charge.nativeWei?.toString() ?? null }
          })
        }),
      execute: ({ payload }) => IntentTrace.join(payload.intentId)(runner.run(payload.intentId))
    })
  }).pipe(orNotServed((refuse) => ({ describe: refuse, composition: refuse, preview: refuse, execute: refuse }))),
  { concurrency: "unbounded", disableFatalDefects: true }
)
