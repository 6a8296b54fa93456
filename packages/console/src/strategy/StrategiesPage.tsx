/** Strategies: the bots that trade by them, and the strategies that this service has, with their inputs. */
import { Badge, Code, Group, Stack, Text } from "@mantine/core"
import { IconBrain } from "@tabler/icons-react"
import { lazy } from "react"
import type { FleetColumn } from "../shell/FleetTable.tsx"
import { money, unknown } from "../shell/Format.ts"
import { Problem } from "../shell/Problem.tsx"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import { Section } from "../shell/Section.tsx"
import { useLinks } from "../vault/useVaults.ts"
import { VaultLink } from "../vault/VaultLink.tsx"
import { checkedColumn, RowName, stateColumn, VaultListPage } from "../vault/VaultListPage.tsx"
import { type VaultRef, vaultRefOf } from "../vault/VaultRef.ts"
import { acceptsOf, type StrategyBot, stateOf, useInstalled, useStrategyBots } from "./StrategyBots.ts"
import { t } from "../text/Text.ts"

const StrategyForm = lazy(() => import("./StrategyForm.tsx").then(({ StrategyForm }) => ({ default: StrategyForm })))

const columns: ReadonlyArray<FleetColumn<StrategyBot>> = [
  {
    id: "strategy",
    width: 14,
    label: t("Strategy"),
    sort: ({ strategy }) => strategy,
    cell: (bot) => (
      <RowName to={`/strategies/${bot.network}/${bot.pool}/${bot.strategy}`} row={bot}>{bot.strategy}</RowName>
    )
  },
  stateColumn(stateOf),
  {
    id: "vault",
    width: 13,
    label: t("Vault"),
    isWide: true,
    sort: ({ network, pool }) => `${network}/${pool}`,
    cell: ({ network, pool }) => <VaultLink network={network} pool={pool} />
  },
  {
    id: "assets",
    label: t("Assets"),
    isWide: true,
    sort: ({ assets }) => assets.join(),
    cell: ({ assets, quote }) => t("{assets} in {quote}", { assets: assets.join(", "), quote })
  },
  {
    id: "reason",
    width: 18,
    label: t("Last decision"),
    isWide: true,
    sort: ({ reason }) => reason,
    cell: ({ reason }) => <span title={reason}>{reason}</span>
  },
  {
    id: "max",
    width: 13,
    label: t("Max per decision"),
    isFigure: true,
    isWide: true,
    sort: ({ max_usd }) => max_usd,
    cell: ({ max_usd }) => money(max_usd)
  },
  checkedColumn
]

/** The strategies in the service's folder. Any vault shows the same ones. */
function InstalledStrategies({ vault }: { readonly vault: VaultRef | undefined }) {
  const installed = useInstalled(vault)
  const strategies = installed.data ?? []
  return (
    <Section title={t("Installed strategies ({count})", { count: strategies.length })}>
      {installed.error !== null && (
        <Problem title={t("The strategies cannot be read right now")} message={installed.error.message} />
      )}
      {vault === undefined && <Text size="sm" c="dimmed">{t("Link a vault to a gas wallet to see them.")}</Text>}
      {installed.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("The service has none. The operator names a folder of strategy files with STRATEGY_DIR.")}
        </Text>
      )}
      <Stack gap="lg">
        {strategies.map(({ description, name, problem }) => (
          <div key={name}>
            <Group gap="xs">
              <Text fw={600}>{name}</Text>
              {problem !== null && <Badge color="red">{t("cannot be loaded")}</Badge>}
            </Group>
            {problem !== null && <Text size="sm" style={{ overflowWrap: "anywhere" }}>{problem}</Text>}
            {description !== null && (
              <>
                <Text size="sm" c="dimmed">
                  {t("{description} It reads up to {history, plural, one {# candle} other {# candles}}.", {
                    description: description.description,
                    history: description.history
                  })}
                </Text>
                {Object.keys(description.inputs).length > 0 && (
                  <ResponsiveTable
                    label={t("Inputs of {name}", { name })}
                    columns={[t("Input"), t("Default"), t("Accepts"), t("Meaning")]}
                    rows={Object.entries(description.inputs).map(([input, each]) => ({
                      key: input,
                      cells: [
                        <Code key="name">{input}</Code>,
                        String(each.default),
                        acceptsOf(each),
                        each.description ?? unknown
                      ]
                    }))}
                  />
                )}
              </>
            )}
          </div>
        ))}
      </Stack>
    </Section>
  )
}

export function StrategiesPage() {
  const bots = useStrategyBots()
  const [first] = useLinks().data ?? []
  const usual = first === undefined ? undefined : vaultRefOf({ ...first, gasWallet: first.wallet })
  return (
    <VaultListPage
      title={t("Strategies")}
      to="/strategies"
      query={bots}
      rows={bots.data ?? []}
      columns={columns}
      label={t("Strategy bots")}
      countOf={(count) => t("{count, plural, one {# bot} other {# bots}}", { count })}
      action={t("Deploy a strategy")}
      form={(vault, close) => <StrategyForm vault={vault} close={close} />}
      empty={{
        icon: <IconBrain size={22} />,
        title: t("No strategy trades a vault"),
        text: t(
          "A strategy is a file of your own rules that runs in a sandbox. A bot asks it each time a candle " +
            "closes, on paper first: you see every decision with its reason before it may trade."
        )
      }}
    >
      {(vault) => <InstalledStrategies vault={vault ?? usual} />}
    </VaultListPage>
  )
}
