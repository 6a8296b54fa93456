/** Sign-in and sign-out of the console, over plain HTTP because it sets a cookie. */
import * as Address from "@vault-trader/core/chain/Address"
import { Chain } from "@vault-trader/core/network/Chain"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import { digestPrefix, SessionStore, type SignIn } from "@vault-trader/core/console/SessionStore"
import { messageOf, sessionSeconds, signInSeconds } from "@vault-trader/core/console/SignInMessage"
import type { Failure } from "@vault-trader/core/failure/Failure"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as AuditActor from "../wire/AuditActor.ts"
import * as Body from "../wire/Body.ts"
import * as RequestState from "../wire/RequestState.ts"
import * as Wire from "../wire/Wire.ts"
import { query } from "../gate/ActorCall.ts"
import { RateLimit } from "../gate/RateLimit.ts"
import { Directory } from "../gate/ServedNetworks.ts"
import * as ServiceUnavailable from "../wire/ServiceUnavailable.ts"
import { Origin } from "../wire/Origin.ts"
import { type SignedBy, signerOn } from "../manager/ManagerProof.ts"
import { cookie, digestOf, fresh, tokenOf } from "./SessionToken.ts"

type Answer = HttpServerResponse.HttpServerResponse
const json = (body: unknown): Answer => HttpServerResponse.jsonUnsafe(body)

/** Fails with an error response. */
const refuse = (status: number, message: string) => Effect.fail(Wire.error(status, message))

const seconds = Effect.map(Clock.currentTimeMillis, (now) => Math.floor(now / 1000))

/**
 * Returns the request's origin. It must be an origin of the service, so a page of another site can neither sign in nor
 * use a session. Fails with the error response.
 */
export const originOf = (configured: ReadonlyArray<string>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
    const given = headers["origin"] ?? ""
    const url = URL.canParse(given) ? new URL(given) : undefined
    // The gate has already verified that the host is the service's.
    const isOwn = configured.length === 0
      ? url !== undefined && url.host === headers["host"]
      : configured.includes(given)
    if (url !== undefined && isOwn) return Effect.succeed(url)
    return refuse(
      403,
      `The console can only be used from its own page${
        configured.map((each) => `, ${each}/console`).join("")
      }; this request came from another origin.`
    )
  })

const textOf = (body: ReadonlyMap<string, unknown>, name: string): string => {
  const value = body.get(name)
  return typeof value === "string" ? value : ""
}

/** Turns failures into responses; a failing database becomes its own response. */
const toResponse = (requestSeconds: number, { clientOf }: RateLimit["Service"]) =>
<R>(
  answer: Effect.Effect<Answer, Answer | Failure | Body.BodyUnreadable, R>
): Effect.Effect<Answer, never, R | HttpServerRequest.HttpServerRequest> =>
  Effect.flatMap(
    HttpServerRequest.HttpServerRequest,
    (request) => AuditActor.fromClient(clientOf(request))(RequestState.started(answer))
  ).pipe(
    Effect.provideService(RequestState.RequestSeconds, requestSeconds),
    Effect.catch((failed) =>
      Effect.succeed(
        HttpServerResponse.isHttpServerResponse(failed)
          ? failed
          : failed._tag === "BodyUnreadable"
          ? Wire.error(failed.tooLarge ? 413 : 400, "The body cannot be read.")
          : Wire.error(failed._tag === "ExecutionFailure" ? 503 : 400, failed.message)
      )
    ),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.as(
        Effect.logError("sign-in failed with a defect", cause),
        Option.getOrElse(
          ServiceUnavailable.answerOf({ class: "changesConfig", keyed: false, offered: true }, cause),
          () =>
            Wire.error(
              500,
              "Internal error. The service's operator can find the cause by this response's X-Request-Id."
            )
        )
      )
    )
  )

/** Returns the message that the wallet has to sign. */
const begin = (configured: ReadonlyArray<string>, sessions: SessionStore["Service"]) =>
  Effect.gen(function*() {
    const { host, origin } = yield* originOf(configured)
    const { members: body } = yield* Effect.flatMap(HttpServerRequest.HttpServerRequest, Body.ofRequest)
    const address = textOf(body, "address").trim()
    const manager = Address.parse(address)
    const chainId = Number(body.get("chainId"))
    if (manager === undefined) return yield* refuse(400, "address: must be an address, 0x + 40 hex characters")
    if (!Number.isSafeInteger(chainId) || chainId < 1) {
      return yield* refuse(400, "chainId: must be the chain id of the wallet's network")
    }
    const issuedAt = yield* seconds
    const nonce = crypto.randomUUID().replaceAll("-", "")
    const message = messageOf({ address, chainId, domain: host, origin, issuedAt, nonce })
    yield* query(sessions.begin({ manager, message, chainId, nonce, expiresAt: issuedAt + signInSeconds }))
    return json({ nonce, message })
  })

