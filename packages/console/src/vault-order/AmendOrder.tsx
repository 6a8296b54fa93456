/** Changes terms of an order that has not ended; what is not changed stays. */
import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { showSuccess } from "../shell/Notices.ts"
import { Problem } from "../shell/Problem.tsx"
import { amendmentFault } from "./OrderFaults.ts"
import { amendableOf, labels } from "./OrderFields.ts"
import type { Order } from "./VaultOrders.ts"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

export function AmendOrder({ close, order }: { readonly order: Order; readonly close: () => void }) {
  const [fields] = useState(() => amendableOf(order))
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() => Object.fromEntries(fields))
  const changed = Object.fromEntries(
    fields.flatMap(([name, before]) =>
      (values[name] ?? "").trim() === before ? [] : [[name, (values[name] ?? "").trim()]]
    )
  )
  const isValid = Object.entries(changed).every(([name, value]) => value !== "" && amendmentFault(name, value) === null)
  const amending = useMutation({
    mutationFn: () =>
      // Decoded by the endpoint's schemas; the compiler cannot check fields accessed by name.
      call((client) => client.wallet.amendOrder({ ...changed, wallet: order.gasWallet, order: order.id } as never)),
    onSuccess: ({ message }) => {
      showSuccess(message)
      close()
    },
    onSettled: () => queries.invalidateQueries()
  })
  return (
    <Modal opened onClose={close} title={t("Amend the order")} closeButtonProps={{ "aria-label": t("Close") }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isValid && Object.keys(changed).length > 0) amending.mutate()
        }}
      >
        <Stack>
          {order.trigger !== null && (
            <Alert color="blue">{t("The order has triggered, so its trigger prices no longer change.")}</Alert>
          )}
          {fields.map(([name, before]) => (
            <TextInput
              key={name}
              label={labels[name]}
              description={values[name] === before ? undefined : t("Now {before}", { before })}
              inputMode="decimal"
              value={values[name] ?? ""}
              error={(values[name] ?? "") === "" ? t("Required") : amendmentFault(name, (values[name] ?? "").trim())}
              onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
            />
          ))}
          <Text size="sm" c="dimmed">
            {t("It keeps its place and what it has executed. Nothing is traded by this change itself.")}
          </Text>
          {amending.error !== null && <Problem title={t("The order is unchanged")} message={amending.error.message} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>{t("Close")}</Button>
            <Button
              type="submit"
              disabled={!isValid || Object.keys(changed).length === 0}
              loading={amending.isPending}
            >
              {t("Save changes")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
