/** The dialogs of the liquidity page, loaded with the first that is opened. */
import type { VaultRef } from "../vault/VaultRef.ts"
import { AddTicket } from "./AddTicket.tsx"
import type { PlanContext } from "./PlanLines.ts"
import { PositionAction } from "./PositionAction.tsx"
import type { Holding, Position, PositionRequest } from "./Positions.ts"
import { RemoveTicket } from "./RemoveTicket.tsx"

export type OpenDialog =
  | { readonly action: "add" }
  | { readonly action: PositionRequest; readonly position: Position }

export function LiquidityDialog({ close, dialog, holdings, vault }: {
  readonly vault: VaultRef
  readonly holdings: ReadonlyArray<Holding>
  readonly dialog: OpenDialog
  readonly close: () => void
}) {
  if (dialog.action === "add") return <AddTicket {...{ close, holdings, vault }} />
  const { action, position } = dialog
  const { exchange, first, second } = position
  const context: PlanContext = { exchange, first, second, holdings }
  return action === "removeLiquidity"
    ? <RemoveTicket {...{ close, context, position, vault }} />
    : <PositionAction {...{ action, close, context, position, vault }} />
}
