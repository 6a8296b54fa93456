import { sentence } from "@vault-trader/core/configuration/Setting"
import { assert, describe, it } from "@effect/vitest"
import type * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { serverSettings } from "../src/ServerSettings.ts"

const read = (config: Config.Config<unknown>, name: string, value: string) =>
  config.pipe(
    Effect.mapError(sentence),
    Effect.provideService(
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromUnknown({ [name]: value }, { preserveEmptyStrings: true })
    ),
    Effect.result,
    Effect.map(Result.merge)
  )

describe("serverSettings", () => {
  it.effect("have the limits of the specification when nothing is set", () =>
    Effect.gen(function*() {
      const none = ConfigProvider.fromUnknown({})
      const { burst, perMinute, protocols, rateLimit, trustedProxies, waitSeconds } = serverSettings
      assert.deepStrictEqual(
        yield* Effect.provideService(
          Effect.all([
            burst.config,
            perMinute.config,
            rateLimit.config,
            waitSeconds.config,
            trustedProxies.config,
            protocols.config
          ]),
          ConfigProvider.ConfigProvider,
          none
        ),
        [20, 30, true, 25, [], ["dhedge", "chamber"]]
      )
    }))

  it.effect("name the setting that cannot be used", () =>
    Effect.gen(function*() {
      for (const text of ["basement", "constructor", "__proto__"]) {
        assert.strictEqual(
          yield* read(serverSettings.defaultNetwork.config, "DEFAULT_NETWORK", text),
          "The setting DEFAULT_NETWORK cannot be used: must be one of optimism, base, arbitrum, polygon, ethereum, hyperliquid, plasma."
        )
      }
      assert.strictEqual(yield* read(serverSettings.defaultNetwork.config, "DEFAULT_NETWORK", "MainNet"), "ethereum")
      // As a compose file passes a variable without a value.
      assert.strictEqual(yield* read(serverSettings.defaultNetwork.config, "DEFAULT_NETWORK", ""), undefined)
    }))

  it.effect("accept proxies as addresses and CIDR blocks, and refuse anything else before the gate is built", () =>
    Effect.gen(function*() {
      const { config } = serverSettings.trustedProxies
      assert.deepStrictEqual(yield* read(config, "TRUSTED_PROXIES", "10.0.0.0/8, 127.0.0.1,::1, fd00::/8"), [
        "10.0.0.0/8",
        "127.0.0.1",
        "::1",
        "fd00::/8"
      ])
      for (const text of ["proxy", "10.0.0.0/33", "10.0.0.0/8/8", "::1/129", "10.0.0.1/", "10.0.0/8", "10.0.0.1/-1"]) {
        assert.strictEqual(
          yield* read(config, "TRUSTED_PROXIES", text),
          "The setting TRUSTED_PROXIES cannot be used: must be addresses or CIDR blocks, comma-separated."
        )
      }
    }))

  it.effect("read protocol names in lower case", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* read(serverSettings.protocols.config, "PROTOCOLS", "dHEDGE, Chamber"), [
        "dhedge",
        "chamber"
      ])
    }))
})
