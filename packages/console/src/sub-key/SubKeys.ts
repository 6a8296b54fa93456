/** Live queries for the sub-keys and limits of the manager's gas wallets. */
import { useAuthorities } from "../vault/Authorities.ts"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { listOf, money } from "../shell/Format.ts"
import { t } from "../text/Text.ts"

/** Follows the manager's gas wallets with the limits of their keys and their sub-keys. */
export const useKeys = () => {
  const wallets = useWallets().data ?? []
  const authorities = useAuthorities()
  return {
    ...authorities,
    data: authorities.data?.map(({ address, api_key: apiKey, limits, sub_keys: subKeys }) => ({
      ...{ address, apiKey, limits, subKeys },
      name: nameOf(wallets.find((wallet) => wallet.address === address) ?? { address, label: null })
    }))
  }
}

export type WalletKeys = NonNullable<ReturnType<typeof useKeys>["data"]>[number]
export type SubKey = WalletKeys["subKeys"][number]
type Limits = WalletKeys["limits"]

export const scopeLabels: Readonly<Record<SubKey["scopes"][number], string>> = {
  trade: t("Trade"),
  lend: t("Lend and borrow"),
  liquidity: t("Provide liquidity"),
  perpetuals: t("Trade perpetuals"),
  fees: t("Mint manager fees"),
  switches: t("Use kill switches")
}

export const mayOf = ({ scopes }: Pick<SubKey, "scopes">): string =>
  scopes.length === 0 ? t("Read only") : scopes.map((scope) => scopeLabels[scope]).join(", ")

export const labelOf = ({ label, last_four }: SubKey): string => label ?? `…${last_four}`

/** Returns the limits of a wallet's key in a sentence. */
export const limitsOf = (limits: Limits): string =>
  limits === null
    ? t("No limits")
    : listOf([
      ...(limits.read_only ? [t("Read only")] : []),
      ...(limits.max_usd_per_trade === null ? [] : [t("{usd} a trade", { usd: money(limits.max_usd_per_trade) })]),
      ...(limits.max_usd_per_day === null ? [] : [t("{usd} a day", { usd: money(limits.max_usd_per_day) })]),
      ...(limits.vaults === null ? [] : [t("{count} of its vaults", { count: limits.vaults.length })])
    ], "none") || t("No limits")
