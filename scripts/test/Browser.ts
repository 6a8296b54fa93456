/** A real Chromium, and a manager's wallet in it that announces itself as wallets do (EIP-6963) and signs with an account of the test's. */
import Chromium from "@sparticuz/chromium"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import { createRequire } from "node:module"
import * as Path from "node:path"
import { chromium, type Browser as RunningBrowser, type Page } from "playwright-core"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"

const axe = Fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Where pictures of the pages are put, to be looked at by people; git does not see it. */
const pictures = Path.join(import.meta.dirname, "..", "..", ".cache", "console")

/** As the package would start it, but with the browser's own walls standing: they are part of what is tested. */
const args = Chromium.args.filter((each) => !/web-security|insecure-content|site-isolation/.test(each))

/** A browser, gone with the scope. */
export const browser = Effect.acquireRelease(
  Effect.promise(async () => chromium.launch({ executablePath: await Chromium.executablePath(), args, headless: true })),
  (running) => Effect.promise(() => running.close())
)

/** Runs in the page: a provider that asks the test for signatures. */
const announce = ({ address }: { readonly address: string }) => {
  const provider = {
    request: async ({ method, params }: { readonly method: string; readonly params?: ReadonlyArray<unknown> }) => {
      if (method === "eth_requestAccounts" || method === "eth_accounts") return [address]
      if (method === "eth_chainId") return "0x2105"
      if (method === "wallet_requestPermissions" || method === "wallet_revokePermissions") return []
      if (method === "personal_sign") {
        const { signOfTest } = globalThis as unknown as { readonly signOfTest: (text: string) => Promise<string> }
        const signed = await signOfTest(String(params?.[0]))
        if (signed === "") throw Object.assign(new Error("User rejected the request."), { code: 4001 })
        return signed
      }
      throw Object.assign(new Error(`the test's wallet does not know ${method}`), { code: 4200 })
    },
    on: () => undefined,
    removeListener: () => undefined
  }
  const { addEventListener, dispatchEvent } = globalThis as unknown as {
    readonly addEventListener: (name: string, listener: () => void) => void
    readonly dispatchEvent: (event: unknown) => void
  }
  const detail = Object.freeze({ info: { uuid: "0b6cf3c5-3ef5-4b0a-8f9d-0f6f3f0c8a11", name: "Test Wallet", icon: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>", rdns: "org.example.wallet" }, provider })
  const say = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }))
  addEventListener("eip6963:requestProvider", say)
  say()
}

export interface Visitor {
  readonly page: Page
  /** Lower-case. */
  readonly address: string
  /** Every message the wallet was asked to sign. */
  readonly asked: ReadonlyArray<string>
  /** Every line of the page's console and every failed load: there should be none. */
  readonly complaints: ReadonlyArray<string>
  /** Lets the wallet decline from now on, or sign again. */
  readonly decline: (yes: boolean) => void
  /** Every URL the page has asked for, and every body it has sent. */
  readonly sent: ReadonlyArray<string>
  /** Every message the page's sockets have sent. */
  readonly frames: ReadonlyArray<string>
}

/** A page at the console, in a browser of its own memory, with a wallet that nobody else has. */
export const visitor = (running: RunningBrowser, baseUrl: string, scheme: "light" | "dark" = "light", account = privateKeyToAccount(generatePrivateKey())) =>
  Effect.gen(function*() {
    const context = yield* Effect.acquireRelease(
      Effect.promise(() => running.newContext({ colorScheme: scheme, viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" })),
      (opened) => Effect.promise(() => opened.close())
    )
    const page = yield* Effect.promise(() => context.newPage())
    const asked: Array<string> = []
    const complaints: Array<string> = []
    const sent: Array<string> = []
    const frames: Array<string> = []
    let declines = false
    page.on("console", (line) => { if (line.type() === "error" || line.type() === "warning") complaints.push(line.text()) })
    page.on("pageerror", (error) => complaints.push(error.message))
    page.on("request", (request) => sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ""}`))
    page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => frames.push(String(payload))))
    yield* Effect.promise(() =>
      page.exposeFunction("signOfTest", async (hex: string) => {
        asked.push(Buffer.from(hex.slice(2), "hex").toString("utf8"))
        return declines ? "" : account.signMessage({ message: { raw: hex as `0x${string}` } })
      })
    )
    // What compiles this file may wrap functions in a helper of its own, which the page does not have.
    yield* Effect.promise(() => page.addInitScript({ content: "globalThis.__name ??= (named) => named" }))
    yield* Effect.promise(() => page.addInitScript(announce, { address: account.address }))
    yield* Effect.promise(() => page.goto(`${baseUrl}/console`))
    return { page, address: account.address.toLowerCase(), asked, complaints, frames, sent, decline: (yes) => { declines = yes } } satisfies Visitor
  })

/** Keeps a picture of what is to be seen. */
export const picture = (page: Page, name: string) =>
  Effect.promise(async () => {
    Fs.mkdirSync(pictures, { recursive: true })
    await page.screenshot({ path: Path.join(pictures, `${name}.png`), fullPage: true })
  })

/** What axe finds that keeps people out: rule, and where. */
export const barriers = (page: Page) =>
  Effect.promise(async () => {
    await page.evaluate(axe)
    const found = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as {
        readonly axe: { readonly run: () => Promise<{ readonly violations: ReadonlyArray<{ readonly id: string; readonly impact: string; readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary: string }> }> }> }
      }
      const { violations } = await axe.run()
      return violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => `${id}: ${nodes.map(({ failureSummary, html }) => `${html} ${failureSummary}`).join(" | ")}`)
    })
    return found
  })
