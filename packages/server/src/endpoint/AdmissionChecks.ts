/** The checks of admission that need an actor or the database. */
import { type Address, parse as parseAddress } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import { explain } from "@vault-trader/core/failure/Explanation"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { vaultId } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { LaneQuarantineStore } from "@vault-trader/core/gas-wallet/LaneQuarantineStore"
import * as RequestDigest from "@vault-trader/core/manager/RequestDigest"
import { Vault, idOf, mayTrade } from "@vault-trader/core/vault/Vault"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { query, read } from "../gate/ActorCall.ts"
import { Directory } from "../gate/ServedNetworks.ts"
import { ManagerProof } from "../manager/ManagerProof.ts"
import { withParamName } from "../vault/NamedAsset.ts"
import { firstUpTo, type Refusal } from "../params/RequestParams.ts"
import { allRanks, readParams } from "./AdmissionRefusals.ts"

type Params = Readonly<Record<string, unknown>>

/** Checks that the vault exists, that it knows the assets, and that the wallet may trade it. */
export const vaultCheck = Effect.gen(function*() {
  const directory = yield* Directory
  const vaults = yield* Vault.client
  return (facts: EndpointFacts, params: Params, refusals: ReadonlyArray<Refusal>, wallet: Address) =>
    Effect.gen(function*() {
      const { network, pool } = readParams(params)
      const where = network ?? facts.network ?? directory.defaultNetwork
      const assets = facts.params
        .filter(({ info, name }) => info.asset && params[name] !== undefined)
        .map(({ info, name }) => ({ info, named: [name, String(params[name])] as const }))
        .filter(({ info, named: [, text] }) => !info.words.includes(text))
        .map(({ named }) => named)
      const rest = firstUpTo(refusals, allRanks)
      const { facts: vault } = yield* read(
        vaults(idOf(where as Network, pool as Address)).describe({
          assets: rest === undefined ? assets.map(([, text]) => text) : []
        }),
        facts.timeoutMillis
      ).pipe(Effect.mapError((failure) => withParamName(failure, assets)))
      if (rest !== undefined) return yield* rest
      if (facts.trader) yield* mayTrade(vault, wallet)
    })
})

/** Checks the key's limits that do not depend on the amount; amount limits are checked during planning. */
export const limitCheck = Effect.gen(function*() {
  const directory = yield* Directory
  const limits = yield* KeyLimitStore
  return (facts: EndpointFacts, params: Params, wallet: Address) => {
    const { idempotency_key, network, pool } = readParams(params)
    return Effect.flatMap(
      query(limits.refusalOfWrite({
        wallet,
        vault: pool === undefined
          ? null
          : vaultId((network ?? facts.network ?? directory.defaultNetwork) as Network, pool as Address),
        idempotencyKey: idempotency_key ?? null
      })),
      Option.match({ onNone: () => Effect.void, onSome: Effect.fail })
    )
  }
})

/** How long the list of quarantined lanes is reused. */
const quarantinesTtl = "1 second"

/** Checks that the wallet signs on the network: nothing is accepted for a quarantined lane. Dry runs need no signature. */
export const quarantineCheck = Effect.gen(function*() {
  const directory = yield* Directory
  const store = yield* LaneQuarantineStore
  const quarantines = yield* Effect.cachedWithTTL(store.list, quarantinesTtl)
  return (facts: EndpointFacts, params: Params, wallet: Address) => {
    const { network } = readParams(params)
    const isOnChain = facts.network !== undefined || facts.params.some(({ name }) => name === "network")
    if (facts.class !== "movesFunds" || !isOnChain || params["dryRun"] === true) return Effect.void
    const where = network ?? facts.network ?? directory.defaultNetwork
    return Effect.flatMap(query(quarantines), (all) => {
      const found = all.find((each) => each.wallet === wallet && each.network === where)
      return found === undefined
        ? Effect.void
        : explain({ _tag: "LaneQuarantined", network: found.network, reason: found.reason, wallet }, "nothingAccepted")
    })
  }
})

/**
 * Verifies that the named manager signed this request, and returns if by a key or by a contract wallet. The last check,
 * because it consumes the signature.
 */
export const signatureCheck = Effect.map(
  ManagerProof,
  ({ verify }) => (facts: EndpointFacts, params: Params, wallet: Address | undefined) => {
    const { manager, network, signature } = readParams(params)
    if (facts.subject === undefined || manager === undefined || signature === undefined) {
      return new ValidationFailure({ code: "1010", message: "Missing required parameters: manager, signature" })
    }
    const named = facts.subject === "apiKey" ? undefined : params[facts.subject]
    const subject = typeof named === "string" ? named : wallet ?? manager
    return Effect.flatMap(RequestDigest.of(facts.params, params), (digest) =>
      verify({
        action: facts.name,
        manager: manager as Address,
        subject: parseAddress(subject) ?? subject,
        params: digest,
        network: network as Network | undefined,
        signature,
        use: facts.class === "readOnly" ? "read" : "once"
      }))
  }
)
