/**
 * Adds liquidity: a pair, a pool, an amount and a range on the price's chart, with the service's plan of exactly that;
 * then its review and its outcome.
 */
import { Alert, Button, Loader, Stack, Text } from "@mantine/core"
import { useDebouncedValue, useMediaQuery } from "@mantine/hooks"
import { type ReactNode, useState } from "react"
import { ActionSummary } from "../shell/ActionSummary.tsx"
import { ApiFormFooter } from "../shell/ApiFormFooter.tsx"
import { amount } from "../shell/Format.ts"
import { LostAnswer } from "../shell/LostAnswer.tsx"
import { Problem } from "../shell/Problem.tsx"
import { useRequestKey } from "../shell/useRequestKey.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { AmountFields, PoolFields } from "./AddFields.tsx"
import { exchangeName, faultsOf, firstTerms, inverted, requestOfTerms } from "./AddTerms.ts"
import { lostTermsOf } from "./LostTerms.ts"
import { LiquidityOutcome } from "./LiquidityOutcome.tsx"
import { type LiquidityPlan, type LiquidityRequest, useLiquidityPlan } from "./LiquidityPlans.ts"
import { LiquidityReview } from "./LiquidityReview.tsx"
import { linesOf, type PlanContext } from "./PlanLines.ts"
import { type Holding, oraclePrice, type Side } from "./Positions.ts"
import { RangePicker } from "./RangePicker.tsx"
import { Modal } from "../shell/Modal.tsx"
import { t } from "../text/Text.ts"

function Frame({ children, close }: { readonly close: () => void; readonly children: ReactNode }) {
  const isNarrow = useMediaQuery("(max-width: 48em)")
  return (
    <Modal
      opened
      onClose={close}
      title={t("Add liquidity")}
      size="62rem"
      yOffset="2dvh"
      fullScreen={isNarrow}
      closeButtonProps={{ "aria-label": t("Close") }}
    >
      {children}
    </Modal>
  )
}

/** The plan of the terms as they are, or why there is none. */
function Planned({ context, isLoading, isValid, plan, problem, request }: {
  readonly request: LiquidityRequest
  readonly plan: LiquidityPlan | undefined
  readonly problem: Error | null
  readonly isValid: boolean
  readonly isLoading: boolean
  readonly context: (plan: LiquidityPlan) => PlanContext
}) {
  return (
    <>
      {!isValid && <Text size="sm" c="dimmed">{t("Enter an amount to see what would go in.")}</Text>}
      {isLoading && <Loader size="sm" aria-label={t("Loading the plan")} />}
      {isValid && !isLoading && problem !== null && (
        <Problem color="orange" title={t("This would fail right now")} message={problem.message} />
      )}
      {isValid && !isLoading && problem === null && plan !== undefined && (
        <ActionSummary label={t("Plan")} lines={linesOf(request, plan, context(plan))} />
      )}
    </>
  )
}

/** Holds the terms of a deposit, what is wrong with them, and the plan of them as they are. */
const useTerms = (vault: VaultRef, tokens: ReadonlyArray<Holding>) => {
  const lost = lostTermsOf(vault)
  const [terms, setTerms] = useState(() => lost ?? firstTerms(tokens))
  const [settled] = useDebouncedValue(terms, 400)
  const isSettled = settled === terms
  const faults = faultsOf(terms, tokens.find(({ asset }) => asset === terms.input))
  const isValid = Object.values(faults).every((fault) => fault === null) && Number(terms.amount) > 0
  const request = requestOfTerms(terms)
  const requestKey = useRequestKey(request)
  const plan = useLiquidityPlan(vault, isValid && isSettled ? request : undefined)
  const isLoading = isValid && (!isSettled || plan.isPending)
  const isReady = isValid && !isLoading && plan.error === null && plan.data !== undefined
  return {
    lost: lost &&
      {
        amount: lost.amount,
        input: lost.input,
        isSame: JSON.stringify(requestOfTerms(lost)) === JSON.stringify(request)
      },
    terms,
    setTerms,
    faults,
    isValid,
    isLoading,
    request,
    requestKey,
    plan,
    ready: isReady ? plan.data : undefined
  }
}

const lostText = (lost: { readonly amount: string }, { symbol }: Side): string =>
  t("Add {amount} {symbol}", { amount: amount(lost.amount), symbol })

function Ticket({ close, holdings, tokens, vault }: {
  readonly vault: VaultRef
  readonly holdings: ReadonlyArray<Holding>
  readonly tokens: ReadonlyArray<Holding>
  readonly close: () => void
}) {
  const { faults, isLoading, isValid, lost, plan, ready, request, requestKey, setTerms, terms } = useTerms(
    vault,
    tokens
  )
  const [reviewed, setReviewed] = useState<LiquidityPlan>()
  const [intent, setIntent] = useState<string>()
  const sideOf = (asset: string): Side => ({
    asset,
    symbol: tokens.find((token) => token.asset === asset)?.symbol ?? ""
  })
  const [first, second] = [sideOf(terms.first), sideOf(terms.second)]
  const contextOf = ({ dex }: LiquidityPlan): PlanContext => ({
    ...{ first, second, holdings },
    exchange: exchangeName(dex, vault.network)
  })
  if (intent !== undefined) return <LiquidityOutcome action="addLiquidity" {...{ vault, intent, close }} />
  if (reviewed !== undefined) {
    return (
      <LiquidityReview
        {...{ vault, request, requestKey }}
        title={t("Add liquidity to {first} and {second}", { first: first.symbol, second: second.symbol })}
        plan={reviewed}
        context={contextOf(reviewed)}
        back={() => setReviewed(undefined)}
        done={setIntent}
      />
    )
  }
  return (
    <Frame close={close}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setReviewed(ready)
        }}
      >
        <Stack>
          {lost !== undefined && <LostAnswer isSame={lost.isSame} what={lostText(lost, sideOf(lost.input))} />}
          <div className="add-liquidity">
            <div data-area="pool">
              <PoolFields network={vault.network} {...{ faults, terms, tokens }} set={setTerms} />
            </div>
            <div data-area="amount">
              <AmountFields network={vault.network} {...{ faults, terms, tokens }} set={setTerms} />
            </div>
            <div data-area="range">
              <RangePicker
                {...{ faults, first, second, vault }}
                range={terms}
                current={oraclePrice(tokens, terms.first, terms.second)}
                change={({ lower, upper }) => setTerms({ ...terms, lower, upper })}
                invert={() => setTerms(inverted(terms))}
              />
            </div>
            <div data-area="plan" aria-live="polite">
              <Planned {...{ isLoading, isValid, request }} plan={plan.data} problem={plan.error} context={contextOf} />
            </div>
          </div>
          <ApiFormFooter
            endpoint="addLiquidity"
            params={{ network: vault.network, pool: vault.pool, ...request.params }}
            close={close}
          >
            <Button type="submit" disabled={ready === undefined}>
              {t("Review")}
            </Button>
          </ApiFormFooter>
        </Stack>
      </form>
    </Frame>
  )
}

export function AddTicket({ close, holdings, vault }: {
  readonly vault: VaultRef
  readonly holdings: ReadonlyArray<Holding>
  readonly close: () => void
}) {
  const tokens = holdings.filter(({ kind }) => kind === "token")
  return tokens.length < 2
    ? (
      <Frame close={close}>
        <Alert color="blue">
          {t("The vault needs two tokens that it may hold. Enable another one on the vault platform.")}
        </Alert>
      </Frame>
    )
    : <Ticket {...{ close, holdings, tokens, vault }} />
}
