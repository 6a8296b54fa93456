/** Follows a request until its outcome is known, and says what happened and whether money moved. */
import { Alert, Button, Group, Loader, Modal, Stack, Text } from "@mantine/core"
import { useLive } from "../connection/useLive.ts"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { amount, dollars, percent, price, shortOf } from "../shell/Format.ts"
import { Problem } from "../shell/Problem.tsx"
import { Transaction } from "../shell/Transaction.tsx"
import type { VaultRef } from "../vault/VaultRef.ts"
import { t } from "../text/Text.ts"

interface Amount {
  readonly amount: string
  readonly symbol: string
}

/** The amounts that the transaction moved, as its receipt says, and its cost. */
interface Result {
  readonly sold: Amount
  readonly bought: Amount
  readonly venue: string
  readonly oracle?: { readonly slippage_percent: number | null } | null
  readonly gas_cost?: string | null
  readonly charge_usd?: number
}

const isAmount = (value: unknown): value is Amount =>
  typeof value === "object" && value !== null && "amount" in value && "symbol" in value

/** Returns the result of a trade; undefined where it has no amounts. */
const resultOf = (result: Readonly<Record<string, unknown>> | null | undefined): Result | undefined =>
  result !== null && result !== undefined && isAmount(result["sold"]) && isAmount(result["bought"])
    ? result as unknown as Result
    : undefined

function Moved({ result: { bought, charge_usd, gas_cost, oracle, sold, venue } }: { readonly result: Result }) {
  const slippage = oracle?.slippage_percent ?? null
  return (
    <ActionSummary
      label={t("What moved")}
      lines={[
        [t("Sold"), `${amount(sold.amount)} ${sold.symbol}`],
        [t("Bought"), `${amount(bought.amount)} ${bought.symbol}`],
        [
          t("Price"),
          `1 ${sold.symbol} = ${price(Number(bought.amount) / Number(sold.amount))} ${bought.symbol}`
        ],
        [t("Venue"), venue],
        slippage === null
          ? undefined
          : [
            t("Against the oracle"),
            slippage > 0
              ? t("{percent} worse", { percent: percent(slippage) })
              : t("{percent} better", { percent: percent(-slippage) })
          ],
        gas_cost === null || gas_cost === undefined ? undefined : [t("Gas"), shortOf(gas_cost)],
        charge_usd === undefined ? undefined : [t("Charge"), dollars(charge_usd)]
      ]}
    />
  )
}

export function TradeOutcome({ close, intent: id, vault }: {
  readonly vault: VaultRef
  readonly intent: string
  readonly close: () => void
}) {
  const followed = useLive(
    ["intent", vault.wallet, id],
    (client) => client.live["wallet.getIntent"]({ wallet: vault.wallet, intent_id: id }),
    ({ intent }) => intent
  )
  const { data } = followed
  const status = data?.status ?? "pending"
  const result = status === "success" ? resultOf(data?.result) : undefined
  return (
    <Modal
      opened
      onClose={close}
      title={status === "pending" ? t("Trade in progress") : status === "success" ? t("Trade done") : t("Trade failed")}
      closeButtonProps={{ "aria-label": t("Close") }}
    >
      <Stack aria-live="polite">
        {status === "pending" && (
          <Group gap="sm">
            <Loader size="sm" aria-label={t("In progress")} />
            <Text size="sm">{t("Sent to the gas wallet. You can close this; Activity shows the outcome.")}</Text>
          </Group>
        )}
        {status === "success" && <Alert color="green" role="status" title={data?.message ?? ""} />}
        {result !== undefined && <Moved result={result} />}
        {status === "fail" && (
          <Problem
            title={data?.failure?.error_type === "outcome_unknown"
              ? t("The outcome is not certain")
              : t("Nothing was traded")}
            message={data?.failure?.message ?? data?.message ?? ""}
            funds=""
          />
        )}
        {followed.error !== null && data === undefined && (
          <Problem
            color="orange"
            title={t("The outcome cannot be read right now")}
            message={followed.error.message}
            funds={t("The trade may still complete; check Activity before you trade again.")}
          />
        )}
        {data?.tx_hash !== null && data?.tx_hash !== undefined && (
          <Text size="sm" component="div">
            {t("Transaction")} <Transaction network={vault.network} hash={data.tx_hash} />
          </Text>
        )}
        <Group justify="flex-end">
          <Button onClick={close} data-autofocus>{t("Done")}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
