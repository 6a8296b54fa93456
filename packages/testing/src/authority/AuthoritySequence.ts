/** Runs a sequence of requests against the service, and compares each answer with the model's. */
import type { Address } from "@vault-trader/core/chain/Address"
import * as KeyLimits from "@vault-trader/core/gas-wallet/KeyLimits"
import { botScope, walletScope } from "@vault-trader/core/gas-wallet/KillSwitch"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import type { TypedDataDefinition } from "viem"
import * as Model from "./AuthorityModel.ts"
import { AuthorityService, type Called } from "./AuthorityService.ts"

type Fields = Readonly<Record<string, unknown>>

/** What became of a request: allowed or refused, and the response. */
interface Outcome {
  readonly allowed: boolean
  readonly response: Fields
}

/** A key pair that signs, and the address that it signs for. */
interface Signer {
  readonly account: ReturnType<typeof privateKeyToAccount>
  /** The manager's address: the account's own, or the contract wallet's. */
  readonly address: Address
}

interface Wallet {
  readonly address: Address
  readonly privateKey: string
  apiKey: string
  revokedKey: string
  readonly tokens: Map<Model.NetworkName, string>
}

/** A difference between the service and the model. */
export interface Difference {
  readonly at: number
  readonly command: Model.Command
  readonly message: string
}

const chainIds: Readonly<Record<Model.NetworkName, number>> = { base: 8453, polygon: 137 }
const randomAddress = () =>
  `0x${
    Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => byte.toString(16).padStart(2, "0")).join("")
  }` as Address

/** The people, wallets and vaults of one sequence, unknown to all other sequences. */
const scene = Effect.map(AuthorityService, ({ world }) => {
  const signer = (): Signer => {
    const account = privateKeyToAccount(generatePrivateKey())
    return { account, address: account.address.toLowerCase() as Address }
  }
  const contractOwner = signer()
  const contract = randomAddress()
  world.contracts.set(contract, { network: "polygon", address: contract, owner: contractOwner.address })
  const signers: Readonly<Record<Model.ManagerName, Signer>> = {
    owner: signer(),
    thief: signer(),
    contract: { account: contractOwner.account, address: contract }
  }
  const pools: Readonly<Record<Model.NetworkName, Address>> = { base: randomAddress(), polygon: randomAddress() }
  const setTrader = (network: Model.NetworkName, trader: Address | null) =>
    world.vaults.set(`${network}/${pools[network]}`, {
      manager: signers[Model.vaultManagers[network]].address,
      trader
    })
  for (const network of Model.networkNames) setTrader(network, null)
  return {
    signers,
    pools,
    setTrader,
    wallets: new Map<Model.WalletName, Wallet>(),
    cookies: new Map<Model.ManagerName, string>(),
    /** Removes the sequence's part of the world. */
    clear: () => {
      world.contracts.delete(contract)
      for (const network of Model.networkNames) world.vaults.delete(`${network}/${pools[network]}`)
    }
  }
})
type Scene = Effect.Success<typeof scene>

const walletOf = ({ wallets }: Scene, name: Model.WalletName): Wallet => {
  const found = wallets.get(name)
  if (found === undefined) throw new Error(`there is no ${name} wallet`)
  return found
}

const keyOf = (wallet: Wallet, key: Model.KeyName): string =>
  key === "current" ? wallet.apiKey : key === "revoked" ? wallet.revokedKey : crypto.randomUUID()

const defined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))

/** Returns an API response as an outcome. A server error is neither allowed nor refused. */
const post = (path: string, body: Fields) =>
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

const call = (scene: Scene, manager: Model.ManagerName, tag: string, payload: Fields) =>
  Effect.flatMap(
    AuthorityService,
    (service) => Effect.map(service.call(scene.cookies.get(manager) ?? "", tag, payload), outcomeOf)
  )

