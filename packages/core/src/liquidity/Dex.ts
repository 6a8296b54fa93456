/** The exchanges of concentrated liquidity at which vaults have positions. */
import * as Schema from "effect/Schema"

/** Their names on the wire; each has one position manager on a network. */
export const dexes = ["uniswapV3", "velodromeCl", "pancakeCl"] as const
export const Dex = Schema.Literals(dexes)
export type Dex = typeof Dex.Type

/** Values of the parameter: `auto` chooses among those that the vault may use, a name is that one or a refusal. */
export const dexChoices = ["auto", ...dexes] as const
export type DexChoice = typeof dexChoices[number]

/** Other names in use. Velodrome is called Aerodrome on base, and its contracts Slipstream. */
const aliases: Readonly<Record<string, Dex>> = {
  uniswap: "uniswapV3",
  velodrome: "velodromeCl",
  aerodrome: "velodromeCl",
  aerodromecl: "velodromeCl",
  slipstream: "velodromeCl",
  pancake: "pancakeCl",
  pancakeswap: "pancakeCl",
  pancakeswapv3: "pancakeCl"
}

/** Parses a name, ignoring case. */
export const parse = (text: string): DexChoice | undefined => {
  const name = text.toLowerCase()
  return aliases[name] ?? dexChoices.find((known) => known.toLowerCase() === name)
}

/** Names of the exchanges in sentences. */
export const dexNames: Readonly<Record<Dex, string>> = {
  uniswapV3: "Uniswap V3",
  velodromeCl: "Velodrome CL",
  pancakeCl: "Pancake CL"
}

/** Returns whether an exchange distinguishes the pools of a pair by their tick spacing, not by their fee. */
export const hasTickSpacing = (dex: Dex): boolean => dex === "velodromeCl"
