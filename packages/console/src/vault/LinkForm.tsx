/** Links a vault to a gas wallet that is its trader, and offers to set the trader if it is not. */
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core"
import { useForm, type UseFormReturnType } from "@mantine/form"
import { useMutation } from "@tanstack/react-query"
import type { Address } from "@vault-trader/core/chain/Address"
import * as AddressText from "@vault-trader/core/chain/AddressText"
import type { Network } from "@vault-trader/core/chain/Network"
import { lazy, Suspense, useState } from "react"
import { queries } from "../connection/QueryCache.ts"
import { call, hasCode } from "../connection/RpcConnection.ts"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { GasWalletSelect } from "../gas-wallet/GasWalletSelect.tsx"
import { NetworkSelect } from "../shell/NetworkSelect.tsx"
import { showSuccess } from "../shell/Notices.ts"
import { useManaged, useManagedOn } from "./useVaults.ts"
import type { VaultRef } from "./VaultRef.ts"
import { t } from "../text/Text.ts"

const TraderDialog = lazy(() => import("./Trader.tsx").then(({ TraderDialog }) => ({ default: TraderDialog })))

/** Form values of a link. */
interface LinkTerms {
  readonly wallet: string
  readonly network: string
  readonly pool: string
}

const validate = {
  wallet: (value: string) => value === "" ? t("Choose a gas wallet") : null,
  network: (value: string) => value === "" ? t("Choose a network") : null,
  pool: (value: string) =>
    AddressText.parse(value) === undefined ? t("Must be the address of a vault: 0x + 40 hex characters") : null
}

/** Converts valid form values to a vault and its gas wallet. */
const vaultOf = ({ network, pool, wallet }: LinkTerms): VaultRef => ({
  wallet: wallet as Address,
  network: network as Network,
  pool: AddressText.parse(pool) as Address
})

function LinkFields({ form }: { readonly form: UseFormReturnType<LinkTerms> }) {
  const managed = useManagedOn(form.values.network)
  return (
    <>
      <GasWalletSelect {...form.getInputProps("wallet")} />
      <NetworkSelect {...form.getInputProps("network")} />
      <TextInput
        label={t("Vault")}
        description={managed.length === 0 ? t("Its address") : t("Its address; vaults you manage are suggested")}
        list="managed-vaults"
        autoComplete="off"
        {...form.getInputProps("pool")}
      />
      <datalist id="managed-vaults">
        {managed.map(({ name, pool }) => <option key={pool} value={pool}>{name}</option>)}
      </datalist>
    </>
  )
}

/** Explains that the gas wallet cannot trade the vault, by their names. */
function NotTheTrader({ setTrader, vault }: { readonly vault: VaultRef; readonly setTrader: () => void }) {
  const wallet = useWallets().data?.find(({ address }) => address === vault.wallet)
  const managed = useManaged().data?.find(({ network }) => network === vault.network)
  const name = managed?.vaults?.find(({ pool }) => pool === vault.pool)?.name
  return (
    <>
      <Text size="sm">
        {wallet === undefined
          ? name === undefined
            ? t("The gas wallet can’t trade this vault yet. Make it the vault’s trader first.")
            : t("The gas wallet can’t trade {name} yet. Make it the vault’s trader first.", { name })
          : name === undefined
          ? t("{wallet} can’t trade this vault yet. Make it the vault’s trader first.", { wallet: nameOf(wallet) })
          : t("{wallet} can’t trade {name} yet. Make it the vault’s trader first.", { wallet: nameOf(wallet), name })}
      </Text>
      <Button size="xs" variant="default" onClick={setTrader}>{t("Set the trader")}</Button>
    </>
  )
}

export function LinkForm(
  { close, network = "", pool = "" }: { readonly network?: string; readonly pool?: string; readonly close: () => void }
) {
  const wallets = useWallets()
  const [traderVault, setTraderVault] = useState<VaultRef>()
  const form = useForm<LinkTerms>({
    initialValues: { wallet: wallets.data?.length === 1 ? wallets.data[0]?.address ?? "" : "", network, pool },
    validate
  })
  const linking = useMutation({
    mutationFn: (vault: VaultRef) => call((client) => client.wallet.linkGasWallet(vault)),
    onSuccess: ({ message }) => {
      showSuccess(message)
      close()
      void queries.invalidateQueries()
    }
  })
  return (
    <Modal
      opened
      onClose={close}
      title={t("Link a vault")}
      closeButtonProps={{ "aria-label": t("Close") }}
      closeOnClickOutside={false}
    >
      <form onSubmit={form.onSubmit((terms) => linking.mutate(vaultOf(terms)))}>
        <Stack>
          <Text size="sm">{t("The gas wallet must be the vault’s trader on chain.")}</Text>
          <LinkFields form={form} />
          {linking.error !== null && (
            <Alert color="red" role="alert" title={t("The vault was not linked")}>
              <Stack gap="xs" align="flex-start">
                {hasCode(linking.error, "1006")
                  ? (
                    <NotTheTrader
                      vault={linking.variables}
                      setTrader={() => setTraderVault(linking.variables)}
                    />
                  )
                  : <Text size="sm">{linking.error.message}</Text>}
              </Stack>
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>{t("Cancel")}</Button>
            <Button type="submit" loading={linking.isPending}>{t("Link")}</Button>
          </Group>
        </Stack>
      </form>
      {traderVault !== undefined && (
        <Suspense fallback={null}>
          <TraderDialog vault={traderVault} close={() => setTraderVault(undefined)} />
        </Suspense>
      )}
    </Modal>
  )
}
