/**
 * `vault-trader devnet`: runs the local chains alone. Its commands control a running devnet, so that a program can make
 * its first trade: `fund` gives an address gas or tokens, `set-trader` lets an address trade a vault.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import { format, toRaw } from "@vault-trader/core/chain/Quantity"
import { readDecimal } from "@vault-trader/core/endpoint/Params"
import type { DevnetClient, DevnetFailure } from "@vault-trader/devnet/devnet/DevnetClient"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { CannotStart } from "../StartupFailure.ts"
import { managerOf } from "./DevnetVault.ts"
import * as ParsedParam from "./ParsedParam.ts"
import { devnetFile, runningDevnet } from "./RunningDevnet.ts"

const nativeDecimals = 18
const usdcDecimals = 6
const defaultGas = "1"
const defaultUsdc = "10000"

const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

/** Replaces a node that does not answer by the sentence that says how to start it. */
const explainUnreachable = <A, R>(effect: Effect.Effect<A, CannotStart | DevnetFailure, R>) =>
  Effect.catchTag(
    effect,
    "RpcUnreachable",
    () => new CannotStart({ message: `The devnet of ${devnetFile} is not running; run npm start first.` })
  )

const amountFlag = (name: string, decimals: number) =>
  ParsedParam.flag(name, "amount", "an amount above 0, as 2.5", (text) => {
    const decimal = readDecimal(text)
    const raw = decimal === undefined ? 0n : toRaw(decimal, decimals)
    return raw > 0n ? raw : undefined
  })

const rawOf = (text: string, decimals: number) => {
  const decimal = readDecimal(text)
  return decimal === undefined ? 0n : toRaw(decimal, decimals)
}

const giveGas = (devnet: DevnetClient, network: Network, address: Address, amountWei: bigint) =>
  Effect.andThen(
    devnet.faucet({ network, address, amountWei }),
    say(`${address} has ${format(amountWei, nativeDecimals)} ${facts[network].native} more on ${network}.`)
  )

const giveUsdc = (devnet: DevnetClient, network: Network, address: Address, amount: bigint) =>
  Effect.andThen(
    devnet.mintToken({ network, symbol: "USDC", address, amount }),
    say(`${address} has ${format(amount, usdcDecimals)} USDC more on ${network}.`)
  )

interface Funding {
  readonly address: Address
  readonly network: Network
  readonly gas: bigint | undefined
  readonly usdc: bigint | undefined
}

/** Gives the amounts that are set; when none is, USDC to a vault, which pays no gas, and gas to any other address. */
const giveFunds = ({ address, gas, network, usdc }: Funding) =>
  Effect.gen(function*() {
    const devnet = yield* runningDevnet
    const isUnset = gas === undefined && usdc === undefined
    const isVault = isUnset && (yield* managerOf(devnet, network, address)) !== undefined
    const gasToGive = isUnset && !isVault ? rawOf(defaultGas, nativeDecimals) : gas
    const usdcToGive = isVault ? rawOf(defaultUsdc, usdcDecimals) : usdc
    if (gasToGive !== undefined) yield* giveGas(devnet, network, address, gasToGive)
    if (usdcToGive !== undefined) yield* giveUsdc(devnet, network, address, usdcToGive)
  })

const setTrader = (network: Network, pool: Address, trader: Address) =>
  Effect.gen(function*() {
    const devnet = yield* runningDevnet
    const { address: devnetManager } = devnet.file.manager
    const manager = yield* managerOf(devnet, network, pool)
    if (manager === undefined) {
      const vaults = devnet.file.networks[network]?.vaults.map((vault) => vault.pool) ?? []
      return yield* new CannotStart({
        message: `${pool} is not a vault of the devnet on ${network}; the demo's vaults there are ${vaults.join(", ")}.`
      })
    }
    if (manager !== devnetManager) {
      return yield* new CannotStart({
        message: `The vault ${pool} is managed by ${manager}, not by the devnet's manager ${devnetManager}.`
      })
    }
    yield* devnet.setTrader({ network, pool, trader })
    yield* say(`${trader} is now the trader of ${pool} on ${network}.`)
  })

const network = ParsedParam.networkArgument.pipe(
  Argument.withDescription("A network of the devnet (base)"),
  Argument.withDefault("base" as const)
)

const fund = Command.make(
  "fund",
  {
    address: ParsedParam.addressArgument("address").pipe(
      Argument.withDescription("A gas wallet, an account or a vault")
    ),
    network,
    gas: ParsedParam.optional(amountFlag("gas", nativeDecimals)).pipe(
      Flag.withDescription(`Native tokens to give (${defaultGas}; none to a vault)`)
    ),
    usdc: ParsedParam.optional(amountFlag("usdc", usdcDecimals)).pipe(
      Flag.withDescription(`USDC to give (${defaultUsdc} to a vault; otherwise none)`)
    )
  },
  (funding) => explainUnreachable(giveFunds(funding))
).pipe(
  Command.withDescription("Gives an address gas or USDC on the running devnet; no other balance decreases."),
  Command.withExamples([
    { command: "vault-trader devnet fund 0x…", description: "1 ETH to a gas wallet on base, or 10000 USDC to a vault" },
    {
      command: "vault-trader devnet fund 0x… polygon --gas 5 --usdc 1000",
      description: "Both to an account on polygon"
    }
  ])
)

const setTraderCommand = Command.make(
  "set-trader",
  {
    pool: ParsedParam.addressArgument("pool").pipe(Argument.withDescription("A vault of the devnet's manager")),
    address: ParsedParam.addressArgument("address").pipe(Argument.withDescription("The gas wallet that may trade it")),
    network
  },
  ({ address, network, pool }) => explainUnreachable(setTrader(network, pool, address))
).pipe(Command.withDescription("Makes an address the trader of a vault, signed by the devnet's manager."))

export const devnet = Command.make(
  "devnet",
  {},
  () =>
    Effect.promise(() => Promise.all([import("../Main.ts"), import("../DevnetProcess.ts")])).pipe(
      Effect.flatMap(([{ main }, { DevnetProcess }]) => main(DevnetProcess, "vault-trader-devnet"))
    )
).pipe(
  Command.withDescription("Runs the local chains alone, or controls those that run."),
  Command.withSubcommands([fund, setTraderCommand])
)
