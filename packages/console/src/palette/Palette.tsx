/** The command palette: opens any page, vault, bot or wallet by its name. Loaded when it is first opened. */
import "@mantine/spotlight/styles.css"
import { createSpotlight, Spotlight, type SpotlightActionData } from "@mantine/spotlight"
import { IconArrowRight, IconBolt, IconBuildingBank, IconGasStation, IconRobot, IconSearch } from "@tabler/icons-react"
import { useNavigate } from "@tanstack/react-router"
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react"
import { type AnyBot, allBots } from "../bots/BotState.tsx"
import { useBots } from "../bots/Bots.ts"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { once } from "../shell/Once.ts"
import { useVaultName } from "../vault/Names.ts"
import { useLinks, useManaged } from "../vault/useVaults.ts"
import {
  type BotCommand,
  botEntries,
  commandEntries,
  entriesFor,
  type Entry,
  type EntryKind,
  namesCommand,
  pageEntries,
  vaultEntries,
  walletEntries
} from "./Entries.ts"
import { t } from "../text/Text.ts"

const BulkBots = lazy(() => import("../portfolio/BulkBots.tsx").then(({ BulkBots }) => ({ default: BulkBots })))

const [store, palette] = createSpotlight()

/** How many results are listed at once. */
const limit = 12

const icons: Readonly<Record<EntryKind, typeof IconRobot>> = {
  page: IconArrowRight,
  vault: IconBuildingBank,
  bot: IconRobot,
  wallet: IconGasStation,
  command: IconBolt
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

/** The review of what a command does with a bot. It stays while the palette is closed. */
function CommandReview({ close, command: { action, bot } }: {
  readonly command: BotCommand
  readonly close: () => void
}) {
  const bots = useBots().data
  const vaultName = useVaultName()
  const named = (each: AnyBot) => ({ ...each, vault: vaultName(each.network, each.pool) })
  return (
    <Suspense fallback={null}>
      <BulkBots name={action} bots={[named(bot)]} everyBot={allBots(bots).map(named)} close={close} />
    </Suspense>
  )
}

/** The results are made by the filter, and only as many as are listed. */
const none: Array<SpotlightActionData> = []

export function Palette({ close, isOpen }: { readonly isOpen: boolean; readonly close: () => void }) {
  const navigate = useNavigate()
  const entries = useEntries(isOpen)
  const bots = useBots().data
  const vaultName = useVaultName()
  const [command, setCommand] = useState<BotCommand>()
  // Made when a command is first typed.
  const commandsOf = useMemo(() => once((all: NonNullable<typeof bots>) => commandEntries(allBots(all), vaultName)), [
    vaultName
  ])
  const commands = (query: string) => bots !== undefined && namesCommand(query) ? commandsOf(bots) : []
  useEffect(() => {
    if (isOpen) palette.open()
  }, [isOpen])
  const results = (query: string): Array<SpotlightActionData> =>
    entriesFor(query, [...entries, ...commands(query)], limit).map((
      { command: asked, description, id, kind, label, to }
    ) => {
      const Icon = icons[kind]
      return {
        id,
        label,
        description,
        leftSection: <Icon size={18} aria-hidden="true" />,
        onClick: () => asked === undefined ? void navigate({ to }) : setCommand(asked)
      }
    })
  return (
    <>
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
      {command !== undefined && <CommandReview command={command} close={() => setCommand(undefined)} />}
    </>
  )
}
