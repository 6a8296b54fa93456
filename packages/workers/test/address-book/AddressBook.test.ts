import { assert, describe, it } from "@effect/vitest"
import { facts } from "@vault-trader/core/chain/Network"
import { getAddress, isAddress } from "viem"
import { bookOf, networks } from "../../src/address-book/AddressBook.ts"

/** The platform's published factories, in the spelling of its deployment files. */
const factories = {
  polygon: "0xfdc7b8bFe0DD3513Cc669bB8d601Cb83e2F69cB0",
  optimism: "0x5e61a079A178f0E5784107a4963baAe0c5a680c6",
  arbitrum: "0xffFb5fB14606EB3a548C113026355020dDF27535",
  base: "0x49Afe3abCf66CF09Fab86cb1139D8811C8afe56F",
  ethereum: "0x96D33bCF84DdE326014248E2896F79bbb9c13D6d",
  hyperliquid: "0xe91505e2ab653dd128c71e9690eeefd28cc5b333",
  plasma: "0xAec4975Fc8ad911464D2948D771488b30F6eEE87"
} as const

/** Aave's pools, the platform's Compound V3 markets, and its number of fTokens, as published. */
const lenders = {
  optimism: {
    aave: "0x794a61358D6845594F94dc1DB02A252b5b4814aD",
    comets: [
      "0x2e44e174f7D53F0212823acC11C01A11d58c5bCB",
      "0x995E394b8B2437aC8Ce61Ee0bC610D617962B214",
      "0xE36A30D249f7761327fd973001A32010b521b6Fd"
    ],
    fTokens: 0
  },
  base: {
    aave: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5",
    comets: [
      "0xb125E6687d4313864e53df431d5425969c15Eb2F",
      "0x2c776041CCFe903071AF44aa147368a9c8EEA518",
      "0x46e6b214b524310239732D51387075E0e70970bf"
    ],
    fTokens: 6
  },
  arbitrum: {
    aave: "0x794a61358D6845594F94dc1DB02A252b5b4814aD",
    comets: ["0x6f7D514bbD4aFf3BcD1140B7344b32f063dEe486", "0x9c4ec768c28520B50860ea7a15bd7213a9fF58bf"],
    fTokens: 4
  },
  polygon: { aave: "0x794a61358D6845594F94dc1DB02A252b5b4814aD", comets: [], fTokens: 0 },
  ethereum: { aave: "0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2", comets: [], fTokens: 0 },
  hyperliquid: { aave: undefined, comets: [], fTokens: 0 },
  plasma: { aave: "0x925a2A7214Ed92428B5b1B090F80b25700095e12", comets: [], fTokens: 0 }
} as const

/** Networks whose vaults may hold Uniswap V3 positions. */
const withPositions = ["optimism", "arbitrum", "polygon"]

const chainIds = {
  optimism: 10,
  base: 8453,
  arbitrum: 42161,
  polygon: 137,
  ethereum: 1,
  hyperliquid: 999,
  plasma: 9745
} as const

