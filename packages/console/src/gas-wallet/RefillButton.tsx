/** The gas tank beside a wallet: opens the refill, which brings the wallet's libraries with it. */
import { ActionIcon, Tooltip } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { lazy, Suspense } from "react"
import { GasTank } from "../shell/GasTank.tsx"

const Refill = lazy(() => import("./Refill.tsx").then(({ Refill }) => ({ default: Refill })))

export function RefillButton({ network, wallet }: { readonly wallet: Address; readonly network?: Network | undefined }) {
  const [open, { close, open: show }] = useDisclosure(false)
  return (
    <>
      <Tooltip label="Click to refill">
        <ActionIcon variant="default" size="md" aria-label="Click to refill" aria-haspopup="dialog" onClick={show}><GasTank /></ActionIcon>
      </Tooltip>
      {open && <Suspense fallback={null}><Refill wallet={wallet} network={network} close={close} /></Suspense>}
    </>
  )
}
