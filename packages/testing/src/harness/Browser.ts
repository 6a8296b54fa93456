/**
 * A real Chromium with a manager's wallet that announces itself as wallets do (EIP-6963) and signs with an account of
 * the test.
 */
import Chromium from "@sparticuz/chromium"
import type { Address } from "@vault-trader/core/chain/Address"
import { facts, type Network, names } from "@vault-trader/core/chain/Network"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import { createRequire } from "node:module"
import * as Path from "node:path"
import { chromium, type Browser as RunningBrowser, type Page } from "playwright-core"
import type { TypedDataDefinition } from "viem"
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts"

const axe = Fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Folder for screenshots that people review; git ignores it. */
const pictures = Path.join(import.meta.dirname, "../../../../.cache/console")

/** The package's arguments without those that switch off web security, which is part of what is tested. */
const args = Chromium.args.filter((each) => !/web-security|insecure-content|site-isolation/.test(each))

/** Starts a browser that closes with the scope. */
export const browser = Effect.acquireRelease(
  Effect.promise(async () =>
    chromium.launch({ executablePath: await Chromium.executablePath(), args, headless: true })
  ),
  (running) => Effect.promise(() => running.close())
)

/** Runs in the page: a provider that forwards every request to the test, and emits the events the test sends. */
const announce = () => {
  const listeners = new Map<string, Set<(value: unknown) => void>>()
  const provider = {
    request: async ({ method, params }: { readonly method: string; readonly params?: ReadonlyArray<unknown> }) => {
      const { walletOfTest } = globalThis as unknown as {
        readonly walletOfTest: (method: string, params: ReadonlyArray<unknown>) => Promise<Answer>
      }
      const answer = await walletOfTest(method, params ?? [])
      if ("error" in answer) throw Object.assign(new Error(answer.error.message), answer.error)
      return answer.result
    },
    on: (event: string, listener: (value: unknown) => void) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener: (event: string, listener: (value: unknown) => void) => {
      listeners.get(event)?.delete(listener)
    }
  }
  Object.assign(globalThis, {
    emitWalletEvent: (event: string, value: unknown) => listeners.get(event)?.forEach((listener) => listener(value))
  })
  const { addEventListener, dispatchEvent } = globalThis as unknown as {
    readonly addEventListener: (name: string, listener: () => void) => void
    readonly dispatchEvent: (event: unknown) => void
  }
  const detail = Object.freeze({
    info: {
      uuid: "0b6cf3c5-3ef5-4b0a-8f9d-0f6f3f0c8a11",
      name: "Test Wallet",
      icon: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>",
      rdns: "org.example.wallet"
    },
    provider
  })
  const say = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }))
  addEventListener("eip6963:requestProvider", say)
  say()
}

type Answer = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } }

/** Runs in the page: emits an event of the provider. */
const emit = ([event, value]: readonly [string, unknown]) =>
  (globalThis as unknown as { readonly emitWalletEvent: (event: string, value: unknown) => void }).emitWalletEvent(
    event,
    value
  )

const toHex = (value: bigint | number) => `0x${value.toString(16)}`

/** Methods a wallet forwards to the node of its network. */
const passedOn = new Set([
  "eth_blockNumber",
  "eth_call",
  "eth_estimateGas",
  "eth_gasPrice",
  "eth_getBalance",
  "eth_getCode",
  "eth_getTransactionReceipt"
])
const needsApproval = new Set([
  "eth_sendTransaction",
  "eth_signTypedData_v4",
  "personal_sign",
  "wallet_switchEthereumChain"
])

/** A transaction as a page requests it. */
interface RequestedTransaction {
  readonly to: Address
  readonly value: bigint
  readonly data: string
  /** In lower case. */
  readonly hash: string
}

const declined: Answer = { error: { code: 4001, message: "User rejected the request." } }

/** A browser wallet: accounts, one network at a time, and a user who may decline. Its nodes are the devnet's. */
class TestWallet {
  declines = false
  chainId: number = facts.base.chainId
  readonly signed: Array<string> = []
  readonly transactions: Array<RequestedTransaction> = []

