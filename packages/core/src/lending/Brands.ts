/** Brand names of the lending markets: configuration that adds paths and values of `platform`. Documents keep to the canonical names. */
import { parse as parseVenue } from "../venue/VenueName.ts"
import { type LenderName, lenders } from "./Lending.ts"

/** A brand for each market. Their order is that of `lenders`. */
export type Brands = Readonly<Record<LenderName, string>>

export const standardBrands: Brands = { lenderA: "aaveV3", lenderB: "compoundV3", lenderC: "fluid" }

const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

/** The brand without the version at its end. */
const unversioned = (brand: string) => brand.replace(/V\d+$/, "")

/** What stands in paths for each market, longest first, and what its brand puts there. */
const spellings = ({ lenderA, lenderB, lenderC }: Brands): ReadonlyArray<readonly [string, string]> => [
  ["lenderAV3", lenderA],
  ["lenderBV3", lenderB],
  ["LenderBV3", capital(lenderB)],
  ["lenderC", lenderC],
  ["LenderC", capital(lenderC)],
  ["LenderA", capital(unversioned(lenderA))]
]

/** The path under the brand's name: the market in the first segment, or inside a name; `undefined` where no market is named. */
export const branded = (brands: Brands) => (path: `/${string}`): `/${string}` | undefined => {
  const inside = /^\/[^/]+$/.test(path)
  const found = spellings(brands).find(([canonical]) => path.startsWith(`/${canonical}/`) || (inside && path.slice(2).includes(canonical)))
  return found === undefined ? undefined : `/${path.slice(1).replace(found[0], found[1])}`
}

/** The market a caller means: its name (also as paths write it) or its brand (also without the version), in any case. */
export const parse = (brands: Brands, text: string): LenderName | undefined =>
  lenders.find((name) => {
    const known = [name, `${name}V3`, brands[name], unversioned(brands[name])]
    return known.some((each) => each.toLowerCase() === text.toLowerCase())
  })

/** Reads the three brands: words that tell the markets apart and are none of their canonical names, nor a venue's. */
export const read = (text: string): Brands | undefined => {
  const [lenderA, lenderB, lenderC, ...rest] = text.split(",").map((part) => part.trim())
  if (lenderA === undefined || lenderB === undefined || lenderC === undefined || rest.length > 0) return undefined
  const words = [lenderA, lenderB, lenderC]
  const bare = words.map((word) => unversioned(word).toLowerCase())
  const taken = (word: string) => /^lender[abc]/i.test(word) || parseVenue(word) !== undefined
  const usable = words.every((word) => /^[a-z][A-Za-z0-9]{1,31}$/.test(word) && !taken(word)) && new Set(bare).size === 3
  return usable ? { lenderA, lenderB, lenderC } : undefined
}
