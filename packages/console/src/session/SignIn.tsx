/** Sign-in: a wallet in this browser signs a message that names this site; no transaction is sent. */
import { Alert, Anchor, Button, Center, Group, Image, Paper, Stack, Text, Title } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { isRefusal, sentenceOf } from "./WalletError.ts"
import { setSession } from "../connection/Session.ts"
import { signWith } from "./Signing.ts"
import { type AnnouncedWallet, connect, setRecent, useAnnouncedWallets } from "./Wallets.ts"
import { LanguageSelect } from "../text/LanguageSelect.tsx"
import { T } from "../text/Sentence.tsx"
import { t } from "../text/Text.ts"

function WalletChoice() {
  const wallets = useAnnouncedWallets()
  const signing = useMutation({
    mutationFn: async (wallet: AnnouncedWallet) => {
      const { account, chainId } = await connect(wallet)
      if (account === undefined) throw new Error(t("The wallet returned no account. Unlock it and try again."))
      const session = await signWith(wallet.provider, account, chainId)
      setRecent(wallet)
      return session
    },
    onSuccess: setSession
  })
  return (
    <Stack>
      {wallets.length === 0 && (
        <Alert color="blue" title={t("No wallet found in this browser")}>
          {t(
            "Install or unlock a browser wallet that announces itself (EIP-6963; MetaMask, Rabby and Frame " +
              "do), then reload this page."
          )}
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
          {t("Sign in with {name}", { name: wallet.info.name })}
        </Button>
      ))}
      {signing.isPending && (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" role="status">
            {t("Confirm it in {name}. If it does not answer, cancel and try again.", {
              name: signing.variables.info.name
            })}
          </Text>
          <Button size="xs" variant="default" style={{ flex: "none" }} onClick={() => signing.reset()}>
            {t("Cancel")}
          </Button>
        </Group>
      )}
      {signing.error !== null && (
        <Alert
          color={isRefusal(signing.error) ? "gray" : "red"}
          role="alert"
          title={isRefusal(signing.error) ? t("Not signed") : t("Sign-in failed")}
        >
          {isRefusal(signing.error)
            ? t("You declined in the wallet. Nothing was done.")
            : t("{error} No funds moved.", { error: sentenceOf(signing.error) })}
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
            {t(
              "Sign in as a vault manager. Your wallet signs a message that names this site; it sends no " +
                "transaction and moves no funds."
            )}
          </Text>
          <WalletChoice />
          <Text size="sm">
            <T
              message="Programs use the API instead: <0>reference</0>"
              parts={[<Anchor href="/__docs__" underline="always" />]}
            />
          </Text>
          <LanguageSelect />
        </Stack>
      </Paper>
    </Center>
  )
}
