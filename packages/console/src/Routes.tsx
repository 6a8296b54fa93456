/** The pages of a signed-in manager. Each is loaded when it is first opened. */
import "@mantine/notifications/styles.css"
import { Notifications } from "@mantine/notifications"
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, RouterProvider } from "@tanstack/react-router"
import { useState } from "react"
import { filtersOf } from "./intent/Filters.ts"
import { chartSearchOf } from "./chart/ChartRoute.ts"
import { AppLayout } from "./AppLayout.tsx"
import { type Kind, kindOf } from "./bots/BotKind.ts"
import { NotFoundPage } from "./shell/NotFoundPage.tsx"

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
    component: lazyRouteComponent(() => import("./portfolio/VaultsPage.tsx"), "VaultsPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/vaults/$network/$pool",
    component: lazyRouteComponent(() => import("./portfolio/VaultPage.tsx"), "VaultPage")
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
    validateSearch: ({ kind, state }): { readonly kind?: Kind | undefined; readonly state?: string | undefined } => ({
      kind: kindOf(kind),
      state: typeof state === "string" ? state : undefined
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
    component: lazyRouteComponent(() => import("./vault-order/OrdersPage.tsx"), "OrdersPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/orders/$order",
    component: lazyRouteComponent(() => import("./vault-order/OrderPage.tsx"), "OrderPage")
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
      <Notifications position="bottom-right" limit={3} />
      <RouterProvider router={router} />
    </>
  )
}
