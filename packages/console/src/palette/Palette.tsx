/** The command palette: opens any page, vault, bot or wallet by its name. Loaded when it is first opened. */
import "@mantine/spotlight/styles.css"
import { createSpotlight, Spotlight, type SpotlightActionData } from "@mantine/spotlight"
import { IconArrowRight, IconBuildingBank, IconGasStation, IconRobot, IconSearch } from "@tabler/icons-react"
import { useNavigate } from "@tanstack/react-router"
import { useEffect } from "react"
import { allBots, stateLabels } from "../bots/BotState.tsx"
import { useBots } from "../bots/Bots.ts"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { networkName } from "../shell/Icons.tsx"
import { useVaultName } from "../vault/Names.ts"
import { useLinks, useManaged } from "../vault/useVaults.ts"
import { t } from "../text/Text.ts"

const [store, palette] = createSpotlight()

const pages = [
  ["/", t("Home"), "g h"],
  ["/vaults", t("Managed Vaults"), "g v"],
  ["/bots", t("Trading Bots"), "g b"],
  ["/orders", t("Orders"), "g o"],
  ["/activity", t("Activity"), "g a"],
  ["/gas-wallets", t("Gas Wallets"), "g w"],
  ["/charts", t("Charts"), ""],
  ["/strategies", t("Strategies"), ""],
  ["/followers", t("Copy Trading"), ""],
  ["/guardians", t("Guardians"), ""],
  ["/notifications", t("Notifications"), ""],
  ["/keys", t("Keys"), ""],
  ["/links", t("API Linked Vaults"), ""],
  ["/create", t("Create Vault"), ""],
  ["/charges", t("Charges"), ""],
  ["/audit", t("Audit"), ""],
  ["/start", t("First steps"), ""]
] as const

/** How many results are listed at once. */
const limit = 12

const useActions = (): Array<SpotlightActionData> => {
  const navigate = useNavigate()
  const go = (to: string) => () => void navigate({ to })
  const bots = allBots(useBots().data)
  const wallets = useWallets().data ?? []
  const managed = useManaged().data ?? []
  const links = useLinks().data ?? []
  const vaultName = useVaultName()
  const vaults = new Map([
    ...managed.flatMap(({ network, vaults: own }) => (own ?? []).map(({ pool }) => ({ network, pool }))),
    ...links
  ].map(({ network, pool }) => [`${network}/${pool}`, { network, pool }]))
  return [
    ...pages.map(([to, label, keys]) => ({
      id: `page ${to}`,
      label,
      description: keys === "" ? t("Page") : t("Page · {keys}", { keys }),
      leftSection: <IconArrowRight size={18} aria-hidden="true" />,
      onClick: go(to)
    })),
    ...[...vaults].map(([key, { network, pool }]) => ({
      id: `vault ${key}`,
      label: vaultName(network, pool),
      description: t("Vault on {network}", { network: networkName(network) }),
      keywords: [pool, network],
      leftSection: <IconBuildingBank size={18} aria-hidden="true" />,
      onClick: go(`/vaults/${key}`)
    })),
    ...bots.map(({ key, name, network, pair, pool, state }) => ({
      id: `bot ${key}`,
      label: t("{name} on {vault}", { name, vault: vaultName(network, pool) }),
      description: t("Bot · {state} · {network}", { state: stateLabels[state], network: networkName(network) }),
      keywords: [stateLabels[state], network, pool],
      leftSection: <IconRobot size={18} aria-hidden="true" />,
      onClick: go(`/bots/${network}/${pool}/${pair ?? "index"}`)
    })),
    ...wallets.map((wallet) => ({
      id: `wallet ${wallet.address}`,
      label: nameOf(wallet),
      description: t("Gas wallet"),
      keywords: [wallet.address],
      leftSection: <IconGasStation size={18} aria-hidden="true" />,
      onClick: go("/gas-wallets")
    }))
  ]
}

export function Palette({ close, isOpen }: { readonly isOpen: boolean; readonly close: () => void }) {
  const actions = useActions()
  useEffect(() => {
    if (isOpen) palette.open()
  }, [isOpen])
  return (
    <Spotlight
      store={store}
      shortcut={null}
      actions={actions}
      limit={limit}
      scrollable
      maxHeight={420}
      highlightQuery
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
