/**
 * `vault-trader wallet add|new-key|list`: gas wallets whose private keys are at a key management service, on the
 * service's database. It needs the settings of the service: its pepper, and its access to the provider.
 */
import { GasWalletStore, type ListedWallet, remoteProviders } from "@vault-trader/core/gas-wallet/GasWalletStore"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import * as RemoteWallet from "@vault-trader/workers/gas-wallet/RemoteWallet"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { configuration } from "../Configuration.ts"
import { KeyProviderAccess } from "../KeyProviderAccess.ts"
import { PepperedDigest } from "../PepperedDigest.ts"
import { RunningDatabase } from "../RunningDatabase.ts"
import { Operator } from "./Operator.ts"
import * as ParsedParam from "./ParsedParam.ts"

const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

/** The stores, and the digest and providers of the service's settings. */
const Services = Layer.unwrap(Effect.map(configuration, (settings) =>
  Layer.mergeAll(
    GasWalletStore.layer,
    ApiKeyStore.layer,
    PepperedDigest(settings),
    KeyProviderAccess(settings),
    Operator
  ))).pipe(Layer.provideMerge(RunningDatabase))

const providerOf = (text: string) => remoteProviders.find((name) => name === text)

const add = Command.make(
  "add",
  {
    provider: ParsedParam.flag("provider", "name", `one of ${remoteProviders.join(", ")}`, providerOf).pipe(
      Flag.withDescription("The key management service")
    ),
    reference: Flag.String("key").pipe(
      Flag.withDescription("Its name of the key: an ARN, a key version's full name, or a public key")
    )
  },
  Effect.fnUntraced(function*({ provider, reference }) {
    const { address, apiKey } = yield* Effect.provide(RemoteWallet.add({ provider, reference }), Services)
    yield* say(`Gas wallet: ${address}`)
    yield* say(`API key: ${Redacted.value(apiKey)}`)
    yield* say("The API key is not shown again. `vault-trader wallet new-key` replaces it.")
  })
).pipe(
  Command.withDescription("Adds the gas wallet of a key at a key management service, and issues its API key.")
)

const newKey = Command.make(
  "new-key",
  {
    wallet: ParsedParam.addressArgument("wallet").pipe(Argument.withDescription("A gas wallet added by `wallet add`")),
    evict: ParsedParam.toggle("evict").pipe(
      Flag.withDescription(
        "Also end every other way to act for the wallet: managers' lists, alert tokens, webhooks, channels"
      )
    )
  },
  Effect.fnUntraced(function*(params) {
    const { apiKey, ended, revoked } = yield* Effect.provide(RemoteWallet.issueKey(params), Services)
    yield* say(`API key of ${params.wallet}: ${Redacted.value(apiKey)}`)
    yield* say(revoked ? "The old key is revoked. The new one is not shown again." : "It is not shown again.")
    if (!params.evict) return
    const { channels, managers, sessions, webhook_tokens: tokens, webhooks } = ended
    yield* say(
      `Ended: ${managers.length} managers' entries, ${sessions} sessions, ${tokens.length} alert tokens, ` +
        `${webhooks.length} webhooks, ${channels.length} notification channels.`
    )
  })
).pipe(
  Command.withDescription("Issues a new API key for a gas wallet whose private key is at a key management service.")
)

const lineOf = ({ address, lastFour, provider, reference, since }: ListedWallet) =>
  [address, provider, reference, `since ${since}`, lastFour === null ? "no API key" : `API key …${lastFour}`]
    .filter((part) => part !== "").join("  ")

const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function*() {
    const all = yield* Effect.provide(
      Effect.flatMap(GasWalletStore, (store) => store.list),
      GasWalletStore.layer.pipe(Layer.provide(RunningDatabase))
    )
    if (all.length === 0) return yield* say("There are no gas wallets.")
    yield* Effect.forEach(all.map(lineOf), say, { discard: true })
  })
).pipe(Command.withDescription("Lists the gas wallets with the providers of their keys."))

export const wallet = Command.make("wallet").pipe(
  Command.withDescription(
    "Gas wallets whose keys are at a key management service: adds them, and issues their API keys."
  ),
  Command.withSubcommands([add, newKey, list])
)
