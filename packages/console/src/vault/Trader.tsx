/**
 * Makes a gas wallet the vault's trader with the manager's wallet, and shows whether that trader may change the vault's
 * assets.
 */
import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import type { Address as AddressOf } from "@vault-trader/core/chain/Address"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import { getAddress } from "viem"
import { queries } from "../connection/QueryCache.ts"
import { useOwn, useOwnChain, useOwnTransaction } from "../session/useManagerWallet.ts"
import { mustBeOn, type OwnWallet } from "../session/ManagerWallet.ts"
import { OwnWalletState } from "../session/ManagerWalletState.tsx"
import { useSession } from "../connection/Session.ts"
import { Effect } from "../shell/ActionSummary.tsx"
import { OwnTransaction } from "../session/ManagerTransaction.tsx"
import { useAuthority } from "./Authority.ts"
import { forbidAssetChanges, managerLogicOf, setTrader, traderChangesAssets } from "./VaultContracts.ts"

interface Vault {
  readonly wallet: AddressOf
  readonly network: Network
  readonly pool: AddressOf
}

/** Reads the vault's manager contract through the manager's wallet, on the vault's network. */
export const useManagerLogic = (own: OwnWallet | undefined, chainId: number | undefined, { network, pool }: Vault) =>
  useQuery({
    queryKey: ["manager-logic", own?.account, network, pool],
    enabled: own !== undefined && chainId === facts[network].chainId,
    queryFn: async () => {
      await mustBeOn(own as OwnWallet, network)
      const logic = await managerLogicOf(own as OwnWallet, pool)
      return { logic, changesAssets: await traderChangesAssets(own as OwnWallet, logic) }
    },
    refetchInterval: 5_000
  })

/** The vault's trader and its permissions, with actions to change them. Used in a page and in a dialog. */
export function Trader({ vault }: { readonly vault: Vault }) {
  const manager = useSession().data?.manager
  const own = useOwn()
  const chainId = useOwnChain(own.data).data
  const authority = useAuthority(vault)
  const logic = useManagerLogic(own.data, chainId, vault).data
  const setting = useOwnTransaction(vault.network)
  const forbidding = useOwnTransaction(vault.network)
  const { isTrader, manager: owner, poolTrader } = authority.data ??
    { isTrader: false, manager: undefined, poolTrader: null }
  if (authority.error !== null && authority.data === undefined) {
    return <Alert color="red" role="alert" title="The vault cannot be read">{authority.error.message}</Alert>
  }
  if (owner === undefined) return <Text size="sm">Reading the vault’s trader…</Text>
  if (owner !== manager) {
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
  const refresh = () => void queries.invalidateQueries()
  return (
    <Stack>
      <OwnWalletState own={own} chainId={chainId} network={vault.network} action="The transaction" />
      <Effect
        label="The vault’s trader"
        lines={[
          ["Vault", `${getAddress(vault.pool)} on ${vault.network}`],
          ["Current trader", poolTrader === null ? "not set" : getAddress(poolTrader)],
          isTrader ? undefined : ["New trader", `${getAddress(vault.wallet)}, your gas wallet`],
          isTrader ? undefined : ["Permissions", "Trade the vault’s assets. No withdrawals."]
        ]}
      />
      {isTrader
        ? (
          <Text size="sm" role="status">
            <Text span c="green" aria-hidden="true" fw={700}>✓</Text>The gas wallet is the vault’s trader.
          </Text>
        )
        : (
          <Group>
            <Button
              disabled={own.data === undefined}
              loading={setting.stage === "asking" || setting.stage === "pending"}
              onClick={() => {
                if (own.data !== undefined) {
                  setting.run({
                    own: own.data,
                    transaction: async (wallet) => setTrader(await managerLogicOf(wallet, vault.pool), vault.wallet),
                    confirmed: refresh
                  })
                }
              }}
            >
              Set the trader
            </Button>
          </Group>
        )}
      {!(isTrader && setting.stage === "confirmed") && (
        <OwnTransaction {...setting} network={vault.network} what="The trader was not set" />
      )}
      {logic?.changesAssets === true && (
        <Alert color="orange" title="“Trader can change assets” is on">
          <Stack gap="xs" align="flex-start">
            <Text size="sm">
              Anyone with the gas wallet’s key can enable other assets in this vault and trade into them. Turn it off
              unless your strategy needs it.
            </Text>
            <Button
              size="xs"
              variant="default"
              loading={forbidding.stage === "asking" || forbidding.stage === "pending"}
              onClick={() => {
                if (own.data !== undefined) {
                  forbidding.run({ own: own.data, transaction: forbidAssetChanges(logic.logic), confirmed: refresh })
                }
              }}
            >
              Turn it off
            </Button>
            <OwnTransaction {...forbidding} network={vault.network} what="It is still on" />
          </Stack>
        </Alert>
      )}
      {logic?.changesAssets === false && (
        <Text size="sm">The trader cannot change which assets the vault may hold.</Text>
      )}
    </Stack>
  )
}

export function TraderDialog({ close, vault }: { readonly vault: Vault; readonly close: () => void }) {
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
