/** Finds misspelt settings among the environment's variables: the operator would believe them to be in effect. */
import type { Setting } from "@vault-trader/core/configuration/Setting"
import { settingGroups } from "./Settings.ts"

const groups: ReadonlyArray<Readonly<Record<string, Setting<unknown>>>> = Object.values(settingGroups)
const known = groups.flatMap((group) => Object.values(group).map(({ name }) => name))

/** Prefixes that only settings of this service have. */
const prefixes = [
  "RPC_URL_",
  "RPC_PRIVATE_",
  "RATE_LIMIT_",
  "PURGE_",
  "RETENTION_",
  "RUNNER_TLS_",
  "RUNNER_SECRET_",
  "TREASURY_",
  "TOP_UP_",
  "ONEINCH_",
  "KYBERSWAP_",
  "ODOS_",
  "HYPERLIQUID_",
  "PERPETUAL_",
  "OTLP_",
  "APPROVALS_",
  "APPROVAL_"
]

/** Edit distance of two texts: insertions, deletions, substitutions and transpositions of neighbours. */
export const distance = (a: string, b: string): number => {
  let before: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const substituted = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
        ? (before[j - 2] ?? 0) + 1
        : Infinity
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, substituted, swapped))
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}

/**
 * Returns whether a name misspells a setting. Short names are close to too many others: `HOME` to `HOST`, `RUNNER_OS`
 * to `RUNNER_HOST`.
 */
const isMisspelt = (name: string, setting: string): boolean => {
  const edits = distance(name, setting)
  return edits === 1 && setting.length >= 6 ||
    edits === 2 && setting.length >= 10 && Math.abs(name.length - setting.length) < 2
}

const nearestTo = (name: string): string =>
  known.reduce((best, setting) => distance(name, setting) < distance(name, best) ? setting : best, known[0] ?? "")

interface Misspelt {
  readonly name: string
  readonly nearest: string
}

/** Returns the first variable that looks like a setting but is not a known one. Empty variables count as not set. */
export const misspelt = (environment: Readonly<Record<string, string | undefined>>): Misspelt | undefined => {
  const names = new Set(known)
  for (const [name, value] of Object.entries(environment)) {
    if (names.has(name) || value === undefined || value.trim() === "" || !/^[A-Z][A-Z0-9_]*$/.test(name)) continue
    const nearest = nearestTo(name)
    if (prefixes.some((prefix) => name.startsWith(prefix)) || isMisspelt(name, nearest)) return { name, nearest }
  }
  return undefined
}
