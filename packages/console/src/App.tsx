/**
 * The root component: theme, query cache, notifications, and the session, which selects the sign-in page or the other
 * pages.
 */
import { MantineProvider } from "@mantine/core"
import { QueryClientProvider } from "@tanstack/react-query"
import { lazy, Suspense, useLayoutEffect } from "react"
import { queries } from "./connection/QueryCache.ts"
import { useSession } from "./connection/Session.ts"
import { SignIn } from "./session/SignIn.tsx"
import { LoadingState } from "./shell/LoadingState.tsx"
import { nextTask } from "./shell/Tasks.ts"
import { theme } from "./Theme.ts"

/** Loads the pages of a signed-in manager. */
export const loadRoutes = () => import("./Routes.tsx")

/** The script is run in one task, and the pages are drawn in later ones. */
const Routes = lazy(() =>
  loadRoutes().then(async ({ Routes }) => {
    await nextTask()
    return { default: Routes }
  })
)

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
  // The skeleton is before the root, and goes before anything of the page is drawn.
  useLayoutEffect(() => document.getElementById("boot")?.remove(), [])
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <SessionGate />
      </QueryClientProvider>
    </MantineProvider>
  )
}
