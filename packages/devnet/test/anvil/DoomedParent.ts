/** A program that starts a saved chain, sends a transaction, reports it, and then waits to be killed. */
import * as Effect from "effect/Effect"
import * as Anvil from "../../src/anvil/Anvil.ts"

const [folder = ""] = process.argv.slice(2)

const program = Effect.gen(function*() {
  const { rpc } = yield* Anvil.start({ name: "doomed", chainId: 10, folder, persistent: true })
  const from = yield* rpc.developer
  const receipt = yield* rpc.send({ from, to: "0x00000000000000000000000000000000000000aa", value: 7n })
  process.stdout.write(`${receipt.transactionHash}\n`)
  return yield* Effect.never
})

void Effect.runPromise(Effect.scoped(program))
