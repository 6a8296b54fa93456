import { assert, describe, it } from "@effect/vitest"
import { defaultNetworkOf } from "../../src/DefaultNetwork.ts"

const explorer = "https://explorer.example"
const [base, optimism] = [{ network: "base", explorer }, { network: "optimism", explorer }] as const

describe("the default network", () => {
  it("is the operator's choice", () => {
    assert.deepStrictEqual(defaultNetworkOf("optimism", [base, optimism]), {
      ...{ defaultNetwork: "optimism", namesRequired: false }
    })
  })

  it("must be chosen among several: until then a write names its network", () => {
    assert.isTrue(defaultNetworkOf(undefined, [base, optimism]).namesRequired)
  })

  it("is the only network there is, and base on private chains, which have no explorer", () => {
    assert.deepStrictEqual(defaultNetworkOf(undefined, [optimism]), {
      ...{ defaultNetwork: "optimism", namesRequired: false }
    })
    assert.deepStrictEqual(
      defaultNetworkOf(undefined, [{ network: "optimism" }, { network: "base" }]),
      { defaultNetwork: "base", namesRequired: false }
    )
  })
})
