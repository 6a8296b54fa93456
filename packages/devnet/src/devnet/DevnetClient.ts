/** Controls a devnet from outside: everything here needs only devnet.json, not the processes. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import { encodeEventTopics, encodeFunctionData, parseAbi } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as AnvilRpc from "../anvil/AnvilRpc.ts"
import { assertLoopback, type NotLoopback } from "../anvil/Loopback.ts"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import type { Receipt } from "../anvil/RpcSchema.ts"
import type { DeployedVault } from "../contract/Deployed.ts"
import { AddressResult, read as readContract } from "../contract/Deployer.ts"
import { feedAnswer } from "../contract/Market.ts"
import { type DevnetFile, type DevnetManager, type DevnetNetwork, entries } from "./DevnetFile.ts"
import { type DevnetFileUnreadable, read } from "./DevnetStore.ts"
import * as HyperCoreClient from "../hyperliquid/HyperCoreClient.ts"
import { NotInDevnet } from "./NotInDevnet.ts"

export type DevnetFailure = NotInDevnet | RpcFailure

interface NewVault {
  readonly network: Network
  /** Defaults to the devnet's manager. */
  readonly manager?: Address
  readonly name: string
  /** Fees on profits and per year on the vault's value, in basis points. Both default to 0. */
  readonly performanceFee?: bigint
  readonly managementFee?: bigint
  /** In smallest units of USDC. Defaults to 0. */
  readonly invested?: bigint
}

export interface DevnetClient {
  readonly file: DevnetFile
  readonly rpc: (network: Network) => Effect.Effect<AnvilRpc.AnvilRpc, NotInDevnet>
  /** Adds native token to an address; no other balance decreases. */
  readonly faucet: (request: {
    readonly network: Network
    readonly address: Address
    readonly amountWei: bigint
  }) => Effect.Effect<void, DevnetFailure>
  /** Native balance in wei. */
  readonly balance: (request: {
    readonly network: Network
    readonly address: Address
  }) => Effect.Effect<bigint, DevnetFailure>
  /** Sets the trader of a vault that the devnet's manager manages. The manager signs the transaction. */
  readonly setTrader: (request: {
    readonly network: Network
    readonly pool: Address
    readonly trader: Address
  }) => Effect.Effect<Receipt, DevnetFailure>
  /** Creates a vault that may hold plain tokens. The devnet's developer account invests in it. */
  readonly createVault: (request: NewVault) => Effect.Effect<DeployedVault, DevnetFailure>
  /** Sets the answer of the token's price feed. Pool prices do not follow. */
  readonly setPrice: (request: {
    readonly network: Network
    readonly symbol: string
    readonly usd: number
  }) => Effect.Effect<Receipt, DevnetFailure>
  /** Adds tokens to an address; `amount` in the token's smallest unit. */
  readonly mintToken: (request: {
    readonly network: Network
    readonly symbol: string
    readonly address: Address
    readonly amount: bigint
  }) => Effect.Effect<Receipt, DevnetFailure>
  /** The fake derivatives exchange of the network hyperliquid. */
  readonly core: HyperCoreClient.CoreClient
}

const abi = parseAbi([
  "function poolManagerLogic() view returns (address)",
  "function setTrader(address trader)",
  "function updateAnswer(int256 answer)",
  "function mint(address to, uint256 amount)",
  "function deposit() payable",
  "function transfer(address to, uint256 amount) returns (bool)",
  "function approve(address spender, uint256 amount) returns (bool)",
  "function deposit(address asset, uint256 amount) returns (uint256)",
  "struct Asset { address asset; bool isDeposit; }",
  "function createFund(bool privatePool, address manager, string managerName, string fundName, string fundSymbol, uint256 performanceFee, uint256 managementFee, uint256 entryFee, uint256 exitFee, Asset[] assets) returns (address)"
])

/** Topic of `FundCreated`. The first word of the event's data is the vault's address. */
const fundCreated = encodeEventTopics({
  abi: parseAbi([
    "event FundCreated(address fundAddress, bool isPoolPrivate, string fundName, string managerName, address manager, uint256 time, uint256 performanceFeeNumerator, uint256 managerFeeNumerator, uint256 managerFeeDenominator)"
  ])
})[0]

/** Returns the vault that a transaction created. A successful transaction always has the event. */
const createdVault = ({ logs }: Receipt) =>
  Effect.flatMap(
    Effect.fromNullishOr(logs.find(({ topics }) => topics[0] === fundCreated)),
    ({ data }) => Schema.decodeUnknownEffect(AddressResult)(`0x${data.slice(26, 66)}`)
  ).pipe(Effect.orDie)

const gwei = 1_000_000_000n

/**
 * Makes the function that sends as the manager, one transaction at a time: two concurrent signatures would take the
 * same nonce.
 */
const makeManagerSender = Effect.map(
  Semaphore.make(1),
  (lock) => (rpc: AnvilRpc.AnvilRpc, { address, privateKey }: DevnetManager, to: Address, data: Hex) =>
    Effect.gen(function*() {
      const { baseFeePerGas } = yield* rpc.latestBlock
      const [chainId, nonce] = yield* Effect.all([rpc.chainId, rpc.nonce(address)])
      const signed = yield* Effect.promise(() =>
        privateKeyToAccount(privateKey).signTransaction({
          type: "eip1559",
          chainId,
          nonce,
          to,
          data,
          gas: 1_000_000n,
          maxFeePerGas: baseFeePerGas * 2n + 2n * gwei,
          maxPriorityFeePerGas: gwei
        })
      )
      return yield* rpc.sendRaw(signed)
    }).pipe(lock.withPermits(1))
)

