/** A vault: its value over time, what it holds and lends, its bots, orders and activity, and how it is set up. */
import { Anchor, Badge, Button, Card, Group, SimpleGrid, Skeleton, Stack, Text } from "@mantine/core"
import { IconActivity, IconArrowsExchange, IconLink, IconRobot } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { allBots, StateBadge } from "../bots/BotState.tsx"
import { useBots } from "../bots/Bots.ts"
import { NextCheck } from "../bots/NextCheck.tsx"
import { useTrades } from "../chart/Charts.ts"
import { MintFees } from "../fees/MintFees.tsx"
import { ActivityRow } from "../intent/ActivityRow.tsx"
import { Address } from "../shell/Address.tsx"
import { EmptyState } from "../shell/EmptyState.tsx"
import { NetworkIcon, networkName, PairIcon } from "../shell/Icons.tsx"
import { Page } from "../shell/Page.tsx"
import { Problem } from "../shell/Problem.tsx"
import { Section } from "../shell/Section.tsx"
import { useDialog } from "../shell/useDialog.ts"
import { useRouteParams } from "../shell/useRouteParams.ts"
import { LastRead } from "../shell/Time.tsx"
import { slicesOf } from "../vault-order/OrderFields.ts"
import { OrderRows } from "../vault-order/OrderRows.tsx"
import { useOpenOrders } from "../vault-order/VaultOrders.ts"
import { HealthFactor } from "../vault/HealthFactor.tsx"
import { Holdings } from "./Holdings.tsx"
import { useVaultName } from "../vault/Names.ts"
import { VaultSetup } from "./VaultSetup.tsx"
import { VaultValue } from "./VaultValue.tsx"
import { vaultKeyOf, type VaultRef, vaultRefOf } from "../vault/VaultRef.ts"
import { type Link as VaultLink, useComposition, useVaultLink } from "../vault/useVaults.ts"
import { T } from "../text/Sentence.tsx"
import { t } from "../text/Text.ts"

const TagLine = lazy(() => import("../views/TagLine.tsx").then(({ TagLine }) => ({ default: TagLine })))
const LinkForm = lazy(() => import("../vault/LinkForm.tsx").then(({ LinkForm }) => ({ default: LinkForm })))
const TradeTicket = lazy(() =>
  import("../trading/TradeTicket.tsx").then(({ TradeTicket }) => ({ default: TradeTicket }))
)
const OrderTicket = lazy(() =>
  import("../vault-order/OrderTicket.tsx").then(({ OrderTicket }) => ({ default: OrderTicket }))
)

const VaultAutomation = lazy(() =>
  import("./VaultAutomation.tsx").then(({ VaultAutomation }) => ({ default: VaultAutomation }))
)

const VaultMarkets = lazy(() => import("./VaultMarkets.tsx").then(({ VaultMarkets }) => ({ default: VaultMarkets })))

/** The vault platform's type of an account with lenderA. */
const lendingAccount = 8

function Assets({ link, vault }: { readonly link: VaultLink; readonly vault: VaultRef }) {
  const holdings = useComposition(link)
  const index = useBots().data?.index_bots.find((bot) => bot.network === vault.network && bot.pool === vault.pool)
  return (
    <Section title={t("Holdings")}>
      {holdings.error !== null && (
        <Problem title={t("The holdings cannot be read right now")} message={holdings.error.message} />
      )}
      {holdings.error !== null && holdings.data !== undefined && <LastRead at={holdings.dataUpdatedAt} />}
      {holdings.data === undefined
        ? holdings.error === null && <Skeleton h={120} aria-label={t("Loading the holdings")} />
        : <Holdings data={holdings.data} index={index} />}
      {holdings.data?.composition.some(({ amount, asset_type }) => asset_type === lendingAccount && amount !== "0") ===
          true && <HealthFactor vault={vault} />}
    </Section>
  )
}

function MarketsHere({ link, vault }: { readonly link: VaultLink; readonly vault: VaultRef }) {
  return <VaultMarkets data={useComposition(link).data} vault={vault} />
}

function BotsHere({ vault }: { readonly vault: VaultRef }) {
  const bots = allBots(useBots().data).filter(({ network, pool }) => network === vault.network && pool === vault.pool)
  return (
    <Section
      title={t("Bots ({count})", { count: bots.length })}
      action={<Anchor component={Link} to="/bots" size="sm">{t("All bots")}</Anchor>}
    >
      {bots.length === 0
        ? (
          <EmptyState
            icon={<IconRobot size={22} />}
            title={t("No bot trades this vault")}
            action={<Button component={Link} to="/bots" size="xs">{t("Deploy a bot")}</Button>}
          >
            {t("A threshold bot keeps the vault on one side of a pair; an index bot holds weights.")}
          </EmptyState>
        )
        : (
          <Stack gap={0} mx={-12}>
            {bots.map(({ key, name, network, nextCheck, pair, pool, reason, stance, state }) => (
              <Link
                key={key}
                to="/bots/$network/$pool/$pair"
                params={{ network, pool, pair: pair ?? "index" }}
                className="row-link"
              >
                <Group justify="space-between" wrap="nowrap">
                  <Group gap="sm" wrap="nowrap">
                    {pair === null ? <IconRobot size={22} aria-hidden="true" /> : <PairIcon pair={pair} />}
                    <Text size="sm" fw={600}>{name}{pair === null ? "" : ` · ${stance}`}</Text>
                  </Group>
                  <StateBadge state={state} />
                </Group>
                <Text size="xs" c="dimmed" lineClamp={2}>
                  {reason}
                  {nextCheck !== null && (
                    <>
                      {" "}
                      <T message="Next check {time}." values={{ time: <NextCheck at={nextCheck} /> }} />
                    </>
                  )}
                </Text>
              </Link>
            ))}
          </Stack>
        )}
    </Section>
  )
}

