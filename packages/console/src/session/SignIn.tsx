/** Signing in: a wallet of this browser signs a message that names this site and sends nothing. */
import { Alert, Anchor, Button, Center, Image, Paper, Stack, Text, Title } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { getAddress } from "viem"
import { type Connector, useConnect, useConnectors, useDisconnect, WagmiProvider } from "wagmi"
import { send, type SessionView, setSession } from "./Session.ts"
import { wallets } from "./Wallets.ts"

interface Asked {
  readonly nonce: string
  readonly message: string
}

/** EIP-1193's code for a person who said no. */
const isRefusal = (error: unknown): boolean => {
  const { cause, code } = (typeof error === "object" && error !== null ? error : {}) as { readonly code?: unknown; readonly cause?: unknown }
  return code === 4001 || (cause !== undefined && cause !== error && isRefusal(cause))
}

const signWith = async (connector: Connector, address: `0x${string}`, chainId: number): Promise<SessionView> => {
  const account = getAddress(address)
  const { message, nonce } = await send<Asked>("POST", "/console/sign-in", { address: account, chainId })
  const provider = await connector.getProvider() as { readonly request: (asked: { readonly method: string; readonly params: ReadonlyArray<unknown> }) => Promise<unknown> }
  const hex = `0x${Array.from(new TextEncoder().encode(message), (byte) => byte.toString(16).padStart(2, "0")).join("")}`
  const signature = await provider.request({ method: "personal_sign", params: [hex, account] })
  return send<SessionView>("POST", "/console/session", { nonce, signature })
}

function Choice() {
  const connectors = useConnectors().filter(({ id }) => id !== "injected")
  const { mutateAsync: connect } = useConnect()
  const { mutateAsync: disconnect } = useDisconnect()
  const signing = useMutation({
    mutationFn: async (connector: Connector) => {
      const connected = await connector.isAuthorized().catch(() => false)
      if (connected) await disconnect({ connector }).catch(() => undefined)
      const { accounts: [account], chainId } = await connect({ connector })
      if (account === undefined) throw new Error("The wallet named no account. Unlock it and try again.")
      return signWith(connector, account, chainId)
    },
    onSuccess: setSession
  })
  return (
    <Stack>
      {connectors.length === 0 && (
        <Alert color="blue" title="No wallet found in this browser">
          Install or unlock a browser wallet that announces itself (EIP-6963; MetaMask, Rabby and Frame do), then reload this page.
        </Alert>
      )}
      {connectors.map((connector) => (
        <Button
          key={connector.uid}
          variant="default"
          size="md"
          loading={signing.isPending && signing.variables.uid === connector.uid}
          disabled={signing.isPending}
          leftSection={connector.icon === undefined ? undefined : <Image src={connector.icon} alt="" w={22} h={22} />}
          onClick={() => signing.mutate(connector)}
        >
          Sign in with {connector.name}
        </Button>
      ))}
      {signing.error !== null && (
        <Alert color={isRefusal(signing.error) ? "gray" : "red"} role="alert" title={isRefusal(signing.error) ? "Not signed" : "Signing in failed"}>
          {isRefusal(signing.error) ? "You declined in the wallet. Nothing was done." : `${signing.error.message} No funds moved.`}
        </Alert>
      )}
    </Stack>
  )
}

export function SignIn() {
  return (
    <WagmiProvider config={wallets} reconnectOnMount={false}>
      <Center component="main" mih="100vh" p="md">
        <Paper withBorder p="xl" radius="md" maw={440} w="100%">
          <Stack>
            <Title order={1} size="h2">Vault Trader</Title>
            <Text>
              Sign in as a vault manager. Your wallet signs a message that names this site; it sends no transaction and moves no funds.
            </Text>
            <Choice />
            <Text size="sm">
              Programs use the API instead: <Anchor href="/__docs__" underline="always">reference</Anchor>
            </Text>
          </Stack>
        </Paper>
      </Center>
    </WagmiProvider>
  )
}
