/** The kill switch: stops all new signatures of one or all wallets, for bots and API calls. */
import { Alert, Badge, Button, Group, Stack, Text } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { useMutation } from "@tanstack/react-query"
import type { Address } from "@vault-trader/core/chain/Address"
import { nameOf, useWallets } from "./GasWallets.ts"
import { queries } from "../connection/QueryCache.ts"
import { call } from "../connection/RpcConnection.ts"
import { signAction } from "../session/SignedAction.ts"
import { useLive } from "../connection/useLive.ts"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

/** Resumes a wallet. This needs a signature of the manager's wallet; stopping does not. */
const resume = async (wallet: Address) => {
  const signature = await signAction({ action: "resumeWallet", wallet })
  return call((client) => client.resumeWallet({ wallet, signature }))
}

const failedText = (failed: number, all: number, message: string): string =>
  t("{failed} of {all} wallets were not stopped: {message}", { failed, all, message })

function Switches({ close }: { readonly close: () => void }) {
  const wallets = useWallets()
  const switches = useSwitches()
  const switching = useMutation({
    // Tries every wallet even if one fails, to stop as many as possible.
    mutationFn: async ({ of, on }: { readonly of: ReadonlyArray<Address>; readonly on: boolean }) => {
      const results = await Promise.allSettled(
        of.map((wallet) =>
          on
            ? call((client) => client.wallet.pauseWallet({ wallet, reason: "stopped in the console" }))
            : resume(wallet)
        )
      )
      const failed = results.flatMap((each) => each.status === "rejected" ? [each.reason as Error] : [])
      if (failed[0] !== undefined) {
        throw of.length === 1 ? failed[0] : new Error(failedText(failed.length, of.length, failed[0].message))
      }
    },
    onSettled: () => queries.invalidateQueries()
  })
  const isStopped = (wallet: Address) => switches.data?.some(({ scope }) => scope === `wallet/${wallet}`) ?? false
  const running = (wallets.data ?? []).map(({ address }) => address).filter((wallet) => !isStopped(wallet))
  const service = switches.data?.find(({ scope }) => scope === "service")
  return (
    <Modal opened onClose={close} title={t("Kill switch")} closeButtonProps={{ "aria-label": t("Close") }}>
      <Stack>
        <Text size="sm">
          {t(
            "Stops all new transactions from this wallet, on every network, until you resume it with a " +
              "signature of your own wallet. Transactions already sent will still complete."
          )}
        </Text>
        {service !== undefined && (
          <Alert color="red">
            {t("The operator has stopped the whole service: {reason}", { reason: service.reason })}
          </Alert>
        )}
        {switching.error !== null && (
          <Alert color="red" role="alert" title={t("The kill switch was not changed")}>{switching.error.message}</Alert>
        )}
        {running.length > 1 && (
          <Button
            color="red"
            loading={switching.isPending && switching.variables.of.length > 1}
            onClick={() => switching.mutate({ of: running, on: true })}
          >
            {t("Stop all {count} wallets", { count: running.length })}
          </Button>
        )}
        {wallets.data?.length === 0 && <Text>{t("There is no gas wallet in your list.")}</Text>}
        {wallets.data?.map((wallet) => {
          const stopped = isStopped(wallet.address)
          return (
            <Group key={wallet.address} justify="space-between">
              <Stack gap={0}>
                <Text fw={500}>{nameOf(wallet)}</Text>
                {!stopped
                  ? <Badge color="green" variant="dot">{t("running")}</Badge>
                  : <Badge color="red">{t("stopped")}</Badge>}
              </Stack>
              <Button
                color={!stopped ? "red" : "blue"}
                loading={switching.isPending && switching.variables.of.length === 1 &&
                  switching.variables.of[0] === wallet.address}
                onClick={() => switching.mutate({ of: [wallet.address], on: !stopped })}
              >
                {!stopped ? t("Stop") : t("Resume")}
              </Button>
            </Group>
          )
        })}
      </Stack>
    </Modal>
  )
}

export function KillSwitch() {
  const [open, { close, open: show }] = useDisclosure(false)
  return (
    <>
      <Button color="red" size="sm" px="xs" onClick={show}>{t("Kill switch")}</Button>
      {open && <Switches close={close} />}
    </>
  )
}

export const useSwitches = () => useLive(["switches"], (client) => client.live.switches())
