/**
 * Makes a gas wallet the vault's trader with the manager's wallet, and shows whether that trader may change the vault's
 * assets.
 */
import { Alert, Button, Group, Stack, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import type { Address } from "@vault-trader/core/chain/Address"
import { facts } from "@vault-trader/core/chain/NetworkFacts"
import { getAddress } from "viem"
import { queries } from "../connection/QueryCache.ts"
import { useManagerWallet, useManagerChainId, useManagerTransaction } from "../session/useManagerWallet.ts"
import { mustBeOn, type ManagerWallet } from "../session/ManagerWallet.ts"
import { ManagerWalletState } from "../session/ManagerWalletState.tsx"
import { useSession } from "../connection/Session.ts"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { ManagerTransaction } from "../session/ManagerTransaction.tsx"
import { useAuthority } from "./useVaults.ts"
import { forbidAssetChanges, managerLogicOf, setTrader, traderChangesAssets } from "./VaultContracts.ts"
import type { VaultRef } from "./VaultRef.ts"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

/** Reads the vault's manager contract through the manager's wallet, on the vault's network. */
const useManagerLogic = (
  managerWallet: ManagerWallet | undefined,
  chainId: number | undefined,
  { network, pool }: VaultRef
) =>
  useQuery({
    queryKey: ["manager-logic", managerWallet?.account, network, pool],
    enabled: managerWallet !== undefined && chainId === facts[network].chainId,
    queryFn: async () => {
      await mustBeOn(managerWallet as ManagerWallet, network)
      const logic = await managerLogicOf(managerWallet as ManagerWallet, pool)
      return { logic, changesAssets: await traderChangesAssets(managerWallet as ManagerWallet, logic) }
    },
    refetchInterval: 5_000
  })

interface ActionProps {
  readonly vault: VaultRef
  readonly managerWallet: ManagerWallet | undefined
}

const refresh = () => void queries.invalidateQueries()

/** Sets the gas wallet as the trader, or states that it is. */
function SetTrader({ isTrader, managerWallet, vault }: ActionProps & { readonly isTrader: boolean }) {
  const setting = useManagerTransaction(vault.network)
  const send = () => {
    if (managerWallet === undefined) return
    setting.run({
      managerWallet,
      transaction: async (wallet) => setTrader(await managerLogicOf(wallet, vault.pool), vault.wallet),
      onConfirmed: refresh
    })
  }
  return (
    <>
      {isTrader
        ? (
          <Text size="sm" role="status">
            <Text span c="green" aria-hidden="true" fw={700}>✓</Text> {t("The gas wallet is the vault’s trader.")}
          </Text>
        )
        : (
          <Group>
            <Button
              disabled={managerWallet === undefined}
              loading={setting.stage === "signing" || setting.stage === "pending"}
              onClick={send}
            >
              {t("Set the trader")}
            </Button>
          </Group>
        )}
      {!(isTrader && setting.stage === "confirmed") && (
        <ManagerTransaction {...setting} network={vault.network} failureTitle={t("The trader was not set")} />
      )}
    </>
  )
}

/** Warns if the trader may change the vault’s assets, and offers to forbid it. */
export function AssetChanges(
  { chainId, managerWallet, vault }: ActionProps & { readonly chainId: number | undefined }
) {
  const logic = useManagerLogic(managerWallet, chainId, vault).data
  const forbidding = useManagerTransaction(vault.network)
  if (logic === undefined) return null
  if (!logic.changesAssets) {
    return <Text size="sm">{t("The trader cannot change which assets the vault may hold.")}</Text>
  }
  const forbid = () => {
    if (managerWallet === undefined) return
    forbidding.run({ managerWallet, transaction: forbidAssetChanges(logic.logic), onConfirmed: refresh })
  }
  return (
    <Alert color="orange" title={t("“Trader can change assets” is on")}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {t(
            "Anyone with the gas wallet’s key can enable other assets in this vault and trade into them. " +
              "Turn it off unless your strategy needs it."
          )}
        </Text>
        <Button
          size="xs"
          variant="default"
          loading={forbidding.stage === "signing" || forbidding.stage === "pending"}
          onClick={forbid}
        >
          {t("Turn it off")}
        </Button>
        <ManagerTransaction {...forbidding} network={vault.network} failureTitle={t("It is still on")} />
      </Stack>
    </Alert>
  )
}

/** The wallet that signs, and the vault’s trader before and after it; `newTrader` is absent where nothing changes. */
export function TraderSummary({ chainId, managerWallet, newTrader, poolTrader, vault }: {
  readonly managerWallet: ReturnType<typeof useManagerWallet>
  readonly chainId: number | undefined
  readonly newTrader: string | undefined
  readonly poolTrader: Address | null
  readonly vault: VaultRef
}) {
  return (
    <>
      <ManagerWalletState
        managerWallet={managerWallet}
        chainId={chainId}
        network={vault.network}
        action={t("The transaction")}
      />
      <ActionSummary
        label={t("The vault’s trader")}
        lines={[
          [t("Vault"), t("{pool} on {network}", { pool: getAddress(vault.pool), network: vault.network })],
          [t("Current trader"), poolTrader === null ? t("not set") : getAddress(poolTrader)],
          newTrader === undefined ? undefined : [t("New trader"), newTrader],
          newTrader === undefined ? undefined : [t("Permissions"), t("Trade the vault’s assets. No withdrawals.")]
        ]}
      />
    </>
  )
}

/** The vault’s trader and its permissions, with the actions of the vault’s manager. */
function TraderActions({ isTrader, poolTrader, vault }: {
  readonly vault: VaultRef
  readonly isTrader: boolean
  readonly poolTrader: Address | null
}) {
  const managerWallet = useManagerWallet()
  const chainId = useManagerChainId(managerWallet.data).data
  return (
    <Stack>
      <TraderSummary
        {...{ chainId, managerWallet, poolTrader, vault }}
        newTrader={isTrader ? undefined : t("{wallet}, your gas wallet", { wallet: getAddress(vault.wallet) })}
      />
      <SetTrader isTrader={isTrader} managerWallet={managerWallet.data} vault={vault} />
      <AssetChanges chainId={chainId} managerWallet={managerWallet.data} vault={vault} />
    </Stack>
  )
}

/** The vault’s trader and, for its manager, the actions to change it. Used in a page and in a dialog. */
export function Trader({ vault }: { readonly vault: VaultRef }) {
  const manager = useSession().data?.manager
  const authority = useAuthority(vault)
  if (authority.data === undefined) {
    return authority.error === null
      ? <Text size="sm">{t("Reading the vault’s trader…")}</Text>
      : <Alert color="red" role="alert" title={t("The vault cannot be read")}>{authority.error.message}</Alert>
  }
  const { isTrader, manager: owner, poolTrader } = authority.data
  if (owner === manager) return <TraderActions isTrader={isTrader} poolTrader={poolTrader} vault={vault} />
  return (
    <Alert
      color={isTrader ? "green" : "orange"}
      title={isTrader ? t("The gas wallet is the trader") : t("Only the vault’s manager can set its trader")}
    >
      {isTrader
        ? `${t("The vault’s manager is {owner}.", { owner })} `
        : t(
          "The vault’s manager is {owner}. Sign in with that account, or set {wallet} as the trader on the " +
            "vault platform.",
          { owner, wallet: vault.wallet }
        )}
    </Alert>
  )
}

export function TraderDialog({ close, vault }: { readonly vault: VaultRef; readonly close: () => void }) {
  return (
    <Modal
      opened
      onClose={close}
      title={t("The vault’s trader")}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": t("Close") }}
    >
      <Stack>
        <Trader vault={vault} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>{t("Close")}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
