/** The pages of a signed-in manager. Each is loaded when it is first opened. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  RouterProvider
} from "@tanstack/react-router"
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
    beforeLoad: () => {
      // The router requires a thrown redirect.
      // eslint-disable-next-line @typescript-eslint/only-throw-error
      throw redirect({ to: "/gas-wallets" })
    }
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/gas-wallets",
    component: lazyRouteComponent(() => import("./gas-wallet/GasWalletsPage.tsx"), "GasWalletsPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/vaults",
    component: lazyRouteComponent(() => import("./vault/VaultsPage.tsx"), "VaultsPage")
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
    validateSearch: ({ kind }): { readonly kind?: Kind | undefined } => ({ kind: kindOf(kind) }),
    component: lazyRouteComponent(() => import("./BotsPage.tsx"), "BotsPage")
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/charges",
    component: lazyRouteComponent(() => import("./billing/ChargesPage.tsx"), "ChargesPage")
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
  return <RouterProvider router={router} />
}
