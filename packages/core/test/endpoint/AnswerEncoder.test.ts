import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Catalogue } from "../../src/Catalogue.ts"
import * as AnswerEncoder from "../../src/endpoint/AnswerEncoder.ts"
import { factsOfGroup } from "../../src/endpoint/Endpoint.ts"

const all = factsOfGroup(Catalogue)
const reads = all.filter(({ class: kind }) => kind === "readOnly")
const compiled = reads.flatMap(({ example, name, success }) => {
  const encode = AnswerEncoder.compile(success)
  return encode === undefined ? [] : [{ name, success, encode, example }]
})

describe("the encoder of plain answers", () => {
  it("serves the reads that programs repeat", () => {
    const names = compiled.map(({ name }) => name)
    for (const name of ["getSymbol", "getContract", "getIntents", "getCharges"]) assert.include(names, name)
  })

  it.effect.each(compiled)(
    "encodes answers of $name as their schema does",
    ({ encode, example, success }) =>
      Effect.gen(function*() {
        const expected = Schema.encodeUnknownSync(success)
        const shown = Schema.decodeUnknownSync(success)({ status: "success", ...example })
        const sampled = yield* Arbitrary.sampleEffect(Arbitrary.schema(success), { count: 10, seed: 1 })
        for (const value of [shown, ...sampled]) {
          const answer = expected(value)
          assert.strictEqual(JSON.stringify(encode(value)), JSON.stringify(answer))
          // Undeclared members are not shown.
          assert.deepStrictEqual(encode({ ...(value as object), undeclared: "secret" }), answer)
        }
      })
  )

  it("leaves every schema that changes or chooses to the schema's own encoder", () => {
    const point = Schema.Struct({ x: Schema.Number })
    for (
      const schema of [
        Schema.Struct({ at: Schema.DateTimeUtcFromString }),
        Schema.Struct({ amount: Schema.BigIntFromString }),
        Schema.Struct({ either: Schema.Union([point, Schema.Struct({ y: Schema.Number })]) }),
        Schema.Struct({ pair: Schema.Tuple([Schema.String, Schema.Number]) }),
        Schema.Struct({ key: Schema.Redacted(Schema.String) })
      ]
    ) assert.isUndefined(AnswerEncoder.compile(schema))
  })
})
