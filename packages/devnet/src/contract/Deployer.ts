/** Deploys and calls contracts from anvil's unlocked developer account. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { type Abi, decodeFunctionResult, encodeDeployData, encodeFunctionData } from "viem"
import { Address } from "@vault-trader/core/chain/Address"
import type { AnvilRpc } from "../anvil/AnvilRpc.ts"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import type { Receipt } from "../anvil/RpcSchema.ts"
import type { Artifact } from "./Artifact.ts"

/** A deployed contract. */
export interface Contract {
  readonly address: Address
  readonly abi: Abi
}

type Arguments = ReadonlyArray<unknown>

export interface Deployer {
  readonly rpc: AnvilRpc
  readonly address: Address
  readonly deploy: (artifact: Artifact, ...args: Arguments) => Effect.Effect<Contract, RpcFailure>
  readonly send: (contract: Contract, name: string, ...args: Arguments) => Effect.Effect<Receipt, RpcFailure>
  /** Like `send`, with wei attached. */
  readonly pay: (
    wei: bigint,
    contract: Contract,
    name: string,
    ...args: Arguments
  ) => Effect.Effect<Receipt, RpcFailure>
}

/** Calls a view function. Dies when the result does not match `schema`: that is a bug, not a failure. */
export const read = <A, I>(
  rpc: AnvilRpc,
  { abi, address }: Contract,
  schema: Schema.Codec<A, I>,
  name: string,
  ...args: Arguments
): Effect.Effect<A, RpcFailure> =>
  rpc.call({ to: address, data: encodeFunctionData({ abi, functionName: name, args }) }).pipe(
    Effect.flatMap((data) =>
      Effect.orDie(Schema.decodeUnknownEffect(schema)(decodeFunctionResult({ abi, functionName: name, data })))
    )
  )

/** An address in lower case: viem writes them with checksums, we do not. */
export const AddressResult = Schema.String.pipe(Schema.decodeTo(Address, SchemaTransformation.toLowerCase()))

/** Makes a deployer from the node's first developer account, with more native token than it will ever spend. */
export const make = (rpc: AnvilRpc): Effect.Effect<Deployer, RpcFailure> =>
  Effect.gen(function*() {
    const address = yield* rpc.developer
    yield* rpc.setBalance(address, 10n ** 27n)
    const pay: Deployer["pay"] = (value, contract, name, ...args) =>
      rpc.send({
        from: address,
        to: contract.address,
        value,
        data: encodeFunctionData({ abi: contract.abi, functionName: name, args })
      })
    const deploy: Deployer["deploy"] = ({ abi, bytecode }, ...args) =>
      rpc.send({ from: address, data: encodeDeployData({ abi, bytecode, args }) }).pipe(
        Effect.flatMap(({ contractAddress }) => Effect.fromNullishOr(contractAddress)),
        Effect.catchTag("NoSuchElementError", Effect.die),
        Effect.map((deployed) => ({ address: deployed, abi }))
      )
    return { rpc, address, deploy, pay, send: (contract, name, ...args) => pay(0n, contract, name, ...args) }
  })
