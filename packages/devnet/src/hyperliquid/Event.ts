/** The chain events that drive the fake derivatives exchange. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { decodeEventLog, parseAbi } from "viem"
import { Address, Hash, Hex } from "@vault-trader/core/chain/Address"
import { Quantity } from "../anvil/RpcSchema.ts"
import { coins } from "../contract/Coins.ts"
import type { Deployed } from "../contract/Deployed.ts"
import { decode, type RawAction } from "./RawAction.ts"
import { type FaultRule, Text } from "./FaultRule.ts"
import type { Moment } from "./State.ts"

/** A log with the number of its block. */
export const BlockLog = Schema.Struct({
  address: Address,
  topics: Schema.Array(Hash),
  data: Hex,
  blockNumber: Quantity,
  transactionHash: Hash
})
export type BlockLog = typeof BlockLog.Type

export type Event =
  | { readonly _tag: "action"; readonly user: Address; readonly action: RawAction | undefined }
  | { readonly _tag: "deposit"; readonly user: Address; readonly amount: bigint; readonly isPerp: boolean }
  /** `isKnown` is true when the chain has the price already. */
  | { readonly _tag: "price"; readonly asset: number; readonly px: bigint; readonly isKnown: boolean }
  | { readonly _tag: "ruling"; readonly ruling: FaultRule }
  | { readonly _tag: "priceReported"; readonly asset: number; readonly px: bigint }
  | { readonly _tag: "accountReported"; readonly user: Address; readonly worth: bigint; readonly credited: bigint }
  | { readonly _tag: "paid" }

export type DatedEvent = Moment & { readonly event: Event }

const abi = parseAbi([
  "event RawAction(address indexed user, bytes data)",
  "event Deposit(address indexed user, uint256 amount, uint32 dexId)",
  "event PriceSet(uint32 indexed asset, uint64 px)",
  "event Told(string ruling)",
  "event PriceReported(uint32 indexed asset, uint64 px)",
  "event AccountReported(address indexed user, uint256 worth, uint256 credited)",
  "event Paid(uint256 number, address indexed to, uint256 amount)",
  "event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt)"
])

const decodeLog = Option.liftThrowable(({ data, topics }: BlockLog) => {
  const [signature, ...rest] = topics
  return decodeEventLog({ abi, data, topics: signature === undefined ? [] : [signature, ...rest] })
})

const lower = (address: string) => address.toLowerCase() as Address
const readRuling = Schema.decodeOption(Text)

/** Returns the asset whose price follows a feed, by the feed's address. */
const followers = ({ feeds }: Pick<Deployed, "feeds">): ReadonlyMap<Address, number> =>
  new Map(coins.flatMap(({ follows }, asset) => {
    const feed = follows === undefined ? undefined : feeds[follows]
    return feed === undefined ? [] : [[feed, asset] as const]
  }))

/** Returns every contract whose events are read. */
export const sources = (deployed: Pick<Deployed, "feeds" | "perpetuals">): ReadonlyArray<Address> => {
  const { perpetuals } = deployed
  return perpetuals === undefined
    ? []
    : [perpetuals.coreWriter, perpetuals.depositWallet, perpetuals.mirror, ...followers(deployed).keys()]
}

/** Returns a function from a log to its event; undefined when the log means nothing to the exchange. */
export const ofLog = (deployed: Pick<Deployed, "feeds">) => {
  const byFeed = followers(deployed)
  return (log: BlockLog): Event | undefined => {
    const decoded = Option.getOrUndefined(decodeLog(log))
    if (decoded === undefined) return undefined
    switch (decoded.eventName) {
      case "RawAction":
        return { _tag: "action", user: lower(decoded.args.user), action: decode(decoded.args.data) }
      case "Deposit":
        return {
          _tag: "deposit",
          user: lower(decoded.args.user),
          amount: decoded.args.amount,
          isPerp: decoded.args.dexId === 0
        }
      case "PriceSet":
        return { _tag: "price", asset: decoded.args.asset, px: decoded.args.px, isKnown: true }
      case "Told":
        return Option.getOrUndefined(
          Option.map(readRuling(decoded.args.ruling), (ruling) => ({ _tag: "ruling" as const, ruling }))
        )
      case "PriceReported":
        return { _tag: "priceReported", asset: decoded.args.asset, px: decoded.args.px }
      case "AccountReported": {
        const { credited, user, worth } = decoded.args
        return { _tag: "accountReported", user: lower(user), worth, credited }
      }
      case "Paid":
        return { _tag: "paid" }
      case "AnswerUpdated": {
        const asset = byFeed.get(log.address)
        return asset === undefined ? undefined : { _tag: "price", asset, px: decoded.args.current, isKnown: false }
      }
    }
  }
}
