/** The layout of every page: navigation, signed-in manager, kill switch, colour scheme and sign-out. */
import {
  ActionIcon,
  AppShell,
  Burger,
  Button,
  Group,
  NavLink,
  Text,
  useComputedColorScheme,
  useMantineColorScheme
} from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { lazy, Suspense } from "react"
import { useMutation } from "@tanstack/react-query"
import { Link, Outlet, useLocation } from "@tanstack/react-router"
import { signOut, useSession } from "./connection/Session.ts"
import { useHasActiveBot } from "./start/useHasActiveBot.ts"
import { KillSwitch } from "./gas-wallet/KillSwitch.tsx"
import { showError } from "./shell/Notices.ts"

const AccountWatch = lazy(() =>
  import("./session/AccountWatch.tsx").then(({ AccountWatch }) => ({ default: AccountWatch }))
)

/** First in the navigation until all steps are done. */
const start = { to: "/start", label: "First steps" } as const

const navItems = [
  { to: "/gas-wallets", label: "Gas Wallets" },
  { to: "/vaults", label: "Managed Vaults" },
  { to: "/links", label: "API Linked Vaults" },
  { to: "/bots", label: "Trading Bots" },
  { to: "/create", label: "Create Vault" },
  { to: "/activity", label: "Activity" },
  { to: "/audit", label: "Audit" },
  { to: "/charts", label: "Charts" },
  { to: "/charges", label: "Charges" }
] as const

function ColourSchemeButton() {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme("light")
  const other = scheme === "dark" ? "light" : "dark"
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={`Use ${other} colours`}
      onClick={() => setColorScheme(other)}
    >
      {scheme === "dark" ? "☀" : "☾"}
    </ActionIcon>
  )
}

export function AppLayout() {
  const [open, { close, toggle }] = useDisclosure(false)
  const { pathname } = useLocation()
  const manager = useSession().data?.manager ?? ""
  const hasActiveBot = useHasActiveBot()
  const signingOut = useMutation({ mutationFn: signOut, onError: showError("You are still signed in") })
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 220, breakpoint: "sm", collapsed: { mobile: !open } }}
      padding="md"
    >
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group wrap="nowrap" gap="xs">
            <Burger
              opened={open}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={open ? "Close the menu" : "Open the menu"}
            />
            <Text fw={700} visibleFrom="xs">Vault Trader</Text>
          </Group>
          <Group wrap="nowrap" gap="xs">
            <KillSwitch />
            <Text size="sm" ff="monospace" visibleFrom="sm" title={manager}>
              {manager.slice(0, 6)}…{manager.slice(-4)}
            </Text>
            <ColourSchemeButton />
            <Button
              variant="default"
              size="sm"
              px="xs"
              onClick={() => signingOut.mutate()}
              loading={signingOut.isPending}
            >
              Sign out
            </Button>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        {(hasActiveBot === false ? [start, ...navItems] : navItems).map(({ label, to }) => (
          <NavLink
            key={to}
            component={Link}
            to={to}
            label={label}
            active={pathname.endsWith(to)}
            aria-current={pathname.endsWith(to) ? "page" : undefined}
            onClick={close}
          />
        ))}
      </AppShell.Navbar>
      <AppShell.Main>
        <Suspense fallback={null}>
          <AccountWatch manager={manager} />
        </Suspense>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  )
}
