/**
 * Implements the WalletQueue actor: executes a gas wallet's permissionless actions, separately from every vault's
 * queue.
 */
import { parseId } from "@vault-trader/core/gas-wallet/GasWallet"
import * as IntentTrace from "@vault-trader/core/telemetry/IntentTrace"
import { WalletQueue } from "@vault-trader/core/vault/WalletQueue"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import { Chains } from "../chain/Chains.ts"
import { orNotServed } from "../chain/ServedChain.ts"
import { Tokens } from "../chain/Tokens.ts"
import * as IntentRunner from "./IntentRunner.ts"
import * as VaultReader from "./VaultReader.ts"

export const WalletQueueLive = WalletQueue.toLayer(
  Effect.gen(function*() {
    const { network, wallet } = parseId((yield* Entity.CurrentAddress).entityId)
    const tokens = yield* Tokens
    const chain = yield* (yield* Chains).get(network)
    const runner = yield* IntentRunner.make({
      chain,
      queue: { of: "wallet", network, address: wallet },
      stateOf: (pool) =>
        Effect.flatMap(VaultReader.make({ network, pool, chain }), ({ state }) => state).pipe(
          Effect.provideService(Tokens, tokens)
        )
    })
    return WalletQueue.of({
      execute: ({ payload }) => IntentTrace.join(payload.intentId)(runner.run(payload.intentId))
    })
  }).pipe(orNotServed((refuse) => ({ execute: refuse }))),
  { concurrency: "unbounded", disableFatalDefects: true }
)
