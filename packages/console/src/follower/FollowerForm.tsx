/** Makes a vault follow a leader, or changes how, after the service said what it would trade now. */
import { List, Stack, Text } from "@mantine/core"
import { defaults } from "@vault-trader/core/follower/Follower"
import { FollowerApi } from "@vault-trader/core/follower/FollowerApi"
import { call } from "../connection/RpcConnection.ts"
import { percent } from "../shell/Format.ts"
import { parametersOf } from "../shell/Parameters.ts"
import { type TermField, TermsForm } from "../shell/TermsForm.tsx"
import { useVaultChoice } from "../vault/VaultChoice.tsx"
import type { VaultRef } from "../vault/VaultRef.ts"
import { type Follower, paramsOf } from "./Followers.ts"
import { t } from "../text/Text.ts"

const { faultOf } = parametersOf(FollowerApi, "setFollower")

const fields: ReadonlyArray<TermField> = [
  {
    name: "leader",
    label: t("Leader"),
    description: t("Address of another vault, or of any wallet"),
    placeholder: "0x…",
    isNeeded: true
  },
  {
    name: "ratio",
    label: t("Ratio, %"),
    description: t("Of the leader’s weights"),
    placeholder: String(defaults.ratio)
  },
  { name: "base", label: t("Base"), description: t("Holds what is not copied"), placeholder: "USDC" },
  {
    name: "threshold",
    label: t("Trade when off by, points"),
    description: t("Distance of a weight from its target"),
    placeholder: String(defaults.threshold)
  },
  { name: "max_weight", label: t("Max weight of an asset, %"), description: t("Empty: no cap"), placeholder: "40" },
  { name: "max_usd", label: t("Max per trade, USD"), placeholder: "1000", isNeeded: true },
  { name: "max_usd_interval", label: t("Max per interval, USD"), description: t("Empty: no cap"), placeholder: "5000" },
  { name: "interval", label: t("Interval"), description: t("As 6h or 1d"), placeholder: "1d" },
  {
    name: "delay",
    label: t("Delay"),
    description: t("A difference must last this long"),
    placeholder: t("none, or 10m")
  },
  {
    name: "assets",
    label: t("Only these assets"),
    description: t("Empty: all that the vault may hold"),
    placeholder: "WETH, WBTC",
    isList: true
  },
  { name: "without", label: t("Never these assets"), placeholder: "none", isList: true },
  {
    name: "slippage",
    label: t("Max slippage, %"),
    description: t("vs. oracle price (up to 5 %)"),
    placeholder: String(defaults.slippage)
  },
  {
    name: "max_impact",
    label: t("Max impact of a trade, %"),
    description: t("A trade is as large as the pool bears"),
    placeholder: String(defaults.maxImpact)
  }
]

export function FollowerForm({ close, follower, vault: given }: {
  /** The follower that is edited. */
  readonly follower?: Follower
  readonly vault?: VaultRef | undefined
  readonly close: () => void
}) {
  const { field, vault } = useVaultChoice(given)
  const set = (params: Readonly<Record<string, unknown>>) =>
    // Decoded by the endpoint's schemas; the compiler cannot check fields accessed by name.
    call((client) => client.wallet.setFollower({ ...vault, ...params } as never))
  return (
    <TermsForm
      title={follower === undefined ? t("Follow a leader") : t("Edit how it follows")}
      endpoint="setFollower"
      about={vault === undefined ? {} : { network: vault.network, pool: vault.pool }}
      fields={fields}
      faultOf={faultOf}
      initial={follower === undefined
        ? {}
        : Object.fromEntries(Object.entries(paramsOf(follower)).map(([name, value]) => [name, String(value)]))}
      missing={vault === undefined ? t("Choose a vault") : undefined}
      header={
        <Stack gap="xs">
          {field}
          <Text size="sm" c="dimmed">
            {t(
              "A vault follows one leader. Trades are this vault’s own: its gas wallet signs them and pays for " +
                "them."
            )}
          </Text>
        </Stack>
      }
      preview={async (params) => {
        const { plan } = await set({ ...params, dryRun: true })
        return plan === null ? t("The leader can be read.") : (
          <>
            {plan.reading} {plan.reason}
            <List size="sm" mt={4}>
              {plan.weights.map(({ asset, reason, symbol, target, weight }) => (
                <List.Item key={asset}>
                  {t("{symbol}: {weight} there, {target} here.", {
                    symbol,
                    weight: percent(weight),
                    target: percent(target)
                  })} {reason}
                </List.Item>
              ))}
              {plan.trades.map((trade) => <List.Item key={trade}>{t("Would trade: {trade}", { trade })}</List.Item>)}
            </List>
          </>
        )
      }}
      send={set}
      submit={follower === undefined ? t("Follow the leader") : t("Save changes")}
      failed={t("The vault’s following is unchanged")}
      close={close}
    />
  )
}
