/** Warns when the wallet's selected account differs from the signed-in one, so that the two are never mixed. */
import { Alert, Button, Group, Text } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { accountsOf, discoverWallets, isRefusal, sentenceOf } from "./ManagerWallet.ts"
import { setSession } from "../connection/Session.ts"
import { signWith } from "./Signing.ts"
import type { Provider } from "./Wallets.ts"
import { t } from "../text/Text.ts"

interface Selected {
  readonly provider: Provider
  readonly account: `0x${string}`
}

/** Follows the selected account of the wallet that signed in last. */
const useSelected = (): Selected | undefined => {
  const [selected, setSelected] = useState<Selected>()
  useEffect(() => {
    let isUnmounted = false
    let leave = () => {}
    const watch = async () => {
      const recentWallet = discoverWallets().find(({ recent }) => recent)
      if (recentWallet === undefined || isUnmounted) return
      const { provider } = recentWallet
      const update = (accounts: ReadonlyArray<string>) => {
        const [account] = accounts
        if (!isUnmounted) {
          setSelected(account === undefined ? undefined : { provider, account: account.toLowerCase() as `0x${string}` })
        }
      }
      const changed = (accounts: unknown) => update(accounts as ReadonlyArray<string>)
      provider.on?.("accountsChanged", changed)
      leave = () => provider.removeListener?.("accountsChanged", changed)
      update(await accountsOf(provider))
    }
    // If the wallet cannot be watched, there is no warning; sending checks the account again.
    watch().catch(() => undefined)
    return () => {
      isUnmounted = true
      leave()
    }
  }, [])
  return selected
}

export function AccountWatch({ manager }: { readonly manager: string }) {
  const selected = useSelected()
  const signing = useMutation({
    mutationFn: async ({ account, provider }: Selected) =>
      signWith(provider, account, Number(await provider.request({ method: "eth_chainId" })), true),
    onSuccess: setSession
  })
  if (selected === undefined || selected.account === manager) return null
  const name = `${selected.account.slice(0, 6)}…${selected.account.slice(-4)}`
  return (
    <Alert color="orange" mb="md" role="status" title={t("Your wallet is on another account")}>
      <Group justify="space-between">
        <Text size="sm">
          {t(
            "You are signed in as {manager}, but the wallet is on {name}. Nothing can be sent until they match.",
            { manager: `${manager.slice(0, 6)}…${manager.slice(-4)}`, name }
          )}
        </Text>
        <Button size="xs" variant="default" loading={signing.isPending} onClick={() => signing.mutate(selected)}>
          {t("Sign in as {name}", { name })}
        </Button>
      </Group>
      {signing.error !== null && (
        <Text size="sm" role="alert">
          {isRefusal(signing.error) ? t("You declined in the wallet. Nothing was done.") : sentenceOf(signing.error)}
        </Text>
      )}
    </Alert>
  )
}
