/** Follows a request until its outcome is known, and says what happened and whether money moved. */
import { Alert, Button, Group, Loader, Stack, Text } from "@mantine/core"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { ReactNode } from "react"
import { useLive } from "../connection/useLive.ts"
import { Modal } from "../shell/Modal.tsx"
import { Problem } from "../shell/Problem.tsx"
import { Transaction } from "../shell/Transaction.tsx"
import { t } from "../text/Text.ts"

/** The result of an executed request, as its receipt says. */
export type Result = Readonly<Record<string, unknown>>

/** The words of an action for its outcome. */
export interface OutcomeTexts {
  readonly pending: string
  readonly done: string
  readonly failed: string
  /** The title of a failure after which nothing has moved. */
  readonly nothing: string
  /** The title of a failure whose transaction was mined: what it should have done was refused elsewhere. */
  readonly refused?: string
  /** Says what to do while the outcome cannot be read. */
  readonly unread: string
}

export function Outcome({ close, intent: id, moved, texts, vault }: {
  /** The gas wallet that sent it, and where. */
  readonly vault: { readonly wallet: Address; readonly network: Network }
  readonly intent: string
  readonly texts: OutcomeTexts
  /** Shows what the transaction moved. */
  readonly moved: (result: Result) => ReactNode
  readonly close: () => void
}) {
  const followed = useLive(
    ["intent", vault.wallet, id],
    (client) => client.live["wallet.getIntent"]({ wallet: vault.wallet, intent_id: id }),
    ({ intent }) => intent
  )
  const { data } = followed
  const status = data?.status ?? "pending"
  const result = status === "success" ? data?.result ?? null : null
  return (
    <Modal
      opened
      onClose={close}
      title={status === "pending" ? texts.pending : status === "success" ? texts.done : texts.failed}
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
        {result !== null && moved(result)}
        {status === "fail" && (
          <Problem
            title={data?.failure?.error_type === "outcome_unknown"
              ? t("The outcome is not certain")
              : data?.failure?.error_type === "exchange_rejected" && data.tx_hash !== null
              ? texts.refused ?? texts.nothing
              : texts.nothing}
            message={data?.failure?.message ?? data?.message ?? ""}
            funds=""
          />
        )}
        {followed.error !== null && data === undefined && (
          <Problem
            color="orange"
            title={t("The outcome cannot be read right now")}
            message={followed.error.message}
            funds={texts.unread}
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
