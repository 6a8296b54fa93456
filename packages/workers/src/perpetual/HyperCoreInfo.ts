/** Client of HyperCore's info API over HTTP. The API needs no key and changes nothing. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { PerpetualsBook } from "@vault-trader/core/chain/NetworkConfig"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { partOf } from "../chain/HttpFailure.ts"
import * as Answers from "./HyperCoreSchema.ts"

/** The info API gave no usable response. */
export class InfoUnavailable extends Data.TaggedError("InfoUnavailable")<{ readonly reason: string }> {}

type InfoResult<A> = Effect.Effect<A, InfoUnavailable>

export interface Access {
  /** Hard limit of one request. */
  readonly timeoutMillis: number
}

export const defaultAccess: Access = { timeoutMillis: 5_000 }

/** The queries. `book` holds the network's API URL, `user` is the vault. */
export class HyperCoreInfo extends Context.Service<HyperCoreInfo, {
  /** Returns the traded contracts by number, with their current prices. */
  readonly markets: (book: PerpetualsBook) => InfoResult<ReadonlyArray<Answers.HyperCoreMarket>>
  readonly account: (book: PerpetualsBook, user: Address) => InfoResult<typeof Answers.Account.Type>
  /** Returns the free USDC on the spot side, 8 decimals. */
  readonly spotUsdc: (book: PerpetualsBook, user: Address) => InfoResult<bigint>
  /** Returns the order with this cloid or number; none when HyperCore has no record of it. */
  readonly order: (
    book: PerpetualsBook,
    user: Address,
    name: Hex | number
  ) => InfoResult<Option.Option<Answers.OrderRecord>>
  readonly openOrders: (book: PerpetualsBook, user: Address) => InfoResult<ReadonlyArray<typeof Answers.OpenOrder.Type>>
  /** Returns the fills since `from`, unix milliseconds. */
  readonly fills: (
    book: PerpetualsBook,
    user: Address,
    from: number
  ) => InfoResult<ReadonlyArray<typeof Answers.Fill.Type>>
  /** Returns the ledger entries since `from`, unix milliseconds. */
  readonly ledger: (
    book: PerpetualsBook,
    user: Address,
    from: number
  ) => InfoResult<ReadonlyArray<typeof Answers.LedgerEntry.Type>>
}>()("vault-trader/workers/perpetual/HyperCoreInfo") {
  static readonly layer = (access: Access): Layer.Layer<HyperCoreInfo, never, HttpClient.HttpClient> =>
    Layer.effect(HyperCoreInfo, make(access))
}

/** Builds the client over the platform's HTTP client. Redirects are not followed. */
export const overFetch = (access: Access): Layer.Layer<HyperCoreInfo> =>
  HyperCoreInfo.layer(access).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
  )

/** Access to the info API of this process. */
export const InfoAccess = Context.Reference<Access>("vault-trader/workers/perpetual/InfoAccess", {
  defaultValue: () => defaultAccess
})

/** The client with the configured access. */
export const HyperCoreInfoLive = Layer.unwrap(Effect.map(InfoAccess, overFetch))

/** Builds the refusal for an unavailable info API, when nothing has been sent. */
export const unavailable = ({ reason }: InfoUnavailable): ExecutionFailure =>
  explain({ _tag: "InfoUnavailable", detail: reason })

const make = ({ timeoutMillis }: Access) =>
  Effect.map(HttpClient.HttpClient, (http) => {
    const failed = (reason: string) => new InfoUnavailable({ reason })

    const post = (book: PerpetualsBook, query: Readonly<Record<string, unknown>>) =>
      Effect.gen(function*() {
        const response = yield* http.execute(
          HttpClientRequest.post(book.infoUrl).pipe(
            HttpClientRequest.acceptJson,
            HttpClientRequest.bodyJsonUnsafe(query)
          )
        )
        return { status: response.status, text: yield* response.text }
      }).pipe(
        Effect.timeoutOrElse({
          duration: timeoutMillis,
          orElse: () => Effect.fail(failed(`no answer within ${timeoutMillis / 1000} s`))
        }),
        // Drops the HTTP client's error: it contains the URL, which can contain an operator's key.
        Effect.catchTag(
          "HttpClientError",
          (error) => failed(partOf(error) === "RequestError" ? "it cannot be reached" : "its response is incomplete")
        ),
        Effect.withTracerEnabled(false)
      )

    const run = <A, I>(
      book: PerpetualsBook,
      schema: Schema.Codec<A, I>,
      query: { readonly type: string } & Readonly<Record<string, unknown>>
    ): InfoResult<A> =>
      Effect.gen(function*() {
        const { status, text } = yield* post(book, query)
        if (status === 429) return yield* failed("it is rate limited")
        if (status !== 200) return yield* failed(`HTTP ${status}`)
        return yield* Effect.mapError(
          Schema.decodeUnknownEffect(Schema.fromJsonString(schema))(text),
          () => failed(`its response to ${query.type} is invalid`)
        )
      }).pipe(Effect.withSpan(`core ${query.type}`, { kind: "client" }, { captureStackTrace: false }))

    return HyperCoreInfo.of({
      markets: (book) => Effect.map(run(book, Answers.Markets, { type: "metaAndAssetCtxs" }), Answers.listMarkets),
      account: (book, user) => run(book, Answers.Account, { type: "clearinghouseState", user }),
      spotUsdc: (book, user) =>
        Effect.map(run(book, Answers.Spot, { type: "spotClearinghouseState", user }), Answers.freeUsdc),
      order: (book, user, oid) =>
        Effect.map(run(book, Answers.OrderStatus, { type: "orderStatus", user, oid }), Answers.toOrderRecord),
      openOrders: (book, user) => run(book, Schema.Array(Answers.OpenOrder), { type: "frontendOpenOrders", user }),
      fills: (book, user, startTime) =>
        run(book, Schema.Array(Answers.Fill), { type: "userFillsByTime", user, startTime }),
      ledger: (book, user, startTime) =>
        run(book, Schema.Array(Answers.LedgerEntry), { type: "userNonFundingLedgerUpdates", user, startTime })
    })
  })
