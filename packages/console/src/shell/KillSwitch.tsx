/** The kill switch: stops every signature of a wallet at once, bots and calls alike. */
import { Alert, Badge, Button, Group, Modal, Stack, Text } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { useMutation } from "@tanstack/react-query"
import type { Address } from "@vault-trader/core/chain/Address"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { useSwitches } from "../gas-wallet/Switches.ts"
import { queries } from "../Queries.ts"
import { call } from "../Calls.ts"

function Switches({ close }: { readonly close: () => void }) {
  const wallets = useWallets()
  const switches = useSwitches()
  const turning = useMutation({
    mutationFn: ({ on, wallet }: { readonly wallet: Address; readonly on: boolean }) =>
      call((client) => on ? client.wallet.pauseWallet({ wallet, reason: "stopped in the console" }) : client.wallet.resumeWallet({ wallet })),
    onSettled: () => queries.invalidateQueries()
  })
  const service = switches.data?.find(({ scope }) => scope === "service")
  return (
    <Modal opened onClose={close} title="Kill switch" closeButtonProps={{ "aria-label": "Close" }}>
      <Stack>
        <Text size="sm">A stopped wallet signs nothing more, on any network, until you let it go on. What is signed already goes on.</Text>
        {service !== undefined && <Alert color="red">The operator has stopped the whole service: {service.reason}</Alert>}
        {turning.error !== null && <Alert color="red" role="alert" title="The switch was not turned">{turning.error.message}</Alert>}
        {wallets.data?.length === 0 && <Text>There is no gas wallet in your list.</Text>}
        {wallets.data?.map((wallet) => {
          const stopped = switches.data?.find(({ scope }) => scope === `wallet/${wallet.address}`)
          return (
            <Group key={wallet.address} justify="space-between">
              <Stack gap={0}>
                <Text fw={500}>{nameOf(wallet)}</Text>
                {stopped === undefined ? <Badge color="green" variant="dot">running</Badge> : <Badge color="red">stopped</Badge>}
              </Stack>
              <Button
                color={stopped === undefined ? "red" : "blue"}
                loading={turning.isPending && turning.variables.wallet === wallet.address}
                onClick={() => turning.mutate({ wallet: wallet.address, on: stopped === undefined })}
              >
                {stopped === undefined ? "Stop" : "Let go on"}
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
      <Button color="red" size="sm" px="xs" onClick={show}>Kill switch</Button>
      {open && <Switches close={close} />}
    </>
  )
}
