import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { parseAbi } from "viem"
import { buildConsole } from "../../../scripts/console.mjs"
import { browser, visitor } from "@vault-trader/testing/harness/Browser"
import { act, looked, managing } from "@vault-trader/testing/harness/ConsoleSteps"
import { type Fields, Running, running, yieldVault } from "@vault-trader/testing/harness/Harness"
import { enableVelodrome } from "@vault-trader/testing/harness/LiquiditySetup"
import * as OnChain from "@vault-trader/testing/harness/OnChain"

await buildConsole()

const network = "base"
const managerAbi = parseAbi([
  "function balanceOf(address owner) view returns (uint256)",
  "function ownerOf(uint256 tokenId) view returns (address)",
  "function positions(uint256 tokenId) view returns (uint96, address, address, address, uint24, int24 tickLower, int24 tickUpper, uint128 liquidity, uint256, uint256, uint128, uint128)"
])

/** Returns the range of a position, from its lowest to its highest price of WETH in USDC. */
const rangeOf = (weth: string, token0: string, ticks: readonly [lower: number, upper: number]) => {
  const [low, high] = ticks.map((tick) => 1.0001 ** tick)
  return token0.toLowerCase() === weth ? [low! * 1e12, high! * 1e12] : [1e12 / high!, 1e12 / low!]
}

/** A manager at the liquidity page of a vault that may have positions, with reads of the chain. */
const arrived = Effect.gen(function*() {
  const { baseUrl } = yield* Running
  const { file } = yield* Devnet
  const pool = yield* yieldVault(network)
  yield* enableVelodrome(network, pool)
  const guest = yield* visitor(yield* browser, baseUrl)
  const { address, of } = yield* managing(guest, pool, "liquidity")
  const { page } = guest
  yield* act(async () => {
    await page.goto(`${baseUrl}/console/vaults/${network}/${pool}`)
    await page.getByRole("link", { name: /^Liquidity/ }).click()
    await page.getByText("No liquidity position yet").waitFor()
  })
  const uniswap = file.networks[network]?.uniswapV3.positionManager ?? "0x"
  const velodrome = file.networks[network]?.velodromeCl?.positionManager ?? "0x"
  const done = async (title: string) => {
    const dialog = page.getByRole("dialog", { name: title, exact: true })
    await dialog.getByRole("table", { name: "What moved" }).waitFor({ timeout: 120_000 })
    const text = await dialog.innerText()
    await dialog.getByRole("button", { name: "Done" }).click()
    await dialog.waitFor({ state: "detached" })
    return text
  }
  return {
    ...{ address, done, guest, of, page, pool, uniswap, velodrome },
    fieldsOf: (manager: typeof uniswap, id: string) =>
      OnChain.read(network, manager, managerAbi, "positions", [BigInt(id)]),
    ownerOf: (manager: typeof uniswap, id: string) =>
      OnChain.read(network, manager, managerAbi, "ownerOf", [BigInt(id)]),
    countAt: (manager: typeof uniswap) => OnChain.read(network, manager, managerAbi, "balanceOf", [pool]),
    held: Effect.all([OnChain.balanceOf(network, "WETH", pool), OnChain.balanceOf(network, "USDC", pool)])
  }
})

