/** What every page stands in: looks, the cache, notices, and the session that decides between the sign-in page and the rest. */
import { Alert, Badge, createTheme, Loader, MantineProvider, NavLink } from "@mantine/core"
import { Notifications } from "@mantine/notifications"
import { QueryClientProvider } from "@tanstack/react-query"
import { lazy, Suspense } from "react"
import { queries } from "./connection/QueryCache.ts"
import { useSession } from "./connection/Session.ts"
import { Waiting } from "./shell/LoadingState.tsx"

const SignIn = lazy(() => import("./session/SignIn.tsx").then(({ SignIn }) => ({ default: SignIn })))
const Pages = lazy(() => import("./Routes.tsx").then(({ Pages }) => ({ default: Pages })))

/** Shades with enough contrast for small text in both schemes; no movement for who asked for none. */
const theme = createTheme({
  primaryColor: "blue",
  primaryShade: { light: 8, dark: 8 },
  respectReducedMotion: true,
  autoContrast: true,
  // Where white and black text contrast alike: below it white has 4.5 to 1, above it black.
  luminanceThreshold: 0.183,
  components: {
    // An address breaks where the line ends.
    Alert: Alert.extend({ styles: { title: { color: "var(--mantine-color-text)" }, message: { overflowWrap: "anywhere" } } }),
    // What it says is never cut off.
    Badge: Badge.extend({ styles: { root: { overflow: "visible", flexShrink: 0 }, label: { overflow: "visible" } } }),
    // A name is read only where there is a role.
    Loader: Loader.extend({ defaultProps: { role: "status" } }),
    NavLink: NavLink.extend({ defaultProps: { variant: "filled" } })
  }
})

function Door() {
  const session = useSession()
  if (session.data === undefined) return <Waiting problem={session.error} retry={() => void session.refetch()} />
  return <Suspense fallback={<Waiting />}>{session.data.manager === null ? <SignIn /> : <Pages key={session.data.manager} manager={session.data.manager} />}</Suspense>
}

export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <Notifications position="bottom-right" limit={3} />
      <QueryClientProvider client={queries}>
        <Door />
      </QueryClientProvider>
    </MantineProvider>
  )
}
