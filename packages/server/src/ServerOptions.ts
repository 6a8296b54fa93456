/** The options of the HTTP server. */
import type { Prices } from "@vault-trader/core/billing/PriceList"
import type { Text } from "@vault-trader/core/introspection/Llms"
import type { Limits } from "@vault-trader/core/intent/Backlog"
import type * as HttpRouter from "effect/http/HttpRouter"
import type * as Layer from "effect/Layer"
import type { SocketLimits } from "./console/Sockets.ts"
import type { Site } from "./introspection/DocumentationSite.ts"
import type { Version } from "./gate/Health.ts"
import type { RateLimitOptions } from "./gate/RateLimit.ts"
import type { DirectoryShape } from "./gate/ServedNetworks.ts"

export interface ServerOptions {
  readonly directory: DirectoryShape
  readonly rateLimit: RateLimitOptions
  /** Limits on the sockets of the console's pages. */
  readonly sockets: SocketLimits
  readonly version: Version
  /** How long a write waits for its outcome before it answers `pending`. */
  readonly waitSeconds: number
  /** Time limit of a request, for all its steps together. */
  readonly requestSeconds: number
  /** Maximum number of accepted requests that are not finished. */
  readonly open: Limits
  /** Origins at which callers reach the service, `https://host`. Managers' signatures are bound to the first. */
  readonly origins?: ReadonlyArray<string> | undefined
  /** Prices of actions, and wallets that are charged nothing. Default: the default prices, no exempt wallet. */
  readonly billing?: { readonly prices: Prices; readonly exempt: ReadonlyArray<string> }
  /** Folder of the built console; without it, the console is not served. */
  readonly console?: string | undefined
  /** Documents for callers, in Markdown: served at `/docs/`, and in `/llms-full.txt`. Default: none. */
  readonly documents?: ReadonlyArray<Text> | undefined
  /** The documentation site, served at `/docs/`; without it, the documents are served as Markdown only. */
  readonly site?: Site | undefined
  /** Additional routes, and scripts from them that the console's page loads: the devnet's wallet. */
  readonly extra?: Extra | undefined
}

export interface Extra {
  readonly routes: Layer.Layer<never, never, HttpRouter.HttpRouter>
  /** Paths of this origin. */
  readonly scripts: ReadonlyArray<string>
}
