/** Previews and starts a rebalance. The executed run is planned again from the current state. */
import { Alert, Button, Checkbox, Group, Loader, Stack, Text } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { dollars, percent } from "../shell/Format.ts"
import type { Index } from "../bots/Bots.ts"
import { vaultRefOf } from "../vault/VaultRef.ts"
import { useFee } from "../trading/Plans.ts"
import { usePreview } from "./Indexes.ts"
import { maxLossOf, PlannedLegs, TradedLegs } from "./Legs.tsx"
import { Modal } from "../shell/Modal.tsx"
import { T } from "../text/Sentence.tsx"
import { t } from "../text/Text.ts"

type Preview = NonNullable<ReturnType<typeof usePreview>["data"]>

function Plan({ bot, preview: { data } }: { readonly bot: Index; readonly preview: Preview }) {
  const fee = useFee("vaultTrade", vaultRefOf(bot).network).data
  const { plan, totalValueUsd } = data
  if (plan.length === 0) {
    return (
      <Alert color="green" title={t("Nothing to trade")}>
        {t("All weights are in their bands, or the deviations are worth less than {minTradeUsd}.", {
          minTradeUsd: dollars(bot.min_trade_usd)
        })}
      </Alert>
    )
  }
  return (
    <Stack gap="xs">
      <Text size="sm">
        {plan.length === 1
          ? (totalValueUsd === null
            ? t("One trade worth {worth}; sells come before buys, at most {maxUsd} in total.", {
              worth: dollars(plan.reduce((sum, { amountUsd }) => sum + amountUsd, 0)),
              maxUsd: dollars(bot.max_usd)
            })
            : t(
              "One trade worth {worth} of a vault worth {totalValueUsd}; sells come before buys, at most " +
                "{maxUsd} in total.",
              {
                worth: dollars(plan.reduce((sum, { amountUsd }) => sum + amountUsd, 0)),
                totalValueUsd: dollars(totalValueUsd),
                maxUsd: dollars(bot.max_usd)
              }
            ))
          : (totalValueUsd === null
            ? t("{count} trades worth {worth}; sells come before buys, at most {maxUsd} in total.", {
              count: plan.length,
              worth: dollars(plan.reduce((sum, { amountUsd }) => sum + amountUsd, 0)),
              maxUsd: dollars(bot.max_usd)
            })
            : t(
              "{count} trades worth {worth} of a vault worth {totalValueUsd}; sells come before buys, at most " +
                "{maxUsd} in total.",
              {
                count: plan.length,
                worth: dollars(plan.reduce((sum, { amountUsd }) => sum + amountUsd, 0)),
                totalValueUsd: dollars(totalValueUsd),
                maxUsd: dollars(bot.max_usd)
              }
            ))}
      </Text>
      <PlannedLegs plan={plan} />
      <Text size="sm">
        <T
          message={"Worst case: {loss} less than the oracle value (slippage {slippage}). A trade that would exceed " +
            "this fails and moves nothing.{fee} Venue: {platform}."}
          values={{
            loss: dollars(maxLossOf(plan)),
            slippage: percent(bot.slippage),
            fee: fee !== undefined &&
              ` ${
                t("The gas wallet is charged {usd} and pays the gas.", {
                  usd: dollars(fee.fee_usd * plan.length)
                })
              }`,
            platform: bot.platform
          }}
        />
      </Text>
    </Stack>
  )
}

const useRebalance = (bot: Index) =>
  useMutation({
    mutationFn: (force: boolean) =>
      call((client) =>
        client.wallet.rebalancePool({ ...vaultRefOf(bot), execute: true, force, idempotency_key: crypto.randomUUID() })
      ),
    onSettled: () => queries.invalidateQueries()
  })

type Answer = NonNullable<ReturnType<typeof useRebalance>["data"]>

function RunResult(
  { answer, bot, close }: { readonly answer: Answer; readonly bot: Index; readonly close: () => void }
) {
  return (
    <Stack>
      <Alert
        color={answer.status === "pending" ? "blue" : "green"}
        role="status"
        title={answer.status === "pending" ? t("The run is in progress") : t("The run is complete")}
      >
        {answer.status === "pending" ? t("Its trades appear with the bot as they are executed.") : answer.message}
      </Alert>
      {"data" in answer && <TradedLegs network={bot.network} trades={answer.data.trades} />}
      <Group justify="flex-end">
        <Button onClick={close} data-autofocus>{t("Close")}</Button>
      </Group>
    </Stack>
  )
}

export function Rebalance({ bot, close }: { readonly bot: Index; readonly close: () => void }) {
  const [force, setForce] = useState(false)
  const preview = usePreview(vaultRefOf(bot), force)
  const running = useRebalance(bot)
  const plan = preview.data?.data.plan ?? []
  const isStopped = bot.kill_switch !== null
  return (
    <Modal
      opened
      onClose={close}
      size="xl"
      title={t("Rebalance now")}
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": t("Close") }}
    >
      {running.data !== undefined ? <RunResult answer={running.data} bot={bot} close={close} /> : (
        <Stack>
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>
            {bot.paper
              ? t("Vault {pool} on {network}. On paper: the trades are recorded, nothing is sent.", {
                pool: bot.pool,
                network: bot.network
              })
              : t("Vault {pool} on {network}. Each trade is a transaction of the gas wallet.", {
                pool: bot.pool,
                network: bot.network
              })}
          </Text>
          {preview.error !== null && (
            <Alert color="red" role="alert" title={t("The preview cannot be loaded right now")}>
              {preview.error.message}
            </Alert>
          )}
          {preview.isPending && <Loader aria-label={t("Planning")} />}
          {preview.data !== undefined && <Plan bot={bot} preview={preview.data} />}
          <Checkbox
            label={t("Rebalance even if all assets are within tolerance")}
            checked={force}
            onChange={(event) => setForce(event.currentTarget.checked)}
          />
          {isStopped && (
            <Alert color="red">{t("{killSwitch}. It cannot sign anything.", { killSwitch: bot.kill_switch })}</Alert>
          )}
          {running.error !== null && (
            <Alert color="red" role="alert" title={t("The rebalance was not completed as planned")}>
              {t("{message} Trades that were already made are listed with the bot, under its last run.", {
                message: running.error.message
              })}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>{t("Cancel")}</Button>
            <Button
              color={bot.paper ? "blue" : "red"}
              disabled={plan.length === 0 || isStopped}
              loading={running.isPending}
              onClick={() => running.mutate(force)}
            >
              {bot.paper
                ? t("Record these trades")
                : (plan.length === 1
                  ? t("Execute this trade")
                  : t("Execute these {count} trades", { count: plan.length }))}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
