import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as AuditChain from "../../src/audit/AuditChain.ts"
import { type AuditEntry, digestOf, genesis } from "../../src/audit/AuditEntry.ts"

/** Builds a chain of this many entries. */
const chain = (count: number) =>
  Effect.gen(function*() {
    const entries: Array<AuditEntry> = []
    let previous = genesis
    for (let seq = 1; seq <= count; seq++) {
      const content = {
        seq,
        at: `2026-11-20T10:00:0${seq}.000Z`,
        actor: { kind: "key", id: "k", from: "203.0.113.7", credential: "apiKey" },
        action: "bot.set",
        subject: `bot ${seq}`,
        wallet: null,
        details: { share: 0.5, terms: { b: "2", a: [1, null, true] } },
        previous
      } as const
      const digest = yield* digestOf(content)
      entries.push({ ...content, digest })
      previous = digest
    }
    return entries
  })

const verdict = (entries: ReadonlyArray<AuditEntry>) => AuditChain.followAll(AuditChain.start, entries)
/** Follows entries that do not fit; returns the reason. */
const finding = (entries: ReadonlyArray<AuditEntry>) =>
  Effect.map(verdict(entries), (found) => typeof found === "string" ? found : "")

describe("a chain", () => {
  it.effect("is followed to its end, whatever the order of members", () =>
    Effect.gen(function*() {
      const entries = yield* chain(5)
      const last = entries[4]!
      assert.deepStrictEqual(yield* verdict(entries), { seq: 5, digest: last.digest })
      const turned = entries.map((entry) => ({
        ...entry,
        details: { terms: { a: [1, null, true], b: "2" }, share: 0.5 }
      }))
      assert.deepStrictEqual(yield* verdict(turned), { seq: 5, digest: last.digest })
    }))

  it.effect("names the first entry that was changed, in each of its members", () =>
    Effect.gen(function*() {
      const entries = yield* chain(5)
      const changes: ReadonlyArray<Partial<AuditEntry>> = [
        { at: "2026-11-20T10:00:09.000Z" },
        { actor: { kind: "operator", id: "k", from: "203.0.113.7", credential: "apiKey" } },
        { actor: { kind: "key", id: "k", from: null, credential: "apiKey" } },
        { action: "bot.deleted" },
        { subject: "bot 4" },
        { wallet: `0x${"12".repeat(20)}` },
        { details: { share: 0.5, terms: { b: "2", a: [1, null, false] } } },
        { digest: "f".repeat(64) }
      ]
      for (const change of changes) {
        const changed = entries.map((entry) => entry.seq === 3 ? { ...entry, ...change } : entry)
        assert.match(yield* finding(changed), /^entry 3 was changed/, JSON.stringify(change))
      }
    }))

  it.effect("names the first entry that does not follow: changed with its digest, removed, added, or moved", () =>
    Effect.gen(function*() {
      const entries = yield* chain(5)
      const third = entries[2]!
      const forged = { ...third, subject: "another" }
      const redone = entries.map((entry) => entry.seq === 3 ? forged : entry)
      redone[2] = { ...forged, digest: yield* digestOf(forged) }
      assert.match(yield* finding(redone), /^entry 4 does not follow entry 3/)
      assert.match(yield* finding(entries.filter(({ seq }) => seq !== 3)), /^entry 3 is missing: entry 4/)
      assert.match(yield* finding(entries.slice(1)), /^entry 1 is missing: entry 2 comes after entry 0/)
      assert.match(
        yield* finding([...entries.slice(0, 3), third, ...entries.slice(3)]),
        /^entry 3 is out of order/
      )
      const swapped = [0, 2, 1, 3, 4].map((place, index) => ({ ...entries[place]!, seq: index + 1 }))
      assert.match(yield* finding(swapped), /^entry 2 does not follow entry 1/)
      const kept = entries.slice(0, 3)
      assert.deepStrictEqual(
        yield* verdict(kept),
        { seq: 3, digest: third.digest },
        "a cut end is noticed by a kept head"
      )
    }))

  it("prints its end so that it can be read again", () => {
    const end = { seq: 1200, digest: "ab".repeat(32) }
    assert.deepStrictEqual(AuditChain.parseEnd(AuditChain.endText(end)), end)
    for (const text of ["", "5", `0:${"ab".repeat(32)}`, `5:${"ab".repeat(31)}`, `5:${"xy".repeat(32)}`]) {
      assert.isUndefined(AuditChain.parseEnd(text))
    }
  })
})
