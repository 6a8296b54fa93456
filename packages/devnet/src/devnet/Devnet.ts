/** Runs local chains with real contracts: one anvil per network, deployed once and resumed at later starts. */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { ServeError } from "effect/http/HttpServerError"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Aggregators from "../aggregator/Aggregators.ts"
import type { ExchangeControl } from "../exchange/ExchangeControl.ts"
import * as FakeExchange from "../exchange/FakeExchange.ts"
import * as FakeHyperCore from "../hyperliquid/FakeHyperCore.ts"
import type { FaultBoard } from "../aggregator/FaultBoard.ts"
import type { Grounds } from "../aggregator/ServedNetworks.ts"
import * as Anvil from "../anvil/Anvil.ts"
import * as AnvilRpc from "../anvil/AnvilRpc.ts"
import { assertLoopback, type NotLoopback } from "../anvil/Loopback.ts"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import type { ArtifactMissing } from "../contract/Artifact.ts"
import * as Bundle from "../contract/Bundle.ts"
import { AddressResult } from "../contract/Deployer.ts"
import * as LiveGuards from "../contract/LiveGuards.ts"
import * as Deployment from "../contract/Deployment.ts"
import * as Arbitrageur from "./Arbitrageur.ts"
import { networkBook } from "./DevnetNetworkConfig.ts"
import * as DevnetClient from "./DevnetClient.ts"
import {
  type DevnetFile,
  type DevnetManager,
  DevnetNetwork,
  type EarlierFile,
  type EarlierNetwork
} from "./DevnetFile.ts"
import * as DevnetStore from "./DevnetStore.ts"
import * as PriceWalk from "./PriceWalk.ts"

/** The networks of the specification. */
const defaultNetworks: ReadonlyArray<Network> = ["optimism", "base", "arbitrum", "polygon", "ethereum", "hyperliquid"]

interface DevnetOptions {
  /** Holds devnet.json, the chains and their logs. Defaults to a temporary folder that is deleted at the end. */
  readonly dataDir?: string
  /** Defaults to the six networks of the specification. */
  readonly networks?: ReadonlyArray<Network>
  /** True to save the chains and resume them at the next start. Defaults to true when there is a `dataDir`. */
  readonly persistent?: boolean
  /** Interval of the empty blocks that keep an idle chain's clock going; `false` for none. Defaults to 12 seconds. */
  readonly heartbeat?: Duration.Input | false
  /** How blocks are mined once everything is deployed. Defaults to automatic. */
  readonly mining?: AnvilRpc.Mining
  /**
   * `live`: the platform guards the routers that it guards on the live networks, so no exchange's own one, except on
   * polygon. Defaults to `all`.
   */
  readonly guards?: "all" | "live"
  /** Interval at which pools are traded back to the prices of the feeds; `false`, the default, for never. */
  readonly arbitrage?: Duration.Input | false
  /** Interval at which the feeds move a little; `false`, the default, for never. */
  readonly priceMoves?: Duration.Input | false
}

type DevnetStartFailure =
  | Anvil.AnvilFailure
  | ArtifactMissing
  | DevnetStore.DevnetFileUnreadable
  | NotLoopback
  | RpcFailure
  | ServeError

const gwei = 1_000_000_000n

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "vault-trader-devnet-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

const permanentFolder = (folder: string) =>
  Effect.promise(() => mkdir(folder, { recursive: true })).pipe(Effect.as(folder))

const newManager = Effect.gen(function*() {
  const privateKey = yield* Effect.sync(generatePrivateKey)
  const address = yield* Effect.orDie(Schema.decodeEffect(AddressResult)(privateKeyToAddress(privateKey)))
  return { address, privateKey }
})

const portOf = (url: string | undefined) =>
  url !== undefined && URL.canParse(url) ? Number(new URL(url).port) : undefined

const isDeployed = Schema.is(DevnetNetwork)

/** Returns the deployment of an earlier run if it is the one that would be deployed now. */
const reusable = (rpc: AnvilRpc.AnvilRpc, known: EarlierNetwork, fingerprint: string) =>
  Effect.gen(function*() {
    if (!isDeployed(known) || known.fingerprint !== fingerprint) return Option.none<DevnetNetwork>()
    const code = yield* rpc.code(known.factory)
    return code === "0x" ? Option.none<DevnetNetwork>() : Option.some(known)
  })

/**
 * Raises the base fee to 1 gwei in steps that transactions priced at the previous block can still pay: no real chain
 * doubles its base fee in one block.
 */
const towardsGwei = (baseFee: bigint) => {
  const raised = baseFee * 5n / 4n + 1n
  return raised < gwei ? raised : gwei
}

/**
 * Mines an empty block. Without blocks an idle chain's `latest` falls behind, and prices and interest are computed at
 * its timestamp.
 */
const mineHeartbeat = (rpc: AnvilRpc.AnvilRpc, baseFee: (now: bigint) => bigint) =>
  rpc.latestBlock.pipe(
    Effect.flatMap(({ baseFeePerGas }) => rpc.setNextBaseFee(baseFee(baseFeePerGas))),
    Effect.andThen(rpc.mine),
    Effect.catch((failure) => Effect.logDebug("A devnet heartbeat was missed", failure))
  )

