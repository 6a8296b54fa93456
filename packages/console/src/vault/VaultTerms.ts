/** Form values of a new vault, validated by the platform's rules. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Platform } from "@vault-trader/core/network/Chain"
import type { NewVault } from "./VaultContracts.ts"
import { t } from "../text/Text.ts"

export const feeNames = ["performance", "management", "entry", "exit"] as const
type FeeName = typeof feeNames[number]

export interface VaultTerms {
  readonly network: string
  readonly wallet: string
  readonly name: string
  readonly symbol: string
  readonly managerName: string
  /** Percent. */
  readonly performance: string
  readonly management: string
  readonly entry: string
  readonly exit: string
  /** Addresses of the assets it may hold, and of those that investors may deposit. */
  readonly held: ReadonlyArray<string>
  readonly deposits: ReadonlyArray<string>
}

export const newTerms: VaultTerms = {
  network: "",
  wallet: "",
  name: "",
  symbol: "",
  managerName: "",
  performance: "10",
  management: "1",
  entry: "0",
  exit: "0",
  held: [],
  deposits: []
}

/** Returns the maximum of a fee in percent. */
export const maxFeeOf = ({ maximumFee }: Platform, fee: FeeName): number =>
  maximumFee[fee] * 100 / maximumFee.denominator

/** Converts a percentage to parts of the platform's denominator; undefined if it is not a whole number of parts. */
const partsOf = (text: string, { maximumFee: { denominator } }: Platform): bigint | undefined => {
  const parts = /^\d{1,3}(\.\d{1,6})?$/.test(text.trim()) ? Number(text) * denominator / 100 : Number.NaN
  return Math.abs(parts - Math.round(parts)) < 1e-9 ? BigInt(Math.round(parts)) : undefined
}

const nameFault = (text: string, max: number) =>
  text.trim() === "" ? t("Required") : text.length > max ? t("Must be at most {max} characters", { max }) : null

export const faultsOf = (terms: VaultTerms, platform: Platform | undefined): Readonly<Record<string, string>> => {
  const faults: Record<string, string | null> = {
    network: terms.network === "" ? t("Choose a network") : null,
    wallet: terms.wallet === "" ? t("Choose the gas wallet that will trade") : null,
    name: nameFault(terms.name, 64),
    symbol: /^[A-Za-z0-9]{1,12}$/.test(terms.symbol.trim()) ? null : t("Must be 1 to 12 letters and digits"),
    managerName: nameFault(terms.managerName, 64)
  }
  if (platform !== undefined) {
    for (const fee of feeNames) {
      const parts = partsOf(terms[fee], platform)
      const max = platform.maximumFee[fee]
      faults[fee] = parts === undefined
        ? t("Must be a percentage with at most two decimals")
        : parts > BigInt(max)
        ? t("Must be at most {max} %", { max: maxFeeOf(platform, fee) })
        : null
    }
    faults["held"] = terms.deposits.length === 0
      ? t("Investors need at least one asset to deposit")
      : terms.held.length > platform.mostAssets
      ? t("A vault may hold at most {count} assets", { count: platform.mostAssets })
      : null
  }
  return Object.fromEntries(Object.entries(faults).filter((entry): entry is [string, string] => entry[1] !== null))
}

/** Builds the vault from valid terms. */
export const vaultOf = (terms: VaultTerms, platform: Platform, manager: Address): NewVault => {
  const parts = (fee: FeeName) => partsOf(terms[fee], platform) ?? 0n
  return {
    manager,
    managerName: terms.managerName.trim(),
    name: terms.name.trim(),
    symbol: terms.symbol.trim(),
    fees: {
      performance: parts("performance"),
      management: parts("management"),
      entry: parts("entry"),
      exit: parts("exit")
    },
    assets: platform.assets.filter(({ address }) => terms.held.includes(address)).map(({ address }) => ({
      asset: address,
      isDeposit: terms.deposits.includes(address)
    }))
  }
}
