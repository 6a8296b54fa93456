/** Managed Vaults: their holdings and values, and whether their gas wallet may trade them. */
import { Alert, Anchor, Button, Card, Group, Progress, SimpleGrid, Stack, Text, Title } from "@mantine/core"
import type { ManagedVault } from "@vault-trader/core/network/Chain"
import { Link as RouteLink } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { Address } from "../shell/Address.tsx"
import { RefillButton } from "../gas-wallet/RefillButton.tsx"
import { dollars, percent, quantity } from "../shell/Format.ts"
import { Page, PageSkeleton } from "../shell/Page.tsx"
import { ResponsiveTable } from "../shell/ResponsiveTable.tsx"
import { type Link, useComposition, useLinks, useManaged } from "../vault/useVaults.ts"
import { HealthFactor } from "../vault/HealthFactor.tsx"
import { TraderBadge } from "../vault/TraderBadge.tsx"
import { vaultRefOf } from "../vault/VaultRef.ts"
import { t } from "../text/Text.ts"

const FleetOfVaults = lazy(() =>
  import("./FleetOfVaults.tsx").then(({ FleetOfVaults }) => ({ default: FleetOfVaults }))
)
const LinkForm = lazy(() => import("../vault/LinkForm.tsx").then(({ LinkForm }) => ({ default: LinkForm })))

const usdText = (value: number | null) => value === null ? t("unknown") : dollars(value)
const partText = (part: number | null) => part === null ? t("unknown") : percent(part)
const colours = ["blue", "teal", "grape", "orange", "cyan", "pink", "lime", "indigo"]

/** The vault platform's type of an account with lenderA. */
const aaveAccount = 8

function Holdings({ link }: { readonly link: Link }) {
  const holdings = useComposition(link)
  if (holdings.error !== null && holdings.data === undefined) {
    return <Alert color="red" role="alert" title={t("Its holdings cannot be read")}>{holdings.error.message}</Alert>
  }
  if (holdings.data === undefined) return <Text size="sm">{t("Reading the chain…")}</Text>
  const { composition, total_value_usd } = holdings.data
  const lines = composition.filter(({ amount }) => amount !== "0")
  const partOf = (value: number | null) =>
    value === null || total_value_usd === null ? null : total_value_usd === 0 ? 0 : value / total_value_usd * 100
  const unknown = composition.filter(({ reason }) => reason !== null)
  return (
    <Stack gap="xs">
      <Text fw={600}>{t("Worth {totalValueUsd}", { totalValueUsd: usdText(total_value_usd) })}</Text>
      {unknown.length > 0 && (
        <Alert color="orange" title={t("Some assets cannot be valued right now")}>
          {unknown.map(({ asset, label, reason }) => (
            <Text key={asset} size="sm" style={{ overflowWrap: "anywhere" }}>
              {label}: {reason}.
            </Text>
          ))}
          <Text size="sm">{t("Bots that need the vault’s value wait until it is known.")}</Text>
        </Alert>
      )}
      <Progress.Root size="lg" aria-hidden="true">
        {lines.map(({ asset, value_usd }, index) => (
          <Progress.Section
            key={asset}
            value={partOf(value_usd) ?? 0}
            color={colours[index % colours.length] ?? "blue"}
            aria-hidden="true"
          />
        ))}
      </Progress.Root>
      <ResponsiveTable
        label={t("Holdings")}
        columns={[t("Asset"), t("Amount"), "USD", t("Share")]}
        rows={lines.map(({ amount, asset, label, value_usd }) => ({
          key: asset,
          cells: [
            label,
            amount === null ? t("unknown") : quantity(amount),
            usdText(value_usd),
            partText(partOf(value_usd))
          ]
        }))}
      />
      {lines.some(({ asset_type }) => asset_type === aaveAccount) && (
        <HealthFactor vault={vaultRefOf({ ...link, gasWallet: link.wallet })} />
      )}
    </Stack>
  )
}

