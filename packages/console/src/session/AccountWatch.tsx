/** Whether the wallet has gone to another account than the one that is signed in: then it is said, and nothing is mixed. */
import { Alert, Button, Group, Text } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { accountsOf, announced, isRefusal, type Provider, sentenceOf } from "./ManagerWallet.ts"
import { setSession } from "../connection/Session.ts"
import { signWith } from "./Signing.ts"

interface Selected {
  readonly provider: Provider
  readonly account: `0x${string}`
}

/** The account selected in the wallet that signed in last, as it changes. */
const useSelected = (): Selected | undefined => {
  const [selected, select] = useState<Selected>()
  useEffect(() => {
    let over = false
    let leave = () => {}
    const watch = async () => {
      const found = (await announced()).find(({ recent }) => recent)
      if (found === undefined || over) return
      const { provider } = found
      const look = (accounts: ReadonlyArray<string>) => {
        const [account] = accounts
        if (!over) select(account === undefined ? undefined : { provider, account: account.toLowerCase() as `0x${string}` })
      }
      const changed = (accounts: unknown) => look(accounts as ReadonlyArray<string>)
      provider.on?.("accountsChanged", changed)
      leave = () => provider.removeListener?.("accountsChanged", changed)
      look(await accountsOf(provider))
    }
    // A wallet that cannot be watched leaves the page as it is; sending looks at the account again.
    watch().catch(() => undefined)
    return () => {
      over = true
      leave()
    }
  }, [])
  return selected
}

export function AccountWatch({ manager }: { readonly manager: string }) {
  const selected = useSelected()
  const signing = useMutation({
    mutationFn: async ({ account, provider }: Selected) => signWith(provider, account, Number(await provider.request({ method: "eth_chainId" })), true),
    onSuccess: setSession
  })
  if (selected === undefined || selected.account === manager) return null
  const name = `${selected.account.slice(0, 6)}…${selected.account.slice(-4)}`
  return (
    <Alert color="orange" mb="md" role="status" title="Your wallet is on another account">
      <Group justify="space-between">
        <Text size="sm">
          Everything here is of {manager.slice(0, 6)}…{manager.slice(-4)}, who is signed in; the wallet is on {name}. Nothing can be sent until they are the same.
        </Text>
        <Button size="xs" variant="default" loading={signing.isPending} onClick={() => signing.mutate(selected)}>Sign in as {name}</Button>
      </Group>
      {signing.error !== null && <Text size="sm" role="alert">{isRefusal(signing.error) ? "You declined in the wallet. Nothing was done." : sentenceOf(signing.error)}</Text>}
    </Alert>
  )
}
