/** Settings of the HTTP server. */
import { names, type Network, parse } from "@vault-trader/core/chain/Network"
import { read as readBrands, defaultBrands } from "@vault-trader/core/lending/Brands"
import * as Setting from "@vault-trader/core/configuration/Setting"
import * as Config from "effect/Config"
import * as Net from "node:net"

/** Returns true for an IP address or a CIDR block. */
const isBlock = (text: string): boolean => {
  const [address = "", bits, ...rest] = text.split("/")
  const widest = { 0: -1, 4: 32, 6: 128 }[Net.isIP(address)] ?? -1
  return rest.length === 0 && (bits === undefined ? widest > 0 : /^\d{1,3}$/.test(bits) && Number(bits) <= widest)
}

const network = Setting.meaning(
  `must be one of ${names.join(", ")}`,
  (text): Network | undefined => names.find((name) => name === parse(text))
)

const blocks = Setting.meaning(
  "must be addresses or CIDR blocks, comma-separated",
  (text): ReadonlyArray<string> | undefined => {
    const parts = text.split(",").map((part) => part.trim()).filter((part) => part !== "")
    return parts.every(isBlock) ? parts : undefined
  }
)

const originOf = (text: string) =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? [new URL(text).origin] : []

const origins = Setting.meaning(
  "must be http or https URLs, comma-separated",
  (text): ReadonlyArray<string> | undefined => {
    const parts = text.split(",").map((part) => part.trim()).filter((part) => part !== "")
    const parsed = parts.flatMap(originOf)
    return parsed.length === parts.length ? [...new Set(parsed)] : undefined
  }
)

/** The default network of signatures, and of a devnet, where no setting names one. */
export const fallbackNetwork: Network = "base"

