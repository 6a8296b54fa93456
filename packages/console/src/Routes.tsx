/** The pages of a signed-in manager. Each is loaded when it is first opened. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, RouterProvider } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { filtersOf } from "./intent/Filters.ts"
import { chartSearchOf } from "./chart/ChartRoute.ts"
import { AppLayout } from "./AppLayout.tsx"
import { type Kind, kindOf } from "./bots/BotKind.ts"
import { vaultSearchOf } from "./vault/VaultSearch.ts"
import { loadOverlays } from "./shell/Modal.tsx"
import { NotFoundPage } from "./shell/NotFoundPage.tsx"
import { WhenIdle } from "./shell/WhenIdle.tsx"
import { type TableView, viewOf } from "./views/TableView.ts"

const Toasts = lazy(() => loadOverlays().then(({ Toasts }) => ({ default: Toasts })))

const root = createRootRoute({ component: AppLayout, notFoundComponent: NotFoundPage })

const routes = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: "/",
    component: lazyRouteComponent(() => import("./portfolio/HomePage.tsx"), "HomePage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/gas-wallets",
    component: lazyRouteComponent(() => import("./gas-wallet/GasWalletsPage.tsx"), "GasWalletsPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/vaults",
    validateSearch: viewOf,
    component: lazyRouteComponent(() => import("./portfolio/VaultsPage.tsx"), "VaultsPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/vaults/$network/$pool",
    component: lazyRouteComponent(() => import("./portfolio/VaultPage.tsx"), "VaultPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/vaults/$network/$pool/report",
    component: lazyRouteComponent(() => import("./performance/ReportPage.tsx"), "ReportPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/vaults/$network/$pool/lending",
    component: lazyRouteComponent(() => import("./lending/LendingPage.tsx"), "LendingPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/vaults/$network/$pool/liquidity",
    component: lazyRouteComponent(() => import("./liquidity/LiquidityPage.tsx"), "LiquidityPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/vaults/$network/$pool/perpetuals",
    component: lazyRouteComponent(() => import("./perpetual/PerpetualsPage.tsx"), "PerpetualsPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/webhooks",
    component: lazyRouteComponent(() => import("./webhook/WebhooksPage.tsx"), "WebhooksPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/backtest",
    component: lazyRouteComponent(() => import("./backtest/BacktestPage.tsx"), "BacktestPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/links",
    component: lazyRouteComponent(() => import("./vault/LinksPage.tsx"), "LinksPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/create",
    component: lazyRouteComponent(() => import("./vault/CreateVaultPage.tsx"), "CreateVaultPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/start",
    component: lazyRouteComponent(() => import("./start/StartPage.tsx"), "StartPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/bots",
    validateSearch: (search): TableView & { readonly kind?: Kind | undefined } => ({
      ...viewOf(search),
      kind: kindOf(search["kind"])
    }),
    component: lazyRouteComponent(() => import("./BotsPage.tsx"), "BotsPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/bots/$network/$pool/$pair",
    component: lazyRouteComponent(() => import("./portfolio/BotPage.tsx"), "BotPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/orders",
    validateSearch: viewOf,
    component: lazyRouteComponent(() => import("./vault-order/OrdersPage.tsx"), "OrdersPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/orders/$order",
    component: lazyRouteComponent(() => import("./vault-order/OrderPage.tsx"), "OrderPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/guardians",
    validateSearch: vaultSearchOf,
    component: lazyRouteComponent(() => import("./guardian/GuardiansPage.tsx"), "GuardiansPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/guardians/$network/$pool/$kind",
    component: lazyRouteComponent(() => import("./guardian/GuardianPage.tsx"), "GuardianPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/followers",
    validateSearch: vaultSearchOf,
    component: lazyRouteComponent(() => import("./follower/FollowersPage.tsx"), "FollowersPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/followers/$network/$pool",
    component: lazyRouteComponent(() => import("./follower/FollowerPage.tsx"), "FollowerPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/strategies",
    validateSearch: vaultSearchOf,
    component: lazyRouteComponent(() => import("./strategy/StrategiesPage.tsx"), "StrategiesPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/strategies/$network/$pool/$strategy",
    component: lazyRouteComponent(() => import("./strategy/StrategyPage.tsx"), "StrategyPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/notifications",
    component: lazyRouteComponent(() => import("./notification/ChannelsPage.tsx"), "ChannelsPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/notifications/$channel",
    component: lazyRouteComponent(() => import("./notification/ChannelPage.tsx"), "ChannelPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/keys",
    component: lazyRouteComponent(() => import("./sub-key/KeysPage.tsx"), "KeysPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/keys/$wallet/$key",
    component: lazyRouteComponent(() => import("./sub-key/KeyPage.tsx"), "KeyPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/style",
    component: lazyRouteComponent(() => import("./style/StylePage.tsx"), "StylePage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/charges",
    component: lazyRouteComponent(() => import("./billing/ChargesPage.tsx"), "ChargesPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/approvals",
    component: lazyRouteComponent(() => import("./change-approval/ApprovalsPage.tsx"), "ApprovalsPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/activity",
    validateSearch: filtersOf,
    component: lazyRouteComponent(() => import("./intent/ActivityPage.tsx"), "ActivityPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/audit",
    component: lazyRouteComponent(() => import("./audit/AuditPage.tsx"), "AuditPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/charts",
    validateSearch: chartSearchOf,
    component: lazyRouteComponent(() => import("./chart/ChartsPage.tsx"), "ChartsPage")
  })
])

const routerOf = (manager: string) =>
  createRouter({ routeTree: routes, basepath: "/console", context: { manager }, defaultPreload: "intent" })

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof routerOf>
  }
}

export function Routes({ manager }: { readonly manager: string }) {
  const [router] = useState(() => routerOf(manager))
  return (
    <>
      <WhenIdle>
        <Suspense fallback={null}>
          <Toasts />
        </Suspense>
      </WhenIdle>
      <RouterProvider router={router} />
    </>
  )
}
