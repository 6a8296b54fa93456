import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "fast-check"
import { gainOf, match, type Movement } from "../../src/performance/Lots.ts"
import { lotMethods } from "../../src/performance/Performance.ts"
import type { LotMethod } from "../../src/performance/Performance.ts"

const bought = (time: number, quantity: bigint, usd18: bigint | null): Movement => ({
  ...{ kind: "bought", asset: "a", quantity, usd18, time, about: time }
})
const sold = (time: number, quantity: bigint, usd18: bigint | null): Movement => ({
  ...{ kind: "sold", asset: "a", quantity, usd18, time, about: time }
})

/** Bought at 1, 3 and 2 a unit; 15 units are sold for 60. */
const movements = [bought(1, 10n, 10n), bought(2, 10n, 30n), bought(3, 10n, 20n), sold(4, 15n, 60n)]

describe("lots", () => {
  const costs = (method: LotMethod) => match(movements, method).sold.map(({ cost18, quantity }) => [quantity, cost18])

  it("are sold oldest first, newest first, or highest cost first", () => {
    assert.deepStrictEqual(costs("fifo"), [[10n, 10n], [5n, 15n]])
    assert.deepStrictEqual(costs("lifo"), [[10n, 20n], [5n, 15n]])
    assert.deepStrictEqual(costs("hifo"), [[10n, 30n], [5n, 10n]])
    assert.deepStrictEqual(lotMethods.map((method) => gainOf(match(movements, method).sold)), [35n, 25n, 20n])
  })

  it("have no gain where the purchase or a value is not known", () => {
    const { sold: sales } = match([bought(1, 5n, null), sold(2, 8n, 16n)], "fifo")
    assert.deepStrictEqual(sales.map(({ cost18, lot, proceeds18 }) => [cost18, proceeds18, lot === null]), [
      [null, 10n, false],
      [null, 6n, true]
    ])
    assert.strictEqual(gainOf(sales), 0n)
  })

  it("that left without a sale are no disposals", () => {
    const { left, open, sold: sales } = match([bought(1, 5n, 5n), { ...sold(2, 3n, 9n), kind: "left" }], "fifo")
    assert.deepStrictEqual([left.length, sales.length, open[0]?.quantity, open[0]?.cost18], [1, 0, 2n, 2n])
  })

  it("that were lent and returned are the same lots, with the cost and the time of their purchase", () => {
    const of = (kind: Movement["kind"], time: number, quantity: bigint): Movement => ({
      ...{ kind, asset: "a", quantity, usd18: null, time, about: time }
    })
    // Bought 10 for 10 and 10 for 30; 15 are lent, 13 come back, 18 are sold for 90, and 2 are still lent.
    const { left, open, sold: sales } = match([
      ...[bought(1, 10n, 10n), bought(2, 10n, 30n), of("lent", 3, 15n), of("returned", 4, 13n), sold(5, 18n, 90n)]
    ], "fifo")
    assert.deepStrictEqual(
      sales.map(({ cost18, lot, proceeds18, quantity }) => [quantity, cost18, proceeds18, lot?.time]),
      [[10n, 10n, 50n, 1], [5n, 15n, 25n, 2], [3n, 9n, 15n, 2]]
    )
    assert.deepStrictEqual(open.map(({ cost18, quantity, time }) => [quantity, cost18, time]), [[2n, 6n, 2]])
    assert.deepStrictEqual(left, [])
  })

  const movement = FastCheck.record({
    kind: FastCheck.constantFrom("bought" as const, "sold" as const, "left" as const, "lent" as const),
    asset: FastCheck.constantFrom("a", "b"),
    quantity: FastCheck.bigInt({ min: 1n, max: 10n ** 24n }),
    usd18: FastCheck.bigInt({ min: 0n, max: 10n ** 24n })
  })
  const history = FastCheck.array(movement, { maxLength: 40 }).map((all) =>
    all.map((each, time): Movement => ({ ...each, time, about: time }))
  )
  const sum = (values: ReadonlyArray<bigint | null>) => values.reduce<bigint>((total, each) => total + (each ?? 0n), 0n)

  for (const method of lotMethods) {
    it(`conserve every quantity and every cost by ${method}`, () =>
      FastCheck.assert(FastCheck.property(history, (all) => {
        const { left, open, sold: sales } = match(all, method)
        for (const asset of ["a", "b"]) {
          const of = <A extends { readonly asset: string }>(each: ReadonlyArray<A>) =>
            each.filter((one) => one.asset === asset)
          const ofKind = (kind: Movement["kind"]) => of(all).filter((each) => each.kind === kind)
          const matched = [...of(sales), ...of(left)].filter(({ lot }) => lot !== null)
          assert.strictEqual(
            sum(ofKind("bought").map(({ quantity }) => quantity)),
            sum(matched.map(({ quantity }) => quantity)) + sum(of(open).map(({ quantity }) => quantity))
          )
          assert.strictEqual(
            sum(ofKind("bought").map(({ usd18 }) => usd18)),
            sum(matched.map(({ cost18 }) => cost18)) + sum(of(open).map(({ cost18 }) => cost18))
          )
          assert.strictEqual(
            sum(ofKind("sold").map(({ quantity }) => quantity)),
            sum(of(sales).map(({ quantity }) => quantity))
          )
          assert.strictEqual(
            sum(ofKind("sold").map(({ usd18 }) => usd18)),
            sum(of(sales).map(({ proceeds18 }) => proceeds18))
          )
        }
        assert.isTrue(open.every(({ cost18, quantity }) => quantity > 0n && (cost18 ?? 0n) >= 0n))
        assert.deepStrictEqual(match(all, method), match(all, method))
      })))
  }
})
