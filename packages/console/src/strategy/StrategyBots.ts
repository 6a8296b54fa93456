/** Live queries for bots that trade by a strategy, and how people read them. */
import { useQuery } from "@tanstack/react-query"
import { call, type Client } from "../connection/RpcConnection.ts"
import { useLive } from "../connection/useLive.ts"
import { useAtVaults } from "../vault/Authorities.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { t } from "../text/Text.ts"

const queryOf = (vault: VaultRef) =>
  [
    ["strategy-bots", vault.wallet, vault.network, vault.pool],
    (client: Client) => client.live["wallet.getStrategyBots"](vault)
  ] as const

/** Follows all strategy bots that the manager's wallets have set. */
export const useStrategyBots = () => {
  const lists = useAtVaults("strategies", queryOf)
  return { ...lists, data: lists.data?.flatMap(({ bots }) => bots.map(({ data }) => data)) }
}

export type StrategyBot = NonNullable<ReturnType<typeof useStrategyBots>["data"]>[number]

/** Follows the strategy bots of a vault with their decisions; idle until the vault is known. */
export const useStrategyBotsOf = (vault: VaultRef | undefined) => {
  const [key, watch] = vault === undefined ? [["strategy-bots"], undefined] as const : queryOf(vault)
  return useLive(key, watch, ({ bots }) => bots)
}

export type BotDetails = NonNullable<ReturnType<typeof useStrategyBotsOf>["data"]>[number]

/** Reads the strategies that a vault's bot may run; the files rarely change, so they are not followed. */
export const useInstalled = (vault: VaultRef | undefined) =>
  useQuery({
    queryKey: ["strategies", vault?.wallet, vault?.network, vault?.pool],
    enabled: vault !== undefined,
    refetchInterval: false,
    queryFn: ({ signal }) =>
      call((client) => client.wallet.getStrategies(vault as VaultRef), signal).then(({ strategies }) => strategies)
  })

export type Installed = NonNullable<ReturnType<typeof useInstalled>["data"]>[number]
type Inputs = NonNullable<Installed["description"]>["inputs"]
export type Input = Inputs[string]

/** Returns what an input accepts, for people. */
export const acceptsOf = (input: Input): string => {
  switch (input.type) {
    case "boolean":
      return t("on or off")
    case "choice":
      return input.choices.join(", ")
    case "number":
    case "integer": {
      const what = input.type === "integer" ? t("whole number") : t("number")
      const { maximum, minimum } = input
      return minimum === undefined
        ? maximum === undefined ? what : t("{what} up to {maximum}", { what, maximum })
        : maximum === undefined
        ? t("{what} from {minimum}", { what, minimum })
        : t("{what} from {minimum} to {maximum}", { what, minimum, maximum })
    }
  }
}

const pausedLabels: Readonly<Record<string, string>> = {
  missing: t("The strategy’s file is missing."),
  invalid_module: t("The strategy’s file cannot be read as a strategy."),
  threw: t("The strategy failed with an error."),
  timeout: t("The strategy did not answer in time."),
  memory: t("The strategy used too much memory."),
  invalid_decision: t("What the strategy returned is no decision."),
  changed: t("The strategy’s file has changed since the bot was set."),
  not_repeatable: t("The strategy decided differently on the same data."),
  trades_failed: t("Several of its trades failed in a row.")
}

/** Returns why a bot has paused itself, for people; undefined while it has not. */
export const pausedOf = ({ paused_code: code }: StrategyBot): string | undefined =>
  code === null ? undefined : pausedLabels[code] ?? code

export const stateOf = (bot: StrategyBot): { readonly label: string; readonly color: string; readonly rank: number } =>
  bot.kill_switch !== null
    ? { label: t("stopped"), color: "red", rank: 1 }
    : bot.paused_code !== null
    ? { label: t("paused"), color: "red", rank: 0 }
    : bot.mode === "paper"
    ? { label: t("on paper"), color: "gray", rank: 3 }
    : { label: t("live"), color: "green", rank: 2 }

/** Returns the parameters that set the bot again with the terms that it has. */
export const paramsOf = (bot: StrategyBot): Readonly<Record<string, unknown>> => {
  const { assets, inputs, interval, max_impact, max_usd, min_trade_usd, mode, platform, quote, slippage, strategy } =
    bot
  const texts = Object.entries(inputs).map(([name, value]) => `${name}=${String(value as string)}`).join(",")
  return {
    ...{
      strategy,
      assets,
      quote,
      interval,
      max_usd,
      min_trade_usd,
      tolerance: bot.tolerance,
      slippage,
      platform,
      mode
    },
    ...(texts === "" ? {} : { inputs: texts }),
    ...(max_impact === null ? {} : { max_impact })
  }
}
