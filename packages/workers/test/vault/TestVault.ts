/**
 * The demo vault of a small devnet with the workers' view of it; each test starts from the same freshly deployed chain.
 */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { Token } from "@vault-trader/core/chain/Token"
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { explain } from "@vault-trader/core/failure/Explanation"
import { Log, Receipt } from "@vault-trader/core/gas-wallet/Submission"
import type { AnvilRpc } from "@vault-trader/devnet/anvil/AnvilRpc"
import type * as AnvilReceipt from "@vault-trader/devnet/anvil/RpcSchema"
import * as Artifact from "@vault-trader/devnet/contract/Artifact"
import * as Deployer from "@vault-trader/devnet/contract/Deployer"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { type Abi, encodeFunctionData } from "viem"
import { Chains } from "../../src/chain/Chains.ts"
import { erc20, Tokens } from "../../src/chain/Tokens.ts"
import { reasonOf } from "../../src/chain/Revert.ts"
import { type VaultContext, type PlanContext } from "../../src/vault/Action.ts"
import { throughVault, type VaultCall } from "../../src/platform/VaultCall.ts"
import { meaningOf } from "../../src/platform/PlatformRevert.ts"
import * as VaultReader from "../../src/vault/VaultReader.ts"
import { SliceSizer } from "../../src/trading/SliceSizer.ts"
import { AggregatorClient, defaultAccess } from "../../src/venue/AggregatorClient.ts"
import { MemoryBans } from "../venue/MemoryBans.ts"

export const network = "optimism"

/** Chains, tokens and venues' APIs of the given books, as a runner has them. */
export const workersOn = (books: ReadonlyArray<NetworkBook>, access = defaultAccess) =>
  Tokens.layer.pipe(
    Layer.provideMerge(Chains.layer(books)),
    Layer.merge(
      Layer.provideMerge(SliceSizer.layer, AggregatorClient.layer(access).pipe(Layer.provide(MemoryBans)))
    ),
    Layer.provide(FetchHttpClient.layer)
  )

/** One network, nothing saved, no blocks but the test's own; trades query only the node. */
export const TestDevnet = Layer.unwrap(
  Effect.map(Devnet, ({ books }) => workersOn(books.map((book) => NetworkBook.make({ ...book, aggregators: {} }))))
).pipe(
  Layer.provideMerge(Devnet.layer({ networks: [network], heartbeat: false }))
)

export const toReceipt = ({ status, ...receipt }: AnvilReceipt.Receipt) =>
  Receipt.make({ ...receipt, succeeded: status === 1n, logs: receipt.logs.map((log) => Log.make(log)) })

