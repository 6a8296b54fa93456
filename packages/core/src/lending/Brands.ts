/**
 * Configured brand names of the lending markets, which add paths and values of `platform`. Documents use only the
 * canonical names.
 */
import { parse as parseVenue } from "../venue/VenueName.ts"
import { type LenderName, lenders } from "./Lending.ts"

/** The brand of each market, in the order of `lenders`. */
export type Brands = Readonly<Record<LenderName, string>>

export const defaultBrands: Brands = { lenderA: "aaveV3", lenderB: "compoundV3", lenderC: "fluid" }

const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

/** Removes the version at the end of a brand. */
const unversioned = (brand: string) => brand.replace(/V\d+$/, "")

/** Returns the spellings of each market in paths, longest first, each with its replacement by the brand. */
const spellings = ({ lenderA, lenderB, lenderC }: Brands): ReadonlyArray<readonly [string, string]> => [
  ["lenderAV3", lenderA],
  ["lenderBV3", lenderB],
  ["LenderBV3", capital(lenderB)],
  ["lenderC", lenderC],
  ["LenderC", capital(lenderC)],
  ["LenderA", capital(unversioned(lenderA))]
]

/**
 * Returns a path with the market's name replaced by its brand, in the first segment or inside a single-segment path.
 * Returns `undefined` when the path names no market.
 */
export const brandPath = (brands: Brands) => (path: `/${string}`): `/${string}` | undefined => {
  const inside = /^\/[^/]+$/.test(path)
  const match = spellings(brands).find(([canonical]) =>
    path.startsWith(`/${canonical}/`) || (inside && path.slice(2).includes(canonical))
  )
  return match === undefined ? undefined : `/${path.slice(1).replace(match[0], match[1])}`
}

/** Parses a market's name (also in its form in paths) or its brand (also without the version), ignoring case. */
export const parse = (brands: Brands, text: string): LenderName | undefined =>
  lenders.find((name) => {
    const known = [name, `${name}V3`, brands[name], unversioned(brands[name])]
    return known.some((each) => each.toLowerCase() === text.toLowerCase())
  })

/** Parses the three brands. They must be distinct, and neither a canonical market name nor a venue's name. */
export const read = (text: string): Brands | undefined => {
  const [lenderA, lenderB, lenderC, ...rest] = text.split(",").map((part) => part.trim())
  if (lenderA === undefined || lenderB === undefined || lenderC === undefined || rest.length > 0) return undefined
  const words = [lenderA, lenderB, lenderC]
  const bare = words.map((word) => unversioned(word).toLowerCase())
  const isReserved = (word: string) => /^lender[abc]/i.test(word) || parseVenue(word) !== undefined
  const usable = words.every((word) => /^[a-z][A-Za-z0-9]{1,31}$/.test(word) && !isReserved(word)) &&
    new Set(bare).size === 3
  return usable ? { lenderA, lenderB, lenderC } : undefined
}
