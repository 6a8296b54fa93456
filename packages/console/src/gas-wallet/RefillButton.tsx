/** The refill button next to a wallet. Loads the refill dialog and its wallet libraries on demand. */
import { ActionIcon } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { lazy, Suspense, useRef } from "react"
import { GasTank } from "../shell/GasTank.tsx"

const Refill = lazy(() => import("./Refill.tsx").then(({ Refill }) => ({ default: Refill })))

export function RefillButton(
  { network, wallet }: { readonly wallet: Address; readonly network?: Network | undefined }
) {
  const button = useRef<HTMLButtonElement>(null)
  const [open, { close, open: show }] = useDisclosure(false, { onClose: () => button.current?.focus() })
  return (
    <>
      <ActionIcon
        ref={button}
        variant="default"
        size="md"
        aria-label="Click to refill"
        title="Click to refill"
        aria-haspopup="dialog"
        onClick={show}
      >
        <GasTank />
      </ActionIcon>
      {open && (
        <Suspense fallback={null}>
          <Refill wallet={wallet} network={network} close={close} />
        </Suspense>
      )}
    </>
  )
}
