/** Trading Bots: all of them in a table, and one tab for each kind. The open tab is in the page's URL. */
import { Alert, Loader, Tabs } from "@mantine/core"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense } from "react"
import { allBots } from "./bots/BotState.tsx"
import { useWallets } from "./gas-wallet/GasWallets.ts"
import { Page } from "./shell/Page.tsx"
import { useBots } from "./bots/Bots.ts"
import { kindOf } from "./bots/BotKind.ts"
import { ThresholdBots } from "./threshold-bot/ThresholdBots.tsx"
import { t } from "./text/Text.ts"

const FleetOfBots = lazy(() =>
  import("./portfolio/FleetOfBots.tsx").then(({ FleetOfBots }) => ({ default: FleetOfBots }))
)
const IndexBots = lazy(() => import("./index-bot/IndexBots.tsx").then(({ IndexBots }) => ({ default: IndexBots })))
const ExchangeAccounts = lazy(() =>
  import("./exchange/ExchangeAccounts.tsx").then(({ ExchangeAccounts }) => ({ default: ExchangeAccounts }))
)

/** With more bots than this, the page opens with the table. */
const maxCards = 8

interface Search {
  readonly kind?: unknown
  readonly state?: unknown
}

export function BotsPage(): ReactNode {
  const kind = useSearch({ strict: false, select: (search: Search) => kindOf(search.kind) })
  const state = useSearch({
    strict: false,
    select: (search: Search) => typeof search.state === "string" ? search.state : undefined
  })
  const navigate = useNavigate()
  const bots = useBots()
  const none = useWallets().data?.length === 0
  const opensTable = state !== undefined || allBots(bots.data).length > maxCards
  return (
    <Page title={t("Trading Bots")} query={bots}>
      {none && (
        <Alert color="blue" title={t("A bot needs a gas wallet")}>
          {t("Add one under Gas Wallets, fund it, and make it your vault’s trader. Then come back.")}
        </Alert>
      )}
      <Tabs
        value={kind ?? (opensTable ? "all" : "threshold")}
        keepMounted={false}
        onChange={(chosen) => void navigate({ to: "/bots", search: { kind: kindOf(chosen) }, replace: true })}
      >
        <Tabs.List aria-label={t("Kind of bot")} mb="md">
          <Tabs.Tab value="all">{t("All")}</Tabs.Tab>
          <Tabs.Tab value="threshold">{t("Threshold")}</Tabs.Tab>
          <Tabs.Tab value="index">{t("Index")}</Tabs.Tab>
          <Tabs.Tab value="exchange">{t("Exchange")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="all">
          <Suspense fallback={<Loader aria-label={t("Loading")} />}>
            <FleetOfBots />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="threshold">
          <ThresholdBots />
        </Tabs.Panel>
        <Tabs.Panel value="index">
          <Suspense fallback={<Loader aria-label={t("Loading")} />}>
            <IndexBots />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="exchange">
          <Suspense fallback={<Loader aria-label={t("Loading")} />}>
            <ExchangeAccounts />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
