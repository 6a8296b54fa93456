/** Actions that need a fresh proof: a leaked key or a stolen cookie does not undo what the owner stopped. */
import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import { generatePrivateKey } from "viem/accounts"
import { refused, succeeded } from "@vault-trader/testing/harness/Answers"
import * as ContractWallet from "@vault-trader/testing/harness/ContractWallet"
import { ended, failureOf, opened, sessionOf, signedCalls } from "@vault-trader/testing/harness/ConsoleCalls"
import {
  type Fields,
  Running,
  rows,
  running,
  trader,
  type Wallet,
  wallet,
  yieldVault
} from "@vault-trader/testing/harness/Harness"
import { type Person, person, proof, signature } from "@vault-trader/testing/harness/Signing"

/** Adds a wallet to the list of a manager. */
const associate = (by: Person, { address, apiKey, privateKey }: Wallet) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const asked = { apiKey, privateKey }
    succeeded(
      yield* ask("/associateGasWallet", {
        json: { ...asked, ...(yield* proof(by, "associateGasWallet", address, asked)) }
      })
    )
  })

/** A wallet in the list of a manager. */
const managed = Effect.gen(function*() {
  const made = yield* wallet
  const manager = yield* person
  yield* associate(manager, made)
  return { ...made, manager }
})

const send = (path: string, json: Fields) => Effect.flatMap(Running, ({ ask }) => ask(path, { json }))

/** Sends a request about a wallet that a manager signs. */
const bySignature = (by: Person, action: string, address: Address, more: Fields = {}) =>
  Effect.gen(function*() {
    const params = { wallet: address, ...more }
    const body = { ...params, ...(yield* proof(by, action, address, params)) }
    return { body, answer: yield* send(`/${action}`, body) }
  })

const isStopped = (scope: string) =>
  Effect.map(rows(`select 1 from kill_switches where scope = '${scope}'`), (found) => found.length > 0)

