/** Managers as they are outside: an account that signs what `/signingPayload` answers. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import type { TypedDataDefinition } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { succeeded } from "./Answers.ts"
import { Running } from "./Harness.ts"

export interface Person {
  readonly address: Address
  readonly sign: (typedData: unknown) => Effect.Effect<Hex>
}

/** An account nobody else has. */
export const person: Effect.Effect<Person> = Effect.sync(() => {
  const account = privateKeyToAccount(generatePrivateKey())
  return {
    address: account.address.toLowerCase() as Address,
    sign: (typedData) => Effect.promise(() => account.signTypedData(typedData as TypedDataDefinition))
  }
})

/** The `signature` of a manager over an action, made by `by`; `around` wraps what the account signed. */
export const signature = (
  { action, around = (signed) => signed, by, manager, subject = manager }: {
    readonly action: string
    readonly manager: Address
    readonly subject?: string
    readonly by: Person
    readonly around?: (signed: Hex) => Hex
  }
) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const { prefix, typed_data } = succeeded(yield* ask("/signingPayload", { query: { action, manager, subject } }))
    return `${String(prefix)}${around(yield* by.sign(typed_data))}`
  })

/** What an account proves itself by: the two parameters. */
export const proof = (by: Person, action: string, subject?: string) =>
  Effect.map(signature({ action, by, manager: by.address, ...(subject === undefined ? {} : { subject }) }), (signed) => ({
    manager: by.address,
    signature: signed
  }))
