/** `vault-trader lane` and `vault-trader switch`, on the database of a service. */
import { assert, layer } from "@effect/vitest"
import type { NewLaneQuarantine } from "@vault-trader/core/gas-wallet/LaneQuarantine"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { walletScope } from "@vault-trader/core/gas-wallet/SwitchScope"
import { LaneQuarantineStore } from "@vault-trader/core/gas-wallet/LaneQuarantineStore"
import { LaneReconciliationStore } from "@vault-trader/core/gas-wallet/LaneReconciliationStore"
import { migrate } from "@vault-trader/core/storage/Migrations"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import { temporaryFolder } from "@vault-trader/testing/harness/Harness"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

const slow = 240_000
const wallet = `0x${"ab".repeat(20)}` as const
const other = `0x${"cd".repeat(20)}` as const
const hash = `0x${"12".repeat(32)}` as const

/** The folder of the service whose database the commands change. */
class DataDir extends Context.Service<DataDir, string>()("vault-trader/app/test/DataDir") {
  static readonly layer = Layer.effect(DataDir, temporaryFolder)
}

const Database = Layer.unwrap(Effect.map(DataDir, (dataDir) =>
  Layer.effectDiscard(migrate).pipe(
    Layer.provideMerge(Layer.unwrap(
      Effect.map(EmbeddedPostgres, (postgres) => PostgresClient.layer(postgres.clientConfig()))
    )),
    Layer.provide(EmbeddedPostgres.layer({ dataDir }))
  )))

const Stores = Layer.mergeAll(
  GasWalletStore.layer,
  KillSwitch.layer,
  LaneQuarantineStore.layer,
  LaneReconciliationStore.layer
).pipe(Layer.provide(Database), Layer.provideMerge(DataDir.layer), Layer.orDie)

const vaultTrader = (...words: ReadonlyArray<string>) =>
  Effect.flatMap(DataDir, (dataDir) => ServiceProcess.toItsEnd({ DATA_DIR: dataDir }, "vault-trader", ...words))
/** Runs a command that must succeed; returns its output. */
const output = (...words: ReadonlyArray<string>) =>
  Effect.map(vaultTrader(...words), ({ code, stderr, stdout }) => {
    assert.deepStrictEqual([code, stderr], [0, ""])
    return stdout
  })

const quarantine: NewLaneQuarantine = {
  ...{ network: "base", wallet, kind: "rows_behind_chain", reason: "the ledger is behind the chain" },
  evidence: { count: "7", transactions: [{ nonce: "6", hash, note: "a call of a vault" }] }
}

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("an operator's command", (it) => {
  it.effect("shows the quarantined lanes with their evidence, and releases one", () =>
    Effect.gen(function*() {
      const quarantines = yield* LaneQuarantineStore
      const { head } = yield* LaneReconciliationStore
      const { put } = yield* GasWalletStore
      yield* Effect.forEach([wallet, other], (address) => put({ address, ciphertext: "c" }))
      assert.strictEqual(yield* output("lane", "show"), "No such lane is quarantined.\n")
      yield* quarantines.open(quarantine)
      yield* quarantines.open({ ...quarantine, wallet: other })
      const shown = yield* output("lane", "show", wallet, "base")
      assert.match(shown, new RegExp(`^${wallet} on base: rows_behind_chain, since 20.*\n`))
      assert.include(shown, "It signs nothing: the ledger is behind the chain.")
      assert.include(shown, `nonce 6: ${hash}; a call of a vault`)
      assert.notInclude(shown, other)
      assert.include(yield* output("lane", "show"), other)

      const released = yield* output("lane", "release", wallet, "base", "checked", "by", "Ada")
      assert.include(released, `${wallet} signs again on base.`)
      assert.include(released, `nonce 6 (${hash})`)
      assert.isTrue(Option.isNone(yield* quarantines.find("base", wallet)))
      assert.isTrue(Option.isSome(yield* quarantines.find("base", other)))
      assert.strictEqual((yield* head("base", wallet)).baseline, 7n)
      assert.include(yield* output("lane", "release", wallet, "base"), "is not quarantined on base")
      const refused = yield* vaultTrader("lane", "release", wallet, "mars")
      assert.deepStrictEqual([refused.code, refused.stdout], [2, ""])
      assert.match(refused.stderr, /network: expected one of .*, not 'mars'/)
    }), slow)

  it.effect("stops signing, and cancels what is signed only with --cancel", () =>
    Effect.gen(function*() {
      const { list } = yield* KillSwitch
      const own = Effect.map(list, (all) => all.filter(({ scope }) => scope === walletScope(wallet)))
      const cancelling = yield* output("switch", "pause", wallet, "--cancel", "a", "leaked", "key")
      assert.include(cancelling, "what is signed is cancelled")
      assert.deepStrictEqual(yield* own, [
        { scope: walletScope(wallet), reason: "a leaked key", by: "operator", cancels: true }
      ])
      // A later pause without the flag no longer cancels.
      assert.notInclude(yield* output("switch", "pause", wallet), "cancelled")
      assert.deepStrictEqual((yield* own).map(({ cancels }) => cancels), [false])
      yield* output("switch", "resume", wallet)
      assert.deepStrictEqual(yield* own, [])
    }), slow)
})
