/** Entry point of the console. */
import "@mantine/core/styles.css"
import "./styles.css"
import { createRoot } from "react-dom/client"
import { App } from "./App.tsx"
import { loadTexts } from "./text/Text.ts"

const root = document.getElementById("root")
// The modules of this file name no text before they are drawn; the pages' modules are loaded later.
if (root !== null) void loadTexts().then(() => createRoot(root).render(<App />))
