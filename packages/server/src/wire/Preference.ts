/** Reads the headers by which a caller states preferences, such as `Accept` and `Accept-Encoding`. */

/** One value of a header, in lower case, and its quality from 0 to 1. */
export interface Preference {
  readonly name: string
  readonly quality: number
}

const preferenceOf = (text: string): Preference => {
  const [name = "", ...params] = text.split(";").map((part) => part.trim().toLowerCase())
  const quality = Number(params.find((param) => param.startsWith("q="))?.slice(2) ?? "1")
  return { name, quality: Number.isFinite(quality) ? quality : 1 }
}

/** Returns the values in the header's order. */
export const parse = (header: string | undefined): ReadonlyArray<Preference> =>
  (header ?? "").split(",").map(preferenceOf)
