/** Runs a sequence of requests against the service, and compares each answer with the model's. */
import * as Effect from "effect/Effect"
import { type Command, managerNames, type WalletName } from "./AuthorityCommand.ts"
import { isPossible, step } from "./AuthorityModel.ts"
import { perform } from "./AuthorityRequests.ts"
import { type Fields, post, type Scene, scene, type Wallet, walletOf } from "./AuthorityScene.ts"
import type { AuthorityService } from "./AuthorityService.ts"
import { initial, isUnlimited, type State } from "./AuthorityState.ts"

/** A difference between the service and the model. */
export interface Difference {
  readonly at: number
  readonly command: Command
  readonly message: string
}

/** Returns the authority over a wallet as getWalletAuthority shows it to the holder of the private key. */
const shownAuthority = (scene: Scene, wallet: Wallet) =>
  Effect.map(post("/getWalletAuthority", { privateKey: wallet.privateKey }), ({ response }) => {
    const managers = response["managers"] as ReadonlyArray<
      { readonly manager: string; readonly network: string | null }
    >
    const limits = response["limits"] as Fields | null
    const nameOf = (address: unknown) => managerNames.find((name) => scene.signers[name].address === address) ?? null
    const networkOf = (vault: string) => vault.split("/")[0]
    return JSON.stringify({
      managers: managers.map(({ manager, network }) => `${nameOf(manager)} ${network}`).sort(),
      tokens: (response["webhook_tokens"] as ReadonlyArray<{ readonly network: string }>).length > 0,
      subKeys: (response["sub_keys"] as ReadonlyArray<Fields>).length > 0,
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
const expectedAuthority = (state: State, name: WalletName): string => {
  const wallet = state.wallets.get(name)
  if (wallet === undefined) throw new Error(`there is no ${name} wallet`)
  const { limits, limitsBy, lists, subKey, tokens } = wallet
  return JSON.stringify({
    managers: lists.map(({ manager, network }) => `${manager} ${network}`).sort(),
    tokens: tokens.size > 0,
    subKeys: subKey !== null,
    limits: isUnlimited(limits)
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
const authorityDifference = (place: Scene, state: State) =>
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
  commands: ReadonlyArray<Command>,
  count: (command: Command, allowed: boolean) => void = () => undefined
): Effect.Effect<Difference | undefined, never, AuthorityService> =>
  Effect.gen(function*() {
    const place = yield* scene
    const state = initial()
    let last: Omit<Difference, "message"> | undefined
    return yield* Effect.ensuring(
      Effect.gen(function*() {
        for (const [at, command] of commands.entries()) {
          if (!isPossible(state, command)) continue
          const { allowed, response } = yield* perform(place, command)
          const expected = step(state, command)
          const said = JSON.stringify(
            response,
            (_, value: unknown) => typeof value === "bigint" ? String(value) : value
          )
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
