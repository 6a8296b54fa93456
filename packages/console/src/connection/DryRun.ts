/** Plans from the service's dry runs, which use the same planning as the execution. */
import type { Charge } from "@vault-trader/core/billing/Charge"
import { t } from "../text/Text.ts"

/** The costs that each plan names: the most that its gas can cost, in the native token, and the service's charge. */
export interface Costs {
  readonly gas_cost: string | null
  readonly charge: typeof Charge.Type
}

/** Returns a plan that has these members; throws a message for the user if the service's format differs. */
export const planOf = <A>(answer: object, members: ReadonlyArray<keyof A>): A => {
  const plan = "plan" in answer ? answer.plan : undefined
  if (typeof plan === "object" && plan !== null && members.every((name) => name in plan)) return plan as A
  throw new Error(t("This page is out of date; reload it."))
}

/** The options of a query for the plan of terms now; idle without terms. */
export const planQuery = <Terms, Plan>(
  name: string,
  terms: Terms | undefined,
  read: (terms: Terms, signal: AbortSignal) => Promise<Plan>
) => ({
  queryKey: [name, terms] as const,
  enabled: terms !== undefined,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => read(terms as Terms, signal),
  refetchInterval: 15_000,
  retry: false as const
})
