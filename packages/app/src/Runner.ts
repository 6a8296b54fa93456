/** The signing process: the actors, with the keys and the nodes. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { ApprovalPolicy } from "@vault-trader/core/change-approval/ApprovalSettings"
import { treasuriesOf } from "@vault-trader/core/billing/BillingSettings"
import type { Network } from "@vault-trader/core/chain/Network"
import { PriceOptions } from "@vault-trader/workers/billing/Prices"
import { SettlementPolicy } from "@vault-trader/workers/billing/Settlements"
import { ExchangeAccess } from "@vault-trader/workers/ccxt/Ccxt"
import { MoneySettings } from "@vault-trader/workers/change-approval/ApprovedSettings"
import { Chains } from "@vault-trader/workers/chain/Chains"
import { ExchangeInterval } from "@vault-trader/workers/exchange/AccountScheduler"
import { MaxGasPerDay } from "@vault-trader/workers/gas-wallet/GasCap"
import { GasPolicy } from "@vault-trader/workers/gas-wallet/GasMonitor"
import { PurgeAfterDays } from "@vault-trader/workers/gas-wallet/WalletPurge"
import { PausingAlerts } from "@vault-trader/workers/gas-wallet/WalletAlerts"
import { HealthFactorFloor } from "@vault-trader/workers/lending/HealthFactor"
import { TelegramUrl } from "@vault-trader/workers/notification/Receiver"
import { PublicUrl } from "@vault-trader/workers/notification/ShownNames"
import { LostTimeout } from "@vault-trader/workers/perpetual/HyperCoreConfirmation"
import { InfoAccess } from "@vault-trader/workers/perpetual/HyperCoreInfo"
import { RetentionPolicy } from "@vault-trader/workers/storage/Retention"
import { BotInterval } from "@vault-trader/workers/threshold-bot/BotScheduler"
import { FollowerInterval } from "@vault-trader/workers/follower/FollowerScheduler"
import { GuardianInterval } from "@vault-trader/workers/guardian/GuardianScheduler"
import { StrategyDirectory } from "@vault-trader/workers/strategy/StrategyFolder"
import { StrategyInterval } from "@vault-trader/workers/strategy/StrategyScheduler"
import { strategiesFolder } from "./ShippedFiles.ts"
import { SamplingPolicy } from "@vault-trader/workers/performance/SamplingPolicy"
import { OrderInterval } from "@vault-trader/workers/vault-order/OrderScheduler"
import { VenueAccess } from "@vault-trader/workers/venue/AggregatorClient"
import { LoopbackAllowed } from "@vault-trader/workers/webhook/WebhooksLive"
import * as Workers from "@vault-trader/workers/Workers"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { actionPrices } from "./ActionPrices.ts"
import * as Cluster from "./Cluster.ts"
import { SharedDatabase } from "./Database.ts"
import { KeyProviderAccess } from "./KeyProviderAccess.ts"
import { Metrics } from "./MetricsServer.ts"
import { type Networks, required, withDevnetKey } from "./Networks.ts"
import { PepperedDigest } from "./PepperedDigest.ts"
import { PlannerKey } from "./PlannerKey.ts"
import { ready } from "./ReadyLine.ts"
import type { Settings } from "./Settings.ts"
import * as SigningPlace from "./SigningPlace.ts"
import { venueAccess } from "./VenueKeys.ts"
import * as WalletKeys from "./WalletKeys.ts"

/** Treasuries by network. Networks without one are logged once: their charges are recorded and stay outstanding. */
const settlements = ({ billing }: Settings, { treasury }: Networks) => ({
  treasuries: treasuriesOf(billing, treasury),
  aboveUsd: billing.settleAboveUsd,
  maxUsd18: BigInt(Math.round(billing.maxSettlementUsd * 1e6)) * 10n ** 12n
})

/** Thresholds for low gas, and the wallet that refills it. */
const gasWatch = (
  { workers: { gasSeconds, lowGas, topUpAmount, topUpFunder, topUpMaxUsdPerDay, topUpWallets } }: Settings
) => ({
  seconds: gasSeconds,
  low: lowGas,
  topUps: topUpFunder === undefined
    ? undefined
    : {
      funder: topUpFunder,
      wallets: topUpWallets,
      amount: topUpAmount,
      maxUsd18PerDay: BigInt(topUpMaxUsdPerDay) * 10n ** 18n
    }
})

/** The settings that move money, as approvers see them. */
const moneySettings = (settings: Settings, served: Networks) => {
  const { amount, funder, maxUsd18PerDay, wallets } = gasWatch(settings).topUps ?? {}
  const { treasuries } = settlements(settings, served)
  const amounts = new Set(wallets?.map(({ network }) => `${network}=${amount?.(network)?.text ?? "none"}`))
  return {
    treasury: Object.fromEntries(
      [...treasuries].flatMap(([network, address]) =>
        served.books.some((book) => book.network === network) ? [[`TREASURY_${network.toUpperCase()}`, address]] : []
      )
    ),
    policy: funder === undefined || maxUsd18PerDay === undefined ? {} : {
      TOP_UP_FUNDER: funder,
      TOP_UP_WALLETS: (wallets ?? []).map(({ network, wallet }) => `${network}/${wallet}`).sort().join(","),
      TOP_UP_AMOUNT: [...amounts].sort().join(","),
      TOP_UP_MAX_USD_PER_DAY: (maxUsd18PerDay / 10n ** 18n).toString()
    }
  }
}

