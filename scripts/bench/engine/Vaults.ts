/** Vaults to trade, and reads from the chain: the number of mined transactions, and the amounts sold. */
import type { Address } from "@vault-trader/core/chain/Address"
import { Quantity } from "@vault-trader/devnet/anvil/RpcSchema"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { decodeFunctionResult, encodeFunctionData, parseAbi } from "viem"
import { ask, network, type Trader } from "./ServiceUnderTest.ts"

const abi = parseAbi([
  "struct Asset { address asset; bool isDeposit; }",
  "function getSupportedAssets() view returns (Asset[])",
  "function getDeployedFunds() view returns (address[])",
  "function createFund(bool, address, string, string, string, uint256, uint256, uint256, uint256, Asset[]) returns (address)",
  "function balanceOf(address) view returns (uint256)",
  "function setMaxCumulativeSlippage(uint128)"
])

const chain = Effect.gen(function*() {
  const devnet = yield* Devnet
  const entry = devnet.file.networks[network]
  if (entry === undefined) return yield* Effect.die(new Error(`${network} is not in the devnet`))
  return { devnet, entry, rpc: yield* Effect.orDie(devnet.rpc(network)) }
})

/** Creates another vault of the devnet's manager with 100,000 USDC; the factory's owner creates it. */
const vault = Effect.gen(function*() {
  const { devnet, entry, rpc } = yield* chain
  const [demo] = entry.vaults
  if (demo === undefined) return yield* Effect.die(new Error(`no vault on ${network}`))
  const supported = yield* rpc.call({
    to: demo.poolManagerLogic,
    data: encodeFunctionData({ abi, functionName: "getSupportedAssets" })
  })
  const assets = decodeFunctionResult({ abi, functionName: "getSupportedAssets", data: supported })
  const args = [
    false,
    devnet.file.manager.address,
    "Bench manager",
    "Bench Vault",
    "BENCH",
    1000n,
    200n,
    0n,
    0n,
    assets
  ] as const
  yield* rpc.send({
    from: yield* rpc.developer,
    to: entry.factory,
    data: encodeFunctionData({ abi, functionName: "createFund", args })
  })
  const funds = yield* rpc.call({
    to: entry.factory,
    data: encodeFunctionData({ abi, functionName: "getDeployedFunds" })
  })
  const pool = String(decodeFunctionResult({ abi, functionName: "getDeployedFunds", data: funds }).at(-1))
    .toLowerCase() as Address
  yield* devnet.mintToken({ network, symbol: "USDC", address: pool, amount: 100_000_000_000n })
  return pool
}).pipe(Effect.orDie)

/** Lets a vault lose up to a thousand times what each swap sells in a day: a bench trades one vault hundreds of times. */
const allowLosses = Effect.gen(function*() {
  const { entry, rpc } = yield* chain
  yield* rpc.send({
    from: yield* rpc.developer,
    to: entry.slippageAccumulator,
    data: encodeFunctionData({ abi, functionName: "setMaxCumulativeSlippage", args: [1_000_000_000n] })
  })
}).pipe(Effect.orDie)

/** Creates this many vaults, and wallets that trade them in turn. */
export const traders = (baseUrl: string, { vaults, wallets }: { readonly vaults: number; readonly wallets: number }) =>
  Effect.gen(function*() {
    const { devnet } = yield* chain
    yield* allowLosses
    const made = yield* Effect.forEach(Array.from({ length: wallets }), () =>
      Effect.gen(function*() {
        const fields = yield* ask(baseUrl, "/createGasWallet", {})
        const wallet = String(fields["address"]) as Address
        yield* devnet.faucet({ network, address: wallet, amountWei: 100n * 10n ** 18n })
        return { apiKey: String(fields["apiKey"]), wallet }
      }))
    return yield* Effect.forEach(Array.from({ length: vaults }), (_, index) =>
      Effect.gen(function*() {
        const owner = made[index % made.length]
        if (owner === undefined) return yield* Effect.die(new Error("traders need a wallet"))
        const pool = yield* vault
        yield* devnet.setTrader({ network, pool, trader: owner.wallet })
        return { ...owner, pool } satisfies Trader
      }))
  }).pipe(Effect.orDie)

/** Reads the chain: mined transactions of these wallets, and whole dollars that their vaults hold. */
export const readChain = (traders: ReadonlyArray<Trader>) =>
  Effect.gen(function*() {
    const { entry, rpc } = yield* chain
    const usdc = entry.tokens["USDC"]
    if (usdc === undefined) return yield* Effect.die(new Error(`no USDC on ${network}`))
    const wallets = [...new Set(traders.map(({ wallet }) => wallet))]
    const counts = yield* Effect.forEach(wallets, (wallet) =>
      rpc.request("eth_getTransactionCount", [wallet, "latest"], Quantity))
    const balances = yield* Effect.forEach(traders, ({ pool }) =>
      Effect.map(
        rpc.call({ to: usdc.address, data: encodeFunctionData({ abi, functionName: "balanceOf", args: [pool] }) }),
        (data) =>
          decodeFunctionResult({ abi, functionName: "balanceOf", data })
      ))
    const sum = (values: ReadonlyArray<bigint>) => Number(values.reduce((total, value) => total + value, 0n))
    return { transactions: sum(counts), dollars: sum(balances) / 1e6 }
  }).pipe(Effect.orDie)

/** Mines an empty block, which makes the transactions before it final. */
export const mine = Effect.orDie(Effect.flatMap(chain, ({ rpc }) => rpc.mine))
