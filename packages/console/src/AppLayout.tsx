/** The layout of every page: navigation, search, signed-in manager, kill switch, colour scheme and sign-out. */
import {
  ActionIcon,
  Burger,
  Button,
  Group,
  Kbd,
  Text,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
  VisuallyHidden
} from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import {
  IconActivity,
  IconArrowsExchange,
  IconBell,
  IconBrain,
  IconBuildingBank,
  IconChartLine,
  IconChecks,
  IconFlag,
  IconGasStation,
  IconHistory,
  IconHome,
  IconKey,
  IconLink,
  IconLogout,
  IconMoon,
  IconPlus,
  IconReceipt,
  IconRobot,
  IconSearch,
  IconShieldCheck,
  IconShieldHalf,
  IconSun,
  IconUsers,
  IconWebhook
} from "@tabler/icons-react"
import { lazy, startTransition, Suspense, useEffect, useRef, useState } from "react"
import { useMutation } from "@tanstack/react-query"
import { Link, Outlet, useLocation } from "@tanstack/react-router"
import { signOut, useSession } from "./connection/Session.ts"
import { useApprovals } from "./change-approval/Approvals.ts"
import { useHasActiveBot } from "./start/useHasActiveBot.ts"
import { KillSwitch } from "./gas-wallet/KillSwitch.tsx"
import { LanguageSelect } from "./text/LanguageSelect.tsx"
import { StoppedBanner } from "./gas-wallet/StoppedBanner.tsx"
import { AccountWatch } from "./session/AccountWatch.tsx"
import { shortHex } from "./shell/Format.ts"
import { LoadingState } from "./shell/LoadingState.tsx"
import { Mark } from "./shell/Mark.tsx"
import { NewBuild } from "./shell/NewBuild.tsx"
import { showError } from "./shell/Notices.ts"
import { NetworkBanner } from "./vault/NetworkBanner.tsx"
import { WhenIdle } from "./shell/WhenIdle.tsx"
import { useShortcuts } from "./shell/useShortcuts.ts"
import { t } from "./text/Text.ts"

const Palette = lazy(() => import("./palette/Palette.tsx").then(({ Palette }) => ({ default: Palette })))

/** In the navigation until all steps are done. */
const start = { to: "/start", label: t("First steps"), icon: IconFlag } as const

/** In the navigation of approvers, and of managers with wallets that changes wait for. */
const approvals = { to: "/approvals", label: t("Approvals"), icon: IconChecks } as const

const home = { to: "/", label: t("Home"), icon: IconHome } as const

const trading = [
  { to: "/vaults", label: t("Managed Vaults"), icon: IconBuildingBank },
  { to: "/bots", label: t("Trading Bots"), icon: IconRobot },
  { to: "/strategies", label: t("Strategies"), icon: IconBrain },
  { to: "/followers", label: t("Copy Trading"), icon: IconUsers },
  { to: "/orders", label: t("Orders"), icon: IconArrowsExchange },
  { to: "/activity", label: t("Activity"), icon: IconActivity },
  { to: "/charts", label: t("Charts"), icon: IconChartLine },
  { to: "/backtest", label: t("Backtest"), icon: IconHistory }
] as const

const protection = [
  { to: "/guardians", label: t("Guardians"), icon: IconShieldHalf },
  { to: "/notifications", label: t("Notifications"), icon: IconBell },
  { to: "/webhooks", label: t("Webhooks"), icon: IconWebhook },
  { to: "/keys", label: t("Keys"), icon: IconKey },
  { to: "/audit", label: t("Audit"), icon: IconShieldCheck }
] as const

const setup = [
  { to: "/gas-wallets", label: t("Gas Wallets"), icon: IconGasStation },
  { to: "/links", label: t("API Linked Vaults"), icon: IconLink },
  { to: "/create", label: t("Create Vault"), icon: IconPlus },
  { to: "/charges", label: t("Charges"), icon: IconReceipt }
] as const

type NavItem =
  | typeof home
  | typeof start
  | typeof approvals
  | typeof trading[number]
  | typeof protection[number]
  | typeof setup[number]

function ColourSchemeButton() {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme("light")
  const other = scheme === "dark" ? "light" : "dark"
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={other === "light" ? t("Use light colours") : t("Use dark colours")}
      onClick={() => setColorScheme(other)}
    >
      {scheme === "dark" ? <IconSun size={18} /> : <IconMoon size={18} />}
    </ActionIcon>
  )
}

/** Opens the command palette, which is loaded when it is first opened: by this button, Ctrl+K or "/". */
function Search() {
  const [isLoaded, setIsLoaded] = useState(false)
  const [isOpen, { close, open }] = useDisclosure(false)
  const show = () => {
    setIsLoaded(true)
    open()
  }
  useShortcuts(show)
  return (
    <>
      <UnstyledButton
        className="search"
        onClick={show}
        aria-label={t("Search vaults, bots, pages… Ctrl K")}
        aria-keyshortcuts="Control+K /"
      >
        <IconSearch size={16} aria-hidden="true" />
        <Text span size="sm" visibleFrom="md" c="dimmed">{t("Search vaults, bots, pages…")}</Text>
        <Kbd size="xs" visibleFrom="md">{t("Ctrl K")}</Kbd>
      </UnstyledButton>
      {isLoaded && (
        <Suspense fallback={null}>
          <Palette isOpen={isOpen} close={close} />
        </Suspense>
      )}
    </>
  )
}