/** Clients of the served networks' nodes. */
export const Nodes = (settings: Settings, served: Networks) =>
  Layer.provide(Chains.layer(served.books, settings.workers.rpcTimeoutMillis), NodeHttpClient.layerUndici)

/** The features' settings. */
export const configured = (settings: Settings, served: Networks) =>
  Layer.mergeAll(
    Layer.succeed(RetentionPolicy, { ...settings.workers, sampleDays: settings.workers.performanceDays }),
    Layer.succeed(SamplingPolicy, {
      seconds: settings.workers.performanceSeconds,
      backfillDays: settings.workers.performanceBackfillDays,
      benchmarks: settings.workers.performanceBenchmarks
    }),
    Layer.succeed(PurgeAfterDays, settings.workers.purgeAfterDays),
    Layer.succeed(VenueAccess, venueAccess(settings, served.devnetKey)),
    Layer.succeed(InfoAccess, { timeoutMillis: settings.workers.perpetualTimeoutMillis }),
    Layer.succeed(LostTimeout, settings.workers.perpetualLostSeconds),
    Layer.succeed(HealthFactorFloor, settings.workers.healthFactorFloor),
    Layer.succeed(BotInterval, settings.workers.botSeconds),
    Layer.succeed(OrderInterval, settings.workers.orderSeconds),
    Layer.succeed(GuardianInterval, settings.workers.guardianSeconds),
    Layer.succeed(FollowerInterval, settings.workers.followerSeconds),
    Layer.succeed(StrategyInterval, settings.workers.strategySeconds),
    Layer.succeed(StrategyDirectory, settings.workers.strategyDirectory || strategiesFolder),
    Layer.succeed(PriceOptions, actionPrices(settings)),
    Layer.succeed(SettlementPolicy, settlements(settings, served)),
    Layer.succeed(ExchangeAccess, {
      // The operator's URLs override the devnet's fakes.
      urls: { ...served.exchangeUrls, ...settings.workers.exchangeUrls },
      timeoutMillis: settings.workers.exchangeTimeoutMillis,
      windowMillis: settings.workers.exchangeWindowMillis
    }),
    Layer.succeed(ExchangeInterval, settings.workers.exchangeSeconds),
    Layer.succeed(LoopbackAllowed, settings.workers.webhooksToLoopback),
    Layer.succeed(TelegramUrl, settings.workers.telegramUrl),
    Layer.succeed(PublicUrl, settings.server.publicUrls[0]),
    Layer.succeed(GasPolicy, gasWatch(settings)),
    Layer.succeed(ApprovalPolicy, settings.approvals),
    Layer.succeed(MoneySettings, moneySettings(settings, served)),
    KeyProviderAccess(settings),
    Layer.succeed(MaxGasPerDay, settings.workers.maxGasPerDay),
    Layer.succeed(PausingAlerts, settings.workers.pauseOnAlert)
  )

/** The actors of one runner. `signer`: the signer where it is a process of its own. */
export const Actors = (
  settings: Settings,
  served: Networks,
  nodes = Nodes(settings, served),
  signer?: ReturnType<typeof SigningPlace.of>["signer"]
) =>
  Layer.unwrap(Effect.map(WalletKeys.ofRunner(settings), (kek) => Workers.layer(kek, signer))).pipe(
    Layer.provide(configured(settings, served)),
    Layer.provide([PepperedDigest(settings), PlannerKey(settings)]),
    Layer.provide(nodes),
    Layer.provide(NodeHttpClient.layerUndici)
  )

/** Reads a network's newest block, whether it is disputed, and the code of the vault platform's factory. */
export const stateOf = (network: Network) =>
  Effect.gen(function*() {
    const chain = yield* (yield* Chains).get(network)
    const [, code, disputed] = yield* Effect.all([
      chain.head,
      chain.code(chain.book.platformFactory),
      chain.isDisputed
    ])
    return code === "0x" ? "no platform" as const : disputed ? "disputed" as const : "ok" as const
  })

const announced = (settings: Settings, served: Networks) => {
  const { runnerHost, runnerPort } = settings.workers
  const networks = served.books.map(({ network }) => network)
  const nodes = Nodes(settings, served)
  const { record, signer } = SigningPlace.of(settings)
  return ready(Effect.succeed(`runner at ${runnerHost}:${runnerPort} · networks ${networks.join(", ")}`)).pipe(
    Layer.provide(Actors(settings, served, nodes, signer)),
    Layer.provide(Layer.provide(Metrics(settings, networks, stateOf), nodes)),
    Layer.provide(record),
    Layer.provide(Cluster.Runner(settings))
  )
}

/** One runner of actors, ready when built; any number of them on one PostgreSQL. */
export const RunnerProcess = (settings: Settings) =>
  Layer.unwrap(
    Effect.map(
      Effect.flatMap(required(settings), (books) => withDevnetKey(settings, books)),
      (served) => announced(settings, served)
    )
  ).pipe(Layer.provide(SharedDatabase(settings)))
