/** The result of rehearsing one thing that a network offers to a vault. */
import type { Failure } from "@vault-trader/core/failure/Failure"
import type { Finding } from "../network/NetworkCheck.ts"

/** The part of the service that a step belongs to. */
type Area = "network" | "vault" | "gas" | "venue" | "lender" | "liquidity" | "short" | "perpetuals" | "bot"

/**
 * `works`: the simulation succeeded. `limited`: usable, with the restriction in `detail`. `fails`: it is offered, and
 * would fail now. `not_enabled`: the vault has to enable an asset for it first. `not_offered`: the vault platform does
 * not offer it on this network. `not_tried`: an earlier step failed, or the node stopped answering.
 */
export type Status = "works" | "limited" | "fails" | "not_enabled" | "not_offered" | "not_tried"

/** The transaction that would be sent. */
export interface StepPlan {
  /** The plan's fields as a dry run returns them. */
  readonly details: Readonly<Record<string, unknown>>
  /** Gas units; null when nothing would be sent. */
  readonly gas: string | null
  /** The most that it would cost, as `0.0001 ETH`; null when nothing would be sent. */
  readonly gas_cost: string | null
  /** The same in wei. */
  readonly gas_cost_wei: string | null
}

export interface Step {
  readonly area: Area
  /** Names the step, as `trade by 1inch`. */
  readonly name: string
  readonly status: Status
  /** The result in words, with the reason and the next step of a failure. Ends with a full stop. */
  readonly detail: string
  readonly plan: StepPlan | null
}

/** Names a step. */
export type Title = Pick<Step, "area" | "name">

const sentence = (text: string) => text.endsWith(".") ? text : `${text}.`

export const step = ({ area, name }: Title, status: Status, detail: string, plan: StepPlan | null = null): Step => ({
  area,
  name,
  status,
  detail: sentence(detail),
  plan
})

export const failed = (title: Title, { message }: Pick<Failure, "message">): Step => step(title, "fails", message)

/** Converts a check of the network. */
export const ofFinding = ({ check, detail, status }: Finding): Step =>
  step(
    { area: "network", name: check },
    status === "ok" ? "works" : status === "warning" ? "limited" : "fails",
    detail
  )

/** Returns true for the failure of a node that does not answer: nothing else can be read, either. */
export const isOutage = (failure: Failure): boolean =>
  failure._tag === "ExecutionFailure" && failure.errorType === "rpc_unavailable"
