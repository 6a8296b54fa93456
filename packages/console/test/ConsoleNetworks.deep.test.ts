import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { buildConsole } from "../../../scripts/console.mjs"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { browser, visitor } from "@vault-trader/testing/harness/Browser"
import { type Answers, hanging, serve } from "@vault-trader/testing/harness/ConsoleFixture"
import { act, looked, managing } from "@vault-trader/testing/harness/ConsoleSteps"
import { Running, running } from "@vault-trader/testing/harness/Harness"
import { RpcHold } from "@vault-trader/testing/harness/RpcHold"
import { answersOf, manager, vaultName } from "./Fixture.ts"

await buildConsole()

interface Asked {
  readonly network: string
}

/** Opens a page whose service answers for optimism as `optimism` says, and for the others as usual. */
const opened = (path: string, optimism: (usual: unknown) => unknown, others: Answers = {}) =>
  Effect.gen(function*() {
    const usual: Answers = { ...answersOf(), ...others }
    const ofNetwork = (name: string) => (asked: Asked) => {
      const answer = usual[name]?.(asked as never)
      return asked.network === "optimism" ? optimism(answer) : answer
    }
    const { url } = yield* serve(manager, {
      ...usual,
      ...Object.fromEntries(
        ["gasBalances", "managedVaults", "links", "wallet.poolComposition"].map((name) => [name, ofNetwork(name)])
      )
    })
    const chromium = yield* browser
    const page = yield* Effect.promise(() => chromium.newPage({ reducedMotion: "reduce" }))
    page.setDefaultTimeout(20_000)
    yield* act(() => page.goto(`${url}/console/${path}`))
    return { page, url }
  })

layer(Layer.empty, { excludeTestServices: true })("a network whose node hangs", (it) => {
  it.effect("delays no balance, vault or bot of the others, and its own page waits", () =>
    Effect.scoped(Effect.gen(function*() {
      const { page, url } = yield* opened("gas-wallets", () => hanging)
      const wallet = page.getByRole("region", { name: "momentum desk" })
      yield* act(async () => {
        await wallet.getByRole("row", { name: /base ok 0\.0512 ETH \$154\.20/ }).waitFor()
        await wallet.getByRole("row", { name: /arbitrum ok 0\.0512 ETH/ }).waitFor()
        await wallet.getByRole("row", { name: /optimism Reading the chain/ }).waitFor()
        await page.goto(`${url}/console/vaults`)
        await page.getByRole("heading", { name: vaultName(0), exact: true }).waitFor()
        await page.getByText("Worth", { exact: false }).first().waitFor()
      })
      assert.strictEqual(yield* Effect.promise(() => page.getByRole("heading", { name: vaultName(2) }).count()), 0)
    })))

  it.effect("keeps its last values with their age and a banner until it answers again; the others stay live", () =>
    Effect.scoped(Effect.gen(function*() {
      const state = { isDown: false, eth: "0.0512" }
      const { page, url } = yield* opened(
        "gas-wallets",
        (usual) => {
          if (!state.isDown) return usual
          if (!Array.isArray(usual)) return "Network optimism cannot be reached; its nodes do not answer."
          return usual.map((row: object) => ({
            ...row,
            ...("vaults" in row ? { vaults: null } : {}),
            ...("balance" in row ? { balance: null, error: "The network cannot be reached." } : {}),
            ...("is_trader" in row ? { is_trader: null } : {})
          }))
        },
        {
          gasBalances: ({ network }: Asked) =>
            (answersOf()["gasBalances"] as (asked: Asked) => ReadonlyArray<object>)({ network }).map((row) => ({
              ...row,
              balance: state.eth
            }))
        }
      )
      const wallet = page.getByRole("region", { name: "momentum desk" })
      const banner = page.getByRole("status").filter({ hasText: "No answer from Optimism" })
      yield* act(() => wallet.getByRole("row", { name: /optimism ok 0\.0512 ETH/ }).waitFor())
      assert.strictEqual(yield* Effect.promise(() => banner.count()), 0)
      state.isDown = true
      state.eth = "0.0777"
      yield* act(async () => {
        await banner.waitFor()
        await banner.getByText(/^Optimism: what is shown was read /).waitFor()
        await wallet.getByRole("row", { name: /base ok 0\.0777 ETH/ }).waitFor()
        await wallet.getByRole("row", { name: /optimism unknown 0\.0512 ETH last read .* \$154\.20/ }).waitFor()
      })
      yield* looked({ page }, "network-silent")
      // Its vaults keep their names on every page, and so does the banner.
      yield* act(async () => {
        await page.getByRole("navigation").getByRole("link", { name: "Home", exact: true }).click()
        await page.getByRole("region", { name: "Vaults (5)" }).getByRole("link", { name: vaultName(2) }).waitFor()
        await banner.waitFor()
      })
      state.isDown = false
      yield* act(async () => {
        await banner.waitFor({ state: "detached" })
        await page.getByRole("link", { name: "Gas Wallets", exact: true }).click()
        await wallet.getByRole("row", { name: /optimism ok 0\.0777 ETH/ }).waitFor()
      })
      // A page that is loaded during the outage says so; this service has read nothing before.
      state.isDown = true
      yield* act(async () => {
        await page.goto(`${url}/console/gas-wallets`)
        await banner.getByText("Optimism: nothing was read since this page was loaded.").waitFor()
        await wallet.getByRole("row", { name: /optimism unknown cannot be read/ }).waitFor()
        await wallet.getByRole("row", { name: /base ok 0\.0777 ETH/ }).waitFor()
      })
    })))
})

