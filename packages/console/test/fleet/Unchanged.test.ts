import { assert, describe, it } from "@effect/vitest"
import { withUnchanged } from "../../src/fleet/Unchanged.ts"
import { once } from "../../src/shell/Once.ts"

interface Row {
  readonly key: string
  readonly value: number
}

const keyOf = ({ key }: Row) => key
const row = (key: string, value = 0): Row => ({ key, value })

describe("the rows of a table", () => {
  it("stay the same objects while their values are the same, wherever they are", () => {
    const earlier = [row("a"), row("b", 1), row("c")]
    const later = withUnchanged(earlier, [row("c"), row("b", 2), row("a"), row("d")], keyOf)
    assert.deepStrictEqual(later, [row("c"), row("b", 2), row("a"), row("d")])
    assert.strictEqual(later[0], earlier[2])
    assert.notStrictEqual(later[1], earlier[1])
    assert.strictEqual(later[2], earlier[0])
  })

  it("are the same list when nothing changed, and another when one is gone, moved or has another field", () => {
    const earlier = [row("a"), row("b")]
    assert.strictEqual(withUnchanged(earlier, [row("a"), row("b")], keyOf), earlier)
    assert.deepStrictEqual(withUnchanged(earlier, [row("a")], keyOf), [row("a")])
    assert.deepStrictEqual(withUnchanged(earlier, [row("b"), row("a")], keyOf), [row("b"), row("a")])
    const more: ReadonlyArray<Row> = [{ ...row("a"), tag: "x" } as Row, row("b")]
    assert.deepStrictEqual(withUnchanged(earlier, more, keyOf), more)
  })

  it("are made once from each object of an answer, and again from another", () => {
    let made = 0
    const double = once(({ value }: Row) => {
      made += 1
      return value === 0 ? undefined : [value * 2]
    })
    const [one, other] = [row("a", 1), row("a", 1)]
    assert.strictEqual(double(one), double(one))
    assert.notStrictEqual(double(one), double(other))
    const zero = row("z")
    assert.isUndefined(double(zero))
    assert.isUndefined(double(zero))
    assert.strictEqual(made, 3)
  })
})