function LinkedVault({ link, name }: { readonly link: Link; readonly name: string | undefined }) {
  return (
    <Card withBorder component="section" aria-label={t("Vault {pool}", { pool: link.pool })}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Title order={2} size="h4">
            <Anchor
              component={RouteLink}
              to="/vaults/$network/$pool"
              params={{ network: link.network, pool: link.pool } as never}
              inherit
            >
              {name ?? t("Vault on {network}", { network: link.network })}
            </Anchor>
          </Title>
          <TraderBadge is_trader={link.is_trader} />
        </Group>
        <Group gap="xs">
          {name !== undefined && <Text size="sm">{link.network}</Text>}
          <Address address={link.pool} label={t("vault")} />
        </Group>
        <Group gap="xs">
          <Text size="sm">{t("Gas wallet {label}", { label: link.label ?? "" })}</Text>
          <Address address={link.wallet} label={t("wallet")} />
          <RefillButton wallet={link.wallet} network={link.network} />
        </Group>
        <Holdings link={link} />
      </Stack>
    </Card>
  )
}

/** A managed vault that is not linked to any gas wallet. */
function UnlinkedVault(
  { link, network, vault }: { readonly network: string; readonly vault: ManagedVault; readonly link: () => void }
) {
  return (
    <Card withBorder component="section" aria-label={t("Vault {pool}", { pool: vault.pool })}>
      <Stack gap="xs" align="flex-start">
        <Title order={2} size="h4">{vault.name}</Title>
        <Group gap="xs">
          <Text size="sm">{network}</Text>
          <Address address={vault.pool} label={t("vault")} />
        </Group>
        {vault.trader === null
          ? <Text size="sm">{t("It has no trader yet.")}</Text>
          : (
            <Group gap="xs">
              <Text size="sm">{t("Its trader is")}</Text>
              <Address address={vault.trader} label={t("trader")} />
            </Group>
          )}
        <Button size="xs" variant="default" onClick={link}>{t("Link to a gas wallet")}</Button>
      </Stack>
    </Card>
  )
}

/** With more linked vaults than this, they are listed in a table; each card reads its vault's holdings. */
const maxCards = 8

export function VaultsPage() {
  const links = useLinks()
  const managed = useManaged().data
  const isFleet = (links.data?.length ?? 0) > maxCards
  const [vaultToLink, setVaultToLink] = useState<{ readonly network: string; readonly pool: string }>()
  const own = (managed ?? []).flatMap(({ network, vaults }) => (vaults ?? []).map((vault) => ({ network, vault })))
  const nameOf = ({ network, pool }: Link) =>
    own.find(({ network: on, vault }) => on === network && vault.pool === pool)?.vault.name
  const unlinked = own.filter(({ network, vault }) =>
    links.data !== undefined && !links.data.some((each) => each.network === network && each.pool === vault.pool)
  )
  const unread = (managed ?? []).filter(({ vaults }) => vaults === null).map(({ network }) => network)
  return (
    <Page title={t("Managed Vaults")} query={links}>
      {unread.length > 0 && (
        <Alert color="orange" title={t("Not every chain can be read")}>
          {t("Your vaults on {unread} are not shown.", { unread: unread.join(", ") })}
        </Alert>
      )}
      {links.data?.length === 0 && managed !== undefined && own.length === 0 && (
        <Alert color="blue" title={t("No vault yet")}>
          {t(
            "You manage no vault here. Create one, or link another manager’s vault to one of your gas " +
              "wallets under API Linked Vaults."
          )}
        </Alert>
      )}
      {isFleet && (
        <Suspense fallback={<PageSkeleton />}>
          <FleetOfVaults />
        </Suspense>
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {!isFleet &&
          links.data?.map((each) => (
            <LinkedVault key={`${each.wallet}/${each.network}/${each.pool}`} link={each} name={nameOf(each)} />
          ))}
        {unlinked.map(({ network, vault }) => (
          <UnlinkedVault
            key={`${network}/${vault.pool}`}
            network={network}
            vault={vault}
            link={() => setVaultToLink({ network, pool: vault.pool })}
          />
        ))}
      </SimpleGrid>
      {vaultToLink !== undefined && (
        <Suspense fallback={null}>
          <LinkForm network={vaultToLink.network} pool={vaultToLink.pool} close={() => setVaultToLink(undefined)} />
        </Suspense>
      )}
    </Page>
  )
}