function OrdersHere({ place, vault }: { readonly vault: VaultRef; readonly place: () => void }) {
  const orders = (useOpenOrders().data ?? []).filter(({ network, pool }) =>
    network === vault.network && pool === vault.pool
  )
  return (
    <Section
      title={t("Open orders ({count})", { count: orders.length })}
      action={<Anchor component={Link} to="/orders" size="sm">{t("All orders")}</Anchor>}
    >
      {orders.length === 0
        ? (
          <EmptyState
            icon={<IconArrowsExchange size={22} />}
            title={t("No open order")}
            action={<Button size="xs" variant="default" onClick={place}>{t("Place an order")}</Button>}
          >
            {t(
              "Limits, stops and schedules trade when their price or their time comes, also while this page is " +
                "closed."
            )}
          </EmptyState>
        )
        : <OrderRows orders={orders} />}
    </Section>
  )
}

function History({ link }: { readonly link: VaultLink }) {
  const trades = useTrades(link).data ?? []
  return (
    <Section
      title={t("Latest trades")}
      action={<Anchor component={Link} to="/activity" size="sm">{t("All activity")}</Anchor>}
    >
      {trades.length === 0
        ? (
          <EmptyState icon={<IconActivity size={22} />} title={t("No trade yet")}>
            {t("Every trade of the vault is listed here with amounts, costs and its transaction.")}
          </EmptyState>
        )
        : (
          <Stack gap={0} component="ul" style={{ listStyle: "none", margin: 0, padding: 0 }}>
            {trades.slice(0, 6).map((entry) => <ActivityRow key={entry.id} entry={entry} />)}
          </Stack>
        )}
    </Section>
  )
}

function Linked({ close, dialog, link, open }: {
  readonly link: VaultLink
  readonly dialog: "trade" | "order" | undefined
  readonly open: (dialog: "trade" | "order") => void
  readonly close: () => void
}) {
  const vault = vaultRefOf({ ...link, gasWallet: link.wallet })
  const [sliced, setSliced] = useState<ReturnType<typeof slicesOf>>({})
  return (
    <>
      <VaultValue link={link} vault={vault} />
      <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: "start" }}>
        <Stack>
          <Assets link={link} vault={vault} />
          <History link={link} />
        </Stack>
        <Stack>
          <BotsHere vault={vault} />
          <OrdersHere vault={vault} place={() => open("order")} />
          <Suspense fallback={<Skeleton h={200} aria-label={t("Loading what protects the vault")} />}>
            <MarketsHere link={link} vault={vault} />
            <VaultAutomation vault={vault} />
          </Suspense>
          <Section title={t("Manager fee")}>
            <MintFees vault={vault} />
          </Section>
          <VaultSetup link={link} vault={vault} />
        </Stack>
      </SimpleGrid>
      <Suspense fallback={null}>
        {dialog === "trade" && (
          <TradeTicket
            vault={vault}
            close={close}
            slice={(terms) => {
              setSliced(slicesOf(terms))
              open("order")
            }}
          />
        )}
        {dialog === "order" && (
          <OrderTicket
            vault={vault}
            first={sliced}
            close={() => {
              setSliced({})
              close()
            }}
          />
        )}
      </Suspense>
    </>
  )
}

/** A vault that no gas wallet of the list is linked to. */
function Unlinked({ network, pool }: { readonly network: string; readonly pool: string }) {
  const [isLinking, setIsLinking] = useState(false)
  return (
    <Card withBorder>
      <EmptyState
        icon={<IconLink size={22} />}
        title={t("Not linked to a gas wallet")}
        action={<Button size="sm" onClick={() => setIsLinking(true)}>{t("Link to a gas wallet")}</Button>}
      >
        {t("A gas wallet trades the vault for you. Link one to see the vault’s value, holdings and trades here.")}
      </EmptyState>
      <Suspense fallback={null}>
        {isLinking && <LinkForm network={network} pool={pool} close={() => setIsLinking(false)} />}
      </Suspense>
    </Card>
  )
}

export function VaultPage() {
  const { network = "", pool = "" } = useRouteParams()
  const { link, links } = useVaultLink(network, pool)
  const name = useVaultName()(network, pool)
  const { close, dialog, open } = useDialog<"trade" | "order">()
  const canTrade = link !== undefined && link.is_trader !== false
  return (
    <Page
      title={name}
      crumbs={[{ label: t("Managed Vaults"), to: "/vaults" }]}
      query={links}
      icon={<NetworkIcon network={network} size={28} />}
      subtitle={
        <Group gap="xs">
          <Text size="sm">{networkName(network)}</Text>
          <Address address={pool} label={t("vault")} />
          <Suspense fallback={null}>
            <TagLine tagged="vaults" tagKey={vaultKeyOf({ network, pool })} name={name} />
          </Suspense>
          {link?.is_trader === false && <Badge color="red">{t("gas wallet can’t trade it")}</Badge>}
        </Group>
      }
      actions={link !== undefined && (
        <Group gap="xs">
          <Button
            variant="default"
            component={Link}
            to="/vaults/$network/$pool/report"
            params={{ network, pool } as never}
          >
            {t("Report")}
          </Button>
          <Button variant="default" onClick={() => open("order")} disabled={!canTrade}>{t("Place order")}</Button>
          <Button onClick={() => open("trade")} disabled={!canTrade}>{t("Trade")}</Button>
        </Group>
      )}
    >
      {link === undefined
        ? <Unlinked network={network} pool={pool} />
        : <Linked {...{ link, dialog, open, close }} />}
    </Page>
  )
}
