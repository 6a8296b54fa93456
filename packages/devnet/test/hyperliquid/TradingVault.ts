/** A vault that trades perpetual contracts on the fake exchange through its trader's calls. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { concatHex, encodeAbiParameters, encodeFunctionData, numberToHex, parseAbi, parseAbiParameters } from "viem"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { Devnet } from "../../src/devnet/Devnet.ts"
import type { Question } from "../../src/hyperliquid/Info.ts"
import { lastingPerpetualsVault, perpetualsVault, refusal } from "../contract/TestVault.ts"

export const Hyperliquid = Devnet.layer({ networks: ["hyperliquid"], heartbeat: false })

export const abi = parseAbi([
  "function sendRawAction(bytes data)",
  "function deposit(uint256 amount, uint32 dexId)",
  "function worthOf(address user) view returns (uint256)",
  "function prices(uint32 asset) view returns (uint64)",
  "function report((uint32,uint64)[] seen, (address,uint256,uint256)[] accounts, uint256 first, (address,uint256)[] payments)",
  "function transfer(address to, uint256 amount)"
])

export const usdc = 1_000_000n
export const system: Address = "0x2000000000000000000000000000000000000000"
export const spotDex = 4_294_967_295

/** Eight decimals. */
export const e8 = (value: number): bigint => BigInt(Math.round(value * 1e8))

const raw = (id: number, data: Hex): Hex => concatHex(["0x01", numberToHex(id, { size: 3 }), data])

export interface Wanted {
  readonly asset?: number
  readonly isBuy?: boolean
  readonly px: number
  readonly sz: number
  readonly reduceOnly?: boolean
  readonly tif?: "alo" | "gtc" | "ioc"
  readonly cloid?: bigint
}

const tifs = { alo: 1, gtc: 2, ioc: 3 } as const

export const order = ({ asset = 1, cloid = 0n, isBuy = true, px, reduceOnly = false, sz, tif = "ioc" }: Wanted): Hex =>
  raw(
    1,
    encodeAbiParameters(parseAbiParameters("uint32, bool, uint64, uint64, bool, uint8, uint128"), [
      asset,
      isBuy,
      e8(px),
      e8(sz),
      reduceOnly,
      tifs[tif],
      cloid
    ])
  )
export const cancelByOid = (asset: number, oid: number): Hex =>
  raw(10, encodeAbiParameters(parseAbiParameters("uint32, uint64"), [asset, BigInt(oid)]))
export const cancelByCloid = (asset: number, cloid: bigint): Hex =>
  raw(11, encodeAbiParameters(parseAbiParameters("uint32, uint128"), [asset, cloid]))
/** Millionths of a dollar. */
export const classTransfer = (amount: bigint, toPerp: boolean): Hex =>
  raw(7, encodeAbiParameters(parseAbiParameters("uint64, bool"), [amount, toPerp]))
/** Hundred-millionths. */
export const spotSend = (to: Address, amount: bigint, token = 0n): Hex =>
  raw(6, encodeAbiParameters(parseAbiParameters("address, uint64, uint64"), [to, token, amount]))
export const sendAsset = (to: Address, fromDex: number, toDex: number, amount: bigint): Hex =>
  raw(
    13,
    encodeAbiParameters(
      parseAbiParameters("address, address, uint32, uint32, uint64, uint64"),
      [to, "0x0000000000000000000000000000000000000000", fromDex, toDex, 0n, amount]
    )
  )

const States = {
  clearinghouse: Schema.Struct({
    marginSummary: Schema.Struct({
      accountValue: Schema.String,
      totalNtlPos: Schema.String,
      totalRawUsd: Schema.String,
      totalMarginUsed: Schema.String
    }),
    withdrawable: Schema.String,
    assetPositions: Schema.Array(Schema.Struct({
      type: Schema.Literal("oneWay"),
      position: Schema.Struct({
        coin: Schema.String,
        szi: Schema.String,
        entryPx: Schema.String,
        positionValue: Schema.String,
        unrealizedPnl: Schema.String,
        liquidationPx: Schema.NullOr(Schema.String),
        marginUsed: Schema.String,
        leverage: Schema.Struct({ type: Schema.String, value: Schema.Number })
      })
    })),
    time: Schema.Number
  }),
  order: Schema.Struct({
    status: Schema.String,
    order: Schema.optional(Schema.Struct({
      status: Schema.String,
      order: Schema.Struct({
        coin: Schema.String,
        side: Schema.String,
        oid: Schema.Int,
        sz: Schema.String,
        origSz: Schema.String,
        limitPx: Schema.String,
        tif: Schema.String
      })
    }))
  }),
  fills: Schema.Array(Schema.Struct({
    ...{
      coin: Schema.String,
      px: Schema.String,
      sz: Schema.String,
      side: Schema.Literals(["A", "B"]),
      fee: Schema.String,
      closedPnl: Schema.String
    },
    ...{ dir: Schema.String, startPosition: Schema.String, crossed: Schema.Boolean, oid: Schema.Int }
  })),
  spot: Schema.Struct({ balances: Schema.Array(Schema.Struct({ coin: Schema.String, total: Schema.String })) })
}

/** Returns a cloid as the info API writes it, `0x…`. */
export const named = (cloid: bigint): Hex => numberToHex(cloid, { size: 16 })

const tradingOf = (found: typeof perpetualsVault) =>
  Effect.gen(function*() {
    const vault = yield* found
    const { devnet, entry, pool, trader } = vault
    const perpetuals = entry.perpetuals!
    const { core } = devnet
    const { coreWriter, depositWallet } = perpetuals
    const depositing = (amount: bigint, dexId = 0) =>
      encodeFunctionData({ abi, functionName: "deposit", args: [amount, dexId] })
    const acting = (data: Hex) => encodeFunctionData({ abi, functionName: "sendRawAction", args: [data] })
    const asked = <A, I>(schema: Schema.Codec<A, I>, question: typeof Question.Encoded) =>
      Effect.flatMap(core.info(question), (answer) => Effect.orDie(Schema.decodeUnknownEffect(schema)(answer)))
    const settledAfter = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.tap(effect, core.settled)
    yield* core.settled
    return {
      ...vault,
      ...perpetuals,
      core,
      depositing,
      acting,
      /** Deposits USDC of the vault on the exchange. */
      deposit: (amount: bigint, dexId?: number) =>
        settledAfter(vault.executeAll([
          { to: vault.token("USDC"), data: vault.approve(depositWallet, amount) },
          { to: depositWallet, data: depositing(amount, dexId) }
        ])),
      /** Sends an action and waits until the exchange has seen it. */
      act: (data: Hex) => settledAfter(vault.execute(trader, coreWriter, acting(data))),
      /** Returns why the guard refuses an action. */
      said: (data: Hex) => refusal(vault.execute(trader, coreWriter, acting(data))),
      account: asked(States.clearinghouse, { type: "clearinghouseState", user: pool }),
      spot: Effect.map(asked(States.spot, { type: "spotClearinghouseState", user: pool }), ({ balances }) =>
        balances[0]?.total ?? "0.0"),
      status: (oid: number | string) =>
        asked(States.order, { type: "orderStatus", user: pool, oid }),
      fills: asked(States.fills, { type: "userFills", user: pool }),
      onExchange: vault.worth(coreWriter)
    }
  })

/** The whitelisted vault, and everything a test calls. The chain, and with it the exchange, is restored afterwards. */
export const trading = tradingOf(perpetualsVault)

/** The same without restoring the chain. */
export const lasting = tradingOf(lastingPerpetualsVault)
