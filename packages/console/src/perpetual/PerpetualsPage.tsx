/** A vault's perpetual contracts at HyperCore: margin, positions, resting orders and the contracts to trade. */
import { Button, Card, Stack } from "@mantine/core"
import { IconArrowsUpDown } from "@tabler/icons-react"
import { lazy, Suspense } from "react"
import { EmptyState } from "../shell/EmptyState.tsx"
import { Page } from "../shell/Page.tsx"
import { useDialog } from "../shell/useDialog.ts"
import { useVaultName, vaultCrumbs } from "../vault/Names.ts"
import { useLinks } from "../vault/useVaults.ts"
import { useVaultOfPage } from "../vault/VaultItemPage.tsx"
import { Margin } from "./Margin.tsx"
import { PerpetualMarkets } from "./PerpetualMarkets.tsx"
import { type Move, perpetualNetwork, type Position, type RestingOrder, useAccount, useMarkets } from "./Perpetuals.ts"
import { PerpetualPositions } from "./PerpetualPositions.tsx"
import { RestingOrders } from "./RestingOrders.tsx"
import type { OrderPlace } from "./PerpetualReview.tsx"
import { t } from "../text/Text.ts"

const PerpetualTicket = lazy(() =>
  import("./PerpetualTicket.tsx").then(({ PerpetualTicket }) => ({ default: PerpetualTicket }))
)
const CloseDialog = lazy(() => import("./PerpetualReview.tsx").then(({ CloseDialog }) => ({ default: CloseDialog })))
const CancelPerpetual = lazy(() =>
  import("./CancelPerpetual.tsx").then(({ CancelPerpetual }) => ({ default: CancelPerpetual }))
)
const MarginMove = lazy(() => import("./MarginMove.tsx").then(({ MarginMove }) => ({ default: MarginMove })))

type Dialog =
  | { readonly kind: "move"; readonly move: Move }
  | { readonly kind: "order"; readonly coin: string }
  | { readonly kind: "close"; readonly position: Position }
  | { readonly kind: "cancel"; readonly order: RestingOrder }

function Dialogs({ close, dialog, place }: {
  readonly dialog: Dialog
  readonly place: OrderPlace
  readonly close: () => void
}) {
  const { account, vault } = place
  switch (dialog.kind) {
    case "move":
      return <MarginMove move={dialog.move} {...{ account, vault, close }} />
    case "order":
      return <PerpetualTicket coin={dialog.coin} {...{ place, close }} />
    case "close":
      return <CloseDialog position={dialog.position} {...{ place, close }} />
    case "cancel":
      return <CancelPerpetual order={dialog.order} {...{ vault, close }} />
  }
}

/** Explains why there is no account: the vault is elsewhere, or no gas wallet is linked to it. */
function NoAccount({ isElsewhere }: { readonly isElsewhere: boolean }) {
  return (
    <Card withBorder>
      {isElsewhere
        ? (
          <EmptyState icon={<IconArrowsUpDown size={22} />} title={t("No perpetual contracts here")}>
            {t("Only vaults on hyperliquid trade perpetual contracts.")}
          </EmptyState>
        )
        : (
          <EmptyState icon={<IconArrowsUpDown size={22} />} title={t("No gas wallet is linked to this vault")}>
            {t("Link the gas wallet that trades it under API Linked Vaults.")}
          </EmptyState>
        )}
    </Card>
  )
}

export function PerpetualsPage() {
  const { network, pool, vault: found } = useVaultOfPage()
  const isElsewhere = network !== perpetualNetwork
  const vault = isElsewhere ? undefined : found
  const vaultName = useVaultName()(network, pool)
  const links = useLinks()
  const account = useAccount(vault)
  const markets = useMarkets(vault)
  const { close, dialog, open } = useDialog<Dialog>()
  const first = markets.data?.find(({ isolated_only }) => !isolated_only)
  const place = vault === undefined || account.data === undefined
    ? undefined
    : { vault, account: account.data, markets: markets.data ?? [] }
  return (
    <Page
      title={t("Perpetuals of {vaultName}", { vaultName })}
      crumbs={vaultCrumbs({ network, pool, name: vaultName })}
      query={vault === undefined ? links : account}
      actions={place !== undefined && first !== undefined && (
        <Button onClick={() => open({ kind: "order", coin: first.coin })}>{t("Place an order")}</Button>
      )}
    >
      {vault === undefined && <NoAccount isElsewhere={isElsewhere} />}
      {vault !== undefined && (
        <Stack>
          {place !== undefined && (
            <>
              <Margin account={place.account} move={(move) => open({ kind: "move", move })} />
              <PerpetualPositions
                positions={place.account.positions}
                close={(position) => open({ kind: "close", position })}
              />
            </>
          )}
          <RestingOrders vault={vault} cancel={(order) => open({ kind: "cancel", order })} />
          <PerpetualMarkets markets={markets} trade={(coin) => open({ kind: "order", coin })} />
        </Stack>
      )}
      <Suspense fallback={null}>
        {dialog !== undefined && place !== undefined && <Dialogs {...{ close, dialog, place }} />}
      </Suspense>
    </Page>
  )
}
