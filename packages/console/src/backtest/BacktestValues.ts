/** Reads the values of a backtest's form: the terms by the endpoints' own parameters, the costs as the command does. */
import { factsOfGroup } from "@vault-trader/core/endpoint/Endpoint"
import { readDecimal } from "@vault-trader/core/endpoint/Params"
import * as BigDecimal from "effect/BigDecimal"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as Rpc from "effect/rpc/Rpc"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import type { Fault, Values } from "./BacktestJob.ts"

const refused = (values: Values, name: string) =>
  Result.fail<Fault>({ code: "value", name, value: (values[name] ?? "").trim() })

/** Returns functions that read an endpoint's parameters from texts. The caller names the type of a parameter. */
export const readerOf = <Rpcs extends Rpc.Any>(group: RpcGroup.RpcGroup<Rpcs>, endpoint: Rpcs["_tag"]) => {
  const params = factsOfGroup(group).find(({ name }) => name === endpoint)?.params ?? []
  const optional = <A>(values: Values, name: string): Result.Result<A | undefined, Fault> => {
    const text = (values[name] ?? "").trim()
    if (text === "") return Result.succeed(undefined)
    const found = params.find((param) => param.name === name)?.decode(text) ?? Option.none()
    return Option.isSome(found) ? Result.succeed(found.value as A) : refused(values, name)
  }
  const needed = <A>(values: Values, name: string): Result.Result<A, Fault> =>
    Result.flatMap(
      optional<A>(values, name),
      (value) => value === undefined ? refused(values, name) : Result.succeed(value)
    )
  return { optional, needed }
}

/** Reads US dollars above 0. */
export const usdOf = (values: Values, name: string): Result.Result<BigDecimal.BigDecimal, Fault> => {
  const value = readDecimal((values[name] ?? "").trim())
  const size = value === undefined ? 0 : BigDecimal.toNumberUnsafe(value)
  return value !== undefined && size > 0 && size <= 1e15 ? Result.succeed(value) : refused(values, name)
}

/** Reads a percentage from 0 to less than 100. */
export const costOf = (values: Values, name: string): Result.Result<number, Fault> => {
  const value = readDecimal((values[name] ?? "").trim())
  const size = value === undefined ? Number.NaN : BigDecimal.toNumberUnsafe(value)
  return size >= 0 && size < 100 ? Result.succeed(size) : refused(values, name)
}

/** Returns true if the costs accept a text; an empty one is refused. */
export const isCost = (name: string, text: string): boolean =>
  name === "start_usd"
    ? Result.isSuccess(usdOf({ [name]: text }, name))
    : Result.isSuccess(costOf({ [name]: text }, name))