const orNotInDevnet = <A>(value: A | undefined, what: string) =>
  value === undefined ? new NotInDevnet({ what }) : Effect.succeed(value)

/** Builds a client. Fails when one of the file's nodes is not on this machine. */
export const make = (file: DevnetFile): Effect.Effect<DevnetClient, NotLoopback> =>
  Effect.gen(function*() {
    const nodes = new Map<Network, { readonly entry: DevnetNetwork; readonly rpc: AnvilRpc.AnvilRpc }>()
    for (const [network, entry] of entries(file)) {
      yield* assertLoopback(entry.rpcUrl)
      nodes.set(network, { entry, rpc: AnvilRpc.make(entry.rpcUrl) })
    }
    const sendAsManager = yield* makeManagerSender
    const node = (network: Network) => orNotInDevnet(nodes.get(network), `network ${network}`)
    const rpc = (network: Network) => Effect.map(node(network), (node) => node.rpc)
    const logicOf = (node: AnvilRpc.AnvilRpc, pool: Address) =>
      readContract(node, { address: pool, abi }, AddressResult, "poolManagerLogic")
    const developerSends = (node: AnvilRpc.AnvilRpc, to: Address, data: Hex, value = 0n) =>
      Effect.flatMap(node.developer, (from) => node.send({ from, to, data, value }))
    const createVault = Effect.fn("DevnetClient.createVault")(function*(request: NewVault) {
      const { invested = 0n, managementFee = 0n, name, network, performanceFee = 0n } = request
      const { entry, rpc } = yield* node(network)
      const owner = request.manager ?? file.manager.address
      const usdc = yield* orNotInDevnet(entry.tokens["USDC"]?.address, `token USDC on ${network}`)
      const assets = Object.entries(entry.tokens).map(([symbol, { address }]) => ({
        asset: address,
        isDeposit: symbol === "USDC"
      }))
      const fees = [performanceFee, managementFee, 0n, 0n] as const
      const args = [false, owner, "Devnet", name, "VAULT", ...fees, assets] as const
      const receipt = yield* developerSends(
        rpc,
        entry.factory,
        encodeFunctionData({ abi, functionName: "createFund", args })
      )
      const pool = yield* createdVault(receipt)
      if (invested > 0n) {
        const developer = yield* rpc.developer
        const calls = [
          [usdc, encodeFunctionData({ abi, functionName: "mint", args: [developer, invested] })],
          [usdc, encodeFunctionData({ abi, functionName: "approve", args: [pool, invested] })],
          [pool, encodeFunctionData({ abi, functionName: "deposit", args: [usdc, invested] })]
        ] as const
        for (const [to, data] of calls) yield* developerSends(rpc, to, data)
      }
      return { pool, poolManagerLogic: yield* logicOf(rpc, pool), manager: owner }
    })
    return {
      file,
      rpc,
      createVault,
      core: HyperCoreClient.make(file, rpc("hyperliquid")),
      faucet: Effect.fn("DevnetClient.faucet")(function*({ address, amountWei, network }) {
        const node = yield* rpc(network)
        yield* node.addBalance(address, amountWei)
      }),
      balance: ({ address, network }) => Effect.flatMap(rpc(network), (node) => node.balance(address)),
      setTrader: Effect.fn("DevnetClient.setTrader")(function*({ network, pool, trader }) {
        const node = yield* rpc(network)
        const logic = yield* logicOf(node, pool)
        const data = encodeFunctionData({ abi, functionName: "setTrader", args: [trader] })
        return yield* sendAsManager(node, file.manager, logic, data)
      }),
      setPrice: Effect.fn("DevnetClient.setPrice")(function*({ network, symbol, usd }) {
        const { entry, rpc } = yield* node(network)
        const feed = yield* orNotInDevnet(entry.feeds[symbol], `price feed for ${symbol} on ${network}`)
        const data = encodeFunctionData({ abi, functionName: "updateAnswer", args: [feedAnswer(usd)] })
        return yield* developerSends(rpc, feed, data)
      }),
      mintToken: Effect.fn("DevnetClient.mintToken")(function*({ address, amount, network, symbol }) {
        const { entry, rpc } = yield* node(network)
        const token = yield* orNotInDevnet(entry.tokens[symbol], `token ${symbol} on ${network}`)
        if (symbol !== "WETH" && token.address !== entry.wrappedNative) {
          const data = encodeFunctionData({ abi, functionName: "mint", args: [address, amount] })
          return yield* developerSends(rpc, token.address, data)
        }
        // Wrapped tokens cannot be minted: depositing native token yields them one for one.
        yield* developerSends(rpc, token.address, encodeFunctionData({ abi, functionName: "deposit" }), amount)
        const data = encodeFunctionData({ abi, functionName: "transfer", args: [address, amount] })
        return yield* developerSends(rpc, token.address, data)
      })
    }
  })

/** Builds a client from the devnet.json at `path`. */
export const fromFile = (path: string): Effect.Effect<DevnetClient, NotLoopback | DevnetFileUnreadable> =>
  Effect.flatMap(read(path), make)
