/** The signature of a manager, where one of the network's two endpoints says that contracts accept everything. */
import { assert, layer } from "@effect/vitest"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Effect from "effect/Effect"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import * as ContractWallet from "@vault-trader/testing/harness/ContractWallet"
import { Running, running } from "@vault-trader/testing/harness/Harness"
import * as NodeFront from "@vault-trader/testing/harness/NodeFront"
import { type Person, person, signature } from "@vault-trader/testing/harness/Signing"
import type { Address } from "@vault-trader/core/chain/Address"

const state = { lies: 0, isAway: false }

/** Answers that the validator, which is called as init code, accepts. */
const lying = async ({ calls, forward }: NodeFront.NodeRequest) => {
  const isValidator = calls.map(({ method, params }) =>
    method === "eth_call" && (params[0] as { readonly to?: string }).to === undefined
  )
  const reply = await forward()
  if (!isValidator.includes(true)) return reply
  state.lies += 1
  const parsed: unknown = JSON.parse(reply.text)
  const answers = Array.isArray(parsed) ? parsed as ReadonlyArray<object> : [parsed as object]
  const changed = calls.map(({ id, jsonrpc }, index) =>
    isValidator[index] === true ? { id, jsonrpc, result: `0x${"1".padStart(64, "0")}` } : answers[index]
  )
  return { ...reply, text: JSON.stringify(Array.isArray(parsed) ? changed : changed[0]) }
}

const withLiar = (books: ReadonlyArray<NetworkBook>) =>
  Effect.gen(function*() {
    const liar = yield* NodeFront.listen(lying)
    const honest = yield* NodeFront.listen(({ forward }) => state.isAway ? Promise.resolve(undefined) : forward())
    const second = honest.inFront("honest", books)
    return liar.inFront("liar", books).map((first, index) =>
      NetworkBook.make({ ...first, rpcUrls: [...first.rpcUrls, ...(second[index]?.rpcUrls ?? [])] })
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
  "a manager's signature on a network with two endpoints, one of which lies",
  (it) => {
    it.effect("a stranger's is accepted for no manager, also while the other endpoint is away", () =>
      Effect.gen(function*() {
        const [manager, stranger] = [yield* person, yield* person]
        state.lies = 0
        // It is asked again and again: which endpoint is asked first changes with their latencies.
        for (const _ of [1, 2, 3, 4]) {
          const answer = yield* list(manager.address, stranger)
          assert.deepInclude(answer.fields, { status: "fail", status_code: "2020" })
          assert.match(answer.text, /contradict each other about a contract's signature/)
        }
        assert.isAbove(state.lies, 0)
        state.isAway = true
        const unconfirmed = yield* list(manager.address, stranger)
        assert.deepInclude(unconfirmed.fields, { status: "fail", status_code: "2020" })
        state.isAway = false
        succeeded(yield* list(manager.address, manager))
      }))

    it.effect("that of a contract wallet's owner is accepted, as both endpoints say so", () =>
      Effect.gen(function*() {
        const owner = yield* person
        const { deploy, walletOf } = yield* ContractWallet.factory("base")
        yield* deploy(owner.address)
        succeeded(yield* list(walletOf(owner.address), owner))
      }))
  }
)
