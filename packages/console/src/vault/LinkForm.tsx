/** Links a vault to a gas wallet that is its trader, and offers to set the trader if it is not. */
import { Alert, Button, Group, Modal, NativeSelect, Stack, Text, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import { useMutation } from "@tanstack/react-query"
import * as AddressText from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { lazy, Suspense, useState } from "react"
import { useWhoAmI } from "../connection/useWhoAmI.ts"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { done } from "../shell/Notices.ts"
import { useManagedOn } from "./Managed.ts"

const TraderDialog = lazy(() => import("./Trader.tsx").then(({ TraderDialog }) => ({ default: TraderDialog })))

export function LinkForm(
  { close, network = "", pool = "" }: { readonly network?: string; readonly pool?: string; readonly close: () => void }
) {
  const wallets = useWallets()
  const me = useWhoAmI()
  const [trader, setTrader] = useState<
    { readonly wallet: AddressText.Address; readonly network: Network; readonly pool: AddressText.Address }
  >()
  const form = useForm({
    initialValues: { wallet: wallets.data?.length === 1 ? wallets.data[0]?.address ?? "" : "", network, pool },
    validate: {
      wallet: (value) => value === "" ? "Choose a gas wallet" : null,
      network: (value) => value === "" ? "Choose a network" : null,
      pool: (value) =>
        AddressText.parse(value) === undefined ? "Must be the address of a vault: 0x + 40 hex characters" : null
    }
  })
  const managed = useManagedOn(form.values.network)
  const linking = useMutation({
    mutationFn: ({ network, pool, wallet }: typeof form.values) =>
      call((client) =>
        client.wallet.linkGasWallet({
          wallet: wallet as AddressText.Address,
          network: network as Network,
          pool: AddressText.parse(pool) as AddressText.Address
        })
      ),
    onSuccess: ({ message }) => {
      done(message)
      close()
      void queries.invalidateQueries()
    }
  })
  return (
    <Modal
      opened
      onClose={close}
      title="Link a vault"
      closeButtonProps={{ "aria-label": "Close" }}
      closeOnClickOutside={false}
    >
      <form onSubmit={form.onSubmit((values) => linking.mutate(values))}>
        <Stack>
          <Text size="sm">The gas wallet must be the vault’s trader on chain.</Text>
          <NativeSelect
            label="Gas wallet"
            data={[
              { value: "", label: "Choose…" },
              ...(wallets.data ?? []).map((wallet) => ({ value: wallet.address, label: nameOf(wallet) }))
            ]}
            {...form.getInputProps("wallet")}
          />
          <NativeSelect
            label="Network"
            data={[{ value: "", label: "Choose…" }, ...(me.data?.networks ?? [])]}
            {...form.getInputProps("network")}
          />
          <TextInput
            label="Vault"
            description={managed.length === 0 ? "Its address" : "Its address; vaults you manage are suggested"}
            list="managed-vaults"
            autoComplete="off"
            {...form.getInputProps("pool")}
          />
          <datalist id="managed-vaults">
            {managed.map(({ name, pool }) => <option key={pool} value={pool}>{name}</option>)}
          </datalist>
          {linking.error !== null && (
            <Alert color="red" role="alert" title="The vault was not linked">
              <Stack gap="xs" align="flex-start">
                <Text size="sm">{linking.error.message}</Text>
                {/is not the trader/.test(linking.error.message) && (
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => {
                      const { network, pool, wallet } = form.values
                      setTrader({
                        wallet: wallet as AddressText.Address,
                        network: network as Network,
                        pool: AddressText.parse(pool) as AddressText.Address
                      })
                    }}
                  >
                    Set the trader
                  </Button>
                )}
              </Stack>
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>Cancel</Button>
            <Button type="submit" loading={linking.isPending}>Link</Button>
          </Group>
        </Stack>
      </form>
      {trader !== undefined && (
        <Suspense fallback={null}>
          <TraderDialog vault={trader} close={() => setTrader(undefined)} />
        </Suspense>
      )}
    </Modal>
  )
}