layer(running({ networks: ["base"] }), { timeout: 300_000, excludeTestServices: true })("the liquidity page", (it) => {
  it.effect("adds liquidity in a range that is chosen by keys, collects, removes half and then all, as the chain shows", () =>
    Effect.gen(function*() {
      const { countAt, done, fieldsOf, guest, held, of, page, uniswap } = yield* arrived
      const before = yield* held
      const ticket = page.getByRole("dialog", { name: "Add liquidity", exact: true })
      const low = ticket.getByRole("slider", { name: "Lowest price, on the chart" })
      yield* act(async () => {
        await page.getByRole("button", { name: "Add liquidity" }).click()
        await ticket.getByLabel("Exchange").selectOption("uniswapV3")
        await ticket.getByLabel("Fee tier").selectOption("500")
        await ticket.getByRole("button", { name: "±20 %" }).click()
        await low.focus()
        await page.keyboard.press("PageUp")
        await page.keyboard.press("ArrowDown")
        await ticket.getByLabel("Amount of USDC").fill("5000")
        await ticket.getByRole("table", { name: "Plan" }).getByText("New position").waitFor()
        await ticket.getByText(/closed candles|No price history/).waitFor()
      })
      yield* looked(guest, "liquidity-real-add", { screen: 900, phone: 1900 })
      const chosen = yield* Effect.promise(() =>
        Promise.all(
          ["Lowest price", "Highest price"].map((name) => ticket.getByLabel(name, { exact: true }).inputValue())
        )
      )
      yield* act(async () => {
        await ticket.getByRole("button", { name: "Review" }).click()
        await page.getByRole("dialog", { name: "Add liquidity to WETH and USDC" })
          .getByRole("button", { name: "Add liquidity" }).click()
      })
      const added = yield* Effect.promise(() => done("Liquidity added"))
      const id = /Position\s+#(\d+)/.exec(added)?.[1] ?? ""

      // The position on the chain has the range that was chosen, to the tick spacing of ten, and what went in.
      const minted = yield* fieldsOf(uniswap, id)
      assert.strictEqual(minted[4], 500)
      const range = rangeOf(yield* OnChain.token(network, "WETH"), minted[2], [minted[5], minted[6]])
      assert.approximately(range[0]! / Number(chosen[0]), 1, 0.001)
      assert.approximately(range[1]! / Number(chosen[1]), 1, 0.001)
      assert.isTrue(minted[7] > 0n)
      const between = yield* held
      assert.isAtMost(Number(before[1] - between[1]), 5_000e6)
      assert.isAbove(Number(before[1] - between[1]), 4_900e6)
      const card = page.getByRole("listitem", { name: `WETH/USDC, position #${id}` })
      yield* act(async () => {
        await card.getByText("in range", { exact: true }).waitFor()
        await card.getByText(/WETH and .* USDC$/).first().waitFor()
      })
      yield* looked(guest, "liquidity-real", { screen: 900, phone: 1100 })

      // Nothing is owed yet: the page says so and offers nothing to send.
      const collect = page.getByRole("dialog", { name: `Collect fees: position #${id}` })
      yield* act(async () => {
        await card.getByRole("button", { name: "Collect fees" }).click()
        await collect.getByText(/is owed no fees\. Nothing was sent\./).waitFor()
      })
      assert.isTrue(
        yield* Effect.promise(() => collect.getByRole("button", { name: "Collect fees" }).isDisabled())
      )
      yield* act(() => collect.getByRole("button", { name: "Cancel" }).click())

      // A trade through the pool pays it fees.
      const traded = yield* of("/vaultTrade", {
        from: "USDC",
        to: "WETH",
        amount: 20_000,
        platform: "uniswapV3",
        slippage: 5
      })
      assert.strictEqual(traded.fields["status"], "success", traded.text)
      const unpaid = yield* held
      yield* act(async () => {
        await card.getByRole("button", { name: "Collect fees" }).click()
        await collect.getByRole("rowheader", { name: "Worst case" }).waitFor()
        await collect.getByRole("button", { name: "Collect fees" }).click()
      })
      const collected = yield* Effect.promise(() => done("Fees collected"))
      const paid = yield* held
      assert.isTrue(paid[0] > unpaid[0] || paid[1] > unpaid[1], collected)
      assert.strictEqual((yield* fieldsOf(uniswap, id))[7], minted[7])

      const remove = (part: string) =>
        Effect.promise(async () => {
          await card.getByRole("button", { name: "Remove" }).click()
          const dialog = page.getByRole("dialog", { name: `Remove liquidity from #${id}` })
          await dialog.getByRole("button", { name: part, exact: true }).click()
          await dialog.getByRole("table", { name: "Plan" }).waitFor()
          await dialog.getByRole("button", { name: "Review" }).click()
          await dialog.getByRole("table", { name: "What this does" }).waitFor()
          await dialog.getByRole("button", { name: "Remove liquidity" }).click()
          return done("Liquidity removed")
        })
      yield* remove("50 %")
      assert.strictEqual((yield* fieldsOf(uniswap, id))[7], minted[7] - minted[7] / 2n)
      assert.strictEqual(yield* countAt(uniswap), 1n)
      const after = yield* held
      assert.isTrue(after[0] > paid[0] && after[1] > paid[1])
      assert.match(yield* remove("100 %"), new RegExp(`#${id}, which is closed`))
      assert.strictEqual(yield* countAt(uniswap), 0n)
      yield* act(() => page.getByText("No liquidity position yet").waitFor())

      const { fields } = yield* of("/getIntents", { limit: 20 })
      const sent = (fields["intents"] as ReadonlyArray<Fields>).map(({ endpoint }) => endpoint)
      assert.deepStrictEqual(sent.filter((each) => each !== "vaultTrade"), [
        ...["removeLiquidity", "removeLiquidity", "collectFees", "addLiquidity"]
      ])
      assert.deepStrictEqual(guest.complaints, [])
    }))

  it.effect("stakes a position of Aerodrome, claims its rewards, unstakes it, and takes it back in one asset", () =>
    Effect.gen(function*() {
      const { countAt, done, guest, held, ownerOf, page, pool, velodrome } = yield* arrived
      const ticket = page.getByRole("dialog", { name: "Add liquidity", exact: true })
      yield* act(async () => {
        await page.getByRole("button", { name: "Add liquidity" }).click()
        await ticket.getByLabel("Exchange").selectOption("velodromeCl")
        await ticket.getByLabel("Tick spacing").selectOption("100")
        await ticket.getByRole("button", { name: "Full range" }).click()
        await ticket.getByLabel("Amount of USDC").fill("500")
        await ticket.getByRole("table", { name: "Plan" }).getByText("Aerodrome CL · tick spacing 100").waitFor()
        await ticket.getByRole("button", { name: "Review" }).click()
        await page.getByRole("dialog", { name: "Add liquidity to WETH and USDC" })
          .getByRole("button", { name: "Add liquidity" }).click()
      })
      const id = /Position\s+#(\d+)/.exec(yield* Effect.promise(() => done("Liquidity added")))?.[1] ?? ""
      assert.strictEqual((yield* ownerOf(velodrome, id)).toLowerCase(), pool)
      const card = page.getByRole("listitem", { name: `WETH/USDC, position #${id}` })
      const press = (name: string, title: string) =>
        Effect.promise(async () => {
          await card.getByRole("button", { name, exact: true }).click()
          const dialog = page.getByRole("dialog", { name: `${name}: position #${id}` })
          await dialog.getByRole("rowheader", { name: "Worst case" }).waitFor()
          await dialog.getByRole("button", { name, exact: true }).click()
          return done(title)
        })
      yield* press("Stake", "Position staked")
      assert.notStrictEqual((yield* ownerOf(velodrome, id)).toLowerCase(), pool)
      yield* press("Claim rewards", "Rewards claimed")
      yield* press("Unstake", "Position unstaked")
      assert.strictEqual((yield* ownerOf(velodrome, id)).toLowerCase(), pool)

      const before = yield* held
      yield* act(async () => {
        await card.getByRole("button", { name: "Remove" }).click()
        const dialog = page.getByRole("dialog", { name: `Remove liquidity from #${id}` })
        await dialog.getByLabel("Receive").selectOption({ label: "Only USDC" })
        await dialog.getByRole("rowheader", { name: "Then swapped" }).waitFor()
        await dialog.getByRole("button", { name: "Review" }).click()
        await dialog.getByRole("button", { name: "Remove liquidity" }).click()
      })
      yield* Effect.promise(() => done("Liquidity removed"))
      const after = yield* held
      assert.approximately(Number(after[1] - before[1]) / 1e6, 500, 20)
      assert.strictEqual(yield* countAt(velodrome), 0n)
      assert.deepStrictEqual(guest.complaints, [])
    }))
})
