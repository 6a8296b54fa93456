import { assert, describe, it } from "@effect/vitest"
import { type ChannelRules, defaultRules } from "../../src/notification/Channel.ts"
import { maxWaitMillis, plan, type Waiting } from "../../src/notification/MessagePlan.ts"

const minute = 60_000
const now = Date.parse("2026-11-20T12:00:00Z")
const event = (name: string, minutesAgo: number, urgent = false): Waiting => ({
  event: name,
  at: now - minutesAgo * minute,
  urgent
})
const rules = (some: Partial<ChannelRules> = {}): ChannelRules => ({ ...defaultRules, ...some })
const at = (time: string) => Date.parse(time)

describe("the next message of a channel", () => {
  it("has the oldest event; more than five that wait are one message", () => {
    assert.deepStrictEqual(plan([event("b", 1), event("a", 2)], rules(), [], now).send, ["a"])
    const six = ["a", "b", "c", "d", "e", "f"].map((name, index) => event(name, 10 - index))
    assert.deepStrictEqual(plan(six, rules(), [], now).send, ["a", "b", "c", "d", "e", "f"])
  })

  it("of a digest has everything since its first event, and urgent events do not wait for it", () => {
    const hourly = rules({ digestMinutes: 60 })
    const waiting = [event("a", 59), event("urgent", 1, true), event("b", 5)]
    assert.deepStrictEqual(plan(waiting, hourly, [], now), {
      send: ["urgent"],
      expired: [],
      hold: [{ event: "a", until: now + minute }, { event: "b", until: now + minute }]
    })
    assert.deepStrictEqual(plan([event("a", 60), event("b", 5)], hourly, [], now).send, ["a", "b"])
  })

  it("is not sent in quiet hours unless an event is urgent", () => {
    const night = rules({ quiet: { from: "11:30", to: "13:00", timeZone: "UTC" } })
    assert.deepStrictEqual(plan([event("a", 1)], night, [], now).send, [])
    assert.deepStrictEqual(plan([event("a", 1), event("b", 1, true)], night, [], now).send, ["b"])
    assert.deepStrictEqual(plan([event("a", 1)], night, [], now + 60 * minute).send, ["a"])
  })

  it("follows the clock of the time zone through both changes of daylight saving time", () => {
    const night = rules({ quiet: { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" } })
    const sends = (time: string) => plan([{ event: "a", at: at(time), urgent: false }], night, [], at(time)).send.length
    // On 29 March 2026 the clocks go from 02:00 to 03:00: 07:00 is 05:00 UTC, the day before 06:00 UTC.
    assert.deepStrictEqual(
      ["2026-03-28T05:59:00Z", "2026-03-28T06:00:00Z", "2026-03-29T04:59:00Z", "2026-03-29T05:00:00Z"].map(sends),
      [0, 1, 0, 1]
    )
    // On 25 October 2026 they go from 03:00 to 02:00: the hour that exists twice is quiet twice.
    assert.deepStrictEqual(
      ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T05:59:00Z", "2026-10-25T06:00:00Z"].map(sends),
      [0, 0, 0, 1]
    )
  })

  it("waits at the limit of an hour, and is then one message with all that came meanwhile", () => {
    const two = rules({ perHour: 2 })
    const sent = [now - 50 * minute, now - 10 * minute]
    const waiting = [event("a", 3), event("b", 2), event("c", 1, true)]
    const held = plan(waiting, two, sent, now)
    assert.deepStrictEqual(held.send, [])
    assert.deepStrictEqual(held.hold.map(({ until }) => until), [1, 1, 1].map(() => now + 10 * minute))
    assert.deepStrictEqual(plan(waiting, two, sent.slice(1), now + 10 * minute).send, ["a", "b", "c"])
  })

  it("never has an event that waited for more than a day, which is dropped visibly", () => {
    const minutes = maxWaitMillis / minute
    assert.deepStrictEqual(plan([event("old", minutes + 1), event("new", 1)], rules(), [], now), {
      send: ["new"],
      expired: ["old"],
      hold: []
    })
    // The events of a digest are younger than that when it is first sent.
    assert.deepStrictEqual(plan([event("a", minutes)], rules({ digestMinutes: 1440 }), [], now).send, ["a"])
  })
})
