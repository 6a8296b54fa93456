/** Bulk actions on orders: cancel; pause and resume, which stop the vaults of the orders. */
import { useState } from "react"
import type { BulkAction, BulkLine } from "../bulk/BulkLine.ts"
import { BulkReview } from "../bulk/BulkReview.tsx"
import { type AtVault, resumeLines, stopLines } from "../vault/VaultStops.ts"
import { call } from "../connection/RpcConnection.ts"
import { useSwitches } from "../gas-wallet/KillSwitch.tsx"
import { vaultRefOf } from "../vault/VaultRef.ts"
import { type NamedOrder, nameOf, titleOf } from "./OrderRows.tsx"
import type { OrderAction } from "./OrdersPage.tsx"
import { sizeOf } from "./VaultOrders.ts"
import { t } from "../text/Text.ts"

const atVault = ({ order, vault }: NamedOrder): AtVault => ({
  key: order.id,
  name: `${titleOf(order)} ${sizeOf(order)}`,
  vault,
  network: order.network,
  pool: order.pool,
  gasWallet: order.gasWallet
})

const isOpen = ({ order }: NamedOrder): boolean => order.state === "open" || order.state === "triggered"

const cancelLine = (named: NamedOrder): BulkLine => ({
  key: named.order.id,
  name: nameOf(named),
  effect: isOpen(named)
    ? t("Is cancelled. A slice that is already sent still completes.")
    : t("It has ended, or is being cancelled already."),
  send: isOpen(named)
    ? () =>
      call((client) => client.wallet.cancelOrder({ ...vaultRefOf(named.order), order: named.order.id })).then(
        ({ message }) => message
      )
    : undefined
})

interface Fleet {
  readonly selected: ReadonlyArray<NamedOrder>
  readonly open: ReadonlyArray<NamedOrder>
  readonly switches: NonNullable<ReturnType<typeof useSwitches>["data"]>
}

const bulkOf = (name: OrderAction, { open, selected, switches }: Fleet): BulkAction => {
  if (name === "cancel") {
    return {
      title: t("Cancel the selected orders"),
      action: t("Cancel orders"),
      note: t(
        "Nothing more is traded for an order that is cancelled. Slices that are already sent still " +
          "complete, and their outcomes count."
      ),
      lines: selected.map(cancelLine),
      atOnce: 4
    }
  }
  const there = open.map(atVault)
  if (name === "pause") {
    return {
      title: t("Pause the selected orders"),
      action: t("Pause"),
      note: t(
        "Orders are stopped by vault, together with the vault’s bots. Nothing more is signed for them " +
          "until you resume them; transactions already sent still complete."
      ),
      lines: stopLines(selected.filter(isOpen).map(atVault), there, switches),
      atOnce: 4
    }
  }
  return {
    title: t("Resume the selected orders"),
    action: t("Resume"),
    note: t("The vaults’ orders and bots are resumed, with a signature of your wallet for each vault."),
    lines: resumeLines(selected.filter(isOpen).map(atVault), there, switches),
    atOnce: 1
  }
}

function Opened({ close, fleet, name }: {
  readonly fleet: Fleet
  readonly name: OrderAction
  readonly close: () => void
}) {
  const [bulk] = useState(() => bulkOf(name, fleet))
  return <BulkReview bulk={bulk} close={close} />
}

/** Shows the review of an action on what is selected when it opens; it does not change while it is open. */
export function BulkOrders({ close, everyOrder, name, orders }: {
  readonly name: OrderAction
  readonly orders: ReadonlyArray<NamedOrder>
  readonly everyOrder: ReadonlyArray<NamedOrder>
  readonly close: () => void
}) {
  const switches = useSwitches().data
  return switches === undefined
    ? null
    : <Opened fleet={{ open: everyOrder.filter(isOpen), selected: orders, switches }} name={name} close={close} />
}
