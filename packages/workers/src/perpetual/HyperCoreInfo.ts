/** What the core says of itself: its info API, asked by HTTP. It needs no key and changes nothing. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { PerpetualsBook } from "@vault-trader/core/chain/NetworkConfig"
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
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

/** The info API gave no answer that can be used: nothing is known by it. */
export class InfoUnavailable extends Data.TaggedError("InfoUnavailable")<{ readonly reason: string }> {}

type Asked<A> = Effect.Effect<A, InfoUnavailable>

export interface Access {
  /** Hard limit of one request. */
  readonly timeoutMillis: number
}

export const standard: Access = { timeoutMillis: 5_000 }

/** The questions; `book` says where the network's core answers, `user` is the vault. */
export class HyperCoreInfo extends Context.Service<HyperCoreInfo, {
  /** The contracts that are traded, by their number, with their prices now. */
  readonly markets: (book: PerpetualsBook) => Asked<ReadonlyArray<Answers.Listed>>
  readonly account: (book: PerpetualsBook, user: Address) => Asked<typeof Answers.Account.Type>
  /** USDC on the spot side that is free, 8 decimals. */
  readonly spotUsdc: (book: PerpetualsBook, user: Address) => Asked<bigint>
  /** The order of this cloid or number; none where the core never heard of it. */
  readonly order: (book: PerpetualsBook, user: Address, name: Hex | number) => Asked<Option.Option<Answers.ToldOrder>>
  readonly openOrders: (book: PerpetualsBook, user: Address) => Asked<ReadonlyArray<typeof Answers.OpenOrder.Type>>
  /** What was traded from this moment (unix milliseconds) on. */
  readonly fills: (book: PerpetualsBook, user: Address, from: number) => Asked<ReadonlyArray<typeof Answers.Fill.Type>>
  /** Money that came and went from this moment (unix milliseconds) on. */
  readonly ledger: (book: PerpetualsBook, user: Address, from: number) => Asked<ReadonlyArray<typeof Answers.LedgerEntry.Type>>
}>()("vault-trader/workers/perpetual/CoreInfo") {
  static readonly layer = (access: Access): Layer.Layer<HyperCoreInfo, never, HttpClient.HttpClient> => Layer.effect(HyperCoreInfo, make(access))
}

/** Over the platform's own HTTP client. Redirects are not followed. */
export const overFetch = (access: Access): Layer.Layer<HyperCoreInfo> =>
  HyperCoreInfo.layer(access).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
  )

/** What a caller is told while the info API does not answer and nothing has been sent. */
export const unavailable = ({ reason }: InfoUnavailable): ExecutionFailure =>
  new ExecutionFailure({ errorType: "exchange_error", message: `The core's info API cannot be asked (${reason}); nothing was sent. Try again in a moment.` })

const make = ({ timeoutMillis }: Access) =>
  Effect.map(HttpClient.HttpClient, (http) => {
    const none = (reason: string) => new InfoUnavailable({ reason })

    const fetched = (book: PerpetualsBook, question: Readonly<Record<string, unknown>>) =>
      Effect.gen(function*() {
        const response = yield* http.execute(HttpClientRequest.post(book.infoUrl).pipe(HttpClientRequest.acceptJson, HttpClientRequest.bodyJsonUnsafe(question)))
        return { status: response.status, text: yield* response.text }
      }).pipe(
        Effect.timeoutOrElse({ duration: timeoutMillis, orElse: () => Effect.fail(none(`no answer within ${timeoutMillis / 1000} s`)) }),
        // What the HTTP client reports holds the URL, and a URL can hold an operator's key.
        Effect.catchTag("HttpClientError", (error) => none(partOf(error) === "RequestError" ? "it cannot be reached" : "its answer breaks off")),
        Effect.withTracerEnabled(false)
      )

    const ask = <A, I>(book: PerpetualsBook, schema: Schema.Codec<A, I>, question: { readonly type: string } & Readonly<Record<string, unknown>>): Asked<A> =>
      Effect.gen(function*() {
        const { status, text } = yield* fetched(book, question)
        if (status === 429) return yield* none("it is asked too often")
        if (status !== 200) return yield* none(`HTTP ${status}`)
        return yield* Effect.mapError(Schema.decodeUnknownEffect(Schema.fromJsonString(schema))(text), () => none(`its answer to ${question.type} makes no sense`))
      }).pipe(Effect.withSpan(`core ${question.type}`, { kind: "client" }, { captureStackTrace: false }))

    return HyperCoreInfo.of({
      markets: (book) => Effect.map(ask(book, Answers.Markets, { type: "metaAndAssetCtxs" }), Answers.listed),
      account: (book, user) => ask(book, Answers.Account, { type: "clearinghouseState", user }),
      spotUsdc: (book, user) => Effect.map(ask(book, Answers.Spot, { type: "spotClearinghouseState", user }), Answers.freeUsdc),
      order: (book, user, oid) => Effect.map(ask(book, Answers.OrderStatus, { type: "orderStatus", user, oid }), Answers.toldOrder),
      openOrders: (book, user) => ask(book, Schema.Array(Answers.OpenOrder), { type: "frontendOpenOrders", user }),
      fills: (book, user, startTime) => ask(book, Schema.Array(Answers.Fill), { type: "userFillsByTime", user, startTime }),
      ledger: (book, user, startTime) => ask(book, Schema.Array(Answers.LedgerEntry), { type: "userNonFundingLedgerUpdates", user, startTime })
    })
  })
