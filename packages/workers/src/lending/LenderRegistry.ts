/** The lending market adapters by name. */
import type { LenderName } from "@vault-trader/core/lending/Lending"
import { AaveV3 } from "./AaveV3.ts"
import { CompoundV3 } from "./CompoundV3.ts"
import { Fluid } from "./Fluid.ts"
import type { Lender } from "./LenderMarket.ts"

export const lenders: Readonly<Record<LenderName, Lender>> = { lenderA: AaveV3, lenderB: CompoundV3, lenderC: Fluid }
