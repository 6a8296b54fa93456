/**
 * The safety of a vault's loans: its health factor as number, colour and text, and the supplied and borrowed assets.
 */
import { Alert, Badge, Group, Stack, Text, Title } from "@mantine/core"
import { noDebt } from "@vault-trader/core/lending/NoDebt"
import { dollars, percent, quantity } from "../shell/Format.ts"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import type { VaultRef } from "./VaultRef.ts"
import { type LendingAccount, useLendingAccount } from "./useLendingAccount.ts"
import { t } from "../text/Text.ts"

/** Below this, the service refuses to borrow or to withdraw collateral; see HEALTH_FACTOR_FLOOR. */
const thinBelow = 1.3
const closeBelow = 1.1

/** Interprets a health factor. */
const interpret = (text: string) => {
  const value = Number(text)
  if (text === noDebt) return { color: "green", label: t("no debt"), warning: null }
  if (value < 1) {
    return {
      color: "red",
      label: t("being liquidated"),
      warning: t(
        "The collateral is worth less than the debt allows: anyone may liquidate it, at a penalty. " +
          "Repay, or supply more, now."
      )
    }
  }
  if (value < closeBelow) {
    return {
      color: "red",
      label: t("close to liquidation"),
      warning: t("A small price move liquidates the collateral, at a penalty. Repay, or supply more.")
    }
  }
  if (value < thinBelow) {
    return {
      color: "orange",
      label: t("thin"),
      warning: t("Below 1 the collateral is liquidated, at a penalty. Repay some, or supply more.")
    }
  }
  return { color: "green", label: t("safe"), warning: null }
}

/** Returns the percentage by which the collateral may fall before liquidation. */
const marginOf = (text: string) => Math.max(0, (1 - 1 / Number(text)) * 100)

function Lines({ assets, label }: { readonly label: string; readonly assets: LendingAccount["supplied"] }) {
  if (assets.length === 0) return null
  const rows = assets.map(({ amount, asset, symbol, usd }) => ({
    key: asset,
    cells: [symbol, quantity(amount), dollars(Number(usd))]
  }))
  return (
    <div>
      <Text size="sm" fw={600}>{label}</Text>
      <ResponsiveTable label={label} columns={[t("Asset"), t("Amount"), "USD"]} rows={rows} />
    </div>
  )
}

export function HealthFactor({ vault }: { readonly vault: VaultRef }) {
  const account = useLendingAccount(vault)
  if (account.data === undefined) {
    return account.error === null
      ? <Text size="sm">{t("Reading the lending market…")}</Text>
      : (
        <Alert color="orange" role="alert" title={t("Its loans cannot be read right now")}>
          {account.error.message}
        </Alert>
      )
  }
  const { borrowed, currentLiquidationThreshold, healthFactor, supplied, totalCollateralBase, totalDebtBase } =
    account.data
  if (supplied.length === 0 && borrowed.length === 0) return null
  const { color, warning, label } = interpret(healthFactor)
  return (
    <Stack gap="xs" component="section" aria-label={t("Lending")}>
      <Group justify="space-between">
        <Title order={3} size="h5">{t("Lending with lenderA")}</Title>
        <Badge color={color} variant={color === "green" ? "dot" : "filled"}>{label}</Badge>
      </Group>
      <Text fw={600}>
        {t("Health factor {healthFactor}", {
          healthFactor: healthFactor === noDebt ? "∞" : Number(healthFactor).toFixed(2)
        })}
      </Text>
      {warning !== null && (
        <Alert
          color={color}
          title={t("Health factor {healthFactor}", { healthFactor: Number(healthFactor).toFixed(2) })}
        >
          {warning}
        </Alert>
      )}
      <Text size="sm">
        {healthFactor === noDebt
          ? t("Supplied {totalCollateralBase}, borrowed {totalDebtBase}. Without debt nothing can be liquidated.", {
            totalCollateralBase: dollars(Number(totalCollateralBase)),
            totalDebtBase: dollars(Number(totalDebtBase))
          })
          : t(
            "Supplied {totalCollateralBase}, borrowed {totalDebtBase}. Liquidated below 1: when the " +
              "collateral falls by {healthFactor} against the debt (threshold {currentLiquidationThreshold}).",
            {
              totalCollateralBase: dollars(Number(totalCollateralBase)),
              totalDebtBase: dollars(Number(totalDebtBase)),
              healthFactor: percent(marginOf(healthFactor)),
              currentLiquidationThreshold: percent(Number(currentLiquidationThreshold))
            }
          )}
      </Text>
      <Lines label={t("Supplied")} assets={supplied} />
      <Lines label={t("Borrowed")} assets={borrowed} />
    </Stack>
  )
}
