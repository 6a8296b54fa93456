/** What a manager does in the console, as tests say it. */
import * as Effect from "effect/Effect"
import type { Visitor } from "./Browser.ts"

/** What a person does in the page. */
export const act = (use: () => Promise<unknown>) => Effect.asVoid(Effect.promise(use))

/** Through the sign-in page, to the first page. */
export const signIn = ({ page }: Visitor) =>
  act(async () => {
    await page.getByRole("button", { name: "Sign in with Test Wallet" }).click()
    await page.getByRole("heading", { name: "Gas Wallets" }).waitFor()
  })

/** Adds a wallet; answers its address, with its secrets as the dialog showed them. */
export const createWallet = ({ page }: Visitor, label: string) =>
  Effect.promise(async () => {
    await page.getByRole("button", { name: "Add a gas wallet" }).click()
    await page.getByLabel("Label").fill(label)
    await page.getByRole("button", { name: "Create gas wallet" }).click()
    const dialog = page.getByRole("dialog", { name: "Your new gas wallet" })
    await dialog.waitFor()
    const masked = await dialog.textContent() ?? ""
    await dialog.getByRole("button", { name: "Reveal API key" }).click()
    await dialog.getByRole("button", { name: "Reveal Private key" }).click()
    const shown = await dialog.textContent() ?? ""
    const apiKey = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(shown)?.[0] ?? ""
    const privateKey = /(?<![0-9a-fx])[0-9a-f]{64}/.exec(shown)?.[0] ?? ""
    const address = /0x[0-9a-f]{40}/.exec(shown)?.[0] ?? ""
    return { address: address as `0x${string}`, apiKey, privateKey, masked }
  })

/** Sends a call as the page's socket does, whatever the page would offer; answers with what came back, as text. */
export const rawCall = ({ page }: Visitor, tag: string, payload: unknown) =>
  Effect.promise(() => page.evaluate((line) => {
    const { location, WebSocket } = globalThis as unknown as {
      readonly location: { readonly origin: string }
      readonly WebSocket: new(url: string) => { onopen: () => void; onmessage: (event: { readonly data: unknown }) => void; send: (text: string) => void; close: () => void }
    }
    return new Promise<string>((resolve) => {
      const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/console/rpc`)
      socket.onopen = () => socket.send(line)
      socket.onmessage = ({ data }) => {
        resolve(String(data))
        socket.close()
      }
    })
  }, `${JSON.stringify({ _tag: "Request", id: "1", tag, payload, headers: [] })}\n`))

/** Says that both were stored, and closes the dialog. */
export const closeSecrets = ({ page }: Visitor) =>
  act(async () => {
    const dialog = page.getByRole("dialog", { name: "Your new gas wallet" })
    await dialog.getByLabel("I stored both").check()
    await dialog.getByRole("button", { name: "Close" }).click()
    await dialog.waitFor({ state: "detached" })
  })

/** Approves an asset where the console says that it is missing, and waits until that is read back. */
export const approve = ({ page }: Visitor, asset: string) =>
  act(async () => {
    const asks = page.getByRole("button", { name: new RegExp(`^Approve ${asset}( now)?$`) })
    await asks.click()
    const dialog = page.getByRole("dialog", { name: `Approve ${asset}` })
    await dialog.getByRole("rowheader", { name: "Worst case" }).waitFor()
    await dialog.getByRole("button", { name: `Approve ${asset}` }).click()
    await dialog.waitFor({ state: "detached", timeout: 60_000 })
    await asks.waitFor({ state: "detached", timeout: 60_000 })
  })

/** How wide the page is, in pixels of the screen: more than the screen means that it scrolls sideways. */
export const fits = (page: Visitor["page"]) =>
  Effect.promise(() => page.evaluate(() => (globalThis as unknown as { readonly document: { readonly documentElement: { readonly scrollWidth: number } } }).document.documentElement.scrollWidth))