const startNetwork = (options: {
  readonly network: Network
  readonly folder: string
  readonly persistent: boolean
  readonly manager: DevnetManager
  readonly bundle: Bundle.Bundle
  readonly known: EarlierNetwork
  readonly heartbeat: Duration.Input | false
  readonly mining: AnvilRpc.Mining
  readonly guards: "all" | "live"
}): Effect.Effect<readonly [Network, DevnetNetwork], Anvil.AnvilFailure | NotLoopback, Scope.Scope> =>
  Effect.gen(function*() {
    const { bundle, folder, guards, heartbeat, known, manager, mining, network, persistent } = options
    const { chainId } = facts[network]
    const { rpc, rpcUrl } = yield* Anvil.start({
      name: network,
      chainId,
      folder,
      persistent,
      port: portOf(known?.rpcUrl)
    })
    yield* assertLoopback(rpcUrl)
    const fingerprint = Bundle.fingerprint(bundle)
    const deployed = yield* Effect.flatMap(
      reusable(rpc, known, fingerprint),
      Option.match({
        onNone: () => Deployment.deploy({ rpc, network, manager: manager.address, bundle }),
        onSome: Effect.succeed
      })
    )
    if (guards === "live") yield* LiveGuards.apply(rpc, network, deployed)
    if (mining !== "automatic") yield* rpc.setMining(mining)
    if (heartbeat !== false) {
      // The first heartbeat may set 1 gwei directly: no transaction is pending, and every deployment block lowered the
      // base fee.
      const heartbeats = Effect.forever(Effect.delay(mineHeartbeat(rpc, towardsGwei), heartbeat))
      yield* Effect.forkScoped(Effect.andThen(mineHeartbeat(rpc, () => gwei), heartbeats))
    }
    return [network, { ...deployed, chainId, rpcUrl, fingerprint }] as const
  }).pipe(Effect.withSpan("Devnet.startNetwork", { attributes: { network: options.network } }))

const knownUrl = (known: Option.Option<EarlierFile>) => Option.getOrUndefined(known)?.aggregators?.urls["1inch"]
const knownExchange = (known: Option.Option<EarlierFile>) => Option.getOrUndefined(known)?.exchanges?.urls.binance

/** Starts the fake exchange if the devnet includes the derivatives network. */
const startCore = (grounds: Grounds, known: Option.Option<EarlierFile>) =>
  Effect.gen(function*() {
    const ground = grounds.find(({ network }) => network === "hyperliquid")
    const perpetuals = ground?.deployed.perpetuals
    if (ground === undefined || perpetuals === undefined) return undefined
    const port = portOf(Option.getOrUndefined(known)?.perpetuals?.infoUrl)
    return yield* FakeHyperCore.start({ rpc: ground.rpc, deployed: ground.deployed, perpetuals, port })
  })

const start = Effect.fn("Devnet.start")(function*(options: DevnetOptions) {
  const { arbitrage = false, dataDir, priceMoves = false } = options
  const { heartbeat = "12 seconds", mining = "automatic", networks = defaultNetworks } = options
  const persistent = options.persistent ?? dataDir !== undefined
  const folder = yield* (dataDir === undefined ? temporaryFolder : permanentFolder(dataDir))
  const path = DevnetStore.devnetFilePath(folder)
  const known = yield* DevnetStore.find(path)
  const manager = yield* Option.match(known, {
    onNone: () => newManager,
    onSome: (file) => Effect.succeed(file.manager)
  })
  const bundle = yield* Bundle.load
  const started = yield* Effect.forEach(
    networks,
    (network) =>
      startNetwork({
        network,
        folder,
        persistent,
        manager,
        bundle,
        known: Option.getOrUndefined(known)?.networks[network],
        heartbeat,
        mining,
        guards: options.guards ?? "all"
      }),
    { concurrency: "unbounded" }
  )
  const grounds = started.map(([network, deployed]) => {
    const { chainId, rpcUrl } = deployed
    return { network, chainId, rpc: AnvilRpc.make(rpcUrl), deployed }
  })
  const { board, urls } = yield* Aggregators.start({ grounds, port: portOf(knownUrl(known)) })
  const aggregators = { urls, apiKey: Aggregators.apiKey }
  const exchange = yield* FakeExchange.start(portOf(knownExchange(known)))
  const { apiKey, secret } = FakeExchange.demoAccount
  const perpetuals = yield* startCore(grounds, known)
  const file: DevnetFile = {
    manager,
    networks: Object.fromEntries(started),
    aggregators,
    exchanges: { urls: exchange.urls, account: { apiKey, secret } },
    ...(perpetuals === undefined ? {} : { perpetuals })
  }
  yield* DevnetStore.write(path, file)
  const client = yield* DevnetClient.make(file)
  if (arbitrage !== false) yield* Effect.forkScoped(Arbitrageur.run(client, arbitrage))
  if (priceMoves !== false) yield* Effect.forkScoped(PriceWalk.run(client, priceMoves))
  const books = started.map(([network, entry]) => networkBook(network, entry, aggregators, perpetuals))
  return { ...client, path, books, aggregators: board, exchange: exchange.desk }
})

/** A running devnet. Its chains stop when the layer's scope closes; persistent ones are saved. */
export class Devnet extends Context.Service<
  Devnet,
  DevnetClient.DevnetClient & {
    /** The service's network configuration, one entry per network. */
    readonly books: ReadonlyArray<NetworkBook>
    /** Injects faults into the fake aggregators. */
    readonly aggregators: FaultBoard
    /** The fake exchanges' accounts, clock and faults. */
    readonly exchange: ExchangeControl
    /** Path of devnet.json. */
    readonly path: string
  }
>()("@vault-trader/devnet/devnet/Devnet") {
  static readonly layer = (options: DevnetOptions = {}): Layer.Layer<Devnet, DevnetStartFailure> =>
    Layer.effect(Devnet, start(options))
}