/** Says the title of a page that was opened by a link, and moves the focus to its content. */
function RouteAnnouncer() {
  const pathname = useLocation({ select: (location) => location.pathname })
  const [title, setTitle] = useState("")
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    document.getElementById("content")?.focus({ preventScroll: true })
    // The page sets its title when it is drawn.
    const timer = setTimeout(() => setTitle(document.title), 300)
    return () => clearTimeout(timer)
  }, [pathname])
  return <VisuallyHidden aria-live="polite">{title}</VisuallyHidden>
}

function NavItems({ close, items }: { readonly items: ReadonlyArray<NavItem>; readonly close: () => void }) {
  const pathname = useLocation({ select: (location) => location.pathname })
  const path = pathname.replace(/\/$/, "")
  const isCurrent = (to: string) => to === "/" ? path === "" : path === to || path.startsWith(`${to}/`)
  return items.map(({ icon: Icon, label, to }) => (
    <Link
      key={to}
      to={to}
      className="nav-link mantine-focus-auto"
      aria-current={isCurrent(to) ? "page" : undefined}
      onClick={close}
    >
      <Icon size={18} stroke={1.7} aria-hidden="true" />
      <span>{label}</span>
    </Link>
  ))
}

/** Entries of the navigation under a heading that assistive technology reads as the name of their group. */
function NavGroup({ label, ...items }: Parameters<typeof NavItems>[0] & { readonly label: string }) {
  return (
    <div role="group" aria-label={label}>
      <Text size="xs" c="dimmed" fw={600} px={12} pt="xs" pb={2} aria-hidden="true">{label}</Text>
      <NavItems {...items} />
    </div>
  )
}

/**
 * Draws the layout and its first page as a transition, in slices. The router would have both drawn at once, which blocks
 * a slow phone.
 */
export function AppLayout() {
  const [isDrawn, setIsDrawn] = useState(false)
  useEffect(() => startTransition(() => setIsDrawn(true)), [])
  return isDrawn ? <Layout /> : <LoadingState />
}

function Layout() {
  const [open, { close, toggle }] = useDisclosure(false)
  const manager = useSession().data?.manager ?? ""
  const hasActiveBot = useHasActiveBot()
  const { data: waiting } = useApprovals()
  const hasApprovals = waiting !== undefined && (waiting.is_approver || waiting.requests.length > 0)
  const signingOut = useMutation({ mutationFn: signOut, onError: showError(t("You are still signed in")) })
  return (
    <>
      <a className="skip-link" href="#content">{t("Skip to content")}</a>
      {/* The second class keeps its width while a dialog hides the scroll bar. */}
      <header className="frame-header right-scroll-bar-position">
        <Group h="100%" px="sm" justify="space-between" wrap="nowrap" gap="xs">
          <Group wrap="nowrap" gap="xs">
            <Burger
              opened={open}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={open ? t("Close the menu") : t("Open the menu")}
            />
            <UnstyledButton component={Link} to="/" className="brand" aria-label={t("Vault Trader, home")}>
              <Mark />
              <Text fw={700} visibleFrom="xs">Vault Trader</Text>
            </UnstyledButton>
          </Group>
          <Group wrap="nowrap" gap="xs">
            <Search />
            <KillSwitch />
            <Text size="xs" ff="monospace" visibleFrom="lg" c="dimmed" title={manager}>{shortHex(manager)}</Text>
            <ColourSchemeButton />
            <Button
              variant="default"
              size="sm"
              px="xs"
              onClick={() => signingOut.mutate()}
              loading={signingOut.isPending}
              aria-label={t("Sign out")}
            >
              <Text span inherit visibleFrom="sm">{t("Sign out")}</Text>
              <Text span inherit hiddenFrom="sm" lh={0}>
                <IconLogout size={18} aria-hidden="true" />
              </Text>
            </Button>
          </Group>
        </Group>
      </header>
      <nav className="frame-navigation" data-open={open || undefined}>
        <NavItems close={close} items={[home, ...(hasActiveBot === false ? [start] : [])]} />
        <NavGroup label={t("Trading")} close={close} items={trading} />
        <NavGroup label={t("Protection")} close={close} items={[...protection, ...(hasApprovals ? [approvals] : [])]} />
        <NavGroup label={t("Set-up")} close={close} items={setup} />
        <LanguageSelect />
      </nav>
      <main className="frame-page" id="content" tabIndex={-1}>
        <RouteAnnouncer />
        <AccountWatch manager={manager} />
        <NewBuild />
        <StoppedBanner />
        <WhenIdle>
          <NetworkBanner />
        </WhenIdle>
        <Outlet />
      </main>
    </>
  )
}
