/** Shows secrets of a gas wallet once. */
import type { ComponentProps } from "react"
import { Secrets } from "../shell/Secrets.tsx"
import { t } from "../text/Text.ts"

export function WalletSecrets({ address, ...shown }: Omit<ComponentProps<typeof Secrets>, "about" | "file"> & {
  readonly address: string
}) {
  return (
    <Secrets
      {...shown}
      about={{ name: t("Gas wallet"), value: address }}
      file={`gas-wallet-${address.slice(0, 10)}.txt`}
    />
  )
}
