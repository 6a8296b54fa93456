/** Fee sweep: fees owed by a manager's vaults, computed by a dry run, then minted in one transaction. */
import type { Address } from "@vault-trader/core/chain/Address"
import { toRaw } from "@vault-trader/core/chain/Quantity"
import { readDecimal } from "@vault-trader/core/endpoint/Params"
import * as Effect from "effect/Effect"
import { ask, type Fields, mustBe, say } from "./HttpTranscript.ts"
import * as DemoSetup from "./DemoSetup.ts"
import * as ChainCheck from "./ChainCheck.ts"

/** Parses smallest units of vault tokens; 0n where nothing was minted. */
const tokens = (text: unknown) => {
  const decimal = typeof text === "string" ? readDecimal(text) : undefined
  return decimal === undefined ? 0n : toRaw(decimal, 18)
}

export const fees = Effect.gen(function*() {
  const scene = yield* DemoSetup.enter("plain")
  const { apiKey, devnet, pool } = scene
  const { network } = DemoSetup
  const manager = devnet.file.manager.address
  const witness = ChainCheck.of(scene)
  yield* say(`\n  the vault ${pool} earns 1000 USDC, of which its manager gets a tenth`)
  yield* devnet.mintToken({ network, symbol: "USDC", address: pool, amount: 1_000_000_000n })

  const sweep = { apiKey, network, manager }
  const dry = yield* ask("GET", "/mintAllFeesByManager", { ...sweep, dryRun: "true" })
  const vaults = (dry["results"] as ReadonlyArray<Fields>).map((line) => String(line["pool"]) as Address)
  const owned = Effect.forEach(vaults, (vault) => witness.sharesOf(vault, manager))
  const before = yield* owned
  yield* mustBe((yield* witness.sent) === 0, "a dry run sent something.")

  const swept = yield* ask("GET", "/mintAllFeesByManager", sweep)
  const after = yield* owned
  const results = swept["results"] as ReadonlyArray<Fields>
  for (const [index, vault] of vaults.entries()) {
    const minted = (after[index] ?? 0n) - (before[index] ?? 0n)
    const result = results.find((line) => line["pool"] === vault)
    yield* say(`  the chain says: ${minted} units of ${vault}'s token more with the manager`)
    yield* mustBe(minted === tokens(result?.["managerFee"]), "that is not what the answer says was minted.")
  }
  yield* mustBe(
    vaults.includes(pool) && (yield* witness.sent) === 1,
    "that is not one transaction for the manager's vaults."
  )
  yield* say(
    `\nDone: the fees of ${String(swept["minted"])} of ${vaults.length} vaults were minted in ${
      String(swept["tx_hash"])
    }.`
  )
})
