/** Which vault's charts: in the page's address, as `network/vault/wallet`. */
export interface Which {
  readonly vault?: string
}

export const whichOf = ({ vault }: Readonly<Record<string, unknown>>): Which => typeof vault === "string" ? { vault } : {}
