/** Lets a gas wallet trade a vault: makes it the vault's trader where it is not yet, then links them. */
import { Alert, Button, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import type { Address } from "@vault-trader/core/chain/Address"
import * as AddressText from "@vault-trader/core/chain/AddressText"
import type { Network } from "@vault-trader/core/chain/Network"
import { facts } from "@vault-trader/core/chain/NetworkFacts"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { queries } from "../connection/QueryCache.ts"
import { call, hasCode } from "../connection/RpcConnection.ts"
import { useSession } from "../connection/Session.ts"
import { nameOf, useBalances, useWallets } from "../gas-wallet/GasWallets.ts"
import { GasWalletSelect } from "../gas-wallet/GasWalletSelect.tsx"
import { useManagerChainId, useManagerWallet } from "../session/useManagerWallet.ts"
import { networkName } from "../shell/Icons.tsx"
import { NetworkSelect } from "../shell/NetworkSelect.tsx"
import { showSuccess } from "../shell/Notices.ts"
import { useAuthority, useManaged } from "./useVaults.ts"
import type { VaultRef } from "./VaultRef.ts"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

const TraderDialog = lazy(() => import("./Trader.tsx").then(({ TraderDialog }) => ({ default: TraderDialog })))
const NewTrader = lazy(() => import("./NewTrader.tsx").then(({ NewTrader }) => ({ default: NewTrader })))

/** Form values of a link. */
interface LinkTerms {
  readonly wallet: string
  readonly network: string
  readonly pool: string
}

const faultsOf = ({ network, pool, wallet }: LinkTerms) => ({
  wallet: wallet === "" ? t("Choose a gas wallet") : null,
  network: network === "" ? t("Choose a network") : null,
  pool: AddressText.parse(pool) === undefined ? t("Must be the address of a vault: 0x + 40 hex characters") : null
})

/** Converts form values to a vault and its gas wallet; undefined until they are valid. */
const vaultOf = (terms: LinkTerms): VaultRef | undefined =>
  Object.values(faultsOf(terms)).some((fault) => fault !== null) ? undefined : {
    wallet: terms.wallet as Address,
    network: terms.network as Network,
    pool: AddressText.parse(terms.pool) as Address
  }

/** The choice of a vault that the manager does not manage. */
const elsewhere = "elsewhere"

const keyOf = ({ network, pool }: { readonly network: string; readonly pool: string }) =>
  `${network}/${pool.toLowerCase()}`

/**
 * Returns the managed vaults; the first on a network where the wallet has gas; and the one to show until there is one: on
 * the network of the manager's wallet, where its gas comes from.
 */
const useVaultOptions = (wallet: string) => {
  const balances = useBalances().data
  const managed = useManaged().data
  const options = (managed ?? []).flatMap(({ network, vaults }) =>
    (vaults ?? []).map(({ name, pool }) => ({ network, pool, name }))
  )
  const hasGas = (network: string) =>
    balances?.some((each) => each.address === wallet && each.network === network && Number(each.balance ?? 0) > 0)
  const chainId = useManagerChainId(useManagerWallet().data).data
  const home = managed?.find(({ network }) => facts[network].chainId === chainId)
  return {
    options,
    withGas: options.find(({ network }) => hasGas(network)),
    atFirst: options.find(({ network }) => network === home?.network) ??
      (home !== undefined && home.vaults === null ? undefined : options[0])
  }
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

const useLinking = (close: () => void, retry: false | ((count: number, error: Error) => boolean)) =>
  useMutation({
    mutationFn: (vault: VaultRef) => call((client) => client.wallet.linkGasWallet(vault)),
    retry,
    retryDelay: 1_500,
    onSuccess: ({ message }) => {
      showSuccess(message)
      close()
      void queries.invalidateQueries()
    }
  })

/** After a new trader is mined, the service may still remember the old one for some seconds. */
const retries = 10

/** The way from a chosen vault to its link: at once, or by the transaction that sets the trader. */
function LinkActions({ close, hold, vault }: {
  readonly vault: VaultRef | undefined
  /** Keeps this vault the chosen one, whatever else is suggested from now on. */
  readonly hold: () => void
  readonly close: () => void
}) {
  const manager = useSession().data?.manager
  const authority = useAuthority(vault).data
  const [isDialogOpen, setDialogOpen] = useState(false)
  const linking = useLinking(close, false)
  const linkingNewTrader = useLinking(close, (count, error) => hasCode(error, "1006") && count < retries)
  const error = linking.error ?? linkingNewTrader.error
  const cancel = <Button variant="default" onClick={close}>{t("Cancel")}</Button>
  const isTrader = authority?.isTrader === true || authority?.manager === authority?.trader
  const mustBeSet = vault !== undefined && authority !== undefined && !isTrader && authority.manager === manager
  return (
    <>
      {error !== null && (
        <Alert color="red" role="alert" title={t("The vault was not linked")}>
          <Stack gap="xs" align="flex-start">
            {hasCode(error, "1006") && vault !== undefined
              ? <NotTheTrader vault={vault} setTrader={() => setDialogOpen(true)} />
              : <Text size="sm">{error.message}</Text>}
          </Stack>
        </Alert>
      )}
      {mustBeSet || linkingNewTrader.isPending
        ? (
          <Suspense fallback={<Group justify="flex-end">{cancel}</Group>}>
            <NewTrader
              vault={vault as VaultRef}
              poolTrader={authority?.poolTrader ?? null}
              cancel={cancel}
              onSend={hold}
              isLinking={linkingNewTrader.isPending}
              link={() => linkingNewTrader.mutate(vault as VaultRef)}
            />
          </Suspense>
        )
        : (
          <Group justify="flex-end">
            {cancel}
            <Button
              type="submit"
              loading={linking.isPending}
              onClick={() => {
                hold()
                if (vault !== undefined) linking.mutate(vault)
              }}
            >
              {t("Link")}
            </Button>
          </Group>
        )}
      {isDialogOpen && vault !== undefined && (
        <Suspense fallback={null}>
          <TraderDialog vault={vault} close={() => setDialogOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** Network and address of a vault that is not in the list of managed ones. */
function OtherVault({ change, faults, terms }: {
  readonly terms: LinkTerms
  readonly faults: Partial<ReturnType<typeof faultsOf>>
  readonly change: (some: Partial<LinkTerms>) => void
}): ReactNode {
  return (
    <>
      <NetworkSelect
        value={terms.network}
        error={faults.network}
        onChange={(event) => change({ network: event.currentTarget.value })}
      />
      <TextInput
        label={t("Address of the vault")}
        autoComplete="off"
        value={terms.pool}
        error={faults.pool}
        onChange={(event) => change({ pool: event.currentTarget.value })}
      />
    </>
  )
}

export function LinkForm(
  { close, network = "", pool = "", wallet: firstWallet = "" }: {
    readonly network?: string
    readonly pool?: string
    readonly wallet?: string
    readonly close: () => void
  }
) {
  const wallets = useWallets().data ?? []
  const [entered, setEntered] = useState({ wallet: firstWallet, network, pool })
  const [choice, setChoice] = useState<string>()
  const [isSubmitted, setSubmitted] = useState(false)
  const wallet = entered.wallet !== "" ? entered.wallet : wallets.length === 1 ? wallets[0]?.address ?? "" : ""
  const { atFirst, options, withGas } = useVaultOptions(wallet)
  const first = pool === "" ? withGas : options.find((option) => keyOf(option) === keyOf({ network, pool }))
  // This suggestion stays the chosen vault while balances change. Until there is one another is shown: the balance of a
  // wallet that was just refilled arrives later.
  if (choice === undefined && first !== undefined) setChoice(keyOf(first))
  const chosen = choice === undefined && pool === "" ? atFirst : options.find((option) => keyOf(option) === choice)
  const terms: LinkTerms = chosen === undefined
    ? { ...entered, wallet }
    : { wallet, network: chosen.network, pool: chosen.pool }
  const faults: Partial<ReturnType<typeof faultsOf>> = isSubmitted ? faultsOf(terms) : {}
  const change = (some: Partial<LinkTerms>) => setEntered((before) => ({ ...before, ...some }))
  return (
    <Modal
      opened
      onClose={close}
      title={t("Link a vault")}
      closeButtonProps={{ "aria-label": t("Close") }}
      closeOnClickOutside={false}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setSubmitted(true)
        }}
      >
        <Stack>
          <Text size="sm">{t("The gas wallet trades the vault as its trader. It cannot withdraw from it.")}</Text>
          <GasWalletSelect
            value={wallet}
            error={faults.wallet}
            onChange={(event) => change({ wallet: event.currentTarget.value })}
          />
          {options.length > 0 && (
            <NativeSelect
              label={t("Vault")}
              value={chosen === undefined ? elsewhere : keyOf(chosen)}
              data={[
                ...options.map((option) => ({
                  value: keyOf(option),
                  label: t("{name} on {network}", { name: option.name, network: networkName(option.network) })
                })),
                { value: elsewhere, label: t("Another vault, by its address") }
              ]}
              onChange={(event) => setChoice(event.currentTarget.value)}
            />
          )}
          {chosen === undefined && <OtherVault terms={terms} faults={faults} change={change} />}
          <LinkActions
            key={keyOf(terms)}
            vault={vaultOf(terms)}
            hold={() => setChoice(chosen === undefined ? elsewhere : keyOf(chosen))}
            close={close}
          />
        </Stack>
      </form>
    </Modal>
  )
}
