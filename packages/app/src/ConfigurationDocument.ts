/** Renders docs/configuration.md from the settings. */
import type { Setting } from "@vault-trader/core/configuration/Setting"
import { settingGroups } from "./Settings.ts"

const cell = (text: string) => text.replaceAll("|", "\\|")

const table = (title: string, settings: Readonly<Record<string, Setting<unknown>>>) => [
  `## ${title}`,
  "",
  "| Variable | Default | Meaning |",
  "|---|---|---|",
  ...Object.values(settings).map(({ name, fallback, description }) =>
    `| \`${name}\` | \`${cell(fallback)}\` | ${cell(description)} |`
  ),
  ""
]

export const configurationDocument = [
  "# Configuration",
  "",
  "Made by `npm run docs` from the settings in the code; do not edit. Every setting is an environment",
  "variable. A value that cannot be used ends the start with one sentence and exit code 1. An empty one",
  "counts as not set. A variable that looks like a setting but is not one (`RPC_URL_BAES`) ends the",
  "start too, with the nearest name.",
  "",
  ...Object.entries(settingGroups).flatMap(([title, settings]) => table(title, settings))
].join("\n")
