/** Live queries for guardians of vaults, and how people read them. */
import type { GuardianKind, GuardianState } from "@vault-trader/core/guardian/Guardian"
import type { Client } from "../connection/RpcConnection.ts"
import { useLive } from "../connection/useLive.ts"
import { useAtVaults } from "../vault/Authorities.ts"
import { listOf, percent, spanOf } from "../shell/Format.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { guardianLabels } from "./GuardianLabels.ts"
import { t } from "../text/Text.ts"

const queryOf = (vault: VaultRef) =>
  [
    ["guardians", vault.wallet, vault.network, vault.pool],
    (client: Client) => client.live["wallet.getGuardians"](vault)
  ] as const

/** Follows all guardians that the manager's wallets have set. */
export const useGuardians = () => {
  const lists = useAtVaults("guardians", queryOf)
  return { ...lists, data: lists.data?.flatMap(({ guardians }) => guardians.map(({ data }) => data)) }
}

export type Guardian = NonNullable<ReturnType<typeof useGuardians>["data"]>[number]

/** Follows the guardians of a vault with their actions and history; idle until the vault is known. */
export const useGuardiansOf = (vault: VaultRef | undefined) => {
  const [key, watch] = vault === undefined ? [["guardians"], undefined] as const : queryOf(vault)
  return useLive(key, watch, ({ guardians }) => guardians)
}

export const kinds = ["health_factor", "loss_breaker", "oracle", "gas"] as const satisfies ReadonlyArray<GuardianKind>

export const kindLabels: Readonly<Record<GuardianKind, { readonly label: string; readonly help: string }>> = {
  health_factor: {
    label: guardianLabels.health_factor,
    help: t("Repays debt when the health factor falls below a floor, until it is back at the target.")
  },
  loss_breaker: {
    label: guardianLabels.loss_breaker,
    help: t("Stops the vault’s bots and orders after a loss. It can also sell everything into one asset.")
  },
  oracle: {
    label: guardianLabels.oracle,
    help: t("Holds trades while an oracle’s price is old, or a stablecoin is off its peg.")
  },
  gas: {
    label: guardianLabels.gas,
    help: t("Reports when the gas wallet runs low, with the refill that you can sign.")
  }
}

export const kindOf = (text: string | undefined): GuardianKind | undefined => kinds.find((kind) => kind === text)

/** A state for people. The rank orders a list by state: those that need a person are first. */
interface StateLabel {
  readonly label: string
  readonly color: string
  readonly rank: number
}

const stateLabels: Readonly<Record<GuardianState, StateLabel>> = {
  armed: { label: t("armed"), color: "green", rank: 3 },
  acting: { label: t("acting"), color: "orange", rank: 1 },
  tripped: { label: t("tripped"), color: "red", rank: 0 }
}

/** Returns the state of a guardian for people: one that a kill switch stops does nothing. */
export const stateOf = ({ kill_switch, paper, state }: Guardian): StateLabel =>
  kill_switch !== null
    ? { label: t("stopped"), color: "red", rank: 2 }
    : paper && state === "armed"
    ? { label: t("watching only"), color: "gray", rank: 4 }
    : stateLabels[state]

/** The names of a guardian's actions. */
export const actionLabels: Readonly<Record<string, string>> = {
  repay: t("Repay debt"),
  unlend: t("Withdraw what was supplied"),
  remove: t("Remove liquidity"),
  withdraw: t("Withdraw collateral"),
  deleverage: t("Sell collateral"),
  sell: t("Sell")
}

/** Returns what a guardian watches for, in a sentence. */
export const watchesOf = (guardian: Guardian): string => {
  switch (guardian.kind) {
    case "health_factor":
      return t("Health factor below {floor}, repaired to {target}", {
        floor: guardian.floor ?? "?",
        target: guardian.target ?? "?"
      })
    case "loss_breaker": {
      const { max_daily_loss: day, max_total_loss: total } = guardian
      return listOf([
        ...(day === null ? [] : [t("{day} lost in a day", { day: percent(day) })]),
        ...(total === null ? [] : [t("{total} lost since the peak", { total: percent(total) })])
      ], "or")
    }
    case "oracle": {
      const { assets, max_age: age, max_depeg: depeg } = guardian
      const signs = listOf([
        ...(age === null ? [] : [t("price older than {age}", { age: spanOf(age) })]),
        ...(depeg === null ? [] : [t("stablecoin more than {depeg} off 1 USD", { depeg: percent(depeg) })])
      ], "or")
      return assets === null
        ? t("All assets: {signs}", { signs })
        : t("{assets}: {signs}", { assets: assets.join(", "), signs })
    }
    case "gas":
      return t("Gas wallet below {minGas} of the native token", { minGas: guardian.min_gas ?? "?" })
  }
}

/** Returns the parameters that set the guardian again with the terms that it has. */
export const paramsOf = (guardian: Guardian): Readonly<Record<string, unknown>> => {
  const { assets, close_into, close_positions, confirmations, kind, max_age: age, paper, prefer } = guardian
  const { floor, max_daily_loss, max_depeg, max_total_loss, min_gas, slippage, target, target_gas } = guardian
  const terms = {
    ...{ kind, confirmations, paper, floor, target, prefer, max_daily_loss, max_total_loss, close_into },
    ...{ close_positions, slippage, max_depeg, assets, min_gas, target_gas, max_age: age === null ? null : `${age}s` }
  }
  return Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== null))
}
