/** Names the parameter of an asset that a failure is about; the vault's actors know only the asset. */
import { type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"

/** An asset as the caller named it, and the parameter that named it. */
export type NamedAsset = readonly [parameter: string, text: string]

/** Returns the failure with the parameter's name. */
export const withParamName = (failure: Failure, assets: ReadonlyArray<NamedAsset>): Failure => {
  if (failure._tag === "ExecutionFailure" || failure.asset === undefined) return failure
  const named = assets.find(([, text]) => text === failure.asset)
  return named === undefined
    ? failure
    : new ValidationFailure({ code: failure.code, message: `${named[0]}: ${failure.message}` })
}

/** Pairs each asset of a list with the list's parameter. */
export const namedIn = (parameter: string, texts: ReadonlyArray<string> = []): ReadonlyArray<NamedAsset> =>
  texts.map((text) => [parameter, text])
