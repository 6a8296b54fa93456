/** The fixture of a run: a chain, wallets whose keys the runners hold, and the vaults they trade for. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import * as TestChain from "../test-chain/TestChain.ts"
import type { Secp256k1 } from "@vault-trader/workers/gas-wallet/Secp256k1"
import * as Signer from "@vault-trader/workers/gas-wallet/Signer"
import { SigningPolicy } from "@vault-trader/workers/gas-wallet/SigningPolicy"
import * as EffectArray from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import type { SeededRandom } from "@vault-trader/app/SeededRandom"
import * as Decoding from "./Decoding.ts"
import { kek } from "./Runner.ts"

export const network = "base" as const

/** Receives the payments for charges, in runs that have a treasury. */
export const treasury: Address = "0x7ea5000000000000000000000000000000000009"

export interface Wallet {
  readonly address: Address
  readonly keyId: string
  readonly privateKey: Hex
}

export interface Fixture {
  readonly chain: TestChain.TestChain
  readonly wallets: EffectArray.NonEmptyReadonlyArray<Wallet>
  readonly vaults: ReadonlyArray<{ readonly pool: Address; readonly wallet: Wallet }>
}

const keyOf = (seed: number, index: number): string =>
  (BigInt(seed) * 1000n + BigInt(index) + 1n).toString(16).padStart(64, "0")

const wallet = (key: string) =>
  Effect.gen(function*() {
    const signer = yield* Signer.Signer
    const keys = yield* ApiKeyStore
    const imported = yield* signer.importKey(Redacted.make(key))
    if (imported._tag === "None") return yield* Effect.die(new Error("not a key"))
    // The key is new: no chain has a transaction of it.
    const sql = yield* SqlClient.SqlClient
    yield* sql`update gas_wallets set imported = false where address = ${imported.value}`
    const { keyId } = yield* keys.issue({ wallet: imported.value, digest: key, lastFour: key.slice(-4) })
    return { address: imported.value, keyId, privateKey: `0x${key}` } satisfies Wallet
  })

const stores = Layer.mergeAll(GasWalletStore.layer, ApiKeyStore.layer)
const signing = Signer.Signer.layer(kek).pipe(Layer.provide(SigningPolicy.nothing), Layer.provideMerge(stores))

/** Builds one to three wallets with ample gas, and one to four vaults that hold USDC and WETH. */
export const make = (
  seed: number,
  chance: SeededRandom,
  curve: Secp256k1
): Effect.Effect<Fixture, never, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const chain = yield* TestChain.make({ network, seed, decoder: Decoding.decoder(curve) })
    const wallets = yield* Effect.forEach(
      EffectArray.makeBy(1 + chance.below(3), (index) => keyOf(seed, index)),
      wallet
    ).pipe(
      Effect.provide(signing),
      Effect.orDie
    )
    for (const { address } of wallets) yield* chain.setBalance(address, 10n ** 19n)
    const vaults: Array<Fixture["vaults"][number]> = []
    for (let index = 0; index < 1 + chance.below(4); index++) {
      const owner = wallets[index % wallets.length] ?? wallets[0]
      const { pool } = yield* chain.createVault({
        manager: "0x00000000000000000000000000000000000000aa",
        trader: owner.address,
        holdings: { USDC: 1_000_000n * 10n ** 6n, WETH: 300n * 10n ** 18n }
      })
      vaults.push({ pool, wallet: owner })
    }
    return { chain, wallets, vaults }
  })
