/** The people, wallets and vaults of one sequence, and the requests that they send. */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { TypedDataDefinition } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import {
  type Freshness,
  type KeyName,
  type ManagerName,
  type NetworkName,
  networkNames,
  type Signature,
  type WalletName
} from "./AuthorityCommand.ts"
import { AuthorityService, type Called } from "./AuthorityService.ts"
import { vaultManagers } from "./AuthorityState.ts"

export type Fields = Readonly<Record<string, unknown>>

/** The outcome of a request: allowed or refused, and the response. */
export interface Outcome {
  readonly allowed: boolean
  readonly response: Fields
}

/** A key pair that signs, and the address that it signs for. */
interface Signer {
  readonly account: ReturnType<typeof privateKeyToAccount>
  /** The manager's address: the account's own, or the contract wallet's. */
  readonly address: Address
}

export interface Wallet {
  readonly address: Address
  readonly privateKey: string
  apiKey: string
  revokedKey: string
  /** The sub-key that was made last; a random key before the first. */
  subKey: string
  readonly tokens: Map<NetworkName, string>
}

export const chainIds: Readonly<Record<NetworkName, number>> = { base: 8453, polygon: 137 }
const randomAddress = (): Address =>
  `0x${Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => byte.toString(16).padStart(2, "0")).join("")}`

/** The people, wallets and vaults of one sequence, unknown to all other sequences. */
export const scene = Effect.map(AuthorityService, ({ world }) => {
  const signer = (): Signer => {
    const account = privateKeyToAccount(generatePrivateKey())
    return { account, address: account.address.toLowerCase() as Address }
  }
  const contractOwner = signer()
  const contract = randomAddress()
  world.contracts.set(contract, { network: "polygon", address: contract, owner: contractOwner.address })
  const signers: Readonly<Record<ManagerName, Signer>> = {
    owner: signer(),
    thief: signer(),
    contract: { account: contractOwner.account, address: contract }
  }
  const pools: Readonly<Record<NetworkName, Address>> = { base: randomAddress(), polygon: randomAddress() }
  const setTrader = (network: NetworkName, trader: Address | null) =>
    world.vaults.set(`${network}/${pools[network]}`, {
      manager: signers[vaultManagers[network]].address,
      trader
    })
  for (const network of networkNames) setTrader(network, null)
  return {
    signers,
    pools,
    setTrader,
    wallets: new Map<WalletName, Wallet>(),
    cookies: new Map<ManagerName, string>(),
    /** Removes the sequence's part of the world. */
    clear: () => {
      world.contracts.delete(contract)
      for (const network of networkNames) world.vaults.delete(`${network}/${pools[network]}`)
    }
  }
})
export type Scene = Effect.Success<typeof scene>

export const walletOf = ({ wallets }: Scene, name: WalletName): Wallet => {
  const found = wallets.get(name)
  if (found === undefined) throw new Error(`there is no ${name} wallet`)
  return found
}

export const keyOf = (wallet: Wallet, key: KeyName): string =>
  key === "current" ? wallet.apiKey : key === "revoked" ? wallet.revokedKey : crypto.randomUUID()

export const defined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))

/** Returns an API response as an outcome. A server error is neither allowed nor refused. */
export const post = (path: string, body: Fields) =>
  Effect.flatMap(AuthorityService, (service) =>
    Effect.map(service.post(path, body), ({ fields, status }): Outcome => {
      if (status >= 500) throw new Error(`${path} answered ${status}: ${JSON.stringify(fields)}`)
      return { allowed: fields["status"] !== "fail", response: fields }
    }))

/** Returns a console call's result as an outcome. */
const outcomeOf = (called: Called): Outcome =>
  called._tag === "done"
    ? { allowed: true, response: { value: called.value } }
    : { allowed: false, response: { message: called.message } }

export const call = (scene: Scene, manager: ManagerName, tag: string, payload: Fields) =>
  Effect.flatMap(
    AuthorityService,
    (service) => Effect.map(service.call(scene.cookies.get(manager) ?? "", tag, payload), outcomeOf)
  )

/** Sends a request that a manager signs; an allowed change must be refused when it is sent again. */
export const postSigned = (
  scene: Scene,
  action: string,
  { manager, network, signer }: Signature,
  subject: Address,
  params: Fields
) =>
  Effect.gen(function*() {
    const service = yield* AuthorityService
    const { address } = scene.signers[manager]
    const request = defined({ ...params, network: params["network"] ?? network, manager: address })
    const { fields } = yield* service.post("/signingPayload", { action, manager: address, subject, params: request })
    const signed = yield* Effect.promise(() =>
      scene.signers[signer].account.signTypedData(fields["typed_data"] as TypedDataDefinition)
    )
    const body = { ...request, signature: `${String(fields["prefix"])}${signed}` }
    const outcome = yield* post(`/${action}`, body)
    if (outcome.allowed && action !== "getWalletAuthority" && (yield* post(`/${action}`, body)).allowed) {
      throw new Error(`${action} accepted the same signature twice`)
    }
    return outcome
  })

/** Makes a console call that needs the manager's signature. */
export const callSigned = (
  scene: Scene,
  { freshness, manager, signer }: { readonly freshness: Freshness } & Pick<Signature, "manager" | "signer">,
  action: Fields & { readonly action: string; readonly wallet?: unknown },
  other: Address
) =>
  Effect.gen(function*() {
    const { action: tag, ...payload } = action
    const asked = freshness === "otherAction"
      ? { action: tag === "rotateKey" ? "resumeWallet" : "rotateKey", wallet: other }
      : action
    const prepared = yield* call(scene, manager, "toSign", asked)
    const value = prepared.response["value"] as { readonly prefix: string; readonly typedData: unknown } | undefined
    const signature = freshness === "none" || value === undefined
      ? ""
      : `${value.prefix}${yield* Effect.promise(() =>
        scene.signers[signer].account.signTypedData(value.typedData as TypedDataDefinition)
      )}`
    const request = { ...payload, signature: Redacted.make(signature) }
    const outcome = yield* call(scene, manager, tag, request)
    if (outcome.allowed && (yield* call(scene, manager, tag, request)).allowed) {
      throw new Error(`${tag} accepted the same signature twice`)
    }
    return outcome
  })
