/** The gate's settings. */
import { names, type Network, parse } from "@vault-trader/core/chain/Network"
import { read as readBrands, standardBrands } from "@vault-trader/core/lending/Brands"
import * as Setting from "@vault-trader/core/configuration/Setting"
import * as Config from "effect/Config"
import * as Net from "node:net"

/** An address or a CIDR block. */
const isBlock = (text: string): boolean => {
  const [address = "", bits, ...rest] = text.split("/")
  const widest = { 0: -1, 4: 32, 6: 128 }[Net.isIP(address)] ?? -1
  return rest.length === 0 && (bits === undefined ? widest > 0 : /^\d{1,3}$/.test(bits) && Number(bits) <= widest)
}

const network = Setting.meaning(`must be one of ${names.join(", ")}`, (text): Network | undefined => names.find((name) => name === parse(text)))

const blocks = Setting.meaning(
  "must be addresses or CIDR blocks, comma-separated",
  (text): ReadonlyArray<string> | undefined => {
    const parts = text.split(",").map((part) => part.trim()).filter((part) => part !== "")
    return parts.every(isBlock) ? parts : undefined
  }
)

const originOf = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? [new URL(text).origin] : []

const origins = Setting.meaning("must be http or https URLs, comma-separated", (text): ReadonlyArray<string> | undefined => {
  const parts = text.split(",").map((part) => part.trim()).filter((part) => part !== "")
  const read = parts.flatMap(originOf)
  return read.length === parts.length ? [...new Set(read)] : undefined
})

export const serverSettings = {
  host: Setting.make({ name: "HOST", description: "Address the HTTP server listens on.", config: Config.String, fallback: "127.0.0.1" }),
  port: Setting.make({ name: "PORT", description: "Port the HTTP server listens on.", config: Setting.port, fallback: 8080 }),
  publicUrls: Setting.make<ReadonlyArray<string>>({
    name: "PUBLIC_URL",
    description:
      "Where callers reach the service, for instance `https://trade.example`; several, comma-separated. Required where HOST is not a loopback address. Requests that name another host, or come from another site's page, are refused. What managers sign is bound to the first.",
    config: origins,
    fallback: [],
    shown: "not set"
  }),
  rateLimit: Setting.make({
    name: "RATE_LIMIT",
    description: "`off` lifts the gateway's rate limit; for load tests only.",
    config: Setting.onOff,
    fallback: true,
    shown: "on"
  }),
  perMinute: Setting.make({
    name: "RATE_LIMIT_PER_MINUTE",
    description: "Requests a minute each client and each API key regains. A client is an IPv4 address or an IPv6 /64; all clients of one IPv6 /48 have sixteen times as much together.",
    config: Setting.atLeast(1),
    fallback: 30
  }),
  burst: Setting.make({
    name: "RATE_LIMIT_BURST",
    description: "Requests each client and each API key may send at once.",
    config: Setting.atLeast(1),
    fallback: 20
  }),
  walletsPerHour: Setting.make({
    name: "MAX_WALLETS_PER_HOUR",
    description: "Gas wallets that one server process creates an hour; one client may use a tenth of it. Beyond it `createGasWallet` is answered with 503 and `Retry-After`.",
    config: Setting.atLeast(1),
    fallback: 1_000
  }),
  signInsPerHour: Setting.make({
    name: "MAX_SIGN_INS_PER_HOUR",
    description: "Sign-ins to the console that one server process begins an hour; one client may use a tenth of it. Beyond it they are answered with 503 and `Retry-After`.",
    config: Setting.atLeast(1),
    fallback: 10_000
  }),
  socketsOfSession: Setting.make({
    name: "MAX_SOCKETS_PER_SESSION",
    description: "Pages of the console that one session may have open (WebSocket connections).",
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
    description: "How long a page of the console may send nothing before its connection is closed; an open page sends something every few seconds.",
    config: Setting.atLeast(1),
    fallback: 180
  }),
  trustedProxies: Setting.make<ReadonlyArray<string>>({
    name: "TRUSTED_PROXIES",
    description: "Addresses or CIDR blocks, comma-separated, whose `X-Forwarded-For` and `X-Forwarded-Host` are believed.",
    config: blocks,
    fallback: [],
    shown: "none"
  }),
  waitSeconds: Setting.make({
    name: "WAIT_SECONDS",
    description: "How long a write's answer waits for the outcome before it says `pending`; never beyond `REQUEST_SECONDS`.",
    config: Setting.atLeast(1),
    fallback: 25
  }),
  requestSeconds: Setting.optional({
    name: "REQUEST_SECONDS",
    description: "Within how many seconds every request is answered: admission, waiting for an outcome and reading the database share them. Keep it below the timeout of proxies in front.",
    config: Setting.atLeast(2),
    shown: "25, or `WAIT_SECONDS` if that is more"
  }),
  openOfVault: Setting.make({
    name: "MAX_OPEN_PER_VAULT",
    description: "Accepted requests of one gas wallet at one vault that may be unfinished; beyond it a write is answered with 2021 and not accepted. Fee minting counts against the wallet only.",
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
  defaultNetwork: Setting.make<Network>({
    name: "DEFAULT_NETWORK",
    description: "The network meant by a `vaultTrade` without `network`.",
    config: network,
    fallback: "base"
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
    description: "Brand names of lenderA, lenderB and lenderC, comma-separated: further paths (`/aaveV3/lend`) and values of `platform`.",
    config: Setting.meaning("must be three different names of letters and digits, comma-separated, that begin with a small letter", readBrands),
    fallback: standardBrands,
    shown: "aaveV3,compoundV3,fluid"
  }),
  tlsCert: Setting.optional({ name: "TLS_CERT", description: "File of the TLS certificate chain (PEM). With `TLS_KEY`: HTTPS.", config: Config.String }),
  tlsKey: Setting.optional({ name: "TLS_KEY", description: "File of the TLS private key (PEM).", config: Config.String })
}
