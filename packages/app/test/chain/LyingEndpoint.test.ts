/** Rights and amounts, where one of the network's two endpoints lies about them. */
import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { toFunctionSelector } from "viem"
import { ended, succeeded } from "@vault-trader/testing/harness/Answers"
import * as ContractWallet from "@vault-trader/testing/harness/ContractWallet"
import { Running, running, trader, wallet } from "@vault-trader/testing/harness/Harness"
import * as LyingFront from "@vault-trader/testing/harness/LyingFront"
import * as NodeFront from "@vault-trader/testing/harness/NodeFront"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { multiplied } from "@vault-trader/testing/test-chain/AlteredCalls"
import { type Person, person, personOf, proof, signature } from "@vault-trader/testing/harness/Signing"

/** Every token has eight decimals. */
const scaling = LyingFront.inMulticall(({ data }, { success }) =>
  data.startsWith(toFunctionSelector("decimals()"))
    ? { success, returnData: `0x${"8".padStart(64, "0")}` }
    : undefined
)

const state: { lie: LyingFront.Lie; isAway: boolean } = { lie: scaling, isAway: false }

/** The validator, which is called as init code, accepts. */
const accepting: LyingFront.Lie = ({ to }) => to === undefined ? `0x${"1".padStart(64, "0")}` : undefined

/** This address has a role in every vault. */
const withRole = (role: "trader" | "manager", address: Address) =>
  LyingFront.inMulticall(({ data }, { success }) =>
    data.startsWith(toFunctionSelector(`${role}()`))
      ? { success, returnData: `0x${address.slice(2).padStart(64, "0")}` }
      : undefined
  )

const withLiar = (books: ReadonlyArray<NetworkBook>) =>
  Effect.gen(function*() {
    const liar = yield* NodeFront.listen(LyingFront.answering((call, result) => state.lie(call, result)))
    const honest = yield* NodeFront.listen(({ forward }) => state.isAway ? Promise.resolve(undefined) : forward())
    const second = honest.inFront("honest", books)
    return liar.inFront("liar", books).map((first, index) =>
      NetworkBook.make({
        ...first,
        patienceMillis: 3_000,
        rpcUrls: [...first.rpcUrls, ...(second[index]?.rpcUrls ?? [])]
      })
    )
  })

/** Lists a manager's wallets with a signature of this person. */
const list = (manager: Address, by: Person) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const params = { network: "base" }
    const signed = yield* signature({ action: "getAssociatedGasWallets", manager, by, params })
    return yield* ask("/getAssociatedGasWallets", { json: { manager, signature: signed, ...params } })
  })

