/**
 * The type that an author of a strategy writes against: one module that exports `strategy`, made with `define`. It runs in a sandbox, the
 * same in a backtest, on paper and live. This module imports nothing, and strategies import everything of ours from it.
 * See docs/strategies.md.
 */

/** A value that is stored as JSON. */
export type Json =
  | null
  | boolean
  | number
  | string
  | ReadonlyArray<Json>
  | { readonly [key: string]: Json }

/** A number that the owner of a bot may set. `integer` has no fraction. */
export interface NumberInput {
  readonly type: "number" | "integer"
  readonly default: number
  readonly minimum?: number
  readonly maximum?: number
  readonly description?: string
}

export interface BooleanInput {
  readonly type: "boolean"
  readonly default: boolean
  readonly description?: string
}

export interface ChoiceInput {
  readonly type: "choice"
  readonly default: string
  readonly choices: ReadonlyArray<string>
  readonly description?: string
}

export type Input = NumberInput | BooleanInput | ChoiceInput
export type Inputs = Readonly<Record<string, Input>>

/** The values of a strategy's inputs: those that the owner has set, and defaults. */
export type Values<I extends Inputs> = {
  readonly [Name in keyof I]: I[Name] extends { readonly type: "boolean" } ? boolean
    : I[Name] extends { readonly type: "choice" } ? string
    : number
}

/** A closed candle: USD per whole token by the vault's oracle. */
export interface Candle {
  /** When it opened, unix seconds. */
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

/** The vault's balance of an asset, at the last candle's close. */
export interface Holding {
  /** Whole tokens. */
  readonly amount: number
  /** USD per whole token. */
  readonly price: number
  readonly usd: number
  /** Percent of the value of the bot's assets and quote together. */
  readonly weight: number
}

/** All that a strategy knows. It is plain JSON data; there is no clock, no random number and no network. */
export interface State<I extends Inputs = Inputs> {
  /** Block time of the decision, unix seconds. */
  readonly time: number
  /** The assets that the bot trades, by symbol, in the owner's order. */
  readonly assets: ReadonlyArray<string>
  /** The asset that trades go through, by symbol, such as USDC. */
  readonly quote: string
  /** The closed candles of each asset, the oldest first: at most `history` of them. */
  readonly candles: Readonly<Record<string, ReadonlyArray<Candle>>>
  /** The vault's balance of each asset and of the quote. On paper: what it would have. */
  readonly holdings: Readonly<Record<string, Holding>>
  /** The value of the bot's assets and quote together, USD. */
  readonly usd: number
  readonly inputs: Values<I>
  /** The `memory` of the last decision; null before the first. */
  readonly memory: Json
}

/** A trade at once, between two of the bot's assets. One of `share` and `usd` is given. */
export interface Order {
  readonly side: "buy" | "sell"
  readonly base: string
  /** The bot's quote without it. */
  readonly quote?: string
  /** Percent of what is held of the asset that is sold. */
  readonly share?: number
  /** USD. */
  readonly usd?: number
}

/**
 * A decision. `targets`: the weights that assets are to have, percent of the value of the bot's assets and quote; assets
 * that it does not name are left alone, and the quote takes the rest. `orders`: trades. Neither: nothing is traded.
 */
export interface Decision {
  readonly targets?: Readonly<Record<string, number>>
  readonly orders?: ReadonlyArray<Order>
  /** The `memory` of the next decision; without it the memory is kept. At most 16 kB of JSON. */
  readonly memory?: Json
  /** Why, in words, for the bot's history. */
  readonly reason?: string
}

export interface Strategy<I extends Inputs = Inputs> {
  /** One sentence for people. */
  readonly description: string
  /** How many closed candles `decide` gets at most, 1 to 1000; 200 without it. */
  readonly history?: number
  readonly inputs: I
  /** Decides at a candle's close. It must answer at once: a promise is refused. */
  readonly decide: (state: State<I>) => Decision | null | undefined
}

/** Returns the strategy, with the types of its inputs. */
export const define = <const I extends Inputs>(strategy: Strategy<I>): Strategy<I> => strategy
