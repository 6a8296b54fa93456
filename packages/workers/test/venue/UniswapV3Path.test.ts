import { assert, describe, it } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as AddressBook from "../../src/address-book/AddressBook.ts"
import { poolsOf } from "../../src/venue/UniswapV3Path.ts"

/** Published addresses of well-known pools: the token sold, the token bought, the fee, the pool. */
const published: ReadonlyArray<readonly [Network, Address, Address, number, Address]> = [
  [
    "ethereum",
    "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
    "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
    500,
    "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640"
  ],
  [
    "optimism",
    "0x4200000000000000000000000000000000000006",
    "0x7f5c764cbc14f9669b88837ca1490cca17c31607",
    500,
    "0x85149247691df622eaf1a8bd0cafd40bc45154a9"
  ],
  [
    "arbitrum",
    "0xaf88d065e77c8cc2239327c5edb3a432268e5831",
    "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
    500,
    "0xc6962004f452be9203591991d15f6b388e09e8d0"
  ],
  [
    "polygon",
    "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270",
    "0x2791bca1f2de4661ed88a30c99a7a9449aa84174",
    500,
    "0xa374094527e1673a86de625aa59517c5de346d32"
  ],
  [
    "base",
    "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
    "0x4200000000000000000000000000000000000006",
    500,
    "0xd0b53d9277642d899df5c87a3966a349a798f224"
  ]
]

describe("a pool's address", () => {
  for (const [network, sold, bought, fee, pool] of published) {
    it(`on ${network} is computed from the address book's factory as it is published, in both directions`, () => {
      const { uniswapV3 } = AddressBook.bookOf(network, ["http://127.0.0.1:1"])
      for (const [from, to] of [[sold, bought], [bought, sold]] as const) {
        assert.deepStrictEqual(poolsOf(uniswapV3!.factory, from, [{ fee, to: { address: to, symbol: "T" } }]), [
          { pool, fee, sold: from, bought: to }
        ])
      }
    })
  }

  it("has its tokens in the order of a path", () => {
    const { tokens, uniswapV3 } = AddressBook.bookOf("ethereum", ["http://127.0.0.1:1"])
    const address = (symbol: string) => tokens.find((token) => token.symbol === symbol)!.address
    const path = [{ fee: 100, to: { address: address("USDC"), symbol: "USDC" } }, {
      fee: 500,
      to: { address: address("WETH"), symbol: "WETH" }
    }]
    const pools = poolsOf(uniswapV3!.factory, address("DAI"), path)
    assert.deepStrictEqual(pools.map(({ bought, sold }) => [sold, bought]), [
      [address("DAI"), address("USDC")],
      [address("USDC"), address("WETH")]
    ])
    assert.strictEqual(pools[1]?.pool, published[0]![4])
  })
})

describe("the address book", () => {
  it("has what 1inch's router needs without its API on every network where the platform guards it", () => {
    const served = AddressBook.networks.filter((network) => {
      const { aggregators, uniswapV3 } = AddressBook.bookOf(network, ["http://127.0.0.1:1"])
      return aggregators["1inch"] !== undefined && uniswapV3 !== undefined
    })
    assert.deepStrictEqual([...served].sort(), ["arbitrum", "base", "ethereum", "optimism", "polygon"])
  })
})
