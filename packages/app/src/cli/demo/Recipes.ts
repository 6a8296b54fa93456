/** The demo's recipes by name. */
import { collateral } from "./Collateral.ts"
import { fees } from "./Fees.ts"
import { quickstart } from "./Quickstart.ts"
import { signal } from "./Signal.ts"

export const recipes = { quickstart, signal, collateral, fees }

export const names = ["quickstart", "signal", "collateral", "fees"] as const
