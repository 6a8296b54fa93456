/**
 * Contracts and assets of the vault platform on hyperliquid. Written by scripts/address-book.mjs from the platform's published
 * configuration of April 2026; do not edit.
 */
import type { PublishedNetwork } from "./PublishedNetwork.ts"

export const hyperliquid: PublishedNetwork = {
  contracts: {
    kyberswap: "0x6131b5fae19ea4f9d964eac0408e4408b66337b5",
    coreWriter: "0x3333333333333333333333333333333333333333",
    depositWallet: "0x6b9e773128f453f5c2c60935ee2de2cbc5390a24"
  },
  assets: [
    ["USDC", "0xb88339cb7199b77e23db6e890353e22632ba630f", 0, "0xa0adc43ce7afe3ee7d7eac3c994e178d0620223b"],
    ["WHYPE", "0x5555555555555555555555555555555555555555", 0, "0xa5a72ef19f82a579431186402425593a559ed352"],
    ["Hyperliquid Perps Account", "0x3333333333333333333333333333333333333333", 39],
    ["XAUT0", "0xf4d9235269a96aadafc9adae454a0618ebe37949", 40],
    ["UBTC", "0x9fdbda0a5e284c32744d2f17ee5c74b284993463", 40],
    ["UETH", "0xbe6727b535545c67d5caa73dea54865b92cf7907", 40],
    ["USOL", "0x068f321fa8fb9f0d135f290ef6a3e2813e1c8a29", 40],
    ["HYPE", "0x2222222222222222222222222222222222222222", 40]
  ]
}
