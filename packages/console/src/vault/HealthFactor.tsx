/**
 * The safety of a vault's loans: its health factor as number, colour and text, and the supplied and borrowed assets.
 */
import { Alert, Anchor, Badge, Group, Stack, Text, Title } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import { noDebt } from "@vault-trader/core/lending/NoDebt"
import { dollars, percent, quantity } from "../shell/Format.ts"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import type { VaultRef } from "./VaultRef.ts"
import { type LendingAccount, useLendingAccount } from "./useLendingAccount.ts"
import { t } from "../text/Text.ts"

/** Below this, the service refuses to borrow or to withdraw collateral; see HEALTH_FACTOR_FLOOR. */
export const thinBelow = 1.3
export const closeBelow = 1.1

/** Interprets a health factor. */
export const healthOf = (text: string) => {
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

/** Formats a health factor with two decimals. */
export const healthText = (text: string): string => text === noDebt ? "∞" : Number(text).toFixed(2)

/** Returns the percentage by which the collateral may fall before liquidation. */
export const marginOf = (text: string): number =>
  text === noDebt ? 100 : Math.max(0, (1 - 1 / Math.max(Number(text), Number.MIN_VALUE)) * 100)

export function HealthBadge({ healthFactor }: { readonly healthFactor: string }) {
  const { color, label } = healthOf(healthFactor)
  return <Badge color={color} variant={color === "green" ? "dot" : "filled"}>{label}</Badge>
}

/** Says how close the vault is to liquidation, with a warning where it is close. */
export function HealthSentence({ account }: { readonly account: LendingAccount }) {
  const { currentLiquidationThreshold, healthFactor, totalCollateralBase, totalDebtBase } = account
  const { color, warning } = healthOf(healthFactor)
  return (
    <>
      {warning !== null && (
        <Alert color={color} title={t("Health factor {healthFactor}", { healthFactor: healthText(healthFactor) })}>
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
    </>
  )
}

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
  const { network, pool } = vault
  if (account.data === undefined) {
    return account.error === null
      ? <Text size="sm">{t("Reading the lending market…")}</Text>
      : (
        <Alert color="orange" role="alert" title={t("Its loans cannot be read right now")}>
          {account.error.message}
        </Alert>
      )
  }
  const { borrowed, healthFactor, supplied } = account.data
  if (supplied.length === 0 && borrowed.length === 0) return null
  return (
    <Stack gap="xs" component="section" aria-label={t("Lending")}>
      <Group justify="space-between">
        <Title order={3} size="h5">{t("Lending with lenderA")}</Title>
        <HealthBadge healthFactor={healthFactor} />
      </Group>
      <Text fw={600}>{t("Health factor {healthFactor}", { healthFactor: healthText(healthFactor) })}</Text>
      <HealthSentence account={account.data} />
      <Lines label={t("Supplied")} assets={supplied} />
      <Lines label={t("Borrowed")} assets={borrowed} />
      <Anchor
        component={Link}
        to="/vaults/$network/$pool/lending"
        params={{ network, pool } as never}
        size="sm"
        style={{ alignSelf: "flex-start" }}
      >
        {t("Supply, withdraw, borrow or repay")}
      </Anchor>
    </Stack>
  )
}
