/** The service as the test of a strategy uses it: in this process on virtual time, or on the devnet. */
import type { NotLoopback } from "@vault-trader/devnet/anvil/Loopback"
import * as DevnetClient from "@vault-trader/devnet/devnet/DevnetClient"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import type { DevnetFileUnreadable } from "@vault-trader/devnet/devnet/DevnetStore"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Path from "node:path"
import { Running, running } from "./harness/Harness.ts"
import * as InProcess from "./strategy-test/InProcess.ts"
import * as OnDevnet from "./strategy-test/OnDevnet.ts"
import type { TestedService } from "./strategy-test/TestedService.ts"

/** A service that `npm start` has started. */
export interface RunningService {
  readonly baseUrl: string
  /** Its DATA_DIR, which holds devnet.json. */
  readonly dataDir: string
}

/**
 * The service under test. The same test runs with either layer.
 *
 * @example
 * ```ts
 * import { VaultTraderTest } from "@vault-trader/testing/VaultTraderTest"
 * import * as Effect from "effect/Effect"
 *
 * const buyAfterFall = Effect.gen(function*() {
 *   const service = yield* VaultTraderTest
 *   const { apiKey, network, pool } = yield* service.vault({ USDC: "10000" })
 *   yield* service.setPrice("WETH", 2500)
 *   return yield* service.call("vaultTrade", { apiKey, network, pool, from: "USDC", to: "WETH", amount: 1000 })
 * })
 *
 * export const trade = Effect.provide(buyAfterFall, VaultTraderTest.layer())
 * ```
 */
export class VaultTraderTest extends Context.Service<VaultTraderTest, TestedService>()(
  "vault-trader/testing/VaultTraderTest"
) {
  /** Runs the real server and actors in this process, on virtual time, over PGlite and a test chain. */
  static readonly layer = (options?: InProcess.Options): Layer.Layer<VaultTraderTest> =>
    Layer.effect(VaultTraderTest, InProcess.make(options))

  /** Uses a running service, or starts one with its own devnet and database when none is given. */
  static readonly devnetLayer = (
    service?: RunningService
  ): Layer.Layer<VaultTraderTest, NotLoopback | DevnetFileUnreadable> =>
    service === undefined ? OwnDevnet : Layer.effect(
      VaultTraderTest,
      Effect.map(
        DevnetClient.fromFile(Path.join(service.dataDir, "devnet.json")),
        (devnet) => OnDevnet.make(service.baseUrl, devnet)
      )
    )
}

const OwnDevnet = Layer.effect(
  VaultTraderTest,
  Effect.gen(function*() {
    const { baseUrl } = yield* Running
    return OnDevnet.make(baseUrl, yield* Devnet)
  })
).pipe(Layer.provide(Layer.suspend(running)))
