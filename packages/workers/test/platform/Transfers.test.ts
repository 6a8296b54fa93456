import { assert, describe, it } from "@effect/vitest"
import type { Address, Hash, Hex } from "@vault-trader/core/chain/Address"
import { Log } from "@vault-trader/core/gas-wallet/Submission"
import * as FastCheck from "fast-check"
import { encodeAbiParameters, keccak256, pad, toHex } from "viem"
import { movedBy } from "../../src/platform/Transfers.ts"

const transfer = keccak256(toHex("Transfer(address,address,uint256)"))
const approval = keccak256(toHex("Approval(address,address,uint256)"))
const [vault, venue, other]: readonly [Address, Address, Address] = [
  "0x00000000000000000000000000000000000000a1",
  "0x00000000000000000000000000000000000000b2",
  "0x00000000000000000000000000000000000000c3"
]
const [usdc, weth]: readonly [Address, Address] = [
  "0x00000000000000000000000000000000000000d4",
  "0x00000000000000000000000000000000000000e5"
]

const uint = (value: bigint): Hex => encodeAbiParameters([{ type: "uint256" }], [value])
const log = (token: Address, event: Hash, from: Address, to: Address, data: Hex, more: ReadonlyArray<Hash> = []) =>
  Log.make({ address: token, topics: [event, pad(from), pad(to), ...more], data })

const people = FastCheck.constantFrom(vault, venue, other)
const tokens = FastCheck.constantFrom(usdc, weth)
const amounts = FastCheck.bigInt(0n, 2n ** 256n - 1n)

interface Event {
  readonly log: Log
  /** The log as a transfer of an ERC-20; `undefined` for every other log of a receipt. */
  readonly moved:
    | { readonly token: Address; readonly from: Address; readonly to: Address; readonly amount: bigint }
    | undefined
}

const pure = FastCheck.tuple(tokens, people, people, amounts).map(([token, from, to, amount]): Event => ({
  log: log(token, transfer, from, to, uint(amount)),
  moved: { token, from, to, amount }
}))
/** An ERC-721 transfer has the same first topic; its token id is a fourth, and its data is empty. */
const collectible = FastCheck.tuple(tokens, people, people, amounts).map(([token, from, to, id]): Event => ({
  log: log(token, transfer, from, to, "0x", [uint(id)]),
  moved: undefined
}))
const approved = FastCheck.tuple(tokens, people, people, amounts).map(([token, from, to, amount]): Event => ({
  log: log(token, approval, from, to, uint(amount)),
  moved: undefined
}))
const empty = FastCheck.tuple(tokens, people, people).map(([token, from, to]): Event => ({
  log: log(token, transfer, from, to, "0x"),
  moved: undefined
}))
const anonymous = FastCheck.tuple(tokens, amounts).map(([token, amount]): Event => ({
  log: Log.make({ address: token, topics: [], data: uint(amount) }),
  moved: undefined
}))
const unindexed = FastCheck.tuple(tokens, amounts).map(([token, amount]): Event => ({
  log: Log.make({ address: token, topics: [transfer], data: uint(amount) }),
  moved: undefined
}))

describe("what a transaction moved", () => {
  it("is the sum of the token's transfers from and to the vault, whatever else the receipt holds", () =>
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.oneof(pure, collectible, approved, empty, anonymous, unindexed), { maxLength: 40 }),
        tokens,
        (events, token) => {
          const moves = events.flatMap(({ moved }) => moved?.token === token ? [moved] : [])
          const sum = (side: "from" | "to") =>
            moves.filter((move) => move[side] === vault).reduce((total, { amount }) => total + amount, 0n)
          assert.deepStrictEqual(movedBy(events.map((event) => event.log), token, vault), {
            sent: sum("from"),
            received: sum("to")
          })
        }
      )
    ))

  it("is nothing without logs", () => {
    assert.deepStrictEqual(movedBy([], usdc, vault), { sent: 0n, received: 0n })
  })

  it("counts what the vault sends to itself on both sides", () => {
    assert.deepStrictEqual(movedBy([log(usdc, transfer, vault, vault, uint(5n))], usdc, vault), {
      sent: 5n,
      received: 5n
    })
  })

  it("is not fooled by an ERC-721 of the same contract", () => {
    assert.deepStrictEqual(movedBy([log(usdc, transfer, venue, vault, uint(5n), [uint(9n)])], usdc, vault), {
      sent: 0n,
      received: 0n
    })
  })

  it("reads the amount and nothing behind it", () => {
    const data: Hex = `${uint(7n)}${"ff".repeat(64)}`
    assert.deepStrictEqual(movedBy([log(usdc, transfer, venue, vault, data)], usdc, vault), { sent: 0n, received: 7n })
  })
})