/** Sends a request that a manager signs; an allowed change must be refused when it is sent again. */
const postSigned = (
  scene: Scene,
  action: string,
  { manager, network, signer }: Model.Signature,
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
const callSigned = (
  scene: Scene,
  { freshness, manager, signer }: { readonly freshness: Model.Freshness } & Pick<Model.Signature, "manager" | "signer">,
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

const limitParams = ({ pools }: Scene, { readOnly, usdPerDay, vaults }: Model.Limits): Fields => ({
  vaults: vaults === null ? ["any"] : vaults.map((network) => `${network}/${pools[network]}`),
  max_usd_per_day: usdPerDay === null ? "off" : String(usdPerDay),
  read_only: readOnly
})

/** Sends a request as the wallet, by a key, a session, or a token in place of a key. */
const act = (
  scene: Scene,
  by: Model.By,
  wallet: Wallet,
  endpoint: string,
  { body, payload = body }: { readonly body: Fields; readonly payload?: Fields }
) =>
  by._tag === "session"
    ? call(scene, by.manager, `wallet.${endpoint}`, { ...payload, wallet: wallet.address })
    : post(`/${endpoint}`, {
      ...body,
      apiKey: by._tag === "key" ? keyOf(wallet, by.key) : [...wallet.tokens.values()][0] ?? "whk_none"
    })

/** Sends a request about a vault. */
const write = (scene: Scene, command: Extract<Model.Command, { readonly _tag: "trade" | "link" | "createToken" | "setBot" }>) =>
  Effect.gen(function*() {
    const { by, network } = command
    const wallet = walletOf(scene, command.wallet)
    const about = { network, pool: scene.pools[network] }
    switch (command._tag) {
      case "trade": {
        const terms = { ...about, from: "USDC", to: "DAI" }
        return yield* act(scene, by, wallet, "vaultTrade", {
          body: { ...terms, amount: "1" },
          payload: { ...terms, amount: BigDecimal.fromStringUnsafe("1") }
        })
      }
      case "link":
        return yield* act(scene, by, wallet, "linkGasWallet", { body: about })
      case "setBot":
        return yield* act(scene, by, wallet, "setBot", { body: { ...about, pair: "WETH-USDC", side: "hold" } })
      case "createToken": {
        const outcome = yield* act(scene, by, wallet, "createWebhookToken", { body: { ...about, pair: "WETH-USDC" } })
        if (!outcome.allowed) return outcome
        const value = outcome.response["value"] as { readonly token: Redacted.Redacted<string> } | undefined
        wallet.tokens.set(
          network,
          value === undefined ? String(outcome.response["token"]) : Redacted.value(value.token)
        )
        return outcome
      }
    }
  })

/** Sends a request that accepts every proof. */
const prove = (
  scene: Scene,
  by: Exclude<Extract<Model.Command, { readonly _tag: "read" }>["by"], never>,
  wallet: Wallet,
  endpoint: string,
  params: Fields
) =>
  by._tag === "signature"
    ? postSigned(scene, endpoint, by, wallet.address, { ...params, wallet: wallet.address })
    : by._tag === "key"
    ? post(`/${endpoint}`, { ...params, apiKey: keyOf(wallet, by.key) })
    : post(`/${endpoint}`, {
      ...params,
      wallet: wallet.address,
      privateKey: by.isOwn ? wallet.privateKey : generatePrivateKey().slice(2)
    })

const associate = (scene: Scene, command: Extract<Model.Command, { readonly _tag: "associate" }>) => {
  const wallet = walletOf(scene, command.wallet)
  const apiKey = keyOf(wallet, command.key)
  const privateKey = command.privateKey === "none"
    ? undefined
    : command.privateKey === "own"
    ? wallet.privateKey
    : generatePrivateKey().slice(2)
  return command.by._tag === "signature"
    ? postSigned(scene, "associateGasWallet", command.by, wallet.address, defined({ apiKey, privateKey }))
    : callSigned(scene, command.by, {
      action: "associateWallet",
      apiKey: Redacted.make(apiKey),
      privateKey: privateKey === undefined ? null : Redacted.make(privateKey),
      label: null
    }, wallet.address)
}

const create = (scene: Scene, { by, wallet: name }: Extract<Model.Command, { readonly _tag: "create" }>) =>
  Effect.gen(function*() {
    const outcome = by === null ? yield* post("/createGasWallet", {}) : yield* call(scene, by, "createWallet", { label: null })
    if (!outcome.allowed) return outcome
    const made = outcome.response["value"] as {
      readonly address: Address
      readonly apiKey: Redacted.Redacted<string>
      readonly privateKey: Redacted.Redacted<string>
    } | undefined
    scene.wallets.set(name, {
      address: made === undefined ? String(outcome.response["address"]) as Address : made.address,
      apiKey: made === undefined ? String(outcome.response["apiKey"]) : Redacted.value(made.apiKey),
      privateKey: made === undefined ? String(outcome.response["private_key"]) : Redacted.value(made.privateKey),
      revokedKey: crypto.randomUUID(),
      tokens: new Map()
    })
    return outcome
  })

const replaceKey = (wallet: Wallet, apiKey: string) => {
  wallet.revokedKey = wallet.apiKey
  wallet.apiKey = apiKey
}

const rotateInConsole = (scene: Scene, command: Extract<Model.Command, { readonly _tag: "rotateInConsole" }>) =>
  Effect.gen(function*() {
    const wallet = walletOf(scene, command.wallet)
    const action = { action: "rotateKey", wallet: wallet.address }
    const outcome = yield* callSigned(scene, command.by, action, wallet.address)
    if (outcome.allowed) replaceKey(wallet, Redacted.value(outcome.response["value"] as Redacted.Redacted<string>))
    return outcome
  })

const rotate = (scene: Scene, { keep, wallet: name }: Extract<Model.Command, { readonly _tag: "rotate" }>) =>
  Effect.gen(function*() {
    const wallet = walletOf(scene, name)
    const outcome = yield* post("/getNewApiKey", { privateKey: wallet.privateKey, keep })
    replaceKey(wallet, String(outcome.response["apiKey"]))
    return outcome
  })

const done: Outcome = { allowed: true, response: {} }

const limit = (scene: Scene, { by, limits, wallet: name }: Extract<Model.Command, { readonly _tag: "limit" }>) =>
  Effect.gen(function*() {
    const wallet = walletOf(scene, name)
    const params = limitParams(scene, limits)
    if (by._tag === "key") return yield* post("/setKeyLimits", { ...params, apiKey: keyOf(wallet, by.key) })
    if (by._tag === "signature") {
      return yield* postSigned(scene, "setKeyLimits", by, wallet.address, { ...params, wallet: wallet.address })
    }
    const { operator } = yield* AuthorityService
    yield* operator.limit(
      wallet.address,
      KeyLimits.KeyLimits.make({
        vaults: limits.vaults?.map((network) => KeyLimits.vaultId(network, scene.pools[network])) ?? null,
        maxUsd18PerTrade: null,
        maxUsd18PerDay: limits.usdPerDay === null ? null : BigInt(limits.usdPerDay) * 10n ** 18n,
        readOnly: limits.readOnly
      })
    )
    return done
  })

const stop = (scene: Scene, { by, scope, wallet: name }: Extract<Model.Command, { readonly _tag: "stop" }>) =>
  Effect.gen(function*() {
    const wallet = walletOf(scene, name)
    const where = scope === "wallet" ? walletScope(wallet.address) : botScope(scope, scene.pools[scope])
    if (by._tag === "operator") {
      yield* (yield* AuthorityService).operator.pause(where)
      return done
    }
    const body = scope === "wallet" ? {} : { network: scope, pool: scene.pools[scope] }
    return yield* act(scene, by, wallet, scope === "wallet" ? "pauseWallet" : "pauseBot", { body })
  })

const resume = (scene: Scene, { by, scope, wallet: name }: Extract<Model.Command, { readonly _tag: "resume" }>) =>
  Effect.gen(function*() {
    const wallet = walletOf(scene, name)
    const where = scope === "wallet" ? walletScope(wallet.address) : botScope(scope, scene.pools[scope])
    if (by._tag === "operator") {
      yield* (yield* AuthorityService).operator.resume(where)
      return done
    }
    const endpoint = scope === "wallet" ? "resumeWallet" : "resumeBot"
    const about = scope === "wallet" ? {} : { network: scope, pool: scene.pools[scope] }
    if (by._tag === "console") {
      return yield* callSigned(scene, by, { action: endpoint, wallet: wallet.address, ...about }, wallet.address)
    }
    const proof = by._tag === "signature" ? { ...by, network: scope === "wallet" ? null : scope } : by
    return yield* prove(scene, proof, wallet, endpoint, about)
  })

const remove = (scene: Scene, { by, wallet: name }: Extract<Model.Command, { readonly _tag: "remove" }>) => {
  const { address } = walletOf(scene, name)
  return by._tag === "session"
    ? call(scene, by.manager, "manager.deassociateGasWallet", { wallet: address })
    : postSigned(scene, "deassociateGasWallet", by, address, { wallet: address })
}

const signIn = (scene: Scene, { chain, manager, signer }: Extract<Model.Command, { readonly _tag: "signIn" }>) =>
  Effect.gen(function*() {
    const service = yield* AuthorityService
    const { account } = scene.signers[signer]
    const { address } = scene.signers[manager]
    const by = { address, signText: (message: string) => Effect.promise(() => account.signMessage({ message })) }
    const cookie = yield* service.signIn(address, by, chainIds[chain])
    if (cookie !== "") scene.cookies.set(manager, cookie)
    return { allowed: cookie !== "", response: {} }
  })

/** Carries out a command and returns its outcome. */
const perform = (scene: Scene, command: Model.Command): Effect.Effect<Outcome, never, AuthorityService> => {
  switch (command._tag) {
    case "create":
      return create(scene, command)
    case "signIn":
      return signIn(scene, command)
    case "associate":
      return associate(scene, command)
    case "rotate":
      return rotate(scene, command)
    case "rotateInConsole":
      return rotateInConsole(scene, command)
    case "limit":
      return limit(scene, command)
    case "trade":
    case "link":
    case "createToken":
    case "setBot":
      return write(scene, command)
    case "alert": {
      const token = walletOf(scene, command.wallet).tokens.get(command.network) ?? `whk_${"00".repeat(32)}`
      return post(`/webhook/${token}`, { side: "hold" })
    }
    case "stop":
      return stop(scene, command)
    case "resume":
      return resume(scene, command)
    case "remove":
      return remove(scene, command)
    case "setTrader":
      return Effect.sync(() => {
        scene.setTrader(command.network, command.trader === null ? null : walletOf(scene, command.trader).address)
        return done
      })
    case "read":
      return prove(scene, command.by, walletOf(scene, command.wallet), "getWalletAuthority", {})
  }
}

/** Returns the authority over a wallet as getWalletAuthority shows it to the holder of the private key. */
const shownAuthority = (scene: Scene, wallet: Wallet) =>
  Effect.map(post("/getWalletAuthority", { privateKey: wallet.privateKey }), ({ response }) => {
    const managers = response["managers"] as ReadonlyArray<{ readonly manager: string; readonly network: string | null }>
    const limits = response["limits"] as Fields | null
    const nameOf = (address: unknown) =>
      Model.managerNames.find((name) => scene.signers[name].address === address) ?? null
    const networkOf = (vault: string) => vault.split("/")[0]
    return JSON.stringify({
      managers: managers.map(({ manager, network }) => `${nameOf(manager)} ${network}`).sort(),
      tokens: (response["webhook_tokens"] as ReadonlyArray<{ readonly network: string }>).length > 0,
      limits: limits === null
        ? null
        : {
          vaults: (limits["vaults"] as ReadonlyArray<string> | null)?.map(networkOf).sort() ?? null,
          usdPerDay: limits["max_usd_per_day"] === null ? null : Number(limits["max_usd_per_day"]),
          readOnly: limits["read_only"],
          setBy: nameOf(limits["set_by"])
        }
    })
  })

/** Returns the authority over a wallet as the model has it, in the same form. */
const expectedAuthority = (state: Model.State, name: Model.WalletName): string => {
  const wallet = state.wallets.get(name)
  if (wallet === undefined) throw new Error(`there is no ${name} wallet`)
  const { limits, limitsBy, lists, tokens } = wallet
  return JSON.stringify({
    managers: lists.map(({ manager, network }) => `${manager} ${network}`).sort(),
    tokens: tokens.size > 0,
    limits: Model.isUnlimited(limits)
      ? null
      : {
        vaults: limits.vaults === null ? null : [...limits.vaults].sort(),
        usdPerDay: limits.usdPerDay,
        readOnly: limits.readOnly,
        setBy: limitsBy
      }
  })
}

/** Compares the authority over each wallet, as the service shows it, with the model's. */
const authorityDifference = (place: Scene, state: Model.State) =>
  Effect.gen(function*() {
    for (const name of state.wallets.keys()) {
      const shown = yield* shownAuthority(place, walletOf(place, name))
      const expected = expectedAuthority(state, name)
      if (shown !== expected) return `authority over the ${name} wallet: ${shown} instead of ${expected}`
    }
    return undefined
  })

/**
 * Carries out a sequence; returns the first difference from the model, or undefined. `count` is called with each request
 * and the model's answer.
 */
export const run = (
  commands: ReadonlyArray<Model.Command>,
  count: (command: Model.Command, allowed: boolean) => void = () => undefined
): Effect.Effect<Difference | undefined, never, AuthorityService> =>
  Effect.gen(function*() {
    const place = yield* scene
    const state = Model.initial()
    let last: Omit<Difference, "message"> | undefined
    return yield* Effect.ensuring(
      Effect.gen(function*() {
        for (const [at, command] of commands.entries()) {
          if (!Model.isPossible(state, command)) continue
          const { allowed, response } = yield* perform(place, command)
          const expected = Model.step(state, command)
          const said = JSON.stringify(response, (_, value: unknown) => typeof value === "bigint" ? String(value) : value)
          if (allowed !== expected) {
            return { at, command, message: `the model says ${expected ? "may" : "may not"}; the service: ${said}` }
          }
          count(command, allowed)
          last = { at, command }
        }
        const message = yield* authorityDifference(place, state)
        return message === undefined || last === undefined ? undefined : { ...last, message }
      }),
      Effect.sync(place.clear)
    )
  })
