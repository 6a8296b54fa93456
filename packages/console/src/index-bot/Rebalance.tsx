/** Previews and starts a rebalance. The executed run is planned again from the current state. */
import { Alert, Button, Checkbox, Group, Loader, Modal, Stack, Text } from "@mantine/core"
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

type Preview = NonNullable<ReturnType<typeof usePreview>["data"]>

function Plan({ bot, preview: { data } }: { readonly bot: Index; readonly preview: Preview }) {
  const fee = useFee("vaultTrade", vaultRefOf(bot).network).data
  const { plan, totalValueUsd } = data
  if (plan.length === 0) {
    return (
      <Alert color="green" title="Nothing to trade">
        All weights are in their bands, or the deviations are worth less than {dollars(bot.min_trade_usd)}.
      </Alert>
    )
  }
  return (
    <Stack gap="xs">
      <Text size="sm">
        {plan.length === 1 ? "One trade" : `${plan.length} trades`} worth{" "}
        {dollars(plan.reduce((sum, { amountUsd }) => sum + amountUsd, 0))}
        {totalValueUsd === null ? "" : ` of a vault worth ${dollars(totalValueUsd)}`}; sells come before buys, at most
        {" "}
        {dollars(bot.max_usd)} in total.
      </Text>
      <PlannedLegs plan={plan} />
      <Text size="sm">
        Worst case: {dollars(maxLossOf(plan))} less than the oracle value (slippage{" "}
        {percent(bot.slippage)}). A trade that would exceed this fails and moves nothing.
        {fee !== undefined && ` The gas wallet is charged ${dollars(fee.fee_usd * plan.length)} and pays the gas.`}
        {` Venue: ${bot.platform}.`}
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
        title={answer.status === "pending" ? "The run is in progress" : "The run is complete"}
      >
        {answer.status === "pending" ? "Its trades appear with the bot as they are executed." : answer.message}
      </Alert>
      {"data" in answer && <TradedLegs network={bot.network} trades={answer.data.trades} />}
      <Group justify="flex-end">
        <Button onClick={close} data-autofocus>Close</Button>
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
      title="Rebalance now"
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {running.data !== undefined ? <RunResult answer={running.data} bot={bot} close={close} /> : (
        <Stack>
          <Text size="sm" style={{ overflowWrap: "anywhere" }}>
            Vault {bot.pool} on {bot.network}. {bot.paper
              ? "On paper: the trades are recorded, nothing is sent."
              : "Each trade is a transaction of the gas wallet."}
          </Text>
          {preview.error !== null && (
            <Alert color="red" role="alert" title="The preview cannot be loaded right now">
              {preview.error.message}
            </Alert>
          )}
          {preview.isPending && <Loader aria-label="Planning" />}
          {preview.data !== undefined && <Plan bot={bot} preview={preview.data} />}
          <Checkbox
            label="Rebalance even if all assets are within tolerance"
            checked={force}
            onChange={(event) => setForce(event.currentTarget.checked)}
          />
          {isStopped && <Alert color="red">{bot.kill_switch}. It cannot sign anything.</Alert>}
          {running.error !== null && (
            <Alert color="red" role="alert" title="The rebalance was not completed as planned">
              {running.error.message} Trades that were already made are listed with the bot, under its last run.
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>Cancel</Button>
            <Button
              color={bot.paper ? "blue" : "red"}
              disabled={plan.length === 0 || isStopped}
              loading={running.isPending}
              onClick={() => running.mutate(force)}
            >
              {bot.paper
                ? "Record these trades"
                : `Execute ${plan.length === 1 ? "this trade" : `these ${plan.length} trades`}`}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
