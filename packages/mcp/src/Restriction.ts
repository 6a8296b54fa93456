/** The operator's limits on the agent's calls, besides the scopes: the vaults, the assets, and the USD of one order. */
import { type Address, parse as parseAddress } from "@vault-trader/core/chain/Address"
import { readDecimal } from "@vault-trader/core/endpoint/Params"
import * as BigDecimal from "effect/BigDecimal"
import type * as Scope from "@vault-trader/core/endpoint/ChangeScope"
import { assetName } from "./AssetName.ts"
import { confirmationName, type Tool, tools } from "./Tool.ts"

export interface Restriction {
  /** The scopes in which changes are offered. */
  readonly allow: ReadonlySet<Scope.Scope>
  /** The only vaults that calls may name; undefined: any vault. */
  readonly pools: ReadonlySet<Address> | undefined
  /** The only assets that changes may name, each as a symbol or a lower-case address; undefined: any. */
  readonly assets: ReadonlySet<string> | undefined
  /** The largest order in USD, where an endpoint takes an amount in USD; undefined: any. */
  readonly maxUsd: number | undefined
}

type Args = Readonly<Record<string, unknown>>

/** Parameters that hold a vault, or a list of vaults. */
const vaultParams: ReadonlyArray<string> = ["pool", "pools"]
/** Parameter that holds two assets, as WETH-USDC. */
const pairParam = "pair"
/** Changes that end something: they buy nothing, and an agent must be able to take back what it has set. */
const ending = /^(cancel|pause|deactivate)|^delete(CEX|Strategy)?Bot$/
/** Parameters that hold the size of one order in USD, or its maximum. */
const usdParams: ReadonlyArray<string> = ["usd", "max_usd"]
/** Parameters that win over `usd` where an endpoint takes both. */
const otherSizes: ReadonlyArray<string> = ["size", "amount", "share"]

const namesOf = ({ params }: Tool, among: ReadonlyArray<string>) =>
  params.map(({ name }) => name).filter((name) => among.includes(name))

const assetParams = ({ params }: Tool) => params.filter(({ info, name }) => info.asset === true || name === pairParam)

/**
 * Returns true for a change whose assets its arguments name, or that ends something. An index or a strategy, for
 * instance, buys what its targets or its author name.
 */
const namesItsAssets = (tool: Tool): boolean =>
  ending.test(tool.name) || assetParams(tool).some(({ required }) => required)

/**
 * Returns the tools that are offered: reads, and the changes of the allowed scopes. A change that names no vault is not
 * offered to an agent that is restricted to vaults, nor one that does not name its assets to an agent restricted to
 * assets.
 */
export const offered = ({ allow, assets, pools }: Restriction): ReadonlyArray<Tool> =>
  tools.filter((tool) =>
    tool.scope === undefined ||
    (allow.has(tool.scope) && (pools === undefined || namesOf(tool, vaultParams).length > 0) &&
      (assets === undefined || namesItsAssets(tool)))
  )

/** Lists the parameters that a call must not have. */
const unknownNames = (tool: Tool, args: Args) => {
  const known = new Set(Object.keys(tool.inputSchema.properties))
  return Object.keys(args).filter((name) => !known.has(name))
}

const poolRefusal = (tool: Tool, args: Args, pools: ReadonlySet<Address>): string | undefined => {
  for (const name of namesOf(tool, vaultParams)) {
    const value = args[name]
    if (value === undefined && tool.scope === undefined) continue
    const vaults: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
    for (const each of vaults) {
      const vault = typeof each === "string" ? parseAddress(each) : undefined
      if (vault === undefined) {
        return `${name} must be ${name === "pools" ? "a list of addresses of vaults" : "the address of a vault"}.`
      }
      if (!pools.has(vault)) {
        return `The vault ${vault} is not one that this server may use (--pools): ${[...pools].join(", ")}.`
      }
    }
  }
  return undefined
}

const assetRefusal = (tool: Tool, args: Args, assets: ReadonlySet<string>): string | undefined => {
  for (const { name } of tool.scope === undefined ? [] : assetParams(tool)) {
    const value = args[name]
    if (value === undefined) continue
    const named = typeof value !== "string" ? [] : name === pairParam ? value.split(/[-/]/) : [value]
    if (named.length !== (name === pairParam ? 2 : 1)) {
      return `${name} must be ${name === pairParam ? "two symbols, as WETH-USDC" : "a symbol or an address"}.`
    }
    const other = named.map(assetName).find((asset) => !assets.has(asset))
    if (other !== undefined) {
      return `${other.slice(0, 50)} is not an asset that this server may use (--assets): ${[...assets].join(", ")}.`
    }
  }
  return undefined
}

const usdRefusal = (tool: Tool, args: Args, maxUsd: number): string | undefined => {
  for (const name of tool.scope === undefined ? [] : namesOf(tool, usdParams)) {
    const value = args[name]
    const amount = typeof value === "number" || typeof value === "string"
      ? readDecimal(String(value).trim())
      : undefined
    if (amount === undefined) {
      return `${name} is required here, as a number: this server accepts orders of up to ${maxUsd} USD (--max-usd).`
    }
    const other = name === "usd" ? namesOf(tool, otherSizes).find((size) => args[size] !== undefined) : undefined
    if (other !== undefined) {
      return `${other} would win over usd, and this server accepts orders by their USD only (--max-usd).`
    }
    if (BigDecimal.toNumberUnsafe(amount) > maxUsd) {
      return `${name} is above ${maxUsd} USD, the largest order that this server accepts (--max-usd).`
    }
  }
  return undefined
}

/** Returns the reason why a call is not sent. */
export const refusal = ({ assets, maxUsd, pools }: Restriction, tool: Tool, args: Args): string | undefined => {
  const unknown = unknownNames(tool, args)
  if (unknown.length > 0) {
    const names = Object.keys(tool.inputSchema.properties).filter((name) => name !== confirmationName)
    const accepted = names.length === 0 ? "no arguments" : names.join(", ")
    return `${tool.name} does not take ${unknown.slice(0, 5).join(", ")}; it takes ${accepted}.`
  }
  return (pools === undefined ? undefined : poolRefusal(tool, args, pools)) ??
    (assets === undefined ? undefined : assetRefusal(tool, args, assets)) ??
    (maxUsd === undefined ? undefined : usdRefusal(tool, args, maxUsd))
}