export const serverSettings = {
  host: Setting.make({
    name: "HOST",
    description: "Address the HTTP server listens on.",
    config: Config.String,
    fallback: "127.0.0.1"
  }),
  port: Setting.make({
    name: "PORT",
    description: "Port the HTTP server listens on.",
    config: Setting.port,
    fallback: 8080
  }),
  publicUrls: Setting.make<ReadonlyArray<string>>({
    name: "PUBLIC_URL",
    description:
      "URLs at which callers reach the service, comma-separated, for instance `https://trade.example`. Required " +
      "unless HOST is a loopback address. Requests for another host, or from another site's page, are refused. " +
      "Managers' signatures are bound to the first URL.",
    config: origins,
    fallback: [],
    shown: "not set"
  }),
  rateLimit: Setting.make({
    name: "RATE_LIMIT",
    description: "`off` disables the gateway's rate limit; for load tests only.",
    config: Setting.onOff,
    fallback: true,
    shown: "on"
  }),
  perMinute: Setting.make({
    name: "RATE_LIMIT_PER_MINUTE",
    description:
      "Sustained requests per minute of each client and each API key. A client is an IPv4 address or an IPv6 " +
      "/64; all clients of one IPv6 /48 share sixteen times as much. Each of several servers admits its part: the " +
      "rate divided by the number of servers that run.",
    config: Setting.atLeast(1),
    fallback: 30
  }),
  burst: Setting.make({
    name: "RATE_LIMIT_BURST",
    description: "Requests each client and each API key may send at once, divided like RATE_LIMIT_PER_MINUTE.",
    config: Setting.atLeast(1),
    fallback: 20
  }),
  walletsPerHour: Setting.make({
    name: "MAX_WALLETS_PER_HOUR",
    description:
      "Gas wallets that all servers together create per hour; one client may use a tenth of them. Beyond that, " +
      "`createGasWallet` returns 503 with `Retry-After`. A restart does not refill it.",
    config: Setting.atLeast(1),
    fallback: 1_000
  }),
  signInsPerHour: Setting.make({
    name: "MAX_SIGN_INS_PER_HOUR",
    description:
      "Sign-ins to the console that all servers together start per hour; one client may use a tenth of them. " +
      "Beyond that, a sign-in returns 503 with `Retry-After`. A restart does not refill it.",
    config: Setting.atLeast(1),
    fallback: 10_000
  }),
  socketsOfSession: Setting.make({
    name: "MAX_SOCKETS_PER_SESSION",
    description: "Console pages (WebSocket connections) that one session may have open.",
    config: Setting.atLeast(1),
    fallback: 8
  }),
  socketsOfClient: Setting.make({
    name: "MAX_SOCKETS_PER_CLIENT",
    description: "The same for one client: an IPv4 address or an IPv6 /64.",
    config: Setting.atLeast(1),
    fallback: 32
  }),
  sockets: Setting.make({
    name: "MAX_SOCKETS",
    description: "The same for one server process.",
    config: Setting.atLeast(1),
    fallback: 256
  }),
  socketIdleSeconds: Setting.make({
    name: "SOCKET_IDLE_SECONDS",
    description:
      "How long a console page may be silent before its connection is closed; an open page sends something every few seconds.",
    config: Setting.atLeast(1),
    fallback: 180
  }),
  trustedProxies: Setting.make<ReadonlyArray<string>>({
    name: "TRUSTED_PROXIES",
    description:
      "Addresses or CIDR blocks, comma-separated, whose `X-Forwarded-For` and `X-Forwarded-Host` are trusted.",
    config: blocks,
    fallback: [],
    shown: "none"
  }),
  waitSeconds: Setting.make({
    name: "WAIT_SECONDS",
    description: "How long a write waits for its outcome before it answers `pending`; at most `REQUEST_SECONDS`.",
    config: Setting.atLeast(1),
    fallback: 25
  }),
  requestSeconds: Setting.optional({
    name: "REQUEST_SECONDS",
    description:
      "Time limit of every request: admission, waiting for an outcome and database reads together. Keep it below " +
      "the timeout of the proxies in front.",
    config: Setting.atLeast(2),
    shown: "25, or `WAIT_SECONDS` if that is more"
  }),
  openOfVault: Setting.make({
    name: "MAX_OPEN_PER_VAULT",
    description:
      "Accepted requests of one gas wallet at one vault that may be unfinished; beyond that, a write is refused " +
      "with 2021. Fee minting counts against the wallet only.",
    config: Setting.atLeast(1),
    fallback: 200
  }),
  openOfWallet: Setting.make({
    name: "MAX_OPEN_PER_WALLET",
    description: "The same for one gas wallet, on all vaults and networks together.",
    config: Setting.atLeast(1),
    fallback: 2_000
  }),
  openOfService: Setting.make({
    name: "MAX_OPEN",
    description: "The same for the whole service.",
    config: Setting.atLeast(1),
    fallback: 20_000
  }),
  defaultNetwork: Setting.optional<Network>({
    name: "DEFAULT_NETWORK",
    description:
      "The network of a `vaultTrade`, `mintAllFeesByManager` or `api/cex/chargeFee` without `network`, and of the " +
      "charges of an exchange account without `payment_network`. Without it such a request is refused, unless the " +
      "service has one network only or runs on the devnet (`base`).",
    config: network
  }),
  protocols: Setting.make<ReadonlyArray<string>>({
    name: "PROTOCOLS",
    description: "Accepted values of `protocol`: the default and its aliases, comma-separated.",
    config: (name) => Config.map(Setting.list(name), (all) => all.map((each) => each.toLowerCase())),
    fallback: ["dhedge", "chamber"],
    shown: "dhedge,chamber"
  }),
  brands: Setting.make({
    name: "LENDER_BRANDS",
    description:
      "Brand names of lenderA, lenderB and lenderC, comma-separated. They add paths (`/aaveV3/lend`) and values of `platform`.",
    config: Setting.meaning(
      "must be three different names of letters and digits, comma-separated, that begin with a lower-case letter",
      readBrands
    ),
    fallback: defaultBrands,
    shown: "aaveV3,compoundV3,fluid"
  }),
  tlsCert: Setting.optional({
    name: "TLS_CERT",
    description:
      "File of the TLS certificate chain (PEM). With `TLS_KEY`: HTTPS. Both files are read again when they change.",
    config: Config.String
  }),
  tlsKey: Setting.optional({
    name: "TLS_KEY",
    description: "File of the TLS private key (PEM).",
    config: Config.String
  })
}
