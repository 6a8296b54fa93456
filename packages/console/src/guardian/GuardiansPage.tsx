/** Guardians of all vaults, those that need a person first. */
import { IconShieldHalf } from "@tabler/icons-react"
import { lazy } from "react"
import type { FleetColumn } from "../shell/FleetTable.tsx"
import { unknown } from "../shell/Format.ts"
import { VaultLink } from "../vault/VaultLink.tsx"
import { checkedColumn, RowName, stateColumn, VaultListPage } from "../vault/VaultListPage.tsx"
import { type Guardian, kindLabels, stateOf, useGuardians, watchesOf } from "./Guardians.ts"
import { t } from "../text/Text.ts"

const GuardianForm = lazy(() => import("./GuardianForm.tsx").then(({ GuardianForm }) => ({ default: GuardianForm })))

const columns: ReadonlyArray<FleetColumn<Guardian>> = [
  {
    id: "kind",
    width: 14,
    label: t("Guardian"),
    sort: ({ kind }) => kindLabels[kind].label,
    cell: (guardian) => (
      <RowName to={`/guardians/${guardian.network}/${guardian.pool}/${guardian.kind}`} row={guardian}>
        {kindLabels[guardian.kind].label}
      </RowName>
    )
  },
  stateColumn(stateOf),
  {
    id: "vault",
    width: 14,
    label: t("Vault"),
    isWide: true,
    sort: ({ network, pool }) => `${network}/${pool}`,
    cell: ({ network, pool }) => <VaultLink network={network} pool={pool} />
  },
  {
    id: "watches",
    width: 22,
    label: t("Watches"),
    isWide: true,
    sort: watchesOf,
    cell: (guardian) => <span title={watchesOf(guardian)}>{watchesOf(guardian)}</span>
  },
  {
    id: "reading",
    width: 22,
    label: t("Last reading"),
    isWide: true,
    sort: ({ reading }) => reading ?? "",
    cell: ({ reading }) => <span title={reading ?? ""}>{reading ?? unknown}</span>
  },
  checkedColumn
]

export function GuardiansPage() {
  const guardians = useGuardians()
  return (
    <VaultListPage
      title={t("Guardians")}
      to="/guardians"
      query={guardians}
      rows={guardians.data ?? []}
      columns={columns}
      label={t("Guardians")}
      countOf={(count) => t("{count, plural, one {# guardian} other {# guardians}}", { count })}
      action={t("Add a guardian")}
      form={(vault, close) => <GuardianForm vault={vault} close={close} />}
      empty={{
        icon: <IconShieldHalf size={22} />,
        title: t("No guardian yet"),
        text: t(
          "A guardian watches a vault day and night, also while this page is closed. It repays debt before " +
            "a liquidation, stops bots after a loss, holds trades on bad prices, or reports that gas runs " + "low."
        )
      }}
    />
  )
}
