import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Devnet } from "../../src/devnet/Devnet.ts"
import { classTransfer, e8, lasting, order, spotSend, system, usdc } from "./TradingVault.ts"

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "devnet-test-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

it.effect(
  "a restarted devnet rebuilds the same exchange from its chain's events, and pays nothing twice",
  () =>
    Effect.gen(function*() {
      const dataDir = yield* folder
      const hyperliquid = Devnet.layer({ dataDir, networks: ["hyperliquid"], heartbeat: false })
      const known = Effect.gen(function*() {
        const by = yield* lasting
        const asked = (["clearinghouseState", "spotClearinghouseState", "openOrders", "userFills"] as const).map((
          type
        ) => by.core.info({ type, user: by.pool }))
        const [{ time: _, ...account }, ...rest] = (yield* Effect.all(asked)) as [
          { readonly time: number },
          ...Array<unknown>
        ]
        return {
          account,
          rest,
          held: yield* by.held("USDC"),
          worth: yield* by.onExchange,
          infoUrl: by.devnet.file.perpetuals?.infoUrl
        }
      })
      const before = yield* Effect.gen(function*() {
        const by = yield* lasting
        yield* by.deposit(5_000n * usdc)
        yield* by.act(order({ px: 3030, sz: 2 }))
        yield* by.core.setPrice({ coin: "ETH", usd: 3100 })
        yield* by.act(order({ px: 3050, sz: 0.1, tif: "gtc" }))
        yield* by.core.drop(1)
        yield* by.act(order({ px: 3101, sz: 1 }))
        yield* by.act(classTransfer(1_000n * usdc, false))
        yield* by.act(spotSend(system, e8(700)))
        return yield* known
      }).pipe(Effect.scoped, Effect.provide(hyperliquid))
      assert.strictEqual(before.held, 95_700n * usdc)
      assert.isAbove(Number(before.worth), 4_480e18)
      assert.deepStrictEqual(yield* known.pipe(Effect.scoped, Effect.provide(hyperliquid)), before)
    }),
  120_000
)