/** The vault with a trader set, and everything a test does to it. Undone when the scope closes. */
export const testVaultOn = (network: Network, index = 0) =>
  Effect.gen(function*() {
    const devnet = yield* Devnet
    const rpc = yield* devnet.rpc(network)
    yield* Effect.acquireRelease(
      Effect.all({ block: rpc.blockNumber, snapshot: rpc.snapshot }),
      ({ block, snapshot }) => {
        const isBack = Effect.zipWith(rpc.revert(snapshot), rpc.blockNumber, (done, now) => done && now === block)
        // Otherwise the next test would start from what this one has left. Under load anvil has refused it once.
        return Effect.orDie(Effect.flatMap(isBack, (first) =>
          first ?
            Effect.void :
            Effect.flatMap(
              isBack,
              (second) => second ? Effect.void : Effect.die(new Error(`the chain is not at block ${block} again`))
            )))
      }
    )
    const own = yield* Artifact.own
    const entry = devnet.file.networks[network]
    const vault = entry?.vaults[index]
    if (entry === undefined || vault === undefined) {
      return yield* Effect.die(new Error("the devnet has no demo vault"))
    }
    const { pool, poolManagerLogic, manager } = vault

    const accounts = yield* rpc.request("eth_accounts", [], Schema.Array(Deployer.AddressResult))
    const [owner, trader, stranger] = accounts
    if (owner === undefined || trader === undefined || stranger === undefined) {
      return yield* Effect.die(new Error("accounts"))
    }
    yield* devnet.setTrader({ network, pool, trader })

    const token = (symbol: string): Token => {
      const { address, decimals } = entry.tokens[symbol] ?? { address: "0x", decimals: -1 }
      return Token.make({ address, decimals, symbol })
    }
    const chain = yield* (yield* Chains).get(network)
    const reader = yield* VaultReader.make({ network, pool, chain })
    const send = (from: Address, to: Address, abi: Abi, functionName: string, ...args: ReadonlyArray<unknown>) =>
      rpc.send({ from, to, data: encodeFunctionData({ abi, functionName, args }) })
    const asOwner = (name: string, ...args: ReadonlyArray<unknown>) =>
      send(owner, entry.factory, own.PoolFactory.abi, name, ...args)
    const read = <A, I>(
      address: Address,
      abi: Abi,
      schema: Schema.Codec<A, I>,
      name: string,
      ...args: ReadonlyArray<unknown>
    ) => Deployer.read(rpc, { address, abi }, schema, name, ...args)

    return {
      devnet,
      rpc,
      own,
      entry,
      book: chain.book,
      chain,
      reader,
      pool,
      poolManagerLogic,
      manager,
      owner,
      trader,
      stranger,
      token,
      send,
      read,
      asOwner,
      router: entry.uniswapV3.router,
      deployer: yield* Deployer.make(rpc),
      /** The context that an action plans in; other configurations (another router, say) have their own client. */
      bench: Effect.map(reader.state, (state): VaultContext => ({ network, pool, chain, wallet: trader, ...state })),
      place: { network, pool, chain, wallet: trader, state: reader.state } satisfies PlanContext,
      /** A call as the vault's manager on its manager logic. */
      asManager: (name: string, ...args: ReadonlyArray<unknown>) =>
        rpc.impersonating(manager, send(manager, poolManagerLogic, own.PoolManagerLogic.abi, name, ...args)),
      setPrice: (symbol: string, usd: number) => devnet.setPrice({ network, symbol, usd }),
      /**
       * Makes the price of one token too old to be used. The allowed age is set to zero, so that the chain's clock need
       * not advance.
       */
      expirePrice: (symbol: string) =>
        Effect.gen(function*() {
          yield* send(owner, entry.feeds[symbol] ?? "0x", own.DevAggregator.abi, "setFrozenTime", true)
          yield* asOwner("setChainlinkTimeout", 0n)
          yield* rpc.increaseTime(2)
          yield* rpc.mine
        }),
      held: (symbol: string, holder: Address = pool) =>
        read(token(symbol).address, erc20, Schema.BigInt, "balanceOf", holder),
      allowance: (symbol: string, spender: Address = entry.uniswapV3.router) =>
        read(token(symbol).address, erc20, Schema.BigInt, "allowance", pool, spender),
      /** Sends the single transaction of these calls as the trader. */
      execute: (calls: ReadonlyArray<VaultCall>) =>
        Effect.map(rpc.send({ from: trader, to: pool, data: throughVault(calls) }), toReceipt),
      /**
       * Returns the failure that a caller gets for that transaction before it is sent; `undefined` when it would
       * succeed.
       */
      simulate: (calls: ReadonlyArray<VaultCall>, from: Address = trader) =>
        chain.call({ from, to: pool, data: throughVault(calls), value: 0n }).pipe(
          Effect.as(undefined),
          Effect.catchTag("RpcRefused", ({ data }) => Effect.succeed(explain(meaningOf(reasonOf(data)))))
        )
    }
  })

export const testVault = testVaultOn(network)

/** Address to which a token's code moves when other code is put in front of it. */
const behind: Address = "0x00000000000000000000000000000000000c0de0"

/**
 * Makes a token as strict as USDT on Ethereum: approving an amount where one is approved already reverts. Everything
 * else the code does is to hand the call on to the token's own.
 */
export const refuseChangedAllowances = (rpc: AnvilRpc, token: Address) =>
  Effect.gen(function*() {
    const setCode = (address: Address, code: Hex) => rpc.request("anvil_setCode", [address, code], Schema.Unknown)
    yield* setCode(behind, yield* rpc.code(token))
    const own = `73${behind.slice(2)}`
    const guard = [
      "5f3560e01c63095ea7b31415605e57", // not approve(address,uint256)? forward
      "60243515605e57", // of zero? forward
      "63dd62ed3e60e01b5f52336004526004356024526020", // allowance(caller, spender)
      `5f60445f${own}5af4505f5115605e57`, // is zero? forward
      "5f5ffd"
    ].join("")
    const handOn = `5b365f5f375f5f365f${own}5af43d5f5f3e608f573d5ffd5b3d5ff3`
    const at = (guard.length / 2).toString(16).padStart(2, "0")
    const end = (guard.length / 2 + handOn.indexOf("5b3d5ff3") / 2).toString(16).padStart(2, "0")
    yield* setCode(token, `0x${guard.replaceAll("605e57", `60${at}57`)}${handOn.replace("608f57", `60${end}57`)}`)
  })

/** Approves a spender for a vault's token. */
export const approval = (spender: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20, functionName: "approve", args: [spender, amount] })

/** Returns the execution failure of an effect. Any other result is a defect. */
export const refusal = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const failure = yield* Effect.flip(effect)
    return Schema.is(ExecutionFailure)(failure) ? failure : yield* Effect.die(failure)
  })