/**
 * Opens a session for the manager who signed the message. A contract wallet's session is limited to the message's
 * network.
 */
const open = (
  configured: ReadonlyArray<string>,
  networks: ReadonlyArray<Network>,
  sessions: SessionStore["Service"],
  signedBy: (
    signIn: SignIn,
    network: Network | undefined,
    signature: Redacted.Redacted<Address.Hex>
  ) => Effect.Effect<SignedBy, Failure>
) =>
  Effect.gen(function*() {
    const { protocol } = yield* originOf(configured)
    const { members: body } = yield* Effect.flatMap(HttpServerRequest.HttpServerRequest, Body.ofRequest)
    const signature = textOf(body, "signature")
    if (!/^0x([0-9a-fA-F]{2}){1,4096}$/.test(signature)) {
      return yield* refuse(400, "signature: must be the wallet's signature, 0x + hex characters")
    }
    const signIn = yield* query(sessions.take(textOf(body, "nonce")))
    if (Option.isNone(signIn)) {
      return yield* refuse(403, "This sign-in was used before or has expired (ten minutes). Sign in again.")
    }
    const { chainId, manager } = signIn.value
    const network = networks.find((name) => facts[name].chainId === chainId)
    const by = yield* signedBy(signIn.value, network, Redacted.make(signature as Address.Hex))
    if (by === "nobody") {
      return yield* refuse(
        403,
        `The signature is not ${manager}'s${
          network === undefined ? "" : `, according to ${network}`
        }. Select that account in your wallet, or sign in again with the account you want.`
      )
    }
    if (by === "contract" && network === undefined) {
      return yield* refuse(
        403,
        `A contract wallet signs in on its own network, and chain ${chainId} is not served here; served networks: ${
          networks.join(", ")
        }. Switch your wallet's network and sign in again.`
      )
    }
    const token = yield* fresh
    const expiresAt = (yield* seconds) + sessionSeconds
    yield* AuditActor.asManager(manager)(query(
      sessions.open({
        digest: digestOf(token),
        manager,
        network: by === "contract" ? network ?? null : null,
        expiresAt
      })
    ))
    return json({ manager, expiresAt: new Date(expiresAt * 1000).toISOString() }).pipe(
      HttpServerResponse.setHeader(
        "Set-Cookie",
        cookie(token, { seconds: sessionSeconds, secure: protocol === "https:" })
      )
    )
  })

/** Returns the signed-in manager, or null. */
const current = (sessions: SessionStore["Service"]) =>
  Effect.gen(function*() {
    const token = tokenOf((yield* HttpServerRequest.HttpServerRequest).headers)
    const found = token === undefined ? Option.none() : yield* query(sessions.find(digestOf(token)))
    return json(Option.match(found, {
      onNone: () => ({ manager: null, expiresAt: null }),
      onSome: ({ expiresAt, manager }) => ({ manager, expiresAt: expiresAt.toISOString() })
    }))
  })

const close = (configured: ReadonlyArray<string>, sessions: SessionStore["Service"]) =>
  Effect.gen(function*() {
    const { protocol } = yield* originOf(configured)
    const token = tokenOf((yield* HttpServerRequest.HttpServerRequest).headers)
    if (token !== undefined) {
      const digest = digestOf(token)
      const id = digest.slice(0, digestPrefix)
      yield* AuditActor.as({ kind: "session", id, credential: `session ${id}` })(query(sessions.close(digest)))
    }
    return json({ manager: null, expiresAt: null }).pipe(
      HttpServerResponse.setHeader(
        "Set-Cookie",
        cookie(Redacted.make("-"), { seconds: 0, secure: protocol === "https:" })
      )
    )
  })

/**
 * Serves `/console/session` (GET reads, POST opens, DELETE closes) and `/console/sign-in`, which returns the message.
 */
export const layer = HttpRouter.use((router) =>
  Effect.gen(function*() {
    const sessions = yield* SessionStore
    const { networks } = yield* Directory
    const { urls } = yield* Origin
    const respond = toResponse(yield* RequestState.RequestSeconds, yield* RateLimit)
    const chains = yield* Chain.client
    const signedBy = (
      { manager, message: text }: SignIn,
      named: Network | undefined,
      signature: Redacted.Redacted<Address.Hex>
    ) => signerOn(networks, named, (network) => chains(network).textSignedBy({ manager, text, signature }))
    yield* router.add("POST", "/console/sign-in", respond(begin(urls, sessions)))
    yield* router.add("POST", "/console/session", respond(open(urls, networks, sessions, signedBy)))
    yield* router.add("GET", "/console/session", respond(current(sessions)))
    yield* router.add("DELETE", "/console/session", respond(close(urls, sessions)))
  })
)
