/** The review of an order, with the service's dry run; then where to follow it. */
import { Button, Group, Loader, Stack, Text } from "@mantine/core"
import { useMutation, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { Confirm } from "../shell/Confirm.tsx"
import { amount, price } from "../shell/Format.ts"
import { Problem } from "../shell/Problem.tsx"
import type { VaultRef } from "../vault/VaultRef.ts"
import { paramsOf, type FieldName, labels, mayOf, needsOf, type OrderFields } from "./OrderFields.ts"
import { typeLabels } from "./VaultOrders.ts"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

/** Asks the service what the order would do now. Placing is checked again when it is confirmed. */
const usePreview = (vault: VaultRef, fields: OrderFields) =>
  useQuery({
    queryKey: ["order-preview", vault, fields],
    queryFn: async ({ signal }) => {
      const answer = await call(
        (client) => client.wallet.placeOrder({ ...paramsOf(fields), ...vault, dryRun: true } as never),
        signal
      )
      return (answer as { readonly plan?: Preview }).plan
    },
    refetchInterval: 15_000,
    retry: false
  })

interface Amount {
  readonly amount: string
  readonly symbol: string
}

interface Preview {
  readonly reason: string
  readonly price: string | null
  readonly slice: {
    readonly sold: Amount
    readonly bought: Amount
    readonly min_bought: Amount
    readonly venue: string
  } | null
}

const sliceText = ({ bought, min_bought, sold, venue }: NonNullable<Preview["slice"]>): string =>
  t("{sold} for about {bought}, at least {least}, on {venue}", {
    sold: `${amount(sold.amount)} ${sold.symbol}`,
    bought: `${amount(bought.amount)} ${bought.symbol}`,
    least: amount(min_bought.amount),
    venue
  })

/** Returns what an order sells or spends: a share of what the vault has, or an amount. */
const sizeText = (share: string, amount: string, asset: string): string =>
  share === "" ? `${amount} ${asset}` : t("{share} % of the vault’s {asset}", { share, asset })

const titleOf = ({ base, side, type }: OrderFields): string =>
  side === "sell"
    ? t("Sell {base}: {type}", { base, type: typeLabels[type].label })
    : t("Buy {base}: {type}", { base, type: typeLabels[type].label })

export function OrderReview({ back, close, fields, requestKey, vault }: {
  readonly vault: VaultRef
  readonly fields: OrderFields
  readonly requestKey: string
  readonly back: () => void
  readonly close: () => void
}) {
  const preview = usePreview(vault, fields)
  const [placed, setPlaced] = useState<string>()
  const placing = useMutation({
    mutationFn: () =>
      // Decoded by the endpoint's schemas; the compiler cannot check fields accessed by name.
      call((client) =>
        client.wallet.placeOrder({ ...paramsOf(fields), ...vault, idempotency_key: requestKey } as never)
      ),
    onSuccess: (answer) => setPlaced("data" in answer ? answer.data.id : ""),
    onSettled: () => queries.invalidateQueries()
  })
  if (placed !== undefined) {
    return (
      <Modal opened onClose={close} title={t("Order placed")} closeButtonProps={{ "aria-label": t("Close") }}>
        <Stack>
          <Text size="sm">
            {fields.paper
              ? t("It trades on paper and sends nothing. You can close the page; the service watches it.")
              : t("It trades when its condition is met. You can close the page; the service watches it.")}
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>{t("Done")}</Button>
            <Button component={Link} to="/orders/$order" params={{ order: placed } as never}>{t("View order")}</Button>
          </Group>
        </Stack>
      </Modal>
    )
  }
  const { data } = preview
  const text = (name: FieldName) => fields[name].trim()
  const used = [...needsOf(fields), ...mayOf(fields)].filter((name) => text(name) !== "")
  return (
    <Confirm
      title={titleOf(fields)}
      action={fields.paper ? t("Place it, on paper") : t("Place order")}
      close={back}
      disabled={data === undefined}
      loading={placing.isPending}
      problem={placing.error}
      onConfirm={() => placing.mutate()}
    >
      <ActionSummary
        label={t("The order")}
        lines={[
          [t("Pair"), `${fields.base}-${fields.quote}`],
          [
            fields.side === "sell" ? t("Sells") : t("Spends"),
            sizeText(text("share"), text("amount"), fields.side === "sell" ? fields.base : fields.quote)
          ],
          ...used.map((name) => [labels[name], text(name)] as const),
          ...(data === undefined ? [] : [
            [t("Price now"), data.price === null ? t("unknown") : `${price(data.price)} ${fields.quote}`] as const,
            [t("Now"), data.reason] as const
          ]),
          data?.slice === null || data === undefined ? undefined : [
            t("A trade at this moment"),
            sliceText(data.slice)
          ]
        ]}
      />
      {preview.isPending && <Loader size="sm" aria-label={t("Checking the order")} />}
      {preview.error !== null && (
        <Problem color="orange" title={t("This order would be refused")} message={preview.error.message} />
      )}
    </Confirm>
  )
}