const held = running({
  networks: ["base", "optimism"],
  books: (books) => Effect.map(RpcHold, ({ inFront }) => inFront("service", books))
}).pipe(Layer.provideMerge(RpcHold.layer))

layer(held, { timeout: 240_000, excludeTestServices: true })("a service one of whose nodes hangs", (it) => {
  it.effect("shows a page that is loaded meanwhile what it read last, with its age, and live values afterwards", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Running
      const devnet = yield* Devnet
      const { pool } = yield* Effect.orDie(
        devnet.createVault({ network: "base", name: "Hanging", invested: 1_000_000_000n })
      )
      const guest = yield* visitor(yield* browser, baseUrl)
      const { page } = guest
      yield* managing(guest, pool, "momentum")
      const wallet = page.getByRole("region", { name: "momentum" })
      const holding = page.getByRole("table", { name: "Holdings" }).getByRole("row", { name: /USDC 1,000 / })
      const patience = { timeout: 90_000 }
      yield* act(async () => {
        await page.goto(`${baseUrl}/console/vaults/base/${pool}`)
        await holding.waitFor()
        await page.goto(`${baseUrl}/console/gas-wallets`)
        await wallet.getByRole("row", { name: /base ok 1\.0000 ETH/ }).waitFor()
        await wallet.getByRole("row", { name: /optimism no gas 0\.0000 ETH/ }).waitFor()
      })
      const { hold } = yield* RpcHold
      yield* Effect.scoped(Effect.gen(function*() {
        yield* hold({ network: "base", when: (_, moment) => Effect.succeed(moment === "before the node") })
        yield* act(async () => {
          await page.goto(`${baseUrl}/console/gas-wallets`)
          await wallet.getByRole("row", { name: /optimism no gas 0\.0000 ETH/ }).waitFor()
          await wallet.getByRole("row", { name: /base unknown 1\.0000 ETH last read / }).waitFor(patience)
          await page.getByText(/^Base: what is shown was read /).waitFor()
          await page.goto(`${baseUrl}/console/vaults/base/${pool}`)
          await holding.waitFor(patience)
          await page.getByText("The holdings cannot be read right now").waitFor(patience)
          await page.getByText(/^last read /).waitFor()
        })
        yield* looked({ page }, "vault-hanging-node", { screen: 1_400, phone: 2_400 })
      }))
      yield* act(async () => {
        await page.getByText("The holdings cannot be read right now").waitFor({ ...patience, state: "detached" })
        await page.goto(`${baseUrl}/console/gas-wallets`)
        await wallet.getByRole("row", { name: /base ok 1\.0000 ETH/ }).waitFor(patience)
      })
    }))
})
