/**
 * Makes a gas wallet the vault's trader with the manager's wallet, and shows whether that trader may change the vault's
 * assets.
 */
import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core"
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
            <Text span c="green" aria-hidden="true" fw={700}>✓</Text>The gas wallet is the vault’s trader.
          </Text>
        )
        : (
          <Group>
            <Button
              disabled={managerWallet === undefined}
              loading={setting.stage === "signing" || setting.stage === "pending"}
              onClick={send}
            >
              Set the trader
            </Button>
          </Group>
        )}
      {!(isTrader && setting.stage === "confirmed") && (
        <ManagerTransaction {...setting} network={vault.network} failureTitle="The trader was not set" />
      )}
    </>
  )
}

/** Warns if the trader may change the vault’s assets, and offers to forbid it. */
function AssetChanges({ chainId, managerWallet, vault }: ActionProps & { readonly chainId: number | undefined }) {
  const logic = useManagerLogic(managerWallet, chainId, vault).data
  const forbidding = useManagerTransaction(vault.network)
  if (logic === undefined) return null
  if (!logic.changesAssets) return <Text size="sm">The trader cannot change which assets the vault may hold.</Text>
  const forbid = () => {
    if (managerWallet === undefined) return
    forbidding.run({ managerWallet, transaction: forbidAssetChanges(logic.logic), onConfirmed: refresh })
  }
  return (
    <Alert color="orange" title="“Trader can change assets” is on">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          Anyone with the gas wallet’s key can enable other assets in this vault and trade into them. Turn it off unless
          your strategy needs it.
        </Text>
        <Button
          size="xs"
          variant="default"
          loading={forbidding.stage === "signing" || forbidding.stage === "pending"}
          onClick={forbid}
        >
          Turn it off
        </Button>
        <ManagerTransaction {...forbidding} network={vault.network} failureTitle="It is still on" />
      </Stack>
    </Alert>
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
      <ManagerWalletState
        managerWallet={managerWallet}
        chainId={chainId}
        network={vault.network}
        action="The transaction"
      />
      <ActionSummary
        label="The vault’s trader"
        lines={[
          ["Vault", `${getAddress(vault.pool)} on ${vault.network}`],
          ["Current trader", poolTrader === null ? "not set" : getAddress(poolTrader)],
          isTrader ? undefined : ["New trader", `${getAddress(vault.wallet)}, your gas wallet`],
          isTrader ? undefined : ["Permissions", "Trade the vault’s assets. No withdrawals."]
        ]}
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
      ? <Text size="sm">Reading the vault’s trader…</Text>
      : <Alert color="red" role="alert" title="The vault cannot be read">{authority.error.message}</Alert>
  }
  const { isTrader, manager: owner, poolTrader } = authority.data
  if (owner === manager) return <TraderActions isTrader={isTrader} poolTrader={poolTrader} vault={vault} />
  return (
    <Alert
      color={isTrader ? "green" : "orange"}
      title={isTrader ? "The gas wallet is the trader" : "Only the vault’s manager can set its trader"}
    >
      The vault’s manager is {owner}.{" "}
      {isTrader ? "" : `Sign in with that account, or set ${vault.wallet} as the trader on the vault platform.`}
    </Alert>
  )
}

export function TraderDialog({ close, vault }: { readonly vault: VaultRef; readonly close: () => void }) {
  return (
    <Modal
      opened
      onClose={close}
      title="The vault’s trader"
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Stack>
        <Trader vault={vault} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>Close</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
