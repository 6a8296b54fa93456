/**
 * The root component: theme, query cache, notifications, and the session, which selects the sign-in page or the other
 * pages.
 */
import { Alert, Badge, createTheme, Loader, MantineProvider, NavLink } from "@mantine/core"
import { Notifications } from "@mantine/notifications"
import { QueryClientProvider } from "@tanstack/react-query"
import { lazy, Suspense } from "react"
import { queries } from "./connection/QueryCache.ts"
import { useSession } from "./connection/Session.ts"
import { LoadingState } from "./shell/LoadingState.tsx"

const SignIn = lazy(() => import("./session/SignIn.tsx").then(({ SignIn }) => ({ default: SignIn })))
const Routes = lazy(() => import("./Routes.tsx").then(({ Routes }) => ({ default: Routes })))

/** Shades with enough contrast for small text in both schemes. Respects the user's setting for reduced motion. */
const theme = createTheme({
  primaryColor: "blue",
  primaryShade: { light: 8, dark: 8 },
  respectReducedMotion: true,
  autoContrast: true,
  // At this luminance, white and black text have equal contrast; below it white has at least 4.5:1, above it black.
  luminanceThreshold: 0.183,
  components: {
    // Long addresses wrap at the end of the line.
    Alert: Alert.extend({
      styles: { title: { color: "var(--mantine-color-text)" }, message: { overflowWrap: "anywhere" } }
    }),
    // A badge's text is never truncated.
    Badge: Badge.extend({ styles: { root: { overflow: "visible", flexShrink: 0 }, label: { overflow: "visible" } } }),
    // Screen readers announce the label only if there is a role.
    Loader: Loader.extend({ defaultProps: { role: "status" } }),
    NavLink: NavLink.extend({ defaultProps: { variant: "filled" } })
  }
})

function SessionGate() {
  const session = useSession()
  if (session.data === undefined) return <LoadingState problem={session.error} retry={() => void session.refetch()} />
  return (
    <Suspense fallback={<LoadingState />}>
      {session.data.manager === null
        ? <SignIn />
        : <Routes key={session.data.manager} manager={session.data.manager} />}
    </Suspense>
  )
}

export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <Notifications position="bottom-right" limit={3} />
      <QueryClientProvider client={queries}>
        <SessionGate />
      </QueryClientProvider>
    </MantineProvider>
  )
}
