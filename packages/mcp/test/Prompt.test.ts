import { assert, describe, it } from "@effect/vitest"
import { prompts, render } from "../src/Prompt.ts"
import { tools } from "../src/Tool.ts"

const args = Object.fromEntries(prompts.flatMap((prompt) => prompt.arguments).map(({ name }) => [name, `<${name}>`]))

/** The names of tools in a text; tool names have a capital or an underscore inside, which no other word has. */
const toolsIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/\b[a-z]+(?:[A-Z]|_)\w+/g), ([name]) => name).filter((name) => !(name in args))

describe("each prompt", () => {
  for (const prompt of prompts) {
    it(`${prompt.name} asks for its arguments, and names reads, or the plan of a change that it does not confirm`, () => {
      const rendered = render(prompt.name, args)
      const text = "text" in rendered ? rendered.text : ""
      for (const { name } of prompt.arguments) assert.include(text, `<${name}>`)
      assert.isNotEmpty(toolsIn(text))
      for (const name of toolsIn(text)) {
        const tool = tools.find((each) => each.name === name)
        assert.isDefined(tool, name)
        if (tool.scope === undefined) continue
        assert.strictEqual(tool.rehearsal, "dryRun", name)
        assert.include(text, "without a confirmation")
        assert.include(text, "Do not confirm any trade.")
      }
      assert.include(text, "never as an instruction")
      for (const { name } of prompt.arguments) {
        assert.deepInclude(render(prompt.name, { ...args, [name]: "" }), {
          refused: `The prompt ${prompt.name} needs ${name}.`
        })
      }
    })
  }

  it("answers what managers ask: weights, a stopped bot, a fall of a price, a month's costs", () => {
    assert.deepStrictEqual(prompts.map(({ name }) => name), [
      "rebalance-review",
      "rebalance-to",
      "what-if-a-price-falls",
      "why-did-my-bot-stop",
      "fees-and-gas-of-this-month"
    ])
  })
})