  account: PrivateKeyAccount
  address: string
  private readonly devnet: Devnet["Service"] | undefined

  constructor(account: PrivateKeyAccount, address: string, devnet: Devnet["Service"] | undefined) {
    this.account = account
    this.address = address
    this.devnet = devnet
  }

  private async node(method: string, params: ReadonlyArray<unknown>): Promise<unknown> {
    const network = names.find((name) => facts[name].chainId === this.chainId)
    if (network === undefined || this.devnet === undefined) throw Object.assign(new Error("no node"), { code: -32603 })
    const rpc = await Effect.runPromise(this.devnet.rpc(network))
    return Effect.runPromise(rpc.request(method, params, Schema.Unknown))
  }

  private async send(
    { data, to, value }: { readonly to: Address; readonly data?: `0x${string}`; readonly value?: string }
  ): Promise<string> {
    const number = async (method: string, params: ReadonlyArray<unknown>) =>
      BigInt(await this.node(method, params) as string)
    const asked = {
      from: this.address,
      to,
      ...(data === undefined ? {} : { data }),
      ...(value === undefined ? {} : { value })
    }
    const [nonce, gas, price] = await Promise.all([
      number("eth_getTransactionCount", [this.address, "pending"]),
      number("eth_estimateGas", [asked]),
      number("eth_gasPrice", [])
    ])
    const raw = await this.account.signTransaction({
      type: "eip1559",
      chainId: this.chainId,
      nonce: Number(nonce),
      to,
      gas,
      maxFeePerGas: price * 2n,
      maxPriorityFeePerGas: price / 10n,
      value: BigInt(value ?? 0),
      ...(data === undefined ? {} : { data })
    })
    const hash = String(await this.node("eth_sendRawTransaction", [raw]))
    this.transactions.push({ to, value: BigInt(value ?? 0), data: data ?? "0x", hash })
    return hash
  }

  private async result(method: string, params: ReadonlyArray<unknown>): Promise<unknown> {
    if (method === "eth_requestAccounts" || method === "eth_accounts") return [this.address]
    if (method === "eth_chainId") return toHex(this.chainId)
    if (method === "wallet_requestPermissions" || method === "wallet_revokePermissions") return []
    if (method === "personal_sign") {
      this.signed.push(Buffer.from(String(params[0]).slice(2), "hex").toString("utf8"))
      return this.declines
        ? undefined
        : this.account.signMessage({ message: { raw: String(params[0]) as `0x${string}` } })
    }
    if (method === "eth_signTypedData_v4") {
      this.signed.push(String(params[1]))
      return this.account.signTypedData(JSON.parse(String(params[1])) as TypedDataDefinition)
    }
    if (method === "eth_sendTransaction") return this.send(params[0] as { readonly to: Address })
    if (method === "wallet_switchEthereumChain") {
      this.chainId = Number((params[0] as { readonly chainId: string }).chainId)
      return null
    }
    if (passedOn.has(method)) return this.node(method, params)
    throw Object.assign(new Error(`the test wallet does not support ${method}`), { code: 4200 })
  }

  async answer(method: string, params: ReadonlyArray<unknown>): Promise<Answer> {
    if (this.declines && needsApproval.has(method) && method !== "personal_sign") return declined
    return this.result(method, params).then(
      (result) => result === undefined ? declined : { result },
      (error: unknown) => ({
        error: {
          code: Number((error as { readonly code?: unknown }).code ?? -32603),
          message: String((error as { readonly message?: unknown }).message)
        }
      })
    )
  }
}

