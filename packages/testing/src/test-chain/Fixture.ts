/**
 * Sets up a chain: vaults, tokens, prices, pools, permissions. Each change is immediate, without a transaction, and no
 * reorganisation undoes it.
 */
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as HashSet from "effect/HashSet"
import { zeroAddress } from "viem"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Edit } from "./Blocks.ts"
import * as Genesis from "./Genesis.ts"
import * as ChainState from "./ChainState.ts"

export interface NewVault {
  readonly manager: Address
  readonly trader?: Address
  /** Symbols of the assets it may hold. Defaults to USDC, WETH, WBTC, DAI, LINK and ETHBEAR1X. */
  readonly assets?: ReadonlyArray<string>
  /** Symbols of those that can be deposited. Defaults to USDC and WETH. */
  readonly deposits?: ReadonlyArray<string>
  /** Smallest units by symbol, newly minted. */
  readonly holdings?: Readonly<Record<string, bigint>>
}

export interface VaultAddresses {
  readonly pool: Address
  readonly managerLogic: Address
  readonly manager: Address
}

export interface Fixture {
  /** Returns a token's address by its symbol. A token that does not exist is a mistake of the test. */
  readonly token: (symbol: string) => Address
  readonly createVault: (vault: NewVault) => Effect.Effect<VaultAddresses>
  readonly setManager: (pool: Address, manager: Address) => Effect.Effect<void>
  readonly setTrader: (pool: Address, trader: Address | null) => Effect.Effect<void>
  readonly enableAsset: (pool: Address, symbol: string, isDeposit?: boolean) => Effect.Effect<void>
  readonly disableAsset: (pool: Address, symbol: string) => Effect.Effect<void>
  readonly addToken: (token: Genesis.NewToken) => Effect.Effect<Address>
  /**
   * Sets the platform oracle's price in USD. `updatedAt` (Unix seconds) lets it become stale, like a feed without
   * updates. Pools do not follow.
   */
  readonly setPrice: (symbol: string, usd: number, updatedAt?: bigint) => Effect.Effect<void>
  /** Multiplies a token's price by so many thousandths, at the oracle and in its pools. */
  readonly movePrice: (symbol: string, thousandths: bigint) => Effect.Effect<void>
  /** Creates a pool of two tokens, or changes the depth of an existing one; whole tokens on each side. */
  readonly setPool: (pool: {
    readonly base: string
    readonly quote: string
    readonly fee: number
    readonly baseReserve: bigint
    readonly quoteReserve: bigint
  }) => Effect.Effect<void>
  /** Mints tokens, in smallest units. */
  readonly mintToken: (symbol: string, owner: Address, amount: bigint) => Effect.Effect<void>
  /** Wei. */
  readonly setBalance: (owner: Address, wei: bigint) => Effect.Effect<void>
  readonly setPaused: (paused: boolean) => Effect.Effect<void>
  readonly setTradingPaused: (pool: Address, paused: boolean) => Effect.Effect<void>
  /** Sets how much a vault may lose to swaps within a day, in millionths; a tenth at first. */
  readonly setSlippageBudget: (parts: bigint) => Effect.Effect<void>
  /**
   * Sets the guard of a contract that vaults want to call: the router's guard, one that allows approvals only, or none.
   */
  readonly setGuard: (contract: Address, kind: ChainState.Guard["kind"] | null) => Effect.Effect<void>
}

const defaultAssets = ["USDC", "WETH", "WBTC", "DAI", "LINK", "ETHBEAR1X"]
const defaultDeposits = ["USDC", "WETH"]

const withLogic = (
  world: ChainState.World,
  pool: Address,
  change: (logic: ChainState.ManagerLogic) => Partial<ChainState.ManagerLogic>
): ChainState.World => {
  const vault = ChainState.contractAt(world, pool)
  const logic = vault?._tag === "Vault" ? ChainState.contractAt(world, vault.managerLogic) : undefined
  return vault?._tag !== "Vault" || logic?._tag !== "ManagerLogic"
    ? world
    : ChainState.withContract(world, vault.managerLogic, { ...logic, ...change(logic) })
}

const decimalsOf = (world: ChainState.World, symbol: string): bigint => {
  const token = ChainState.contractAt(world, Genesis.tokenAddress(symbol))
  return BigInt(token?._tag === "Token" ? token.decimals : 18)
}

const withPlatform = (change: (platform: ChainState.Platform) => Partial<ChainState.Platform>): Edit => (world) => ({
  ...world,
  platform: { ...world.platform, ...change(world.platform) }
})

/** Counts the vaults; the next number determines a new vault's name and address. */
const vaultsIn = ({ contracts }: ChainState.World) =>
  HashMap.reduce(contracts, 0, (count, contract) => count + (contract._tag === "Vault" ? 1 : 0))

const token = Genesis.tokenAddress

