import { assert, layer } from "@effect/vitest"
import { format } from "@vault-trader/core/chain/Quantity"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { getAddress } from "viem"
import { buildConsole } from "../../../scripts/console.mjs"
import { browser, picture, visitor } from "@vault-trader/testing/harness/Browser"
import { act, closeSecrets, createWallet, fits, looked, signIn } from "@vault-trader/testing/harness/ConsoleSteps"
import { Running, running } from "@vault-trader/testing/harness/Harness"
import { until } from "@vault-trader/testing/harness/Until"

await buildConsole()

const ether = 10n ** 18n

layer(running({ networks: ["base", "polygon"] }), { timeout: 240_000, excludeTestServices: true })(
  "refilling in the console",
  (it) => {
    const title =
      "sends exactly what the dialog says from the manager's wallet, switching its network, and shows the " +
      "new balance"
    it.effect(title, () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        const devnet = yield* Devnet
        const guest = yield* visitor(yield* browser, baseUrl)
        const { page } = guest
        const manager = guest.address as `0x${string}`
        yield* Effect.orDie(devnet.faucet({ network: "base", address: manager, amountWei: 2n * ether }))
        yield* Effect.orDie(devnet.faucet({ network: "polygon", address: manager, amountWei: 50n * ether }))
        yield* signIn(guest)
        const made = yield* createWallet(guest, "momentum")
        yield* closeSecrets(guest)
        const balance = (network: "base" | "polygon", address = made.address) =>
          Effect.orDie(devnet.balance({ network, address }))
        const dialog = page.getByRole("dialog", { name: "Refill" })
        const refill = dialog.getByRole("button", { name: "Refill", exact: true })
        const said = Effect.promise(async () => (await dialog.getByTestId("refill-amount").textContent()) ?? "")

        // Nothing can be sent before network and destination are confirmed; the full destination comes from the
        // service.
        yield* act(async () => {
          await page.getByRole("region", { name: "momentum" }).getByRole("button", { name: "Click to refill" }).click()
          await dialog.waitFor()
          await dialog.getByLabel("Network").selectOption("base")
          await dialog.getByText(/MAX keeps/).waitFor()
          await dialog.getByLabel("Amount in USD").fill("10")
          await dialog.getByText(/a price \d+ s old/).waitFor()
        })
        assert.strictEqual(
          yield* Effect.promise(() => dialog.getByLabel("Destination").textContent()),
          getAddress(made.address)
        )
        assert.isTrue(yield* Effect.promise(() => refill.isDisabled()))
        yield* act(() => dialog.getByLabel("Refill this wallet on base").check())
        yield* looked(guest, "refill")

        // Declining in the wallet is not an error.
        guest.decline(true)
        yield* act(async () => {
          await refill.click()
          await dialog.getByText("You declined in the wallet. Nothing was done.").waitFor()
        })
        assert.strictEqual(yield* balance("base"), 0n)
        guest.decline(false)

        // An amount above the wallet's balance is refused before the wallet prompts.
        yield* act(async () => {
          await dialog.getByLabel("Amount in USD").fill("1000000")
          await dialog.getByText(/Your wallet can spare at most/).waitFor()
        })
        assert.isTrue(yield* Effect.promise(() => refill.isDisabled()))

        yield* act(async () => {
          await dialog.getByLabel("Amount in USD").fill("12.34")
          await dialog.getByText(/^0\.\d+ ETH$/).waitFor()
        })
        const rpc = yield* Effect.orDie(devnet.rpc("base"))
        yield* Effect.orDie(rpc.setMining("manual"))
        yield* act(async () => {
          await refill.click()
          await dialog.getByText("Sent. Waiting for a block…").waitFor()
        })
        yield* looked(guest, "refill-pending")
        yield* Effect.orDie(Effect.andThen(rpc.mine, rpc.setMining("automatic")))
        yield* act(() => dialog.getByText("Confirmed.").waitFor())
        const [first] = guest.transactions
        assert.strictEqual(first?.to, made.address)
        assert.strictEqual(yield* balance("base"), first?.value)
        // 12.34 USD at the service's price.
        const worth = Number(format(first?.value ?? 0n, 18)) * 3000
        assert.closeTo(worth, 12.34, 1)
        yield* looked(guest, "refill-confirmed")
        yield* act(async () => {
          await dialog.getByRole("button", { name: "Close", exact: true }).last().click()
          await dialog.waitFor({ state: "detached" })
          await page.getByRole("region", { name: "momentum" }).getByText(
            `${Number(format(first?.value ?? 0n, 18)).toFixed(4)} ETH`
          ).waitFor()
        })

        assert.strictEqual(
          yield* Effect.promise(() =>
            page.evaluate(() =>
              (globalThis as unknown as { readonly document: { readonly activeElement: { readonly title: string } } })
                .document.activeElement.title
            )
          ),
          "Click to refill"
        )

        // Another network with another native token: the wallet is switched on submit.
        yield* act(async () => {
          await page.getByRole("region", { name: "momentum" }).getByRole("button", { name: "Click to refill" }).click()
          await dialog.getByLabel("Network").selectOption("polygon")
          await dialog.getByText("It is on base. Refill switches it to polygon.").waitFor()
          await dialog.getByLabel("Amount in USD").fill("1")
          await dialog.getByText(/^\d+(\.\d+)? POL$/).waitFor()
          await dialog.getByLabel("Refill this wallet on polygon").check()
        })
        const shown = yield* said
        yield* act(async () => {
          await refill.click()
          await dialog.getByText("Confirmed.").waitFor()
        })
        assert.strictEqual(guest.chainId(), 137)
        const second = guest.transactions[1]
        assert.strictEqual(yield* balance("polygon"), second?.value)
        // The price may change before the click, but the sent amount is the one shown.
        assert.strictEqual(`${format(second?.value ?? 0n, 18)} POL`, shown)
        yield* act(() => dialog.getByRole("button", { name: "Close", exact: true }).last().click())

        // MAX leaves enough for the transaction's gas: it is mined, and only gas remains.
        const before = yield* balance("polygon")
        const had = yield* balance("polygon", manager)
        yield* act(() => page.setViewportSize({ width: 360, height: 740 }))
        yield* act(async () => {
          await page.getByRole("region", { name: "momentum" }).getByRole("button", { name: "Click to refill" }).click()
          await dialog.getByLabel("Network").selectOption("polygon")
          await dialog.getByLabel("Refill this wallet on polygon").check()
          await dialog.getByRole("button", { name: "50 %" }).click()
        })
        const half = yield* said
        yield* act(() => dialog.getByRole("button", { name: "MAX" }).click())
        yield* until("the most", Effect.map(said, (text) => text === half ? undefined : text))
        yield* picture(page, "refill-most-phone")
        assert.isAtMost(yield* fits(page), 360)
        yield* act(async () => {
          await refill.click()
          await dialog.getByText("Confirmed.").waitFor()
        })
        const last = guest.transactions[2]
        assert.strictEqual((yield* balance("polygon")) - before, last?.value)
        const left = yield* balance("polygon", manager)
        assert.isTrue(left >= 0n && left < had / 100n, `${left} of ${had} left`)
        assert.deepStrictEqual(guest.complaints, [])
        assert.deepStrictEqual(
          guest.sent.filter((line) => !/^[A-Z]+ (data:|blob:)/.test(line) && !line.includes(baseUrl)),
          []
        )
      }))
  }
)
