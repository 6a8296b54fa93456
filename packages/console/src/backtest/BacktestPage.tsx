/** Backtests: what a bot or an order would have done with past prices. Everything runs in the browser. */
import { Text } from "@mantine/core"
import { useSearch } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { backtestSearchOf } from "../bots/BacktestSearch.ts"
import { useWallets } from "../gas-wallet/GasWallets.ts"
import { Page, PageSkeleton } from "../shell/Page.tsx"
import { t } from "../text/Text.ts"

const BacktestForm = lazy(() => import("./BacktestForm.tsx").then(({ BacktestForm }) => ({ default: BacktestForm })))

export function BacktestPage() {
  const search = useSearch({ strict: false, select: backtestSearchOf })
  const wallets = useWallets()
  return (
    <Page title={t("Backtest")} query={wallets}>
      <Text size="sm" maw={720}>
        {t(
          "Runs a bot or an order over past prices, with the live ones’ own decisions, in this browser: nothing is " +
            "sent or traded, and your files stay here. A backtest does not predict what a bot or an order will do."
        )}
      </Text>
      <Suspense fallback={<PageSkeleton />}>
        <BacktestForm key={JSON.stringify(search)} search={search} wallets={wallets.data ?? []} />
      </Suspense>
    </Page>
  )
}
