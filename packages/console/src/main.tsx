/** Entry point of the console. */
import "@mantine/core/styles.css"
import "@mantine/notifications/styles.css"
import "./styles.css"
import { startTransition } from "react"
import { createRoot } from "react-dom/client"
import { App, loadRoutes } from "./App.tsx"
import { readSession } from "./connection/Session.ts"
import { hasRecent } from "./session/Wallets.ts"
import { nextTask } from "./shell/Tasks.ts"
import { loadTexts } from "./text/Text.ts"

const root = document.getElementById("root")
// The modules of this file name no text before they are drawn; the pages' modules are loaded later.
if (root !== null) {
  // The scripts have been run in this task; each of the next steps has one of its own.
  void nextTask().then(readSession).then(nextTask).then(loadTexts).then(() => {
    // A manager who signed in here before most likely still is: the pages are loaded beside the session.
    if (hasRecent()) loadRoutes().catch(() => undefined)
    // As a transition, it is drawn in slices.
    startTransition(() => createRoot(root).render(<App />))
  })
}
