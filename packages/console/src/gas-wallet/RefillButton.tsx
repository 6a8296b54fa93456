/** The refill button next to a wallet. Loads the refill dialog and its wallet libraries on demand. */
import { ActionIcon } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { lazy, Suspense, useRef } from "react"
import { t } from "../text/Text.ts"

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
        aria-label={t("Click to refill")}
        title={t("Click to refill")}
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

/** Gas pump icon. */
const GasTank = () => (
  <svg
    width="18"
    height="18"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d="M4 21V5a2 2 0 0 1 2-2h6a2 2 0 0 1 2 2v16" />
    <path d="M3 21h12M7 7h4v4H7z" />
    <path d="M14 11h2a2 2 0 0 1 2 2v4a1.5 1.5 0 0 0 3 0V9l-3-3" />
  </svg>
)
