/**
 * Contracts and assets of the vault platform on plasma. Written by scripts/address-book.mjs from the platform's published
 * configuration of April 2026; do not edit.
 */
import type { PublishedNetwork } from "./PublishedNetwork.ts"

export const plasma: PublishedNetwork = {
  contracts: {
    aaveV3: "0x925a2a7214ed92428b5b1b090f80b25700095e12",
    kyberswap: "0x6131b5fae19ea4f9d964eac0408e4408b66337b5",
    pendleRouter: "0x888888888889758f76e7103c6cbf23abbf58f946"
  },
  assets: [
    ["USDT", "0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb", 0, "0x70b77fcdbe2293423e41add2fb599808396807bc"],
    ["WETH", "0x9895d81bb462a195b4922ed7de0e3acd007c32cb", 0, "0x43a7dd2125266c5c4c26eb86cd61241132426fe7"],
    ["USDe", "0x5d3a1ff2b6bab83b63cd9ad0787074081a52ef34", 200, "0x0dfdcf9af39be41e40a52a80fa86e23a69a69c3b"],
    ["sUSDe", "0x211cc4dd073734da055fbf44a2b4667d5e5fe5d2", 200, "0x0ca32ed285addf84e8491f5edb835e10635945a2"],
    ["Aave Lending Pool V3", "0x925a2a7214ed92428b5b1b090f80b25700095e12", 8],
    ["PT-USDe-15JAN2026", "0x93b544c330f60a2aa05ced87aeeffb8d38fd8c9a", 37],
    ["PT-sUSDe-15JAN2026", "0x02fcc4989b4c9d435b7ced3fe1ba4cf77bbb5dd8", 37],
    ["PT-sUSDe-09APR2026", "0xab509448ad489e2e1341e25cc500f2596464cc82", 37],
    ["PT-USDe-09APR2026", "0x54dc267be2839303ff1e323584a16e86cec4aa44", 37]
  ]
}
