/**
 * Contracts and assets of the vault platform on ethereum. Written by scripts/address-book.mjs from the platform's published
 * configuration of April 2026; do not edit.
 */
import type { PublishedNetwork } from "./PublishedNetwork.ts"

export const ethereum: PublishedNetwork = {
  contracts: {
    aaveV3: "0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2",
    kyberswap: "0x6131b5fae19ea4f9d964eac0408e4408b66337b5",
    odosV3: "0x0d05a7d3448512b78fa8a9e46c4872c88c4a0d05",
    oneInch: "0x111111125421ca6dc452d289314280a0f8842a65",
    pendleRouter: "0x888888888889758f76e7103c6cbf23abbf58f946",
    easySwapper: "0xbdd84294bc8299861a2121f749a25efeb7168a32"
  },
  assets: [
    ["USDC", "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", 0, "0x8fffffd4afb6115b954bd326cbe7b4ba576818f6"],
    ["WETH", "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", 0, "0x5f4ec3df9cbd43714fe2740f5e3616155c5b8419"],
    ["USDT", "0xdac17f958d2ee523a2206206994597c13d831ec7", 0, "0x3e7d1eab13ad0104d2750b8863b489d65364e32d"],
    ["USDS", "0xdc035d45d973e3ec169d2276ddab16f1e407384f", 0, "0xff30586cd0f29ed462364c7e81375fc0c71219b1"],
    ["USDe", "0x4c9edd5852cd905f086c759e8383e09bff1e68b3", 200, "0xa569d910839ae8865da8f8e70fffb0cba869f961"],
    ["sUSDe", "0x9d39a5de30e57443bff2a8307a4256c8797a3497", 200],
    ["Aave Lending Pool V3", "0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2", 8],
    ["WBTC", "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599", 0],
    ["XAUt", "0x68749665ff8d2d112fa859aa293f07a622782f38", 0, "0x214ed9da11d2fbe465a6fc601a91e62ebec1a0d6"],
    ["Toros BTCBULL2X", "0x447b12841ed275636a7719d162d2df379cc81152", 0],
    ["Toros BTCBULL3X", "0x778176be78245808bb4572dd86b9b796213e5992", 0],
    ["Toros ETHBULL2X", "0x907bd45742d811ad535d2445185e73bc367751d1", 0],
    ["Toros ETHBULL3X", "0xce09fad0dd5e70041402df947ab3ecf8e430becb", 0],
    ["Toros GOLDBULL2X", "0x6fcb08c5f8a69cc8c663bb4a2faaad017631577f", 0],
    ["Toros GOLDBULL3X", "0x74a60dae44deda8e6c6445cbbb067097e08b682c", 0],
    ["EasySwapperV2 Unrolled Assets", "0xbdd84294bc8299861a2121f749a25efeb7168a32", 30]
  ]
}
