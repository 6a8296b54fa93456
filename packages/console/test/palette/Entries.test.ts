import { assert, describe, it } from "@effect/vitest"
import {
  botEntries,
  commandEntries,
  entriesFor,
  namesCommand,
  pageEntries,
  vaultEntries
} from "../../src/palette/Entries.ts"

const vaultName = (_: string, pool: string) => pool === "0x1" ? "Momentum 1" : "Carry 1"

const bot = (pool: string, pair: string | null) => ({
  key: `base/${pool}/${pair ?? "index"}`,
  kind: pair === null ? "index" as const : "threshold" as const,
  name: pair ?? "Index of 2",
  network: "base",
  gasWallet: "0x9",
  state: "paused" as const,
  stance: "long",
  reason: "",
  decidedAt: null,
  nextCheck: null,
  pair,
  ownScope: null,
  pool
})

const entries = [
  ...pageEntries,
  ...vaultEntries([
    { network: "base", pool: "0x1" },
    { network: "base", pool: "0x2" },
    { network: "base", pool: "0x1" }
  ], vaultName),
  ...botEntries([bot("0x1", "WETH-USDC"), bot("0x2", "WETH-USDC"), bot("0x2", null)], vaultName)
]

const found = (query: string, limit = 12) => entriesFor(query, entries, limit).map(({ to }) => to)

describe("the command palette", () => {
  it("finds what contains every word, in any order, by its name before the rest", () => {
    assert.deepStrictEqual(found("momentum weth"), ["/bots/base/0x1/WETH-USDC"])
    assert.deepStrictEqual(found("carry"), ["/vaults/base/0x2", "/bots/base/0x2/WETH-USDC", "/bots/base/0x2/index"])
    assert.deepStrictEqual(found("0X2 PAUSED"), ["/bots/base/0x2/WETH-USDC", "/bots/base/0x2/index"])
    // The page named so comes before the bots, whose description has the word.
    assert.deepStrictEqual(found("bot").slice(0, 2), ["/bots", "/bots/base/0x1/WETH-USDC"])
    assert.deepStrictEqual(found("nothing such"), [])
  })

  it("lists a vault once, all of it without a query, and no more than its limit", () => {
    assert.deepStrictEqual(found("momentum").filter((to) => to.startsWith("/vaults")), ["/vaults/base/0x1"])
    assert.lengthOf(found("", 100), entries.length)
    assert.lengthOf(found("", 3), 3)
    assert.lengthOf(found("base", 2), 2)
  })

  it("offers to resume what is paused and to pause what is not, when the query begins with it", () => {
    const active = { ...bot("0x1", "WETH-USDC"), state: "active" as const }
    const commands = commandEntries([active, bot("0x2", "WETH-USDC")], vaultName)
    assert.deepStrictEqual(commands.map(({ label }) => label), [
      "Pause WETH-USDC on Momentum 1",
      "Resume WETH-USDC on Carry 1"
    ])
    assert.deepStrictEqual(entriesFor("pause weth", [...entries, ...commands], 12)[0]?.command, {
      action: "pause",
      bot: active
    })
    assert.isTrue(namesCommand(" Pau weth"))
    assert.isFalse(namesCommand("p"))
    assert.isFalse(namesCommand("paused"))
  })
})
