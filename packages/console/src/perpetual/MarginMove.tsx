/** Moves USDC between the vault and its account at HyperCore: an amount, a review of exactly that, the outcome. */
import { Button, Loader, Stack, Text } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useState } from "react"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { ApiFormFooter } from "../shell/ApiFormFooter.tsx"
import { amount, dollars, shortOf } from "../shell/Format.ts"
import { Problem } from "../shell/Problem.tsx"
import { useRequestKey } from "../shell/useRequestKey.ts"
import { AmountField } from "../vault/AmountField.tsx"
import { useComposition } from "../vault/useVaults.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { PerpetualOutcome } from "./PerpetualOutcome.tsx"
import { type Account, type Move, moveMargin, useMovePlan, withdrawableOf } from "./Perpetuals.ts"
import { HyperCoreReview } from "./HyperCoreReview.tsx"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

const endpoints = { deposit: "depositToPerpetuals", withdraw: "withdrawFromPerpetuals" } as const
const titles = { deposit: t("Deposit margin"), withdraw: t("Withdraw margin") } as const

const faultOf = (text: string, held: string | null): string | null => {
  const size = text.trim()
  if (size === "") return null
  if (!/^\d*\.?\d+$|^\d+\.$/.test(size) || Number(size) <= 0) return t("Must be a number above 0")
  return held !== null && Number(size) > Number(held) ? t("There are {held} USDC", { held: amount(held) }) : null
}

interface MoveProps {
  readonly move: Move
  readonly vault: VaultRef
  readonly close: () => void
}

function Review({ back, done, move, plan, requestKey, size, vault }: Omit<MoveProps, "close"> & {
  readonly size: string
  readonly plan: NonNullable<ReturnType<typeof useMovePlan>["data"]>
  readonly requestKey: string
  readonly back: () => void
  readonly done: (intent: string) => void
}) {
  const moved = plan.deposited ?? plan.withdrawn
  const text = `${amount(moved?.amount)} ${moved?.symbol ?? "USDC"}`
  return (
    <HyperCoreReview
      title={titles[move]}
      action={move === "deposit" ? t("Deposit") : t("Withdraw")}
      send={() => moveMargin(vault, move, { amount: size, idempotency_key: requestKey })}
      {...{ back, done }}
    >
      <ActionSummary
        label={titles[move]}
        lines={[
          [t("Moves"), text],
          [t("From"), move === "deposit" ? t("the vault") : t("the vault’s account at HyperCore")],
          [t("To"), move === "deposit" ? t("the vault’s account at HyperCore") : t("the vault")],
          [t("Max gas"), plan.gas_cost === null ? t("unknown") : shortOf(plan.gas_cost)],
          [t("Charge"), dollars(plan.charge.usd)]
        ]}
      />
      <Text size="sm">
        {move === "deposit"
          ? t("There it is margin: losses of positions are taken from it. It can be withdrawn only to this vault.")
          : t(
            "Open positions keep the rest as margin. The USDC arrive in the vault seconds after HyperCore has sent them."
          )}
      </Text>
    </HyperCoreReview>
  )
}

export function MarginMove({ account, close, move, vault }: MoveProps & { readonly account: Account }) {
  const composition = useComposition(vault)
  const [text, setText] = useState("")
  const [reviewed, setReviewed] = useState(false)
  const [intent, setIntent] = useState<string>()
  const [settled] = useDebouncedValue(text, 400)
  const requestKey = useRequestKey({ move, vault, size: text.trim() })
  const inVault = composition.data?.composition.find(({ symbol }) => symbol === "USDC")?.amount ?? null
  const held = move === "deposit" ? inVault : withdrawableOf(account)
  const fault = faultOf(text, held)
  const isValid = text.trim() !== "" && fault === null
  const isSettled = settled === text
  const plan = useMovePlan(vault, move, isValid && isSettled ? text.trim() : undefined)
  if (intent !== undefined) return <PerpetualOutcome kind={move} {...{ vault, intent, close }} />
  if (reviewed && plan.data !== undefined) {
    return (
      <Review
        {...{ move, requestKey, vault }}
        plan={plan.data}
        size={text.trim()}
        back={() => setReviewed(false)}
        done={setIntent}
      />
    )
  }
  const isLoading = isValid && (!isSettled || plan.isPending)
  return (
    <Modal opened onClose={close} title={titles[move]} closeButtonProps={{ "aria-label": t("Close") }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isSettled && plan.data !== undefined && isValid) setReviewed(true)
        }}
      >
        <Stack>
          <AmountField
            symbol="USDC"
            held={held}
            {...(move === "withdraw"
              ? { description: t("{held} USDC are free at HyperCore", { held: amount(held) }) }
              : {})}
            value={text}
            fault={fault}
            onChange={setText}
          />
          <div aria-live="polite">
            {isLoading && <Loader size="sm" aria-label={t("Checking")} />}
            {!isLoading && isValid && plan.error !== null && (
              <Problem color="orange" title={t("This would fail right now")} message={plan.error.message} />
            )}
          </div>
          <ApiFormFooter
            endpoint={endpoints[move]}
            params={{ network: vault.network, pool: vault.pool, amount: text }}
            close={close}
          >
            <Button type="submit" disabled={!isValid || isLoading || plan.data === undefined}>{t("Review")}</Button>
          </ApiFormFooter>
        </Stack>
      </form>
    </Modal>
  )
}
