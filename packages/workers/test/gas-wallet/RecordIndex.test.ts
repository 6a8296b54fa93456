import { assert, describe, it } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import * as Arr from "effect/Array"
import * as FastCheck from "fast-check"
import { knownOf, RecordIndex } from "../../src/gas-wallet/RecordIndex.ts"
import type { SigningEntry } from "../../src/gas-wallet/SigningEntry.ts"
import { cancelOf, entry, hashOf, vault, wallet } from "./SigningEntries.ts"

const other: Address = "0x00000000000000000000000000000000000000cc"

const indexOf = (...entries: ReadonlyArray<SigningEntry>) => {
  const index = new RecordIndex()
  for (const one of entries) index.add(knownOf(one, 0))
  return index
}

const first = entry()

describe("the rules of the signing record", () => {
  it("permit the same call at higher fees, its cancellation, and the call again after it", () => {
    const index = indexOf(first, entry({}, 1), cancelOf(first))
    assert.isUndefined(index.contradiction([entry({}, 2), cancelOf(first, 1)]))
  })

  it("permit the next step of an intent at the next nonce, and the same nonce of another wallet or network", () => {
    const index = indexOf(first)
    assert.isUndefined(index.contradiction([
      entry({ key: "intent/1", nonce: 1n }),
      entry({ key: "second/0", wallet: other }),
      entry({ key: "third/0", chainId: 10 })
    ]))
  })

  it("refuse another submission at a recorded nonce, also as a cancellation, and name both", () => {
    const index = indexOf(first)
    for (const kind of ["call", "cancel"] as const) {
      const found = index.contradiction([entry({ key: "second/0", kind })])
      assert.strictEqual(found?.recorded?.hash, first.hash)
      assert.strictEqual(found?.entry.key, "second/0")
      assert.include(found?.message, "second/0")
      assert.include(found?.message, "intent/0")
    }
  })

  it("refuse another target, data or value for a recorded submission", () => {
    const index = indexOf(first)
    for (const changes of [{ to: other }, { data: "0x12ac" as const }, { value: 2n }]) {
      assert.strictEqual(
        index.contradiction([entry(changes)])?.recorded?.key,
        "intent/0",
        JSON.stringify(Object.keys(changes))
      )
    }
  })

  it("refuse a recorded submission at another nonce, also as a cancellation", () => {
    const index = indexOf(first)
    assert.isDefined(index.contradiction([entry({ nonce: 1n })]))
    assert.isDefined(index.contradiction([{ ...cancelOf(first), nonce: 1n }]))
  })

  it("find contradictions among the entries of one call, and between calls of one append", () => {
    const second = entry({ key: "second/0" })
    assert.isDefined(new RecordIndex().contradiction([first, second]))
    const staged = new RecordIndex().stage()
    assert.isUndefined(staged([first]))
    assert.isDefined(staged([entry({ key: "third/0", nonce: 9n }), second]))
    // The refused group left nothing behind.
    assert.isUndefined(staged([entry({ key: "fourth/0", nonce: 9n })]))
  })

  it("refuse a call under a nonce whose transaction is no longer in memory, but not an empty one", () => {
    const index = indexOf(first, entry({ key: "second/0", nonce: 1n }))
    index.add(knownOf(entry({ key: "third/0", nonce: 2n }), 10))
    index.dropBefore(5)
    assert.strictEqual(index.size, 1)
    assert.strictEqual(index.next({ chainId: 8453, wallet }), 3n)
    const found = index.contradiction([entry({ key: "fourth/0", nonce: 1n })])
    assert.isDefined(found)
    assert.isUndefined(found?.recorded)
    assert.isUndefined(index.contradiction([cancelOf(entry({ key: "fourth/0", nonce: 1n }))]))
    assert.isUndefined(index.contradiction([entry({ key: "third/0", nonce: 2n }, 1)]))
  })
})

const generated = FastCheck.record({
  wallet: FastCheck.constantFrom(wallet, other),
  nonce: FastCheck.bigInt({ min: 0n, max: 2n }),
  key: FastCheck.constantFrom("a/0", "b/0", "c/0"),
  to: FastCheck.constantFrom(vault, other),
  kind: FastCheck.constantFrom("call" as const, "call" as const, "cancel" as const),
  attempt: FastCheck.nat(2)
}).map(({ attempt, ...fields }) => {
  const one = entry({ ...fields, hash: hashOf(JSON.stringify({ ...fields, nonce: String(fields.nonce), attempt })) })
  return one.kind === "cancel" ? { ...cancelOf(one), hash: one.hash } : one
})

const slotOf = (one: SigningEntry) => `${one.wallet}/${one.nonce}`
const callOf = (one: SigningEntry) => `${one.to}/${one.data}/${one.value}`

/** Returns true where the two may not both be signed. */
const excludes = (one: SigningEntry, two: SigningEntry): boolean =>
  one.key === two.key
    ? slotOf(one) !== slotOf(two) ||
      (one.kind === "call" && two.kind === "call" && callOf(one) !== callOf(two))
    : slotOf(one) === slotOf(two)

describe("any sequence of entries", () => {
  it("is recorded up to contradictions: no accepted pair excludes each other, every refused entry is excluded", () => {
    FastCheck.assert(FastCheck.property(FastCheck.array(generated, { maxLength: 30 }), (all) => {
      const index = new RecordIndex()
      const accepted: Array<SigningEntry> = []
      for (const one of all) {
        const isExcluded = accepted.some((before) => before.hash !== one.hash && excludes(before, one))
        assert.strictEqual(index.contradiction([one]) !== undefined, isExcluded)
        if (isExcluded) continue
        index.add(knownOf(one, 0))
        accepted.push(one)
      }
      const unique = Arr.dedupeWith(accepted, (one, two) => one.hash === two.hash)
      assert.strictEqual(index.size, unique.length)
      for (const one of unique) {
        assert.isTrue(index.has(one))
        assert.isTrue((index.next(one) ?? 0n) > one.nonce)
      }
    }))
  })
})