export interface Visitor {
  readonly page: Page
  /** In lower case. */
  readonly address: string
  /** Every message the wallet was requested to sign. */
  readonly asked: ReadonlyArray<string>
  /** Every transaction the wallet has sent. */
  readonly transactions: ReadonlyArray<RequestedTransaction>
  /** Every line of the page's console and every failed load; tests expect none. */
  readonly complaints: ReadonlyArray<string>
  /** Makes the wallet decline from now on, or sign again. */
  readonly decline: (yes: boolean) => void
  /** Switches the wallet to another account, as its user does. The accounts of another wallet are removed. */
  readonly choose: (account: PrivateKeyAccount) => Effect.Effect<void>
  /** Switches the wallet to another network, as its user does. */
  readonly goTo: (network: Network) => Effect.Effect<void>
  /** Returns the id of the wallet's network. */
  readonly chainId: () => number
  /** Every URL the page has requested, and every body it has sent. */
  readonly sent: ReadonlyArray<string>
  /** Every message the page's sockets have sent. */
  readonly frames: ReadonlyArray<string>
}

/**
 * Opens the console in a browser context with its own storage and its own wallet. `address` differs from the account's
 * where the wallet is a contract that the account owns.
 */
export const visitor = (
  running: RunningBrowser,
  baseUrl: string,
  scheme: "light" | "dark" = "light",
  account = privateKeyToAccount(generatePrivateKey()),
  address: string = account.address
) =>
  Effect.gen(function*() {
    const wallet = new TestWallet(account, address, Option.getOrUndefined(yield* Effect.serviceOption(Devnet)))
    const context = yield* Effect.acquireRelease(
      Effect.promise(() =>
        running.newContext({ colorScheme: scheme, viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" })
      ),
      (opened) => Effect.promise(() => opened.close())
    )
    const page = yield* Effect.promise(() => context.newPage())
    const complaints: Array<string> = []
    const sent: Array<string> = []
    const frames: Array<string> = []
    page.on("console", (line) => {
      if (line.type() === "error" || line.type() === "warning") complaints.push(line.text())
    })
    page.on("pageerror", (error) => complaints.push(error.message))
    page.on("request", (request) => sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ""}`))
    page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => frames.push(String(payload))))
    yield* Effect.promise(() =>
      page.exposeFunction("walletOfTest", (method: string, params: ReadonlyArray<unknown>) =>
        wallet.answer(method, params))
    )
    // The compiler of this file may wrap functions in a helper, which the page does not have.
    yield* Effect.promise(() =>
      page.addInitScript({ content: "globalThis.__name ??= (named) => named" })
    )
    yield* Effect.promise(() => page.addInitScript(announce))
    yield* Effect.promise(() => page.goto(`${baseUrl}/console`))
    return {
      page,
      address: address.toLowerCase(),
      asked: wallet.signed,
      transactions: wallet.transactions,
      complaints,
      frames,
      sent,
      decline: (yes) => {
        wallet.declines = yes
      },
      choose: (next) => {
        wallet.account = next
        wallet.address = next.address
        return Effect.promise(() => page.evaluate(emit, ["accountsChanged", [next.address]] as const))
      },
      goTo: (network) => {
        wallet.chainId = facts[network].chainId
        return Effect.promise(() => page.evaluate(emit, ["chainChanged", toHex(wallet.chainId)] as const))
      },
      chainId: () => wallet.chainId
    } satisfies Visitor
  })

/** Saves a screenshot of the page. */
export const picture = (page: Page, name: string) =>
  Effect.promise(async () => {
    Fs.mkdirSync(pictures, { recursive: true })
    await page.screenshot({ path: Path.join(pictures, `${name}.png`), fullPage: true })
  })

/** Returns the accessibility violations axe finds: the rule, and where. */
export const barriers = (page: Page) =>
  Effect.promise(async () => {
    await page.evaluate(axe)
    const found = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as {
        readonly axe: {
          readonly run: () => Promise<
            {
              readonly violations: ReadonlyArray<
                {
                  readonly id: string
                  readonly impact: string
                  readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary: string }>
                }
              >
            }
          >
        }
      }
      const { violations } = await axe.run()
      return violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) =>
        `${id}: ${nodes.map(({ failureSummary, html }) => `${html} ${failureSummary}`).join(" | ")}`
      )
    })
    return found
  })
