import { assert, describe, it } from "@effect/vitest"
import type { InFlight } from "../../src/gas-wallet/InFlight.ts"
import * as LaneState from "../../src/gas-wallet/LaneState.ts"

const flight = (nonce: bigint, changes: Partial<InFlight> = {}): InFlight => ({
  key: `k${nonce}`,
  nonce,
  attempts: [],
  committed: 10n + nonce,
  departedAt: 0,
  signedAt: 0,
  sentAt: 0,
  waitingForGas: false,
  isContested: false,
  validUntil: null,
  ...changes
})

const three = LaneState.queueForBroadcast(LaneState.empty, [flight(3n), flight(1n), flight(2n)])

describe("the state of a lane", () => {
  it("keeps flights in nonce order, and reserves their maximum cost", () => {
    assert.deepStrictEqual(LaneState.inNonceOrder(three).map(({ nonce }) => nonce), [1n, 2n, 3n])
    assert.strictEqual(LaneState.reserved(three), 36n)
    assert.strictEqual(three.spent, 0n)
  })

  it("is contested while the newest bytes of a flight are refused as a replacement, not by older ones", () => {
    const attempts = ["0x01", "0x02"].map((hash) => ({ hash })) as unknown as InFlight["attempts"]
    const flights = LaneState.queueForBroadcast(LaneState.empty, [flight(1n, { attempts }), flight(2n)])
    const refused = (hash: `0x${string}`) => LaneState.contest(flights, { submissionKey: "k1", hash })
    assert.isFalse(LaneState.isContested(refused("0x01")))
    assert.isFalse(LaneState.isContested(LaneState.contest(flights, { submissionKey: "other", hash: "0x02" })))
    assert.isTrue(LaneState.isContested(refused("0x02")))
    assert.isFalse(LaneState.isContested(LaneState.remove(refused("0x02"), ["k1"])))
  })

  it("moves a mined flight from reserved to spent, at the cost it was mined with", () => {
    const landed = LaneState.land(three, [flight(1n, { committed: 99n })])
    assert.strictEqual(landed.spent, 99n)
    assert.strictEqual(LaneState.reserved(landed), 25n)
    assert.isFalse(landed.flights.has("k1"))
    assert.isTrue(three.flights.has("k1"))
  })

  it("spends nothing for a flight that was superseded", () => {
    const removed = LaneState.remove(three, ["k2", "unknown"])
    assert.deepStrictEqual([removed.spent, removed.flights.size], [0n, 2])
  })

  it("broadcasts queued bytes again only after they were sent, and only those still tracked", () => {
    const keys = ["k1", "k2", "k3", "unknown"]
    assert.deepStrictEqual(LaneState.unsentSince(three, keys, 10_000, 3_000), [])
    const sent = LaneState.recordBroadcast(three, ["k1", "k2", "unknown"], 5_000)
    assert.isFalse(sent.flights.has("unknown"))
    assert.deepStrictEqual(LaneState.unsentSince(sent, keys, 7_999, 3_000), [])
    assert.deepStrictEqual(LaneState.unsentSince(sent, keys, 8_000, 3_000).map(({ key }) => key), ["k1", "k2"])
    assert.deepStrictEqual(
      LaneState.unsentSince(LaneState.remove(sent, ["k1"]), keys, 8_000, 3_000).map(({ key }) => key),
      ["k2"]
    )
  })

  it("marks a flight that waits for gas, and no flight that has ended meanwhile", () => {
    assert.isTrue(LaneState.waitForGas(three, "k2").flights.get("k2")?.waitingForGas)
    assert.strictEqual(LaneState.waitForGas(three, "ended"), three)
  })
})
