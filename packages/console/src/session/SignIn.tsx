/** Sign-in: a wallet in this browser signs a message that names this site; no transaction is sent. */
import { Alert, Anchor, Button, Center, Image, Paper, Stack, Text, Title } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { isRefusal, sentenceOf } from "./WalletError.ts"
import { setSession } from "../connection/Session.ts"
import { signWith } from "./Signing.ts"
import { type AnnouncedWallet, connect, setRecent, useAnnouncedWallets } from "./Wallets.ts"

function WalletChoice() {
  const wallets = useAnnouncedWallets()
  const signing = useMutation({
    mutationFn: async (wallet: AnnouncedWallet) => {
      const { account, chainId } = await connect(wallet)
      if (account === undefined) throw new Error("The wallet returned no account. Unlock it and try again.")
      const session = await signWith(wallet.provider, account, chainId)
      setRecent(wallet)
      return session
    },
    onSuccess: setSession
  })
  return (
    <Stack>
      {wallets.length === 0 && (
        <Alert color="blue" title="No wallet found in this browser">
          Install or unlock a browser wallet that announces itself (EIP-6963; MetaMask, Rabby and Frame do), then reload
          this page.
        </Alert>
      )}
      {wallets.map((wallet) => (
        <Button
          key={wallet.info.uuid}
          variant="default"
          size="md"
          // Long wallet names wrap instead of being truncated.
          h="auto"
          mih={42}
          py={6}
          styles={{ label: { whiteSpace: "normal" } }}
          loading={signing.isPending && signing.variables.info.uuid === wallet.info.uuid}
          disabled={signing.isPending}
          leftSection={wallet.info.icon === undefined
            ? undefined
            : <Image src={wallet.info.icon} alt="" w={22} h={22} />}
          onClick={() => signing.mutate(wallet)}
        >
          Sign in with {wallet.info.name}
        </Button>
      ))}
      {signing.error !== null && (
        <Alert
          color={isRefusal(signing.error) ? "gray" : "red"}
          role="alert"
          title={isRefusal(signing.error) ? "Not signed" : "Sign-in failed"}
        >
          {isRefusal(signing.error)
            ? "You declined in the wallet. Nothing was done."
            : `${sentenceOf(signing.error)} No funds moved.`}
        </Alert>
      )}
    </Stack>
  )
}

export function SignIn() {
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" radius="md" maw={440} w="100%">
        <Stack>
          <Title order={1} size="h2">Vault Trader</Title>
          <Text>
            Sign in as a vault manager. Your wallet signs a message that names this site; it sends no transaction and
            moves no funds.
          </Text>
          <WalletChoice />
          <Text size="sm">
            Programs use the API instead: <Anchor href="/__docs__" underline="always">reference</Anchor>
          </Text>
        </Stack>
      </Paper>
    </Center>
  )
}
