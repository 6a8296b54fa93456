/** Opens the form of a bot or an order with the settings of a backtest. Nothing is set before its review. */
import { Button, Group, Stack, Text } from "@mantine/core"
import { lazy, Suspense, useState } from "react"
import type { BacktestSearch } from "../bots/BacktestSearch.ts"
import { useBots } from "../bots/Bots.ts"
import { termsOf as indexTermsOf } from "../index-bot/IndexTerms.ts"
import { useDialog } from "../shell/useDialog.ts"
import { termsOf as botTermsOf } from "../threshold-bot/BotTerms.ts"
import { useLinks } from "../vault/useVaults.ts"
import { useVaultChoice } from "../vault/VaultChoice.tsx"
import { type VaultRef, vaultRefOf } from "../vault/VaultRef.ts"
import type { Terms } from "./BacktestTerms.ts"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

const BotForm = lazy(() => import("../threshold-bot/BotForm.tsx").then(({ BotForm }) => ({ default: BotForm })))
const IndexForm = lazy(() => import("../index-bot/IndexForm.tsx").then(({ IndexForm }) => ({ default: IndexForm })))
const OrderTicket = lazy(() =>
  import("../vault-order/OrderTicket.tsx").then(({ OrderTicket }) => ({ default: OrderTicket }))
)

/** Returns the vault that the page's URL names, if it is one of the manager's. */
const useNamedVault = ({ network, pool, wallet }: BacktestSearch): VaultRef | undefined => {
  const link = (useLinks().data ?? []).find((each) =>
    each.network === network && each.pool === pool?.toLowerCase() && each.wallet === wallet?.toLowerCase()
  )
  return link === undefined ? undefined : vaultRefOf({ ...link, gasWallet: link.wallet })
}

/** The form of a bot: that of the bot at the named vault, or a new one's. */
function Settings({ close, terms, vault }: {
  readonly terms: Terms
  readonly vault: VaultRef | undefined
  readonly close: () => void
}) {
  const bots = useBots().data
  const place = { wallet: vault?.wallet ?? "", network: vault?.network ?? "", pool: vault?.pool ?? "" }
  const isThere = (each: { readonly network: string; readonly pool: string }) =>
    each.network === place.network && each.pool === place.pool
  if (terms.kind === "threshold") {
    const { max_usd, pair, share, side, threshold } = terms.bot
    const bot = bots?.bots.find((each) => isThere(each) && each.pair === pair)
    const settings = { pair, side, threshold, share, max_usd }
    return bot === undefined
      ? <BotForm initial={{ ...terms.bot, ...place }} isEdit={false} close={close} />
      : <BotForm initial={{ ...botTermsOf(bot), ...settings }} isEdit close={close} />
  }
  const { interval, max_usd, min_trade_usd, quote, targets, tolerance } = terms.index
  const index = bots?.index_bots.find(isThere)
  const settings = { interval, max_usd, min_trade_usd, quote, targets, tolerance }
  return index === undefined
    ? <IndexForm initial={{ ...terms.index, ...place }} isEdit={false} close={close} />
    : <IndexForm initial={{ ...indexTermsOf(index), ...settings }} isEdit close={close} />
}

/** An order needs a vault first, whose assets its form lists. */
function Order({ close, terms, vault: named }: {
  readonly terms: Terms
  readonly vault: VaultRef | undefined
  readonly close: () => void
}) {
  const { field, vault } = useVaultChoice(named)
  const [isChosen, setIsChosen] = useState(named !== undefined)
  if (isChosen && vault !== undefined) return <OrderTicket vault={vault} first={terms.order} close={close} />
  return (
    <Modal
      opened
      onClose={close}
      title={t("Place an order")}
      closeButtonProps={{ "aria-label": t("Close") }}
    >
      <Stack>
        <Text size="sm">{t("Choose the vault that the order is for. You review it before it is placed.")}</Text>
        {field}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>{t("Cancel")}</Button>
          <Button disabled={vault === undefined} onClick={() => setIsChosen(true)}>{t("Continue")}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

export function UseSettings({ search, terms }: { readonly terms: Terms; readonly search: BacktestSearch }) {
  const { close, dialog, open } = useDialog<"settings">()
  const vault = useNamedVault(search)
  return (
    <>
      <Button size="xs" variant="default" onClick={() => open("settings")}>{t("Use these settings")}</Button>
      <Suspense fallback={null}>
        {dialog !== undefined && (terms.kind === "order"
          ? <Order terms={terms} vault={vault} close={close} />
          : <Settings terms={terms} vault={vault} close={close} />)}
      </Suspense>
    </>
  )
}
