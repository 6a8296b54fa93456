/** Proposes the most that a new bot may trade at once, until the manager types another limit. */
import type { GetInputPropsReturnType } from "@mantine/form"
import * as AddressText from "@vault-trader/core/chain/AddressText"
import { useEffect, useState } from "react"
import { dollars, percent } from "../shell/Format.ts"
import { largestSize, sizeFor, smallestSize } from "./TradeSize.ts"
import { useComposition } from "./useVaults.ts"
import { vaultKeyOf, vaultRefOf } from "./VaultRef.ts"
import { t } from "../text/Text.ts"

interface SizeOptions {
  readonly values: { readonly wallet: string; readonly network: string; readonly pool: string }
  readonly share: number
  /** False where the limit is that of an existing bot, or was chosen before. */
  readonly isProposed: boolean
  /** Sets the field. */
  readonly set: (size: string) => void
}

/**
 * Sets the field to a part of the vault, once for each vault that is chosen and can be read. `note` says so under the
 * field. Once the field is typed in, the manager’s limit stays.
 */
export const useTradeSize = ({ isProposed, set, share, values: { network, pool, wallet } }: SizeOptions) => {
  const [isTyped, setIsTyped] = useState(!isProposed)
  const [proposedFor, setProposedFor] = useState<number>()
  const address = AddressText.parse(pool)
  const vault = isTyped || wallet === "" || network === "" || address === undefined
    ? undefined
    : vaultRefOf({ gasWallet: wallet, network, pool: address })
  const found = useComposition(vault).data?.total_value_usd
  const usd = vault === undefined || found === null || found === undefined || found <= 0 ? undefined : found
  // The first value of a vault counts: a field does not change while it is read.
  useEffect(() => {
    if (isTyped) return
    set(sizeFor(usd, share))
    setProposedFor(usd)
  }, [vault === undefined ? "" : vaultKeyOf(vault), usd === undefined, isTyped])
  return {
    /** Returns the properties of the field, which notices when it is typed in. */
    field: (input: GetInputPropsReturnType): GetInputPropsReturnType => ({
      ...input,
      onChange: (value: string) => {
        setIsTyped(true)
        const { onChange } = input as { readonly onChange: (value: string) => void }
        onChange(value)
      }
    }),
    note: isTyped || proposedFor === undefined ? undefined : t(
      "Proposed for this vault of {value}: about {share} of it, from {least} to {most}",
      {
        ...{ value: dollars(proposedFor), share: percent(share) },
        ...{ least: dollars(smallestSize), most: dollars(Number(largestSize)) }
      }
    )
  }
}
