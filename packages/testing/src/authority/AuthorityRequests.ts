/** Sends the requests of the authority model to the service. */
import type { Address } from "@vault-trader/core/chain/Address"
import * as KeyLimits from "@vault-trader/core/gas-wallet/KeyLimits"
import { botScope, walletScope } from "@vault-trader/core/gas-wallet/SwitchScope"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { generatePrivateKey } from "viem/accounts"
import type { By, Command, Limits, Of, Proof } from "./AuthorityCommand.ts"
import {
  call,
  callSigned,
  chainIds,
  defined,
  type Fields,
  keyOf,
  type Outcome,
  post,
  postSigned,
  type Scene,
  type Wallet,
  walletOf
} from "./AuthorityScene.ts"
import { AuthorityService } from "./AuthorityService.ts"
import { keyText, makeSubKey, tradeBySubKey } from "./SubKeyRequests.ts"

const limitParams = ({ pools }: Scene, { readOnly, usdPerDay, vaults }: Limits): Fields => ({
  vaults: vaults === null ? ["any"] : vaults.map((network) => `${network}/${pools[network]}`),
  max_usd_per_day: usdPerDay === null ? "off" : String(usdPerDay),
  read_only: readOnly
})

/** Sends a request as the wallet, by a key, a sub-key, a session, or a token in place of a key. */
const act = (
  scene: Scene,
  by: By,
  wallet: Wallet,
  endpoint: string,
  { body, payload = body }: { readonly body: Fields; readonly payload?: Fields }
) =>
  by._tag === "session"
    ? call(scene, by.manager, `wallet.${endpoint}`, { ...payload, wallet: wallet.address })
    : post(`/${endpoint}`, {
      ...body,
      apiKey: by._tag === "token" ? [...wallet.tokens.values()][0] ?? "whk_none" : keyText(wallet, by)
    })

/** Sends a request about a vault. */
const write = (scene: Scene, command: Of<"trade" | "link" | "createToken" | "setBot">) =>
  Effect.gen(function*() {
    const { by, network } = command
    const wallet = walletOf(scene, command.wallet)
    const about = { network, pool: scene.pools[network] }
    switch (command._tag) {
      case "trade": {
        const terms = { ...about, from: "USDC", to: "DAI" }
        if (by._tag === "subKey") return yield* tradeBySubKey(wallet, terms)
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
  by: Proof,
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

const associate = (scene: Scene, command: Of<"associate">) => {
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

const create = (scene: Scene, { by, wallet: name }: Of<"create">) =>
  Effect.gen(function*() {
    const outcome = by === null
      ? yield* post("/createGasWallet", {})
      : yield* call(scene, by, "createWallet", { label: null })
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
      subKey: crypto.randomUUID(),
      tokens: new Map()
    })
    return outcome
  })

const replaceKey = (wallet: Wallet, apiKey: string) => {
  wallet.revokedKey = wallet.apiKey
  wallet.apiKey = apiKey
}

const rotateInConsole = (scene: Scene, command: Of<"rotateInConsole">) =>
  Effect.gen(function*() {
    const wallet = walletOf(scene, command.wallet)
    const action = { action: "rotateKey", wallet: wallet.address }
    const outcome = yield* callSigned(scene, command.by, action, wallet.address)
    if (outcome.allowed) replaceKey(wallet, Redacted.value(outcome.response["value"] as Redacted.Redacted<string>))
    return outcome
  })

const rotate = (scene: Scene, { keep, wallet: name }: Of<"rotate">) =>
  Effect.gen(function*() {
    const wallet = walletOf(scene, name)
    const outcome = yield* post("/getNewApiKey", { privateKey: wallet.privateKey, keep })
    replaceKey(wallet, String(outcome.response["apiKey"]))
    return outcome
  })

const done: Outcome = { allowed: true, response: {} }

const limit = (scene: Scene, { by, limits, wallet: name }: Of<"limit">) =>
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

const stop = (scene: Scene, { by, scope, wallet: name }: Of<"stop">) =>
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

const resume = (scene: Scene, { by, scope, wallet: name }: Of<"resume">) =>
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

const remove = (scene: Scene, { by, wallet: name }: Of<"remove">) => {
  const { address } = walletOf(scene, name)
  return by._tag === "session"
    ? call(scene, by.manager, "manager.deassociateGasWallet", { wallet: address })
    : postSigned(scene, "deassociateGasWallet", by, address, { wallet: address })
}

const signIn = (scene: Scene, { chain, manager, signer }: Of<"signIn">) =>
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
export const perform = (scene: Scene, command: Command): Effect.Effect<Outcome, never, AuthorityService> => {
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
    case "makeSubKey":
      return makeSubKey(scene, command)
    case "endSubKeys":
      return act(scene, command.by, walletOf(scene, command.wallet), "revokeSubKey", { body: { sub_key_id: "all" } })
    case "expireSubKeys":
      return Effect.flatMap(
        AuthorityService,
        ({ expireSubKeys }) => Effect.as(expireSubKeys(walletOf(scene, command.wallet).address), done)
      )
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