describe("the address book", () => {
  it("has every network that a URL alone makes reachable", () => {
    assert.sameMembers([...networks], Object.keys(chainIds))
  })

  for (const network of networks) {
    const book = bookOf(network, ["http://127.0.0.1:1", "http://127.0.0.1:2"])

    it(`says ${network} is chain ${chainIds[network]}, with the endpoints it was given`, () => {
      assert.strictEqual(book.network, network)
      assert.strictEqual(book.chainId, chainIds[network])
      assert.deepStrictEqual(book.rpcUrls, ["http://127.0.0.1:1", "http://127.0.0.1:2"])
    })

    it(`spells every address of ${network} in lower case, and each is one`, () => {
      const addresses = [
        book.platformFactory,
        book.multicall3,
        book.wrappedNative,
        ...book.tokens.map(({ address }) => address),
        ...book.comets,
        ...[
          book.aaveV3?.pool,
          book.positionManager,
          ...[book.velodromeCl, book.pancakeCl].flatMap((dex) =>
            dex === undefined ? [] : [dex.positionManager, ...dex.staking]
          ),
          book.perpetuals?.coreWriter,
          book.perpetuals?.depositWallet,
          book.perpetuals?.usdc
        ].flatMap((address) => address ?? []),
        ...(book.uniswapV3 === undefined ? [] : Object.values({ ...book.uniswapV3 })),
        ...(book.quickswap === undefined ? [] : Object.values({ ...book.quickswap })),
        ...Object.values(book.aggregators).flatMap((aggregator) => aggregator === undefined ? [] : [aggregator.router])
      ]
      assert.isAbove(addresses.length, 5)
      for (const address of addresses) {
        assert.match(address, /^0x[0-9a-f]{40}$/)
        assert.isTrue(isAddress(getAddress(address)))
        assert.notMatch(address, /^0x0{40}$/)
      }
    })

    it(`knows the platform's aggregators on ${network}, at their usual APIs`, () => {
      const known = Object.entries(book.aggregators).map((
        [name, aggregator]
      ) => [name, getAddress(aggregator?.router ?? "0x"), aggregator?.url])
      const kyberswap = ["kyberswap", "0x6131B5fae19EA4f9D964eAc0408E4408b66337b5", undefined]
      assert.deepStrictEqual(
        known,
        network === "hyperliquid" || network === "plasma" ? [kyberswap] : [
          ["1inch", "0x111111125421cA6dc452d289314280a0f8842A65", undefined],
          kyberswap,
          ["odosV3", "0x0D05a7D3448512B78fa8A9e46c4872C88C4a0D05", undefined]
        ]
      )
      assert.strictEqual(book.quickswap !== undefined, network === "polygon")
    })

    if (network === "hyperliquid") {
      it("knows where the core of hyperliquid is", () => {
        assert.deepStrictEqual({ ...book.perpetuals }, {
          coreWriter: "0x3333333333333333333333333333333333333333",
          depositWallet: "0x6b9e773128f453f5c2c60935ee2de2cbc5390a24",
          usdc: "0xb88339cb7199b77e23db6e890353e22632ba630f",
          infoUrl: "https://api.hyperliquid.xyz/info"
        })
      })

      it("believes the operator about hyperliquid's factory and HyperCore's address", () => {
        const factory = "0x615037c2df6fa97634c5ad2d8144708b9dd3b176"
        const corrected = bookOf(network, ["http://127.0.0.1:1"], {
          platformFactory: factory,
          infoUrl: "http://127.0.0.1:2/info"
        })
        assert.deepStrictEqual([corrected.platformFactory, corrected.perpetuals?.infoUrl], [
          factory,
          "http://127.0.0.1:2/info"
        ])
      })
    }

    it(`knows every lending market that the platform guards on ${network}, and no other`, () => {
      const { aave, comets, fTokens } = lenders[network]
      assert.deepStrictEqual([book.aaveV3?.pool, book.aaveV3?.poolDataProvider], [aave?.toLowerCase(), undefined])
      assert.sameMembers([...book.comets], comets.map((comet) => comet.toLowerCase()))
      assert.lengthOf(book.fTokens, fTokens)
    })

    it(`knows the position managers of Uniswap, Velodrome and Pancake on ${network} only if the platform guards it`, () => {
      assert.strictEqual(book.positionManager !== undefined, withPositions.includes(network))
      assert.strictEqual(book.velodromeCl !== undefined, ["optimism", "base"].includes(network))
      assert.strictEqual(book.pancakeCl !== undefined, ["arbitrum", "base"].includes(network))
      for (const dex of [book.velodromeCl, book.pancakeCl]) assert.isNotEmpty(dex?.staking ?? ["none"])
    })

    it(`knows the assets that vaults may hold on ${network}, each once`, () => {
      const { assets } = book
      assert.isAtLeast(assets.length, 8)
      assert.lengthOf(new Set(assets.map(({ address }) => address)), assets.length)
      for (const { address, feed, name } of assets) {
        assert.isNotEmpty(name)
        for (const each of [address, ...feed === undefined ? [] : [feed]]) assert.match(each, /^0x[0-9a-f]{40}$/)
      }
    })

    it(`lists the wrapped native token of ${network} under its symbol, and knows the vault platform's factory`, () => {
      const wrapped = book.tokens.filter(({ symbol }) => symbol === facts[network].wrappedNative)
      assert.deepStrictEqual(wrapped.map(({ address, decimals }) => ({ address, decimals })), [{
        address: book.wrappedNative,
        decimals: 18
      }])
      assert.strictEqual(getAddress(book.platformFactory), getAddress(factories[network]))
    })

    it(`lists no token of ${network} twice, each with sane decimals, dollars among them`, () => {
      const { tokens } = book
      assert.lengthOf(new Set(tokens.map(({ address }) => address)), tokens.length)
      assert.lengthOf(new Set(tokens.map(({ symbol }) => symbol)), tokens.length)
      for (const { decimals, symbol } of tokens) {
        assert.strictEqual(symbol, symbol.toUpperCase())
        assert.include([6, 8, 18], decimals)
      }
      const dollar = network === "plasma" ? "USDT" : "USDC"
      assert.deepInclude(tokens.map(({ decimals, symbol }) => ({ decimals, symbol })), { symbol: dollar, decimals: 6 })
    })

    it(`waits for ${network} no longer than it takes to be sure`, () => {
      assert.isAtLeast(book.confirmations, 1)
      assert.isAtLeast(book.finalityDepth, 64)
      assert.isAtLeast(book.finalityDepth, book.confirmations)
    })
  }
})
