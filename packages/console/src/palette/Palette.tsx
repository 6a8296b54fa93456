/** The command palette: opens any page, vault, bot or wallet by its name. Loaded when it is first opened. */
import "@mantine/spotlight/styles.css"
import { createSpotlight, Spotlight, type SpotlightActionData } from "@mantine/spotlight"
import { IconArrowRight, IconBuildingBank, IconGasStation, IconRobot, IconSearch } from "@tabler/icons-react"
import { useNavigate } from "@tanstack/react-router"
import { useEffect, useMemo, useRef } from "react"
import { allBots } from "../bots/BotState.tsx"
import { useBots } from "../bots/Bots.ts"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { useVaultName } from "../vault/Names.ts"
import { useLinks, useManaged } from "../vault/useVaults.ts"
import {
  botEntries,
  entriesFor,
  type Entry,
  type EntryKind,
  pageEntries,
  vaultEntries,
  walletEntries
} from "./Entries.ts"
import { t } from "../text/Text.ts"

const [store, palette] = createSpotlight()

/** How many results are listed at once. */
const limit = 12

const icons: Readonly<Record<EntryKind, typeof IconRobot>> = {
  page: IconArrowRight,
  vault: IconBuildingBank,
  bot: IconRobot,
  wallet: IconGasStation
}

/** Lists all that can be opened. A closed palette keeps what it had: its list is not made again while data changes. */
const useEntries = (isOpen: boolean): ReadonlyArray<Entry> => {
  const bots = useBots().data
  const wallets = useWallets().data
  const managed = useManaged().data
  const links = useLinks().data
  const vaultName = useVaultName()
  const last = useRef<ReadonlyArray<Entry>>([])
  const entries = useMemo(
    () =>
      isOpen
        ? [
          ...pageEntries,
          ...vaultEntries([
            ...(managed ?? []).flatMap(({ network, vaults }) => (vaults ?? []).map(({ pool }) => ({ network, pool }))),
            ...(links ?? [])
          ], vaultName),
          ...botEntries(allBots(bots), vaultName),
          ...walletEntries((wallets ?? []).map((wallet) => ({ address: wallet.address, name: nameOf(wallet) })))
        ]
        : last.current,
    [isOpen, bots, wallets, managed, links, vaultName]
  )
  last.current = entries
  return entries
}

/** The results are made by the filter, and only as many as are listed. */
const none: Array<SpotlightActionData> = []

export function Palette({ close, isOpen }: { readonly isOpen: boolean; readonly close: () => void }) {
  const navigate = useNavigate()
  const entries = useEntries(isOpen)
  useEffect(() => {
    if (isOpen) palette.open()
  }, [isOpen])
  const results = (query: string): Array<SpotlightActionData> =>
    entriesFor(query, entries, limit).map(({ description, id, kind, label, to }) => {
      const Icon = icons[kind]
      return {
        id,
        label,
        description,
        leftSection: <Icon size={18} aria-hidden="true" />,
        onClick: () => void navigate({ to })
      }
    })
  return (
    <Spotlight
      store={store}
      shortcut={null}
      actions={none}
      filter={results}
      limit={limit}
      scrollable
      maxHeight={420}
      highlightQuery
      // A blurred page would be drawn again with each key.
      overlayProps={{ backgroundOpacity: 0.5 }}
      onSpotlightClose={close}
      nothingFound={t("Nothing has this name. Try a vault, a pair, a network or a page.")}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden="true" />,
        placeholder: t("Search vaults, bots, wallets and pages"),
        "aria-label": t("Search")
      }}
    />
  )
}
