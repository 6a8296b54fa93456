import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { buildConsole } from "../../../scripts/console.mjs"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { browser, visitor } from "@vault-trader/testing/harness/Browser"
import { act, looked, rawCall, signIn } from "@vault-trader/testing/harness/ConsoleSteps"
import { type Fields, Running, rows, running, wallet } from "@vault-trader/testing/harness/Harness"
import { personOf, proof } from "@vault-trader/testing/harness/Signing"
import { until } from "@vault-trader/testing/harness/Until"

await buildConsole()

const adaKey = generatePrivateKey()
const [ada, bob] = [personOf(adaKey), personOf(generatePrivateKey())]
const env = { APPROVERS: `${ada.address},${bob.address}`, APPROVALS_NEEDED: "2" }

layer(running({ networks: ["base"], env }), { timeout: 240_000, excludeTestServices: true })(
  "an approver at the console",
  (it) => {
    it.effect("sees what a change changes, approves one and vetoes another with the wallet's signature", () =>
      Effect.gen(function*() {
        const { ask, baseUrl } = yield* Running
        const waiting = (limit: string) =>
          Effect.gen(function*() {
            const { address, apiKey, privateKey } = yield* wallet
            const list = { apiKey, privateKey }
            succeeded(
              yield* ask("/associateGasWallet", {
                json: { ...list, ...(yield* proof(bob, "associateGasWallet", address, list)) }
              })
            )
            const set = (asked: Fields) =>
              Effect.flatMap(
                proof(bob, "setKeyLimits", address, { wallet: address, ...asked }),
                (proven) =>
                  Effect.map(ask("/setKeyLimits", { json: { wallet: address, ...asked, ...proven } }), succeeded)
              )
            yield* set({ max_usd_per_trade: "250" })
            yield* set({ max_usd_per_trade: limit })
            return address
          })
        const [first, second] = [yield* waiting("1000"), yield* waiting("77000")]
        const stateOf = (address: string) =>
          Effect.map(
            rows(`select r.status, v.verdict from approval_requests r left join approval_votes v on v.request = r.id
              where r.wallet = '${address}'`),
            ([row]) => `${String(row?.["status"])} ${String(row?.["verdict"])}`
          )

        const stranger = yield* visitor(yield* browser, baseUrl)
        yield* signIn(stranger)
        yield* act(async () => {
          await stranger.page.getByRole("link", { name: "Charges" }).waitFor()
          assert.strictEqual(await stranger.page.getByRole("link", { name: "Approvals" }).count(), 0)
        })

        const guest = yield* visitor(yield* browser, baseUrl, "light", privateKeyToAccount(adaKey))
        const { asked: signed, decline, page } = guest
        yield* signIn(guest)
        const cardOf = (address: string) =>
          page.getByRole("region", { name: /^Raise the limits of a key, / }).filter({ hasText: address })
        yield* act(async () => {
          await page.getByRole("link", { name: "Approvals" }).click()
          await cardOf(first).getByText("max_usd_per_trade").waitFor()
          await cardOf(first).getByText("250", { exact: true }).waitFor()
          await cardOf(first).getByText("1000", { exact: true }).waitFor()
          await cardOf(first).getByText("0 of 2 approvals").waitFor()
        })
        yield* looked(guest, "approvals", { screen: 1400, phone: 1900 })

        // Declined in the wallet: nothing is recorded.
        decline(true)
        yield* act(async () => {
          await cardOf(first).getByRole("button", { name: "Approve" }).click()
          await page.getByText("You declined in the wallet. Nothing was done.").waitFor()
        })
        assert.strictEqual(yield* stateOf(first), "open null")
        decline(false)

        yield* act(async () => {
          await cardOf(first).getByRole("button", { name: "Approve" }).click()
          await page.getByText("Recorded: 1 of 2 approvals.").waitFor()
          await cardOf(first).getByText("1 of 2 approvals").waitFor()
          await cardOf(first).getByRole("button", { name: "Approve" }).waitFor({ state: "detached" })
          await cardOf(second).getByRole("button", { name: "Veto" }).click()
          await cardOf(second).getByText("vetoed", { exact: true }).waitFor()
        })
        assert.deepStrictEqual([yield* stateOf(first), yield* stateOf(second)], ["open approve", "vetoed veto"])
        assert.include(signed.at(-1), "max_usd_per_trade from 250 to 77000")

        // The other approver's vote, made elsewhere, appears on the open page.
        const { body } = yield* ask("/getApprovals", { json: yield* proof(bob, "getApprovals") })
        const open = (body["requests"] as ReadonlyArray<Fields>).flat().find((each) => each["wallet"] === first)!
        const asked = { request: open["request"], change: open["change"] }
        succeeded(
          yield* ask("/approveChange", {
            json: { ...asked, ...(yield* proof(bob, "approveChange", undefined, asked)) }
          })
        )
        yield* act(() => cardOf(first).getByText("in effect", { exact: true }).waitFor())
        yield* until(
          "the raised limit",
          Effect.map(
            rows(`select 1 from key_limits where wallet = '${first}' and max_usd18_per_trade = 1000e18`),
            ([row]) => row
          )
        )

        // A stranger's session signs nothing that counts.
        const refused = yield* rawCall(stranger, "voteOnChange", {
          ...asked,
          verdict: "approve",
          signature: `v2.${Math.floor(Date.now() / 1000)}.0123456789abcdef.0x${"12".repeat(65)}`
        })
        assert.include(refused, "signature: is not")
      }))
  }
)
