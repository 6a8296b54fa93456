import { assert, describe, it } from "@effect/vitest"
import { make } from "../../src/connection/Unanswered.ts"

const trade = (key: string, params: Readonly<Record<string, unknown>> = {}) => ({
  tag: "wallet.vaultTrade",
  payload: { wallet: "0xa1", network: "base", pool: "0xb1", amount: "5", ...params, idempotency_key: key }
})
const keyOf = ({ payload }: { readonly payload: unknown }) =>
  (payload as { readonly idempotency_key: string }).idempotency_key

/** The requests of a page whose clock the test moves; `reload` loads the page again. */
const page = (text: { current: string | null } = { current: null }) => {
  const clock = { now: 0 }
  const memory = {
    getItem: () => text.current,
    setItem: (_: string, value: string) => {
      text.current = value
    }
  }
  const load = () => make(() => memory, () => clock.now)
  return { clock, reload: load, text, ...load() }
}

describe("requests without an answer", () => {
  it("go out again under their first key, also after the page was loaded again", () => {
    const { reload, sending } = page()
    assert.strictEqual(keyOf(sending(trade("first"))), "first")
    assert.strictEqual(keyOf(sending(trade("second"))), "first")
    assert.strictEqual(keyOf(reload().sending(trade("third"))), "first")
    // The order of the parameters does not matter.
    const { idempotency_key: _, ...params } = trade("").payload
    const turned = Object.fromEntries(Object.entries({ ...params, idempotency_key: "fourth" }).reverse())
    assert.strictEqual(keyOf(sending({ tag: "wallet.vaultTrade", payload: turned })), "first")
  })

  it("have a key of their own once the outcome is known", () => {
    const { answered, sending } = page()
    answered(sending(trade("first")))
    assert.strictEqual(keyOf(sending(trade("second"))), "second")
  })

  it("share no key with a request of other terms, of another vault or of another kind", () => {
    const { answered, sending } = page()
    sending(trade("first"))
    assert.strictEqual(keyOf(sending(trade("amount", { amount: "6" }))), "amount")
    assert.strictEqual(keyOf(sending(trade("pool", { pool: "0xb2" }))), "pool")
    assert.strictEqual(keyOf(sending({ ...trade("kind"), tag: "wallet.approve" })), "kind")
    // The answer of one is not that of another.
    answered(trade("amount", { amount: "6" }))
    assert.strictEqual(keyOf(sending(trade("again"))), "first")
  })

  it("are other requests after an hour", () => {
    const { clock, sending } = page()
    sending(trade("first"))
    clock.now = 3_599_999
    assert.strictEqual(keyOf(sending(trade("second"))), "first")
    // Repeating does not prolong it.
    clock.now = 3_600_000
    assert.strictEqual(keyOf(sending(trade("third"))), "third")
  })

  it("are found by their parameters, the newest first, until the outcome is known", () => {
    const { answered, clock, find, reload, sending } = page()
    const [one, other] = [trade("one", { price: "1.5", reduce_only: false }), trade("other", { pool: "0xb2" })]
    sending(one)
    sending(other)
    const found = { wallet: "0xa1", network: "base", pool: "0xb1", amount: "5", price: "1.5", reduce_only: "false" }
    assert.deepStrictEqual(find("wallet.vaultTrade", { pool: "0xb1" }), found)
    assert.strictEqual(reload().find("wallet.vaultTrade", { wallet: "0xa1" })?.["pool"], "0xb2")
    assert.isUndefined(find("wallet.vaultTrade", { pool: "0xb3" }))
    assert.isUndefined(find("wallet.vault", { pool: "0xb1" }))
    answered(other)
    assert.deepStrictEqual(find("wallet.vaultTrade", { wallet: "0xa1" }), found)
    clock.now = 3_600_000
    assert.isUndefined(find("wallet.vaultTrade", { wallet: "0xa1" }))
  })

  it("are forgotten with the session", () => {
    const { clear, sending, text } = page()
    sending(trade("first"))
    clear()
    assert.strictEqual(text.current, "")
    assert.strictEqual(keyOf(sending(trade("second"))), "second")
  })

  it("leave reads, dry runs and signed actions as they are, and store none of them", () => {
    const { sending, text } = page()
    const others = [
      { tag: "wallet.vaultTrade", payload: { wallet: "0xa1", dryRun: true } },
      { tag: "signed.createSubKey", payload: { wallet: "0xa1", idempotency_key: "k", signature: "0x1" } },
      { tag: "whoAmI", payload: undefined }
    ]
    for (const each of others) assert.strictEqual(sending(each), each)
    assert.isNull(text.current)
  })

  it("are sent with the key of the dialog where the storage is damaged", () => {
    for (const damaged of ["no entries", "{}", "a=b&c", "wallet.vaultTrade= 5"]) {
      const { sending } = page({ current: damaged })
      assert.strictEqual(keyOf(sending(trade("first"))), "first")
      assert.strictEqual(keyOf(sending(trade("second"))), "first")
    }
  })
})
