/**
 * Create Vault: creates it through the platform's factory with the manager's wallet, sets its trader, links it. The form
 * and the steps are loaded when they are shown.
 */
import { Alert } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import type { Address as AddressOf } from "@vault-trader/core/chain/Address"
import { lazy, Suspense } from "react"
import { useWallets } from "../gas-wallet/GasWallets.ts"
import { useSession } from "../connection/Session.ts"
import { Page, PageSkeleton } from "../shell/Page.tsx"
import { usePendingVault } from "./PendingVault.ts"
import { T } from "../text/Sentence.tsx"
import { t } from "../text/Text.ts"

const CreateVaultForm = lazy(() =>
  import("./CreateVaultForm.tsx").then(({ CreateVaultForm }) => ({ default: CreateVaultForm }))
)
const CreateVaultSteps = lazy(() =>
  import("./CreateVaultSteps.tsx").then(({ CreateVaultSteps }) => ({ default: CreateVaultSteps }))
)

export function CreateVaultPage() {
  const manager = useSession().data?.manager ?? ""
  const wallets = useWallets()
  const [pending, setPending] = usePendingVault(manager)
  return (
    <Page title={t("Create Vault")} query={wallets}>
      {wallets.data?.length === 0
        ? (
          <Alert color="blue" title={t("Add a gas wallet first")}>
            <T
              message="A vault made here gets a gas wallet as its trader. <0>Add one</0>, then come back."
              parts={[<Link to="/gas-wallets" style={{ color: "inherit" }} />]}
            />
          </Alert>
        )
        : (
          <Suspense fallback={<PageSkeleton />}>
            {pending === undefined
              ? <CreateVaultForm manager={manager as AddressOf} onSent={setPending} />
              : <CreateVaultSteps pending={pending} end={() => setPending(undefined)} />}
          </Suspense>
        )}
    </Page>
  )
}
