/** Checks what a sub-key may request, before any other check: its endpoints, its vaults and its client addresses. */
import { endpointsByTitle } from "@vault-trader/core/Catalogue"
import { parse as parseAddress } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as ChangeScope from "@vault-trader/core/endpoint/ChangeScope"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import {
  type SubKeyBounds,
  subKeyScopes,
  vaultsCheckedLater,
  withheldFromSubKeys
} from "@vault-trader/core/gas-wallet/SubKey"
import { isIn } from "../gate/ClientAddress.ts"
import type { DirectoryShape } from "../gate/ServedNetworks.ts"

type Params = Readonly<Record<string, unknown>>

/** Groups whose endpoints no sub-key may call, reads included: keys are their owner's matter. */
const groupsOfOwners: ReadonlySet<string> = new Set(["Sub-keys", "Managers"])

const titles = new Map(
  Object.entries(endpointsByTitle).flatMap(([title, group]) => group.map(({ name }) => [name, title] as const))
)

/** Returns what an endpoint requires of a sub-key: a scope, nothing for a read, or null where no sub-key may call it. */
export const requiredScope = (facts: EndpointFacts): ChangeScope.Scope | "read" | null => {
  const title = titles.get(facts.name) ?? ""
  if (groupsOfOwners.has(title) || withheldFromSubKeys.has(facts.name)) return null
  if (facts.class === "readOnly") {
    return facts.access === "apiKey" || facts.access === "apiKeyOrManager" ? "read" : null
  }
  const scope = ChangeScope.ofTitle(title)
  return facts.access === "apiKey" && subKeyScopes.some((each) => each === scope) ? scope ?? null : null
}

/** Returns the vaults that a request names. Malformed ones are none: they are refused as parameters. */
const namedVaults = (params: Params): ReadonlyArray<string> =>
  ["pool", "pools"].flatMap((name) => params[name] ?? []).flatMap((value) =>
    typeof value === "string" ? parseAddress(value) ?? [] : []
  )

const refused = (message: string) => new ValidationFailure({ code: "1002", message: `apiKey: this sub-key ${message}` })

const vaultRefusal = (
  { vaults }: SubKeyBounds,
  facts: EndpointFacts,
  params: Params,
  { defaultNetwork }: DirectoryShape
): ValidationFailure | undefined => {
  if (vaults === null || vaultsCheckedLater.has(facts.name)) return undefined
  const named = namedVaults(params)
  // A change that names no vault is about the wallet, or about vaults that only its plan names.
  if (named.length === 0) {
    return facts.class === "readOnly" ? undefined : refused(`is for ${list(vaults)}, and ${facts.name} names no vault`)
  }
  const network = typeof params["network"] === "string" ? params["network"] : facts.network ?? defaultNetwork
  const other = named.map((pool) => `${network as Network}/${pool}`).find((id) => !vaults.some((each) => each === id))
  return other === undefined ? undefined : refused(`is for ${list(vaults)}, and the request is about ${other}`)
}

const list = (names: ReadonlyArray<string>) => names.length === 0 ? "no vault" : names.join(", ")

/** Returns why a sub-key may not make this request from this client address. */
export const refusalOf = (
  key: SubKeyBounds,
  facts: EndpointFacts,
  params: Params,
  { address, directory }: { readonly address: string | undefined; readonly directory: DirectoryShape }
): ValidationFailure | undefined => {
  if (key.sources !== null && (address === undefined || !isIn(key.sources, address))) {
    return refused(`does not count from the address ${address ?? "of this client"}`)
  }
  const scope = requiredScope(facts)
  if (scope === null) return refused(`may not call ${facts.name}; no sub-key may`)
  if (scope !== "read" && !key.scopes.some((each) => each === scope)) {
    return refused(
      `may not call ${facts.name}, which needs the scope ${scope}; it has ${
        key.scopes.length === 0 ? "none and only reads" : key.scopes.join(", ")
      }`
    )
  }
  if (key.endpoints !== null && !key.endpoints.includes(facts.name)) {
    return refused(`may not call ${facts.name}; it may call ${key.endpoints.join(", ")}`)
  }
  return vaultRefusal(key, facts, params, directory)
}