layer(running({ networks: ["base", "polygon"] }), { timeout: 240_000, excludeTestServices: true })(
  "a step-up",
  (it) => {
    it.effect("a leaked key stops a managed wallet and does not resume it; its manager and its private key do", () =>
      Effect.gen(function*() {
        const { address, apiKey, manager, privateKey } = yield* managed
        const stranger = yield* person
        const scope = `wallet/${address}`
        const stop = Effect.map(send("/pauseWallet", { apiKey }), succeeded)
        yield* stop
        refused(
          yield* send("/resumeWallet", { apiKey }),
          "1010",
          /^apiKey: 0x[0-9a-f]{40} has a manager, so its API key alone resumes nothing; nothing was resumed\./
        )
        refused((yield* bySignature(stranger, "resumeWallet", address)).answer, "1005", /is not in the list of/)
        refused(
          yield* send("/resumeWallet", { apiKey, privateKey: generatePrivateKey().slice(2) }),
          "1005",
          /^privateKey: there is no gas wallet/
        )
        const other = yield* wallet
        refused(yield* send("/resumeWallet", { apiKey, privateKey: other.privateKey }), "1005", /^wallet: the other/)
        // A signature for another wallet, or with another parameter, counts for nothing.
        const { signature: forOther } = yield* proof(manager, "resumeWallet", other.address, { wallet: other.address })
        const misused = { wallet: address, manager: manager.address, signature: forOther }
        refused(yield* send("/resumeWallet", misused), "1010", /^signature: is not/)
        refused(yield* send("/resumeWallet", { manager: manager.address, apiKey }), "1010", /^Missing .*: signature$/)
        assert.isTrue(yield* isStopped(scope))

        const { answer, body } = yield* bySignature(manager, "resumeWallet", address)
        assert.match(String(succeeded(answer)["message"]), /^Resumed: this wallet/)
        assert.isFalse(yield* isStopped(scope))
        yield* stop
        // The same signature, replayed by the thief who saw it.
        refused(yield* send("/resumeWallet", body), "1010", /^signature: was used before/)
        assert.isTrue(yield* isStopped(scope))
        succeeded(yield* send("/resumeWallet", { privateKey }))
        assert.isFalse(yield* isStopped(scope))
      }))

    it.effect("a key alone resumes a wallet without a manager, and only the operator resumes what the operator stopped", () =>
      Effect.gen(function*() {
        const { address, apiKey, privateKey } = yield* wallet
        succeeded(yield* send("/pauseWallet", { apiKey }))
        succeeded(yield* send("/resumeWallet", { apiKey }))
        const manager = yield* person
        yield* associate(manager, { address, apiKey, privateKey })
        yield* rows(
          `insert into kill_switches (scope, reason, set_by) values ('wallet/${address}', 'investigation', 'operator')
           returning scope`
        )
        const operators = /operator has stopped this wallet; only the operator can resume it/
        refused((yield* bySignature(manager, "resumeWallet", address)).answer, "1010", operators)
        refused(yield* send("/resumeWallet", { privateKey }), "1010", operators)
        assert.isTrue(yield* isStopped(`wallet/${address}`))
      }))

    it.effect("bots are resumed by the manager's signature over exactly this vault, not by key and not by cookie", () =>
      Effect.gen(function*() {
        const made = yield* trader()
        const { address, apiKey, network, pool } = made
        const manager = yield* person
        yield* associate(manager, made)
        const about = { network, pool }
        const scope = `bot/${network}/${pool}`
        succeeded(yield* send("/setBot", { apiKey, ...about, pair: "WETH-USDC", side: "hold" }))
        succeeded(yield* send("/pauseBot", { apiKey, ...about }))
        refused(yield* send("/resumeBot", { apiKey, ...about }), "1010", /has a manager/)
        const otherPool = yield* yieldVault("base")
        const { signature: forOther } = yield* proof(manager, "resumeBot", address, {
          wallet: address,
          network,
          pool: otherPool
        })
        const misused = { wallet: address, ...about, manager: manager.address, signature: forOther }
        refused(yield* send("/resumeBot", misused), "1010", /^signature: is not/)

        const console = yield* opened(yield* sessionOf(manager))
        const signedCall = signedCalls(console, manager)
        const asked = { wallet: address, ...about }
        assert.match(failureOf(yield* console("resumeBot", { ...asked, signature: "" })), /^signature: must be v2/)
        assert.match(
          failureOf(yield* signedCalls(console, yield* person)({ action: "resumeBot", ...asked })),
          /^signature: is not/
        )
        // No call of the session resumes by the cookie alone.
        assert.strictEqual((yield* console("wallet.resumeBot", asked))._tag, "Failure")
        assert.isTrue(yield* isStopped(scope))
        assert.match(String(ended(yield* signedCall({ action: "resumeBot", ...asked }))), /^Resumed: /)
        assert.isFalse(yield* isStopped(scope))

        // One bot that is stopped alone: a key does not resume it, nor does a signature for all bots of the vault.
        const alone = { ...about, pair: "WETH-USDC" }
        succeeded(yield* send("/pauseBot", { apiKey, ...alone }))
        const stopped = rows(`select 1 from kill_switches where scope like '${scope}/%'`)
        refused(yield* send("/resumeBot", { apiKey, ...alone }), "1010", /has a manager/)
        const { signature: forAll } = yield* proof(manager, "resumeBot", address, { wallet: address, ...about })
        refused(
          yield* send("/resumeBot", { wallet: address, ...alone, manager: manager.address, signature: forAll }),
          "1010",
          /^signature: is not/
        )
        assert.lengthOf(yield* stopped, 1)
        assert.match(
          String(ended(yield* signedCall({ action: "resumeBot", wallet: address, ...alone }))),
          /^Resumed: the bot of WETH-USDC/
        )
        assert.lengthOf(yield* stopped, 0)
        succeeded(yield* send("/pauseBot", { apiKey, ...about }))
        succeeded((yield* bySignature(manager, "resumeBot", address, about)).answer)
        assert.isFalse(yield* isStopped(scope))
      }))

    it.effect("a contract wallet resumes bots on its own network, and no wallet, which trades on all networks", () =>
      Effect.gen(function*() {
        const owner = yield* person
        const { deploy, walletOf } = yield* ContractWallet.factory("polygon")
        yield* deploy(owner.address)
        const contract: Person = { ...owner, address: walletOf(owner.address) }
        const made = yield* trader({ network: "polygon" })
        const { address, apiKey, pool, privateKey } = made
        const by = (action: string, params: Fields) =>
          Effect.flatMap(
            signature({ action, by: owner, manager: contract.address, subject: address, params }),
            (signed) => send(`/${action}`, { ...params, manager: contract.address, signature: signed })
          )
        succeeded(yield* by("associateGasWallet", { apiKey, privateKey, network: "polygon" }))
        const about = { network: "polygon", pool }
        succeeded(yield* send("/setBot", { apiKey, ...about, pair: "WETH-USDC", side: "hold" }))
        succeeded(yield* send("/pauseBot", { apiKey, ...about }))
        succeeded(yield* send("/pauseWallet", { apiKey }))
        refused(yield* by("resumeWallet", { wallet: address }), "1010", /^signature: is/)
        refused(
          yield* by("resumeBot", { wallet: address, network: "base", pool }),
          "1010",
          /^signature: is not .* on base/
        )
        succeeded(yield* by("resumeBot", { wallet: address, ...about }))
        const signedCall = signedCalls(yield* opened(yield* sessionOf(contract, 137)), contract)
        assert.match(
          failureOf(yield* signedCall({ action: "resumeWallet", wallet: address })),
          /^resumeWallet: you are signed in with a contract wallet on polygon/
        )
        assert.match(
          failureOf(yield* signedCall({ action: "resumeBot", wallet: address, network: "base", pool })),
          /^resumeBot: you are signed in with a contract wallet on polygon/
        )
        ended(yield* signedCall({ action: "resumeBot", wallet: address, ...about }))
        assert.isTrue(yield* isStopped(`wallet/${address}`))
      }))

    it.effect("a stolen cookie adds no wallet to a list: the signature covers the key, the private key and the label", () =>
      Effect.gen(function*() {
        const manager = yield* person
        const console = yield* opened(yield* sessionOf(manager))
        const [one, other] = [yield* wallet, yield* wallet]
        const asked = { apiKey: one.apiKey, privateKey: null, label: "mine" }
        const { prefix, typedData } = ended(yield* console("toSign", { action: "associateWallet", ...asked })) as {
          readonly prefix: string
          readonly typedData: unknown
        }
        const signed = `${prefix}${yield* manager.sign(typedData)}`
        assert.notInclude(JSON.stringify(typedData), one.apiKey)
        for (
          const changed of [
            { ...asked, apiKey: other.apiKey },
            { ...asked, label: "theirs" },
            { ...asked, label: null },
            { ...asked, privateKey: one.privateKey }
          ]
        ) {
          assert.match(
            failureOf(yield* console("associateWallet", { ...changed, signature: signed })),
            /^signature: is not/
          )
        }
        assert.match(
          failureOf(yield* console("associateWallet", { ...asked, signature: "" })),
          /^signature: must be v2/
        )
        assert.deepStrictEqual(yield* rows(`select 1 from manager_wallets where manager = '${manager.address}'`), [])
        assert.strictEqual(ended(yield* console("associateWallet", { ...asked, signature: signed })), one.address)
        assert.match(
          failureOf(yield* console("associateWallet", { ...asked, signature: signed })),
          /^signature: was used before/
        )
      }))

    it.effect("lowering and stopping need no more than the key", () =>
      Effect.gen(function*() {
        const { address, apiKey, manager } = yield* managed
        succeeded(yield* send("/setKeyLimits", { apiKey, max_usd_per_day: "10" }))
        const raised = succeeded(yield* send("/setKeyLimits", { apiKey, max_usd_per_day: "off" }))
        assert.strictEqual((raised["limits"] as Fields)["max_usd_per_day"], "10")
        succeeded(yield* send("/pauseWallet", { apiKey }))
        // The signature of the manager who set no limits raises none either.
        const { answer } = yield* bySignature(manager, "setKeyLimits", address, { max_usd_per_day: "off" })
        assert.strictEqual((succeeded(answer)["limits"] as Fields)["max_usd_per_day"], "10")
      }))
  }
)
