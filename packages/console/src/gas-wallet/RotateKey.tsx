/** Issues a new API key for a wallet; the old one stops working immediately. */
import { Text } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import type { Address } from "@vault-trader/core/chain/Address"
import { call } from "../connection/RpcConnection.ts"
import { signAction } from "../session/SignedAction.ts"
import { TypeToConfirm } from "../shell/TypeToConfirm.tsx"
import { WalletSecrets } from "./WalletSecrets.tsx"
import { t } from "../text/Text.ts"

export function RotateKey(
  { close, name, wallet }: { readonly wallet: Address; readonly name: string; readonly close: () => void }
) {
  const rotating = useMutation({
    gcTime: 0,
    mutationFn: async () => {
      const signature = await signAction({ action: "rotateKey", wallet })
      return call((client) => client.rotateKey({ wallet, signature }))
    }
  })
  if (rotating.data !== undefined) {
    const end = () => {
      rotating.reset()
      close()
    }
    return (
      <WalletSecrets
        title={t("The new API key")}
        address={wallet}
        close={end}
        secrets={[{ name: t("API key"), value: rotating.data }]}
      />
    )
  }
  return (
    <TypeToConfirm
      title={t("New API key")}
      name={name}
      action={t("Revoke the old key")}
      close={close}
      loading={rotating.isPending}
      problem={rotating.error}
      onConfirm={() => rotating.mutate()}
    >
      <Text size="sm">
        {t(
          "Your programs’ current key stops working immediately. Bots, linked vaults and chart alerts of " +
            "the wallet continue. The new key is shown once. Your own wallet signs this; it sends no " +
            "transaction. If the wallet’s private key may have been seen as well, or you do not know every " +
            "manager of the wallet, use getNewApiKey with the private key instead: it ends all other access " +
            "to the wallet."
        )}
      </Text>
    </TypeToConfirm>
  )
}
