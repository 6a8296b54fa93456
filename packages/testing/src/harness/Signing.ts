/** Managers outside of the service: an account that signs what `/signingPayload` returns. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import type { TypedDataDefinition } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { type Fields, Running } from "./Harness.ts"

export interface Person {
  readonly address: Address
  readonly sign: (typedData: unknown) => Effect.Effect<Hex>
  /** Signs a text, as when signing in. */
  readonly signText: (text: string) => Effect.Effect<Hex>
}

/** Creates a new account. */
export const person: Effect.Effect<Person> = Effect.sync(() => personOf(generatePrivateKey()))

/** Returns the account of a private key. */
export const personOf = (privateKey: Hex): Person => {
  const account = privateKeyToAccount(privateKey)
  return {
    address: account.address.toLowerCase() as Address,
    sign: (typedData) => Effect.promise(() => account.signTypedData(typedData as TypedDataDefinition)),
    signText: (message) => Effect.promise(() => account.signMessage({ message }))
  }
}

/**
 * Returns the `signature` parameter of a manager for an action with these parameters, made by `by`; `around` wraps what
 * the account signed. If the parameters are invalid there is nothing to sign, and the signature is of no account.
 */
export const signature = (
  { action, around = (signed) => signed, by, manager, params = {}, subject }: {
    readonly action: string
    readonly manager: Address
    readonly subject?: string
    readonly params?: Fields
    readonly by: Person
    readonly around?: (signed: Hex) => Hex
  }
) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const { fields } = yield* ask("/signingPayload", {
      json: { action, manager, params, ...(subject === undefined ? {} : { subject }) }
    })
    if (fields["status"] !== "success") return `v2.1800000000.0123456789abcdef.0x${"12".repeat(65)}`
    return `${String(fields["prefix"])}${around(yield* by.sign(fields["typed_data"]))}`
  })

/** Returns the two parameters that prove an account, for a request with these other parameters. */
export const proof = (by: Person, action: string, subject?: string, params: Fields = {}) =>
  Effect.map(
    signature({ action, by, manager: by.address, params, ...(subject === undefined ? {} : { subject }) }),
    (signed) => ({
      manager: by.address,
      signature: signed
    })
  )
