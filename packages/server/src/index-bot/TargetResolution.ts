/** Resolves targets as callers name them to tokens that the vault can hold. */
import { type Token, symbolOf } from "@vault-trader/core/chain/Token"
import { type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import type { IndexSetting } from "@vault-trader/core/index-bot/IndexBot"
import { type UnresolvedTarget, findRepeated } from "@vault-trader/core/index-bot/Targets"
import * as RetiredAllocations from "@vault-trader/core/index-bot/RetiredAllocations"
import type { Composition, VaultDescription } from "@vault-trader/core/vault/Vault"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { read } from "../gate/ActorCall.ts"

/** The calls of the vault's actor that are needed. */
interface VaultReader {
  readonly describe: (
    assets: { readonly assets: ReadonlyArray<string> }
  ) => Parameters<typeof read<VaultDescription, Failure, never>>[0]
  readonly composition: () => Parameters<typeof read<Composition, Failure, never>>[0]
}

const unusable = (name: string, what: string) => new ValidationFailure({ code: "1010", message: `${name}: ${what}` })

/** Returns the targets from whichever syntax of setAllocations is used. */
export const given = (
  { targets, ...lists }:
    & { readonly targets?: ReadonlyArray<UnresolvedTarget> | undefined }
    & Parameters<
      typeof RetiredAllocations.read
    >[0]
) => {
  const retired = Object.entries(lists).find(([, list]) => list !== undefined)?.[0]
  if (targets !== undefined) {
    return retired === undefined
      ? Effect.succeed({ targets, slippage: undefined, notes: [] })
      : unusable(retired, "is the retired form of targets; give one of the two")
  }
  return retired === undefined
    ? new ValidationFailure({ code: "1010", message: "Missing required parameter: targets" })
    : Effect.fromResult(
      Result.mapError(RetiredAllocations.read(lists), ({ message, name }) => unusable(name, message))
    )
}

/** Names the parameter of a failure that is about an asset; the vault's actor knows only the asset. */
const withParamName = (name: string, failure: Failure): Failure =>
  failure._tag === "ValidationFailure" && failure.asset !== undefined
    ? unusable(name, failure.message)
    : failure

/** Resolves targets and quote to tokens. Fails with 1010 unless all are known, distinct and enabled in the vault. */
export const resolved = (
  vault: VaultReader,
  requested: ReadonlyArray<UnresolvedTarget>,
  quote: string
): Effect.Effect<Pick<IndexSetting, "targets" | "quote">, Failure> =>
  Effect.gen(function*() {
    const find = (name: string, assets: ReadonlyArray<string>) =>
      Effect.mapError(Effect.map(read(vault.describe({ assets })), ({ tokens }) => tokens), (failure) =>
        withParamName(name, failure))
    const tokens = yield* find(
      "targets",
      requested.map(({ asset }) =>
        asset
      )
    )
    const [quoteToken] = yield* find("quote", [quote])
    const duplicate = findRepeated(tokens, ({ address }) => address)
    if (duplicate !== undefined) {
      return yield* unusable(
        "targets",
        `Duplicate asset: ${duplicate.symbol} (${duplicate.address}) is named more than once`
      )
    }
    const { holdings } = yield* read(vault.composition())
    const kinds = new Map(holdings.map(({ asset, kind }) => [asset, kind]))
    const cannotHold = (token: Token | undefined) => token === undefined || kinds.get(token.address) !== "token"
    const reason = ({ address, symbol }: Token) =>
      `the vault cannot hold ${symbol} (${address}): ${
        kinds.get(address) === "position"
          ? "it is a position, not a token"
          : "it is not enabled there; the vault's manager can enable it"
      }`
    const missing = tokens.filter(cannotHold)
    if (missing.length > 0) return yield* unusable("targets", missing.map(reason).join("; "))
    if (quoteToken === undefined || cannotHold(quoteToken)) {
      return yield* unusable(
        "quote",
        quoteToken === undefined ? `'${symbolOf(quote)}' is not known` : reason(quoteToken)
      )
    }
    return {
      targets: requested.flatMap(({ tolerance, weight }, index) => {
        const token = tokens[index]
        return token === undefined ? [] : [{ token, weight, tolerance }]
      }),
      quote: quoteToken
    }
  })
