/** Approves an asset of the vault for a venue, after showing the effects. */
import { Alert, Loader, Text } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { Address } from "../shell/Address.tsx"
import { Confirm } from "../shell/Confirm.tsx"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { dollars, short, shortOf } from "../shell/Format.ts"
import { showSuccess } from "../shell/Notices.ts"
import { useComposition } from "../vault/useVaults.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { useApprovals, useFee } from "./Plans.ts"
import { t } from "../text/Text.ts"

export function Approve(
  { vault, asset, close, platform }: {
    readonly vault: VaultRef
    readonly asset: string
    readonly platform: string
    readonly close: () => void
  }
) {
  const [plan] = useApprovals(vault, [asset], platform)
  const fee = useFee("approve", vault.network).data
  const holding = useComposition(vault).data?.composition.find(({ symbol }) => symbol === plan?.data?.symbol)
  const approving = useMutation({
    mutationFn: () =>
      call((client) => client.wallet.approve({ ...vault, asset, platform, idempotency_key: crypto.randomUUID() })),
    onSuccess: ({ message, status }) => {
      showSuccess(
        status === "pending"
          ? t("The approval of {asset} is in progress. Activity shows the outcome.", { asset })
          : message
      )
      close()
    },
    onSettled: () => queries.invalidateQueries()
  })
  return (
    <Confirm
      title={t("Approve {asset}", { asset })}
      action={t("Approve {asset}", { asset })}
      close={close}
      disabled={plan?.data === undefined || plan.data.note !== undefined}
      loading={approving.isPending}
      problem={approving.error}
      onConfirm={() => approving.mutate()}
    >
      {plan?.error !== null && plan?.error !== undefined && (
        <Alert color="red" role="alert" title={t("It cannot be approved right now")}>{plan.error.message}</Alert>
      )}
      {plan?.data === undefined && plan?.error === null && <Loader aria-label={t("Loading the plan")} size="sm" />}
      {plan?.data !== undefined && (
        <>
          <Text size="sm">
            {plan.data.note ??
              t("This does not trade. It lets the venue take the asset when your gas wallet trades there.")}
          </Text>
          <ActionSummary
            label={t("What this does")}
            lines={[
              [t("Asset"), plan.data.symbol],
              [t("Amount"), plan.data.allowance],
              [t("Venue"), plan.data.venue],
              [t("Spender"), <Address key="spender" address={plan.data.spender} label={t("spender")} isWhole />],
              [t("Max gas"), plan.data.gas_cost === null ? t("none") : shortOf(plan.data.gas_cost)],
              [
                t("Charge"),
                `${dollars(plan.data.charge.usd)}${
                  fee?.fee_native === null || fee === undefined ? "" : ` (${short(fee.fee_native)} ${fee.token})`
                }`
              ],
              [
                t("Worst case"),
                holding?.value_usd === null || holding?.value_usd === undefined
                  ? t("The venue's contract may take all {symbol} of the vault.", { symbol: plan.data.symbol })
                  : t("The venue's contract may take all {symbol} of the vault, worth {valueUsd} now.", {
                    symbol: plan.data.symbol,
                    valueUsd: dollars(holding.value_usd)
                  })
              ]
            ]}
          />
        </>
      )}
    </Confirm>
  )
}
