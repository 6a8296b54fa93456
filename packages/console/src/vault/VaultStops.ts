/**
 * Bulk stops of vaults' bots and orders, and their end. The switch is the vault's: it stops all bots and orders there,
 * also those that were not selected, so there is one line for each vault, which names them.
 */
import type { BulkLine } from "../bulk/BulkLine.ts"
import { call } from "../connection/RpcConnection.ts"
import { signAction } from "../session/SignedAction.ts"
import { groupedBy } from "../shell/Grouped.ts"
import { vaultRefOf } from "./VaultRef.ts"
import { t } from "../text/Text.ts"

/** A bot or an order at a vault. */
export interface AtVault {
  readonly key: string
  /** Its name among those of its vault. */
  readonly name: string
  /** Its vault's name. */
  readonly vault: string
  readonly network: string
  readonly pool: string
  readonly gasWallet: string
}

/** A kill switch that is on. */
export interface Switch {
  readonly scope: string
  readonly by: "operator" | "owner" | "guardian"
}

const keyOf = ({ network, pool }: Pick<AtVault, "network" | "pool">) => `${network}/${pool}`

const namesOf = (those: ReadonlyArray<AtVault>) => those.map(({ name }) => name).join(", ")

/** Lists the selected things by their vault, with the other things there. */
const byVault = (selected: ReadonlyArray<AtVault>, all: ReadonlyArray<AtVault>) => {
  const keys = new Set(selected.map(({ key }) => key))
  const others = groupedBy(all.filter(({ key }) => !keys.has(key)), keyOf)
  return [...groupedBy(selected, keyOf)].map(([vault, here]) => {
    const also = others.get(vault)
    return {
      vault,
      here,
      also: also === undefined ? "" : ` ${t("Also, not selected: {also}.", { also: namesOf(also) })}`
    }
  })
}

/** Returns one line for each vault of what is selected. A vault that is already stopped is left as it is. */
export const stopLines = (
  selected: ReadonlyArray<AtVault>,
  all: ReadonlyArray<AtVault>,
  switches: ReadonlyArray<Switch>
): ReadonlyArray<BulkLine> =>
  byVault(selected, all).flatMap(({ also, here, vault }) => {
    const [first] = here
    if (first === undefined) return []
    const isStopped = switches.some(({ by, scope }) => scope === `bot/${vault}` && by !== "guardian")
    return [{
      key: vault,
      name: first.vault,
      effect: isStopped
        ? t("Its bots and orders are already stopped.")
        : t("Stops all bots and orders of this vault: {here}.{also}", { here: namesOf(here), also }),
      send: isStopped
        ? undefined
        : () =>
          call((client) => client.wallet.pauseBot({ ...vaultRefOf(first), reason: "stopped in the console" }))
            .then(({ message }) => message)
    }]
  })

const whyNot = (by: Switch["by"] | undefined): string =>
  by === "operator"
    ? t("The operator has stopped them; only the operator can resume them.")
    : by === "guardian"
    ? t("A guardian holds them until its rule is met again.")
    : t("The whole gas wallet or service is stopped: see Kill switch.")

/** Returns one line for each vault whose bots and orders are stopped. The manager's wallet signs each. */
export const resumeLines = (
  stopped: ReadonlyArray<AtVault>,
  all: ReadonlyArray<AtVault>,
  switches: ReadonlyArray<Switch>
): ReadonlyArray<BulkLine> =>
  byVault(stopped, all).flatMap(({ also, here, vault }) => {
    const [first] = here
    if (first === undefined) return []
    const on = switches.filter(({ scope }) => scope === `bot/${vault}`)
    const mayResume = on.some(({ by }) => by === "owner")
    const { network, pool, wallet } = vaultRefOf(first)
    return [{
      key: vault,
      name: first.vault,
      effect: mayResume
        ? t("Resumes all bots and orders of this vault, with a signature of your wallet: {here}.{also}", {
          here: namesOf(here),
          also
        })
        : whyNot(on[0]?.by),
      send: mayResume
        ? async () => {
          const signature = await signAction({ action: "resumeBot", network, pool, wallet })
          return call((client) => client.resumeBot({ network, pool, wallet, signature }))
        }
        : undefined
    }]
  })
