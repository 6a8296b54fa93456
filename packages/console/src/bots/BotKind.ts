/** The kinds of bots, as named in the URL of the bots page. */
const kinds = ["threshold", "index", "exchange"] as const
export type Kind = typeof kinds[number]

/** Parses a kind; undefined for any other text. */
export const kindOf = (text: unknown): Kind | undefined => kinds.find((kind) => kind === text)
