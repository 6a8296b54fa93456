/** The vault of the charts page, in its URL as `network/vault/wallet`. */
export interface ChartSearch {
  readonly vault?: string
}

export const chartSearchOf = ({ vault }: Readonly<Record<string, unknown>>): ChartSearch =>
  typeof vault === "string" ? { vault } : {}
