/** A vault's lending: its safety, what it has supplied and borrowed, and the markets where it may. */
import { Alert, Badge, Button, Card, Group, SimpleGrid, Skeleton, Stack, Text } from "@mantine/core"
import { IconLink, IconPigMoney } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { EmptyState } from "../shell/EmptyState.tsx"
import { money, percent, signedMoney, unknown } from "../shell/Format.ts"
import { NetworkIcon, networkName } from "../shell/Icons.tsx"
import { Page } from "../shell/Page.tsx"
import { Problem } from "../shell/Problem.tsx"
import { Section } from "../shell/Section.tsx"
import { Stat } from "../shell/Stat.tsx"
import { useDialog } from "../shell/useDialog.ts"
import { useRouteParams } from "../shell/useRouteParams.ts"
import { HealthBadge, HealthSentence, healthText } from "../vault/HealthFactor.tsx"
import { useVaultName, vaultCrumbs } from "../vault/Names.ts"
import { useVaultLink } from "../vault/useVaults.ts"
import { type VaultRef, vaultRefOf } from "../vault/VaultRef.ts"
import { type Lending, totalOf, useLending } from "./Lending.ts"
import { Markets, Positions } from "./LendingTables.tsx"
import type { Opening } from "./LendingTicket.tsx"
import { t } from "../text/Text.ts"

const LendingTicket = lazy(() =>
  import("./LendingTicket.tsx").then(({ LendingTicket }) => ({ default: LendingTicket }))
)

/** The figures of a vault's lending, and how safe its loans are. */
function Overview({ lending }: { readonly lending: Lending }) {
  const { account, errors, estimate, isPositionsRead, positions } = lending
  const total = (side: "supplied" | "borrowed") =>
    isPositionsRead
      ? money(totalOf(positions, side))
      : errors.account !== null || (errors.estimate !== null && errors.holdings !== null)
      ? unknown
      : undefined
  return (
    <Card withBorder component="section" aria-label={t("Overview")}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 2, md: 4 }}>
          {(account !== undefined || errors.account !== null || !isPositionsRead) && (
            <Stat
              label={t("Health factor")}
              value={account === undefined
                ? errors.account === null ? undefined : unknown
                : healthText(account.healthFactor)}
              hint={account && <HealthBadge healthFactor={account.healthFactor} />}
            />
          )}
          <Stat label={t("Supplied")} value={total("supplied")} />
          <Stat label={t("Borrowed")} value={total("borrowed")} />
          <Stat
            label={t("Yield a year")}
            value={estimate === undefined
              ? errors.estimate === null ? undefined : unknown
              : estimate.apy === null
              ? unknown
              : percent(estimate.apy)}
            hint={estimate === undefined
              ? undefined
              : estimate.annual_usd === null
              ? t("A rate or a price is unknown right now")
              : t("{usd} at today’s rates", { usd: signedMoney(estimate.annual_usd) })}
          />
        </SimpleGrid>
        {account !== undefined && account.supplied.length + account.borrowed.length > 0 && (
          <div>
            <Text size="xs" c="dimmed">{t("Lending with lenderA")}</Text>
            <HealthSentence account={account} />
          </div>
        )}
      </Stack>
    </Card>
  )
}

/** Says which parts cannot be read, and what that means. */
function Unread({ errors, rates }: Pick<Lending, "errors" | "rates">) {
  return (
    <>
      {errors.account !== null && (
        <Problem color="orange" title={t("Its loans cannot be read right now")} message={errors.account.message} />
      )}
      {errors.rates !== null && (
        <Problem
          color="orange"
          title={t("The rates cannot be read right now")}
          message={errors.rates.message}
          funds={rates === undefined
            ? t("What the vault has supplied and borrowed is shown without them.")
            : t("Those shown are the last that were read.")}
        />
      )}
    </>
  )
}

function Body({ canTrade, vault }: { readonly vault: VaultRef; readonly canTrade: boolean }) {
  const lending = useLending(vault)
  const { close, dialog, open } = useDialog<Opening>()
  const { errors, isPositionsRead, markets, positions, rates } = lending
  const actions = { canTrade, open }
  return (
    <Stack>
      {!canTrade && (
        <Alert color="orange" title={t("gas wallet can’t trade it")}>
          {t("Make the gas wallet the vault’s trader first, on the vault’s page.")}
        </Alert>
      )}
      <Overview lending={lending} />
      <Unread errors={errors} rates={rates} />
      {positions.length > 0
        ? (
          <>
            <Positions side="supplied" lending={lending} {...actions} />
            <Positions side="borrowed" lending={lending} {...actions} />
          </>
        )
        : isPositionsRead
        ? (
          <Card withBorder>
            <EmptyState icon={<IconPigMoney size={22} />} title={t("This vault lends nothing yet")}>
              {t(
                "Supply an asset that the vault holds, and it earns interest until you withdraw it. What is at lenderA " +
                  "is also collateral: the vault may borrow another asset against it, as long as its health factor " +
                  "stays safe."
              )}
            </EmptyState>
          </Card>
        )
        : errors.account === null && <Skeleton h={160} aria-label={t("Reading the lending market…")} />}
      <Section title={t("Markets")}>
        {rates === undefined
          ? errors.rates === null
            ? <Skeleton h={160} aria-label={t("Loading the rates")} />
            : <Text size="sm" c="dimmed">{t("The markets are shown once their rates can be read.")}</Text>
          : markets.length === 0
          ? (
            <Text size="sm" c="dimmed">
              {t("No lender serves {network}.", { network: networkName(vault.network) })}
            </Text>
          )
          : <Markets lending={lending} {...actions} />}
      </Section>
      <Suspense fallback={null}>
        {dialog !== undefined && (
          <LendingTicket key={dialog.action} vault={vault} lending={lending} opening={dialog} close={close} />
        )}
      </Suspense>
    </Stack>
  )
}

export function LendingPage() {
  const { network = "", pool = "" } = useRouteParams()
  const { link, links } = useVaultLink(network, pool)
  const vaultName = useVaultName()(network, pool)
  return (
    <Page
      title={t("Lending of {vaultName}", { vaultName })}
      crumbs={vaultCrumbs({ network, pool, name: vaultName })}
      query={links}
      icon={<NetworkIcon network={network} size={28} />}
      subtitle={
        <Group gap="xs">
          <Text size="sm">{networkName(network)}</Text>
          {link?.is_trader === false && <Badge color="red">{t("gas wallet can’t trade it")}</Badge>}
        </Group>
      }
    >
      {link === undefined
        ? (
          <Card withBorder>
            <EmptyState
              icon={<IconLink size={22} />}
              title={t("Not linked to a gas wallet")}
              action={
                <Button component={Link} to="/vaults/$network/$pool" params={{ network, pool } as never} size="sm">
                  {t("Open the vault")}
                </Button>
              }
            >
              {t("A gas wallet lends for you. Link one to the vault first, on the vault’s page.")}
            </EmptyState>
          </Card>
        )
        : <Body vault={vaultRefOf({ ...link, gasWallet: link.wallet })} canTrade={link.is_trader !== false} />}
    </Page>
  )
}
