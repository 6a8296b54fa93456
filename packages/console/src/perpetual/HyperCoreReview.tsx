/**
 * The review of a request, and what follows: a request that was accepted is followed to its outcome, also where it
 * failed at once.
 */
import { useMutation } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { queries } from "../connection/QueryCache.ts"
import { isLost, Problem } from "../connection/RpcConnection.ts"
import { Confirm } from "../shell/Confirm.tsx"
import { t } from "../text/Text.ts"

export function HyperCoreReview({ action, back, children, done, onSending, send, title }: {
  readonly title: string
  readonly action: string
  /** Sends the request with an idempotency key that is kept while its terms stay the same. */
  readonly send: () => Promise<{ readonly intent_id?: string | null | undefined }>
  /** Called with true when it is sent, and with false when it was refused, after which nothing of it is open. */
  readonly onSending?: (isOpen: boolean) => void
  readonly back: () => void
  /** Called with the accepted request. */
  readonly done: (intent: string) => void
  readonly children: ReactNode
}) {
  const sending = useMutation({
    mutationFn: send,
    onMutate: () => onSending?.(true),
    onSuccess: (answer) => done(answer.intent_id ?? ""),
    onError: (error) => {
      if (!isLost(error)) onSending?.(false)
      if (error instanceof Problem && error.intentId !== undefined) done(error.intentId)
    },
    onSettled: () => queries.invalidateQueries()
  })
  return (
    <Confirm
      title={title}
      action={action}
      close={back}
      loading={sending.isPending}
      problem={sending.error !== null && isLost(sending.error)
        ? new Problem(t("The answer was lost. Choose it again: the same request is not done twice."))
        : sending.error}
      onConfirm={() => sending.mutate()}
    >
      {children}
    </Confirm>
  )
}
