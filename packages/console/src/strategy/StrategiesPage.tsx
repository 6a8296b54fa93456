/** Strategies: the bots that trade by them, and the strategies that this service has, with their inputs. */
import { Anchor, Badge, Button, Card, Code, Group, Stack, Text } from "@mantine/core"
import { IconBrain } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { useVaultRef } from "../vault/Authorities.ts"
import { EmptyState } from "../shell/EmptyState.tsx"
import { type FleetColumn, FleetTable } from "../shell/FleetTable.tsx"
import { count, money, unknown } from "../shell/Format.ts"
import { Page } from "../shell/Page.tsx"
import { Problem } from "../shell/Problem.tsx"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import { Section } from "../shell/Section.tsx"
import { StatusBadge } from "../shell/StatusBadge.tsx"
import { Time } from "../shell/Time.tsx"
import { useDialog } from "../shell/useDialog.ts"
import { useLinks } from "../vault/useVaults.ts"
import { VaultLink, VaultName } from "../vault/VaultLink.tsx"
import { type VaultRef, vaultRefOf } from "../vault/VaultRef.ts"
import { VaultFilter } from "../vault/VaultFilter.tsx"
import { isAt, useVaultSearch } from "../vault/VaultSearch.ts"
import { acceptsOf, type StrategyBot, stateOf, useInstalled, useStrategyBots } from "./StrategyBots.ts"

const StrategyForm = lazy(() => import("./StrategyForm.tsx").then(({ StrategyForm }) => ({ default: StrategyForm })))

const columns: ReadonlyArray<FleetColumn<StrategyBot>> = [
  {
    id: "strategy",
    width: 14,
    label: "Strategy",
    sort: ({ strategy }) => strategy,
    cell: ({ network, pool, strategy }) => (
      <>
        <Anchor
          component={Link}
          to="/strategies/$network/$pool/$strategy"
          params={{ network, pool, strategy } as never}
          size="sm"
          fw={600}
        >
          {strategy}
        </Anchor>
        <VaultName network={network} pool={pool} />
      </>
    )
  },
  {
    id: "state",
    label: "State",
    sort: (bot) => stateOf(bot).rank,
    cell: (bot) => {
      const { color, label } = stateOf(bot)
      return <StatusBadge color={color} label={label} />
    }
  },
  {
    id: "vault",
    width: 13,
    label: "Vault",
    isWide: true,
    sort: ({ network, pool }) => `${network}/${pool}`,
    cell: ({ network, pool }) => <VaultLink network={network} pool={pool} />
  },
  {
    id: "assets",
    label: "Assets",
    isWide: true,
    sort: ({ assets }) => assets.join(),
    cell: ({ assets, quote }) => `${assets.join(", ")} in ${quote}`
  },
  {
    id: "reason",
    width: 18,
    label: "Last decision",
    isWide: true,
    sort: ({ reason }) => reason,
    cell: ({ reason }) => <span title={reason}>{reason}</span>
  },
  {
    id: "max",
    width: 13,
    label: "Max per decision",
    isFigure: true,
    isWide: true,
    sort: ({ max_usd }) => max_usd,
    cell: ({ max_usd }) => money(max_usd)
  },
  {
    id: "checked",
    label: "Last check",
    isFigure: true,
    isWide: true,
    sort: ({ checked_at }) => checked_at ?? "",
    cell: ({ checked_at }) => checked_at === null ? unknown : <Time at={checked_at} />
  }
]

/** The strategies in the service's folder. Any vault shows the same ones. */
function InstalledStrategies({ vault }: { readonly vault: VaultRef | undefined }) {
  const installed = useInstalled(vault)
  const strategies = installed.data ?? []
  return (
    <Section title={`Installed strategies (${strategies.length})`}>
      {installed.error !== null && (
        <Problem title="The strategies cannot be read right now" message={installed.error.message} />
      )}
      {vault === undefined && <Text size="sm" c="dimmed">Link a vault to a gas wallet to see them.</Text>}
      {installed.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          The service has none. The operator names a folder of strategy files with STRATEGY_DIR.
        </Text>
      )}
      <Stack gap="lg">
        {strategies.map(({ description, name, problem }) => (
          <div key={name}>
            <Group gap="xs">
              <Text fw={600}>{name}</Text>
              {problem !== null && <Badge color="red">cannot be loaded</Badge>}
            </Group>
            {problem !== null && <Text size="sm" style={{ overflowWrap: "anywhere" }}>{problem}</Text>}
            {description !== null && (
              <>
                <Text size="sm" c="dimmed">
                  {description.description} It reads up to {count(description.history, "candle")}.
                </Text>
                {Object.keys(description.inputs).length > 0 && (
                  <ResponsiveTable
                    label={`Inputs of ${name}`}
                    columns={["Input", "Default", "Accepts", "Meaning"]}
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
  const search = useVaultSearch()
  const [first] = useLinks().data ?? []
  const vault = useVaultRef(search.network ?? "", search.pool ?? "")
  const { close, dialog, open } = useDialog<"add">()
  const shown = (bots.data ?? []).filter(isAt(search))
  const add = <Button onClick={() => open("add")}>Deploy a strategy</Button>
  return (
    <Page title="Strategies" query={bots} actions={shown.length > 0 && add} subtitle={<VaultFilter to="/strategies" />}>
      <Card withBorder padding="sm">
        {shown.length === 0
          ? (
            <EmptyState icon={<IconBrain size={22} />} title="No strategy trades a vault" action={add}>
              A strategy is a file of your own rules that runs in a sandbox. A bot asks it each time a candle closes, on
              paper first: you see every decision with its reason before it may trade.
            </EmptyState>
          )
          : (
            <>
              <Text size="sm" c="dimmed" mb={4} role="status">{count(shown.length, "bot")}</Text>
              <FleetTable
                label="Strategy bots"
                columns={columns}
                rows={shown}
                keyOf={({ id }) => id}
                sortedBy={{ id: "state", isDescending: false }}
              />
            </>
          )}
      </Card>
      <InstalledStrategies
        vault={vault ?? (first === undefined ? undefined : vaultRefOf({ ...first, gasWallet: first.wallet }))}
      />
      <Suspense fallback={null}>{dialog === "add" && <StrategyForm vault={vault} close={close} />}</Suspense>
    </Page>
  )
}