layer(running({ books: withLiar }), { timeout: 240_000, excludeTestServices: true })(
  "on a network with two endpoints, one of which lies,",
  (it) => {
    // First: a process reads a token's decimals once.
    it.effect("sells no other amount than was requested by one endpoint's word about a token's decimals", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { apiKey, network, pool } = yield* trader()
        const trade = ask("/vaultTrade", { json: { apiKey, network, pool, from: "USDC", to: "WETH", amount: 10 } })
        const before = yield* OnChain.balanceOf(network, "USDC", pool)
        const answer = yield* trade
        assert.deepInclude(answer.fields, { status: "fail", status_code: "2020" })
        assert.match(answer.text, /contradict each other/)
        assert.strictEqual(yield* OnChain.balanceOf(network, "USDC", pool), before)
        state.lie = () => undefined
        succeeded(yield* trade)
        assert.strictEqual(before - (yield* OnChain.balanceOf(network, "USDC", pool)), 10_000_000n)
      }))

    it.effect("takes no minimum and no worth of a trade from one endpoint's prices", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { apiKey, network, pool } = yield* trader()
        // A request that is executed is planned again for some seconds; a dry run ends at once.
        const about = { apiKey, network, pool, from: "USDC", to: "WETH", amount: 10, dryRun: true }
        const plan = ask("/vaultTrade", { json: about })
        succeeded(yield* plan)
        const weth = yield* OnChain.token(network, "WETH")
        state.lie = LyingFront.inMulticall(multiplied([toFunctionSelector("getAssetPrice(address)")], weth, 2n))
        const answer = yield* plan
        assert.deepInclude(answer.fields, { status: "fail", status_code: "2020" })
        assert.match(answer.text, /contradict each other/)
        state.lie = () => undefined
        succeeded(yield* plan)
      }))

    it.effect("a stranger's signature is accepted for no manager, also while the other endpoint is away", () =>
      Effect.gen(function*() {
        const [manager, stranger] = [yield* person, yield* person]
        state.lie = accepting
        const contradicted = yield* list(manager.address, stranger)
        assert.deepInclude(contradicted.fields, { status: "fail", status_code: "2020" })
        assert.match(contradicted.text, /contradict each other about a contract's signature/)
        state.isAway = true
        const unconfirmed = yield* list(manager.address, stranger)
        assert.deepInclude(unconfirmed.fields, { status: "fail", status_code: "2020" })
        state.isAway = false
        succeeded(yield* list(manager.address, manager))
      }))

    it.effect("the signature of a contract wallet's owner is accepted, as both endpoints say so", () =>
      Effect.gen(function*() {
        const owner = yield* person
        const { deploy, walletOf } = yield* ContractWallet.factory("base")
        yield* deploy(owner.address)
        succeeded(yield* list(walletOf(owner.address), owner))
      }))

    it.effect("trades while the other endpoint is away, after the network's patience", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { apiKey, network, pool } = yield* trader()
        state.lie = () => undefined
        state.isAway = true
        const about = { apiKey, network, pool, from: "USDC", to: "WETH", amount: 10 }
        const answer = yield* ask("/vaultTrade", { json: about })
        assert.include(["success", "pending"], answer.fields["status"], answer.text)
        const { status } = yield* ended(ask, apiKey, answer.fields["intent_id"])
        assert.strictEqual(status, "success")
        state.isAway = false
      }))

    it.effect("a stranger's key removes no bot of a vault whose trader its wallet is by one endpoint's word", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const own = yield* trader()
        const stranger = yield* wallet
        const about = { network: own.network, pool: own.pool, pair: "WETH-USDC" }
        const remove = (apiKey: string) => ask("/deleteBot", { method: "DELETE", query: { ...about, apiKey } })
        succeeded(yield* ask("/setBot", { json: { ...about, apiKey: own.apiKey, side: "hold" } }))
        state.lie = withRole("trader", stranger.address)
        const answer = yield* remove(stranger.apiKey)
        assert.deepInclude(answer.fields, { status: "fail", status_code: "2020" })
        assert.match(answer.text, /contradict each other/)
        // Its owner's row is enough.
        assert.lengthOf(succeeded(yield* remove(own.apiKey))["removed"] as ReadonlyArray<unknown>, 1)
      }))

    it.effect("a leaked key gives its wallet no manager who manages its vaults by one endpoint's word", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { file: { manager } } = yield* Devnet
        const thief = yield* person
        state.lie = () => undefined
        const { address, apiKey, network, pool } = yield* trader()
        // A wallet that has a bot is not new: only who manages its vaults may add it by its API key.
        succeeded(yield* ask("/setBot", { json: { apiKey, network, pool, pair: "WETH-USDC", side: "hold" } }))
        const associate = (by: Person) =>
          Effect.flatMap(
            proof(by, "associateGasWallet", address, { apiKey }),
            (proven) => ask("/associateGasWallet", { json: { apiKey, ...proven } })
          )
        const notNew = yield* associate(thief)
        assert.deepInclude(notNew.fields, { status: "fail", status_code: "1010" })
        state.lie = withRole("manager", thief.address)
        const contradicted = yield* associate(thief)
        assert.deepInclude(contradicted.fields, { status: "fail", status_code: "2020" })
        assert.match(contradicted.text, /contradict each other/)
        state.lie = () => undefined
        succeeded(yield* associate(personOf(manager.privateKey)))
      }))
  }
)