const withPrice = (world: ChainState.World, asset: Address, thousandths: bigint): ChainState.World => {
  const scaled = (amount: bigint) => amount * thousandths / 1000n
  const info = HashMap.get(world.platform.assets, asset)
  const priced = info._tag === "None"
    ? world
    : Genesis.withAsset(world, asset, { ...info.value, price: scaled(info.value.price) })
  return Array.from(HashMap.values(world.pairs)).reduce((all, { fee, reserve0, reserve1, token0, token1 }) => {
    if (token0 !== asset && token1 !== asset) return all
    const isFirst = token0 === asset
    const [base, quote] = isFirst ? [token0, token1] : [token1, token0]
    const [baseReserve, quoteReserve] = isFirst ? [reserve0, scaled(reserve1)] : [reserve1, scaled(reserve0)]
    return Genesis.withPool(all, { base, quote, fee, baseReserve, quoteReserve })
  }, priced)
}

const mint = (world: ChainState.World, symbol: string, owner: Address, amount: bigint) => {
  const key = ChainState.balance(token(symbol), owner)
  return ChainState.withSlot(world, key, ChainState.slot(world, key) + amount)
}

/** Makes the setup of a chain whose state `edit` changes and `world` returns. */
export const make = (edit: (change: Edit) => Effect.Effect<void>, world: Effect.Effect<ChainState.World>): Fixture => ({
  token,
  createVault: ({ assets = defaultAssets, deposits = defaultDeposits, holdings = {}, manager, trader = zeroAddress }) =>
    Effect.gen(function*() {
      const number = vaultsIn(yield* world) + 1
      const [pool, managerLogic] = [
        ChainState.addressOf(`vault ${number}`),
        ChainState.addressOf(`vault ${number} manager logic`)
      ]
      const supported = assets.map((symbol) => ({ asset: token(symbol), isDeposit: deposits.includes(symbol) }))
      yield* edit((before) => {
        const vault = ChainState.withContract(before, pool, { _tag: "Vault", managerLogic })
        const whole = ChainState.withContract(vault, managerLogic, {
          _tag: "ManagerLogic",
          vault: pool,
          manager,
          trader,
          assets: supported
        })
        return Object.entries(holdings).reduce((all, [symbol, amount]) => mint(all, symbol, pool, amount), whole)
      })
      return { pool, managerLogic, manager }
    }),
  setManager: (pool, manager) => edit((world) => withLogic(world, pool, () => ({ manager }))),
  setTrader: (pool, trader) => edit((world) => withLogic(world, pool, () => ({ trader: trader ?? zeroAddress }))),
  enableAsset: (pool, symbol, isDeposit = false) =>
    edit((world) =>
      withLogic(world, pool, ({ assets }) => ({
        assets: [...assets.filter(({ asset }) => asset !== token(symbol)), { asset: token(symbol), isDeposit }]
      }))
    ),
  disableAsset: (pool, symbol) =>
    edit((world) =>
      withLogic(world, pool, ({ assets }) => ({ assets: assets.filter(({ asset }) => asset !== token(symbol)) }))
    ),
  addToken: (added) => Effect.as(edit((world) => Genesis.withToken(world, added)), token(added.symbol)),
  setPrice: (symbol, usd, updatedAt) =>
    edit((world) =>
      Genesis.withAsset(world, token(symbol), {
        price: BigInt(Math.round(usd * 1e8)) * 10n ** 10n,
        assetType: 0,
        updatedAt
      })
    ),
  movePrice: (symbol, thousandths) => edit((world) => withPrice(world, token(symbol), thousandths)),
  setPool: ({ base, baseReserve, fee, quote, quoteReserve }) =>
    edit((world) =>
      Genesis.withPool(world, {
        base: token(base),
        quote: token(quote),
        fee,
        baseReserve: baseReserve * 10n ** decimalsOf(world, base),
        quoteReserve: quoteReserve * 10n ** decimalsOf(world, quote)
      })
    ),
  mintToken: (symbol, owner, amount) => edit((world) => mint(world, symbol, owner, amount)),
  setBalance: (owner, wei) => edit((world) => ChainState.withSlot(world, ChainState.native(owner), wei)),
  setPaused: (paused) => edit(withPlatform(() => ({ paused }))),
  setTradingPaused: (pool, paused) =>
    edit(withPlatform(({ tradingPaused }) => ({
      tradingPaused: paused ? HashSet.add(tradingPaused, pool) : HashSet.remove(tradingPaused, pool)
    }))),
  setSlippageBudget: (slippageBudget) => edit(withPlatform(() => ({ slippageBudget }))),
  setGuard: (contract, kind) =>
    edit(withPlatform(({ guards }) => ({
      guards: kind === null
        ? HashMap.remove(guards, contract)
        : HashMap.set(guards, contract, { address: ChainState.addressOf(`guard of ${contract}`), kind })
    })))
})
