import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { getAddress } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { buildConsole } from "../../../scripts/console.mjs"
import { browser, visitor } from "@vault-trader/testing/harness/Browser"
import { act, closeSecrets, createWallet, looked, signIn } from "@vault-trader/testing/harness/ConsoleSteps"
import { factory } from "@vault-trader/testing/harness/ContractWallet"
import { rows, Running, running } from "@vault-trader/testing/harness/Harness"

await buildConsole()

layer(running({ networks: ["base"] }), { timeout: 240_000, excludeTestServices: true })(
  "accounts in the console",
  (it) => {
    const contractTitle = "signs a contract wallet in by its owner's signature (EIP-1271), and refuses keys that the " +
      "contract does not accept"
    it.effect(contractTitle, () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        const contracts = yield* factory("base")
        const owner = privateKeyToAccount(generatePrivateKey())
        const contract = contracts.walletOf(owner.address.toLowerCase() as `0x${string}`)
        yield* contracts.deploy(owner.address.toLowerCase() as `0x${string}`)
        const stranger = yield* visitor(
          yield* browser,
          baseUrl,
          "light",
          privateKeyToAccount(generatePrivateKey()),
          contract
        )
        yield* act(async () => {
          await stranger.page.getByRole("button", { name: "Sign in with Test Wallet" }).click()
          await stranger.page.getByText(/The signature is not 0x/).waitFor()
        })
        const guest = yield* visitor(yield* browser, baseUrl, "light", owner, contract)
        yield* signIn(guest)
        assert.include(guest.asked.at(-1) ?? "", `account:\n${getAddress(contract)}\n`)
        assert.deepStrictEqual(yield* rows("select manager from sessions"), [{ manager: contract }])
        yield* createWallet(guest, "of the contract")
        assert.deepStrictEqual(yield* rows("select manager, label from manager_wallets"), [{
          manager: contract,
          label: "of the contract"
        }])
        assert.deepStrictEqual(guest.complaints, [])
      }))

    it.effect("warns when the wallet is on another account, sends nothing for it, and mixes no data when it signs in", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        const devnet = yield* Devnet
        const guest = yield* visitor(yield* browser, baseUrl)
        const { page } = guest
        yield* Effect.orDie(
          devnet.faucet({ network: "base", address: guest.address as `0x${string}`, amountWei: 10n ** 18n })
        )
        yield* signIn(guest)
        const made = yield* createWallet(guest, "momentum")
        yield* closeSecrets(guest)
        const refill = page.getByRole("dialog", { name: "Refill" })
        yield* act(async () => {
          await page.getByRole("region", { name: "momentum" }).getByRole("button", { name: "Click to refill" }).click()
          await refill.getByLabel("Amount in USD").fill("5")
          await refill.getByLabel("Refill this wallet on base").check()
          await refill.getByText(/^0\.\d+ ETH$/).waitFor()
        })

        const other = privateKeyToAccount(generatePrivateKey())
        yield* guest.choose(other)
        yield* act(async () => {
          await refill.getByRole("button", { name: "Refill", exact: true }).click()
          await refill.getByText(/Your wallet is on another account than 0x/).waitFor()
          await refill.getByText("Nothing was sent: no funds moved.").waitFor()
          await page.keyboard.press("Escape")
        })
        assert.deepStrictEqual(guest.transactions, [])
        assert.strictEqual(yield* Effect.orDie(devnet.balance({ network: "base", address: made.address })), 0n)
        yield* act(() => page.getByText("Your wallet is on another account").waitFor())
        yield* looked(guest, "other-account")

        // Declining changes nothing.
        guest.decline(true)
        const enter = page.getByRole("button", { name: /^Sign in as 0x/ })
        yield* act(async () => {
          await enter.click()
          await page.getByText("You declined in the wallet. Nothing was done.").waitFor()
          await page.getByRole("heading", { name: "momentum" }).waitFor()
        })
        guest.decline(false)
        yield* act(async () => {
          await enter.click()
          await page.getByText("No gas wallet yet").waitFor()
        })
        assert.strictEqual(yield* Effect.promise(() => page.getByText("momentum").count()), 0)
        assert.deepStrictEqual(yield* rows(`select 1 from sessions where manager = '${guest.address}'`), [])
        assert.strictEqual(yield* Effect.promise(() => page.getByText("Your wallet is on another account").count()), 0)
        assert.include(guest.asked.at(-1) ?? "", `account:\n${other.address}\n`)

        // Sign out and in again without reloading the page.
        yield* act(() => page.getByRole("button", { name: "Sign out" }).click())
        yield* signIn(guest)
        yield* act(() => page.getByText("No gas wallet yet").waitFor())
        assert.deepStrictEqual(guest.complaints.filter((line) => !/WebSocket/.test(line)), [])
      }))

    it.effect("can cancel a sign-in that the wallet never answers, and try again", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        const chromium = yield* browser
        const page = yield* Effect.promise(() => chromium.newPage())
        // A wallet that announces itself and then hangs.
        yield* Effect.promise(() =>
          page.addInitScript(`
            const detail = Object.freeze({
              info: {
                uuid: "5d1e3c1a-9c55-4b7b-a4c4-4d0b6b0c1f00",
                name: "Hanging Wallet",
                icon: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>",
                rdns: "org.example.hanging"
              },
              provider: { request: () => new Promise(() => {}), on: () => {}, removeListener: () => {} }
            })
            const say = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }))
            addEventListener("eip6963:requestProvider", say)
          `)
        )
        const choose = page.getByRole("button", { name: "Sign in with Hanging Wallet" })
        for (let attempt = 0; attempt < 2; attempt++) {
          yield* act(async () => {
            if (attempt === 0) await page.goto(`${baseUrl}/console`)
            await choose.click()
            await page.getByText("Confirm it in Hanging Wallet.").waitFor()
            await page.getByRole("button", { name: "Cancel" }).click()
            await page.getByText("Confirm it in Hanging Wallet.").waitFor({ state: "detached" })
          })
          assert.isTrue(yield* Effect.promise(() => choose.isEnabled()))
        }
      }))
  }
)
