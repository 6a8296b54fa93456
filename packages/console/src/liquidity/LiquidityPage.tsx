/** The liquidity of a vault: its positions with what can be done with them, and new ones. */
import { Alert, Anchor, Button, SimpleGrid, Skeleton, Text } from "@mantine/core"
import { IconDroplet } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { EmptyState } from "../shell/EmptyState.tsx"
import { networkName, NetworkIcon } from "../shell/Icons.tsx"
import { Page } from "../shell/Page.tsx"
import { Problem } from "../shell/Problem.tsx"
import { Section } from "../shell/Section.tsx"
import { useDialog } from "../shell/useDialog.ts"
import { useRouteParams } from "../shell/useRouteParams.ts"
import { useVaultName, vaultCrumbs } from "../vault/Names.ts"
import { type Link as LinkedVault, useComposition, useVaultLink } from "../vault/useVaults.ts"
import { type VaultRef, vaultRefOf } from "../vault/VaultRef.ts"
import type { OpenDialog } from "./LiquidityDialog.tsx"
import { PositionCard } from "./PositionCard.tsx"
import { type Composition, type Position, positionsOf } from "./Positions.ts"
import { T } from "../text/Sentence.tsx"
import { t } from "../text/Text.ts"

const LiquidityDialog = lazy(() =>
  import("./LiquidityDialog.tsx").then(({ LiquidityDialog }) => ({ default: LiquidityDialog }))
)

const keyOf = ({ exchange, token_id }: Position) => `${exchange} ${token_id}`

function Lesson({ add, canTrade }: { readonly add: () => void; readonly canTrade: boolean }) {
  return (
    <EmptyState
      icon={<IconDroplet size={22} />}
      title={t("No liquidity position yet")}
      action={<Button onClick={add} disabled={!canTrade}>{t("Add liquidity")}</Button>}
    >
      {t(
        "A position puts a pair of assets into an exchange’s pool, within a range of prices. While the price is in the " +
          "range, it earns a share of the fees of each trade. A narrow range earns more, and the price leaves it " +
          "more often."
      )}
      <span style={{ display: "block", marginTop: 8 }}>
        {t(
          "As the price moves through the range, one asset is exchanged for the other. Beside it, the position is " +
            "all of the one that has lost value, and earns nothing: it may then be worth less than the assets kept."
        )}
      </span>
    </EmptyState>
  )
}

function Positions({ data, link, open, vault }: {
  readonly link: LinkedVault
  readonly vault: VaultRef
  readonly data: Composition
  readonly open: (dialog: OpenDialog) => void
}) {
  const positions = positionsOf(data.composition)
  const canTrade = link.is_trader !== false
  return (
    <Section
      title={t("Positions ({count})", { count: positions.length })}
      action={positions.length > 0 && (
        <Button
          size="xs"
          disabled={!canTrade}
          onClick={() => open({ action: "add" })}
        >
          {t("Add liquidity")}
        </Button>
      )}
    >
      {positions.length === 0
        ? <Lesson canTrade={canTrade} add={() => open({ action: "add" })} />
        : (
          <SimpleGrid
            cols={{ base: 1, md: 2 }}
            component="ul"
            style={{ listStyle: "none", margin: 0, padding: 0, alignItems: "start" }}
          >
            {positions.map((position) => (
              <PositionCard
                key={keyOf(position)}
                {...{ canTrade, position, vault }}
                holdings={data.composition}
                open={(action) => open({ action, position })}
              />
            ))}
          </SimpleGrid>
        )}
    </Section>
  )
}

function Linked({ link }: { readonly link: LinkedVault }) {
  const vault = vaultRefOf({ ...link, gasWallet: link.wallet })
  const composition = useComposition(link)
  const { close, dialog, open } = useDialog<OpenDialog>()
  return (
    <>
      {link.is_trader === false && (
        <Alert color="orange" title={t("The gas wallet cannot trade this vault")}>
          {t("Make it the vault’s trader to add or remove liquidity. Nothing can be sent until then.")}
        </Alert>
      )}
      {composition.error !== null && (
        <Problem title={t("The vault cannot be read right now")} message={composition.error.message} />
      )}
      {composition.data === undefined
        ? composition.error === null && <Skeleton h={220} role="status" aria-label={t("Reading the vault")} />
        : <Positions {...{ link, open, vault }} data={composition.data} />}
      {composition.data !== undefined && dialog !== undefined && (
        <Suspense fallback={null}>
          <LiquidityDialog {...{ close, dialog, vault }} holdings={composition.data.composition} />
        </Suspense>
      )}
    </>
  )
}

export function LiquidityPage() {
  const { network = "", pool = "" } = useRouteParams()
  const { link, links } = useVaultLink(network, pool)
  const name = useVaultName()(network, pool)
  return (
    <Page
      title={t("Liquidity of {vault}", { vault: name })}
      crumbs={vaultCrumbs({ network, pool, name })}
      query={links}
      icon={<NetworkIcon network={network} size={28} />}
      subtitle={<Text size="sm">{networkName(network)}</Text>}
    >
      {link === undefined
        ? (
          <EmptyState icon={<IconDroplet size={22} />} title={t("Not linked to a gas wallet")}>
            <T
              message="A gas wallet adds and removes liquidity for you. <0>Link one</0> to this vault first."
              parts={[<Anchor key="link" component={Link} to="/links" underline="always" />]}
            />
          </EmptyState>
        )
        : <Linked link={link} />}
    </Page>
  )
}
