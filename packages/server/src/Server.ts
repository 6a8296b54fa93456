/** The HTTP server: its routes, and below them what they share. A feature's own stores are in its layer. */
import { PriceList } from "@vault-trader/core/billing/PriceList"
import { Catalogue } from "@vault-trader/core/Catalogue"
import type { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { brandPath, defaultBrands } from "@vault-trader/core/lending/Brands"
import type { Sharding } from "effect/cluster/Sharding"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import type * as SqlClient from "effect/sql/SqlClient"
import * as CatalogueHandlers from "./Catalogue.ts"
import { ChangeVotesLive } from "./change-approval/ChangeVotes.ts"
import * as Console from "./console/Console.ts"
import { AdmissionLive } from "./endpoint/Admission.ts"
import { GatekeeperLive } from "./endpoint/Gatekeeper.ts"
import * as Interpreter from "./endpoint/Interpreter.ts"
import { GateLive } from "./gate/Gate.ts"
import { GracefulShutdown } from "./gate/GracefulShutdown.ts"
import * as Health from "./gate/Health.ts"
import { Hosts } from "./gate/Hosts.ts"
import { KeyCache } from "./gate/KeyCache.ts"
import { LastUseLive } from "./gate/LastUse.ts"
import { IdempotentWritesLive } from "./gate/IdempotentWrites.ts"
import * as RateLimitLive from "./gate/RateLimitLive.ts"
import * as Intents from "./intent/Intents.ts"
import * as Docs from "./introspection/Docs.ts"
import * as DocumentationSite from "./introspection/DocumentationSite.ts"
import { AssociationLive } from "./manager/Association.ts"
import { ManagerProofLive } from "./manager/ManagerProof.ts"
import * as OptionServices from "./OptionServices.ts"
import type { ServerOptions } from "./ServerOptions.ts"

/** Serves the whole catalogue on the given HTTP server. */
export const layer = (
  options: ServerOptions
): Layer.Layer<never, never, HttpServer.HttpServer | SqlClient.SqlClient | Sharding | ApiKeyDigest> =>
  // The platform's logger and tracer record the whole URL, and our URLs contain API keys; the gate does it instead.
  HttpRouter.serve(routes(options), { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provide(Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true))
  )

const routes = (options: ServerOptions) =>
  Layer.mergeAll(
    Interpreter.layer(Catalogue, { also: brandPath(options.directory.brands ?? defaultBrands) }),
    Health.layer(options.version),
    Docs.layer(options),
    DocumentationSite.layer(options.site, options.documents ?? []),
    Console.layer({ ...options, scripts: options.extra?.scripts ?? [] }),
    options.extra?.routes ?? Layer.empty
  ).pipe(
    Layer.provide(GateLive),
    Layer.provide([CatalogueHandlers.layer(options), AdmissionLive]),
    Layer.provide([Intents.layer(options), PriceList.layer(options.billing?.prices), GatekeeperLive]),
    Layer.provide([AssociationLive, ChangeVotesLive, ManagerProofLive]),
    Layer.provide([RateLimitLive.layer(options.rateLimit), Hosts.layer(options.rateLimit.trustedProxies)]),
    Layer.provide([IdempotentWritesLive, GracefulShutdown.layer, KeyCache.layer, LastUseLive]),
    Layer.provide(OptionServices.layer(options))
  )
