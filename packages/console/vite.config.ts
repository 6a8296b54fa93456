/** How the console is built: one page, hashed files, nothing inline, so that the policy of the gate can be strict. */
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

export default defineConfig({
  base: "/console/",
  plugins: [react()],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    rollupOptions: {
      // Core's modules declare actors beside schemas; what a page does not use of them may be left out.
      treeshake: {
        manualPureFunctions: [
          "Entity.make",
          "Rpc.make",
          "Schema.Struct",
          "Schema.Class",
          "Schema.TaggedClass",
          "Context.Service"
        ]
      }
    }
  }
})
