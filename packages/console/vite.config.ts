/** How the console is built: one page, hashed files, nothing inline, so that the policy of the gate can be strict. */
import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

/** Form fields, which many pages have not. */
const fields = /esm\/components\/(Input|NativeSelect|Checkbox|Combobox|InlineInput)|@mantine\/form/

/**
 * Modules of ours that import core's schemas, viem or the table of fleets, and those of single things' pages: a chunk of
 * shared parts must not bring those to every page.
 */
const heavy = "Faults|Parameters|Api|Form|Review|Ticket|Terms|Wallet\\.ts|WalletState|Trader|Refill\\.|Contracts|" +
  "FleetTable|Removal|Steps|Timeline|Facts|StatusBadge|VaultFilter|VaultLink|VaultSearch|Authorities|PauseBots|" +
  "Guardians\\.ts|Followers\\.ts|StrategyBots|SubKeys|Channels\\.ts|Messages"

/** Modules that most pages share: components, icons, and the console's own parts. */
const parts = new RegExp(`@mantine/core/esm/(?!components/NumberInput)|@tabler|console/src/(?!.*(${heavy}))`)

export default defineConfig({
  base: "/console/",
  plugins: [react()],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    rollupOptions: {
      // Without groups a page is fifty requests. Sign-in is the entry and its imports, one file.
      output: {
        codeSplitting: {
          groups: [
            { name: "base", tags: ["$initial"], priority: 3 },
            { name: "fields", test: fields, minShareCount: 2, priority: 2 },
            { name: "parts", test: parts, minShareCount: 5, priority: 1 }
          ]
        }
      },
      // Core's modules declare actors beside schemas; what a page does not use of them may be left out.
      treeshake: {
        manualPureFunctions: ["Schema", "Entity", "Rpc", "RpcGroup", "Context", "Data", "Endpoint", "Param", "Params"]
      }
    }
  }
})
