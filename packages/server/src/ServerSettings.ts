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

const origin = Setting.meaning("must be an http or https URL", (text) =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? new URL(text).origin : undefined)

export const serverSettings = {
  host: Setting.make({ name: "HOST", description: "Address the HTTP server listens on.", config: Config.string, fallback: "127.0.0.1" }),
  port: Setting.make({ name: "PORT", description: "Port the HTTP server listens on.", config: Setting.port, fallback: 8080 }),
  publicUrl: Setting.optional({
    name: "PUBLIC_URL",
    description: "Where callers reach the service, for instance `https://trade.example`. What managers sign is bound to it, so that it is of no use at another deployment.",
    config: origin
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
    description: "Requests a minute each client address and each API key regains.",
    config: Setting.atLeast(1),
    fallback: 30
  }),
  burst: Setting.make({
    name: "RATE_LIMIT_BURST",
    description: "Requests each client address and each API key may send at once.",
    config: Setting.atLeast(1),
    fallback: 20
  }),
  trustedProxies: Setting.make<ReadonlyArray<string>>({
    name: "TRUSTED_PROXIES",
    description: "Addresses or CIDR blocks, comma-separated, whose `X-Forwarded-For` is believed.",
    config: blocks,
    fallback: [],
    shown: "none"
  }),
  waitSeconds: Setting.make({
    name: "WAIT_SECONDS",
    description: "How long a write's answer waits for the outcome before it says `pending`.",
    config: Setting.atLeast(1),
    fallback: 25
  }),
  openOfVault: Setting.make({
    name: "MAX_OPEN_PER_VAULT",
    description: "Accepted requests of one vault that may be unfinished; beyond it a write is answered with 2021 and not accepted.",
    config: Setting.atLeast(1),
    fallback: 200
  }),
  openOfWallet: Setting.make({
    name: "MAX_OPEN_PER_WALLET",
    description: "The same for one gas wallet, on all networks together.",
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
  tlsCert: Setting.optional({ name: "TLS_CERT", description: "File of the TLS certificate chain (PEM). With `TLS_KEY`: HTTPS.", config: Config.string }),
  tlsKey: Setting.optional({ name: "TLS_KEY", description: "File of the TLS private key (PEM).", config: Config.string })
}
