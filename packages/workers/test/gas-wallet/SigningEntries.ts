/** Entries of the signing record for tests. */
import type { Address, Hash, Hex } from "@vault-trader/core/chain/Address"
import * as Crypto from "node:crypto"
import type { SigningEntry } from "../../src/gas-wallet/SigningEntry.ts"

export const wallet: Address = "0x00000000000000000000000000000000000000aa"
export const vault: Address = "0x00000000000000000000000000000000000000bb"

/** Returns a hash that follows from a text. */
export const hashOf = (text: string): Hash => `0x${Crypto.createHash("sha256").update(text).digest("hex")}`

/** Returns a call of the wallet to the vault; its hash follows from its fields and from `attempt`. */
export const entry = (changes: Partial<SigningEntry> = {}, attempt = 0): SigningEntry => {
  const data: Hex = "0x12ab"
  const call = {
    ...{ chainId: 8453, wallet, nonce: 0n, key: "intent/0", kind: "call" as const, to: vault, data, value: 1n },
    ...changes
  }
  const fields = [call.chainId, call.wallet, call.nonce, call.key, call.kind, call.to, call.data, call.value, attempt]
  return {
    plan: { calls: [{ to: call.to }] },
    raw: "0x02f8",
    validUntil: null,
    ...call,
    hash: changes.hash ?? hashOf(fields.join("/"))
  }
}

/** Returns the empty transaction that cancels an entry. */
export const cancelOf = (one: SigningEntry, attempt = 0): SigningEntry =>
  entry({
    ...one,
    kind: "cancel",
    to: one.wallet,
    data: "0x",
    value: 0n,
    plan: null,
    hash: hashOf(`${one.hash}${attempt}`)
  })
