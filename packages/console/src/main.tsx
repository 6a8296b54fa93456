/** Entry point of the console. */
import "@mantine/core/styles.css"
import "./styles.css"
import { createRoot } from "react-dom/client"
import { App } from "./App.tsx"
import { loadTexts } from "./text/Text.ts"

const root = document.getElementById("root")
// What is loaded with this file names no text before it is drawn; the pages are loaded after the texts.
if (root !== null) void loadTexts().then(() => createRoot(root).render(<App />))
