/** The vault of the charts page, in its URL as `network/vault/wallet`. */
export interface Which {
  readonly vault?: string
}

export const whichOf = ({ vault }: Readonly<Record<string, unknown>>): Which =>
  typeof vault === "string" ? { vault } : {}
