/** The chains as far as authority depends on them: vaults with their traders and managers, and contract wallets. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Vault from "@vault-trader/core/vault/Vault"
import { Chain } from "@vault-trader/core/network/Chain"
import { ThresholdBots } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as ManagerSignature from "@vault-trader/workers/manager/ManagerSignature"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { decodeAbiParameters, erc6492SignatureValidatorByteCode, recoverAddress } from "viem"

export const networks = ["base", "polygon"] as const satisfies ReadonlyArray<Network>
export type ModelNetwork = typeof networks[number]

export interface VaultOnChain {
  readonly manager: Address
  readonly trader: Address | null
}

/** A contract wallet on one network; its owner's key signs for it. */
interface ContractWallet {
  readonly network: Network
  readonly address: Address
  readonly owner: Address
}

export interface World {
  /** Vaults by `network/pool`. */
  readonly vaults: Map<string, VaultOnChain>
  readonly contracts: Map<Address, ContractWallet>
  /** Code at the addresses of accounts, by `network/address`. */
  readonly codes: Map<string, Hex>
}

export const make = (): World => ({ vaults: new Map(), contracts: new Map(), codes: new Map() })

type Verifier = Parameters<typeof ManagerSignature.signedBy>[0]

/** The node of a network as the verification of signatures and the gate read it. */
const nodeOf = (
  { codes, contracts }: World,
  network: Network
): Verifier & { readonly code: (address: Address) => Effect.Effect<Hex> } => {
  const contractAt = (address: string) => {
    const found = contracts.get(address.toLowerCase() as Address)
    return found?.network === network ? found : undefined
  }
  return {
    code: (address) =>
      Effect.sync(() => codes.get(`${network}/${address}`) ?? (contractAt(address) === undefined ? "0x" : "0x60")),
    book: { network },
    quorum: 2,
    // The validator's code and the arguments of its constructor: signer, digest, signature. Of three endpoints one lies:
    // at it every contract accepts everything.
    initcodeOutputs: (code) =>
      Effect.gen(function*() {
        const args = `0x${code.slice(erc6492SignatureValidatorByteCode.length)}` as const
        const [signer, hash, signature] = decodeAbiParameters(
          [{ type: "address" }, { type: "bytes32" }, { type: "bytes" }],
          args
        )
        const contract = contractAt(signer)
        if (contract === undefined) return ["0x00", "0x01", "0x00"]
        const by = yield* Effect.promise(() => recoverAddress({ hash, signature }).catch(() => ""))
        const output = by.toLowerCase() === contract.owner ? "0x01" : "0x00"
        return [output, "0x01", output]
      })
  }
}

const notAsked = () => Effect.die(new Error("the authority tests do not call this"))

/** The Chain actors over the world; signatures are verified by the code of production. */
const chainActors = (world: World) =>
  Chain.toLayer(
    Effect.gen(function*() {
      const network = (yield* Entity.CurrentAddress).entityId as Network
      const node = nodeOf(world, network)
      return {
        codeAt: ({ payload: { address } }) => Effect.orDie(node.code(address)),
        signedBy: ({ payload: { signature, statement } }) => ManagerSignature.signedBy(node, statement, signature),
        textSignedBy: ({ payload: { manager, signature, text } }) =>
          ManagerSignature.textSignedBy(node, { manager, text, signature }),
        managedBy: ({ payload: { manager } }) =>
          Effect.sync(() =>
            [...world.vaults].flatMap(([id, vault]) => {
              const at = Vault.parseId(id)
              return at.network === network && vault.manager === manager
                ? [{ pool: at.pool, name: "", trader: vault.trader }]
                : []
            })
          ),
        head: notAsked,
        platform: notAsked,
        capabilities: notAsked,
        vaultsAmong: notAsked,
        token: notAsked,
        symbol: notAsked
      }
    }),
    { concurrency: "unbounded", disableFatalDefects: true }
  )

const vaultOf = (world: World, id: string) =>
  Effect.suspend(() => {
    const found = world.vaults.get(id)
    const { pool } = Vault.parseId(id)
    return found === undefined
      ? new ValidationFailure({ code: "1004", message: `pool: ${pool} is no vault` })
      : Effect.succeed(Vault.VaultFacts.make({ pool, managerLogic: pool, paused: false, ...found }))
  })

/** The Vault actors over the world. They execute nothing: authority ends at the acceptance of a request. */
const vaultActors = (world: World) =>
  Vault.Vault.toLayer(
    Effect.gen(function*() {
      const { entityId } = yield* Entity.CurrentAddress
      return {
        describe: ({ payload: { assets } }) =>
          Effect.map(vaultOf(world, entityId), (facts) =>
            Vault.VaultDescription.make({
              facts,
              tokens: assets.map((symbol) => ({ symbol, address: `0x${"77".repeat(20)}` as const, decimals: 18 }))
            })),
        composition: notAsked,
        preview: notAsked,
        execute: () => Effect.never
      }
    }),
    { concurrency: "unbounded", disableFatalDefects: true }
  )

const tokens = { base: `0x${"77".repeat(20)}`, quote: `0x${"78".repeat(20)}` } as const

/** The actors of threshold bots over the world: they resolve a pair for wallets that may trade the vault. */
const botActors = (world: World) =>
  ThresholdBots.toLayer(
    Effect.gen(function*() {
      const { entityId } = yield* Entity.CurrentAddress
      return {
        legs: ({ payload: { base, quote, wallet } }) =>
          Effect.gen(function*() {
            yield* Vault.mayTrade(yield* vaultOf(world, entityId), wallet)
            return { ...tokens, inverse: null, pair: `${base}-${quote}` }
          }),
        settle: () => Effect.void,
        wake: () => Effect.void
      }
    }),
    { concurrency: "unbounded", disableFatalDefects: true }
  )

/** All actors over the world that requests about authority reach. */
export const actors = (world: World) => Layer.mergeAll(chainActors(world), vaultActors(world), botActors(world))
