/** Checks the parameters of a guardian against its kind, and turns them into terms. Every refusal names its parameter. */
import * as Quantity from "@vault-trader/core/chain/Quantity"
import type { Token } from "@vault-trader/core/chain/Token"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { defaults, type GuardianKind, GuardianTerms, type RepairMethod } from "@vault-trader/core/guardian/Guardian"
import { minFloor } from "@vault-trader/core/lending/Lending"
import type * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"

type Decimal = BigDecimal.BigDecimal | undefined

/** The parameters of a guardian that is set. */
export interface GuardianParams {
  readonly kind: GuardianKind
  readonly floor?: Decimal
  readonly target?: Decimal
  readonly prefer?: ReadonlyArray<RepairMethod> | undefined
  readonly max_daily_loss?: number | undefined
  readonly max_total_loss?: number | undefined
  readonly close_into?: string | undefined
  readonly close_positions?: boolean | undefined
  readonly max_age?: number | undefined
  readonly max_depeg?: number | undefined
  readonly assets?: ReadonlyArray<string> | undefined
  readonly min_gas?: Decimal
  readonly target_gas?: Decimal
  readonly slippage?: number | undefined
  readonly confirmations?: number | undefined
}

/** The kind that each parameter belongs to. */
const kindOf: Readonly<Partial<Record<keyof GuardianParams, ReadonlyArray<GuardianKind>>>> = {
  floor: ["health_factor"],
  target: ["health_factor"],
  prefer: ["health_factor"],
  max_daily_loss: ["loss_breaker"],
  max_total_loss: ["loss_breaker"],
  close_into: ["loss_breaker"],
  close_positions: ["loss_breaker"],
  max_age: ["oracle"],
  max_depeg: ["oracle"],
  assets: ["oracle"],
  min_gas: ["gas"],
  target_gas: ["gas"],
  slippage: ["health_factor", "loss_breaker"]
}

const refused = (message: string) => new ValidationFailure({ code: "1010", message })

const raw18 = (value: NonNullable<Decimal>): bigint => Quantity.toRaw(value, 18)

/** Returns the first parameter that the kind does not have; undefined when all fit. */
const strangerOf = (params: GuardianParams): string | undefined => {
  for (const [name, kinds] of Object.entries(kindOf)) {
    if (params[name as keyof GuardianParams] !== undefined && !kinds.includes(params.kind)) {
      return `${name}: a ${params.kind} guardian has none; accepted for ${kinds.join(", ")}`
    }
  }
  return undefined
}

/** Returns the tokens that the parameters name, for `termsOf`: `close_into`, or the watched `assets`. */
export const namesOf = ({ assets = [], close_into: closeInto }: GuardianParams): ReadonlyArray<string> =>
  closeInto === undefined ? assets : [closeInto]

const healthTerms = ({ floor, prefer = defaults.prefer, target, ...params }: GuardianParams, confirmations: number) => {
  if (floor === undefined) return "floor: missing; a health_factor guardian needs it"
  if (target === undefined) return "target: missing; a health_factor guardian needs it"
  const [floor18, target18] = [raw18(floor), raw18(target)]
  if (floor18 < minFloor) return "floor: must be 1.05 or more; below it nothing can be withdrawn safely"
  // Without a distance, interest alone would make it act again and again.
  if (target18 * 100n < floor18 * 102n) return "target: must be at least 2 % above floor"
  const { slippage = defaults.slippage } = params
  return GuardianTerms.make({ _tag: "health_factor", floor18, target18, prefer, slippage, confirmations })
}

const lossTerms = (params: GuardianParams, closeInto: Token | null, confirmations: number) => {
  const { max_daily_loss: maxDaily = null, max_total_loss: maxTotal = null, slippage = defaults.slippage } = params
  if (maxDaily === null && maxTotal === null) {
    return "max_daily_loss: missing; a loss_breaker needs max_daily_loss, max_total_loss or both"
  }
  const { close_positions: asked } = params
  if (asked === true && closeInto === null) return "close_positions: needs close_into, the asset that is closed into"
  const closePositions = closeInto !== null && asked !== false
  return GuardianTerms.make({
    ...{ _tag: "loss_breaker", maxDaily, maxTotal, closeInto, closePositions, slippage, confirmations }
  })
}

const oracleTerms = (params: GuardianParams, assets: ReadonlyArray<Token> | null, confirmations: number) => {
  const { max_age: maxAgeSeconds = null, max_depeg: maxDepeg = null } = params
  return maxAgeSeconds === null && maxDepeg === null
    ? "max_age: missing; an oracle guardian needs max_age, max_depeg or both"
    : GuardianTerms.make({ _tag: "oracle", maxAgeSeconds, maxDepeg, assets, confirmations })
}

const gasTerms = ({ min_gas: minGas, target_gas: target }: GuardianParams, confirmations: number) => {
  if (minGas === undefined) return "min_gas: missing; a gas guardian needs it"
  const minWei = raw18(minGas)
  const targetWei = target === undefined ? minWei * 3n : raw18(target)
  return targetWei * 10n < minWei * 11n
    ? "target_gas: must be at least 10 % above min_gas"
    : GuardianTerms.make({ _tag: "gas", minWei, targetWei, confirmations })
}

/** Checks what needs no vault. */
export const checkShape = (params: GuardianParams): Effect.Effect<void, ValidationFailure> => {
  const stranger = strangerOf(params)
  return stranger === undefined ? Effect.void : Effect.fail(refused(stranger))
}

/** Returns the terms of a guardian. `tokens`: those of `namesOf`, resolved in the vault. */
export const termsOf = (
  params: GuardianParams,
  tokens: ReadonlyArray<Token>
): Effect.Effect<GuardianTerms, ValidationFailure> => {
  const { confirmations = defaults.confirmations } = params
  const made = {
    health_factor: () => healthTerms(params, confirmations),
    loss_breaker: () => lossTerms(params, tokens[0] ?? null, confirmations),
    oracle: () => oracleTerms(params, params.assets === undefined ? null : tokens, confirmations),
    gas: () => gasTerms(params, confirmations)
  }[params.kind]()
  return typeof made === "string" ? Effect.fail(refused(made)) : Effect.succeed(made)
}
