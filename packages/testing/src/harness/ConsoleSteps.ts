/** Steps a manager takes in the console, as functions for tests. */
import { assert } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { barriers, picture, type Visitor } from "./Browser.ts"
import { type Fields, Running } from "./Harness.ts"
import { until } from "./Until.ts"

/** Runs an interaction with the page. */
export const act = (use: () => Promise<unknown>) => Effect.asVoid(Effect.promise(use))

/** Opens a page of the navigation and waits for its heading. */
export const openPage = ({ page }: Pick<Visitor, "page">, name: string) =>
  act(async () => {
    await page.getByRole("navigation").getByRole("link", { name, exact: true }).click()
    await page.getByRole("heading", { name, exact: true }).waitFor()
  })

/** Signs in and opens the gas wallets: the first page of a manager without vaults is the first steps. */
export const signIn = ({ page }: Pick<Visitor, "page">) =>
  Effect.andThen(
    act(() => page.getByRole("button", { name: "Sign in with Test Wallet" }).click()),
    openPage({ page }, "Gas Wallets")
  )

/** Adds a wallet. Returns its address and the secrets that the dialog showed. */
export const createWallet = ({ page }: Pick<Visitor, "page">, label: string) =>
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

/** Sends a call on a socket of the page's session, also one the page does not offer. Returns the response as text. */
export const rawCall = (
  { page }: Pick<Visitor, "page">,
  tag: string,
  payload: unknown,
  headers: ReadonlyArray<readonly [name: string, value: string]> = []
) =>
  Effect.promise(() =>
    page.evaluate((line) => {
      const { location, WebSocket } = globalThis as unknown as {
        readonly location: { readonly origin: string }
        readonly WebSocket: new(
          url: string
        ) => {
          onopen: () => void
          onmessage: (event: { readonly data: unknown }) => void
          send: (text: string) => void
          close: () => void
        }
      }
      return new Promise<string>((resolve) => {
        const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/console/rpc`)
        socket.onopen = () => socket.send(line)
        socket.onmessage = ({ data }) => {
          resolve(String(data))
          socket.close()
        }
      })
    }, `${JSON.stringify({ _tag: "Request", id: "1", tag, payload, headers })}\n`)
  )

/** Confirms that both secrets were stored, and closes the dialog. */
export const closeSecrets = ({ page }: Pick<Visitor, "page">) =>
  act(async () => {
    const dialog = page.getByRole("dialog", { name: "Your new gas wallet" })
    await dialog.getByLabel("I stored both").check()
    await dialog.getByRole("button", { name: "Close" }).click()
    await dialog.waitFor({ state: "detached" })
  })

/** Approves an asset where the console reports it as missing, and waits until the console shows it. */
export const approve = ({ page }: Pick<Visitor, "page">, asset: string) =>
  act(async () => {
    const approve = page.getByRole("button", { name: new RegExp(`^Approve ${asset}( now)?$`) })
    await approve.click()
    const dialog = page.getByRole("dialog", { name: `Approve ${asset}` })
    await dialog.getByRole("rowheader", { name: "Worst case" }).waitFor()
    await dialog.getByRole("button", { name: `Approve ${asset}` }).click()
    await dialog.waitFor({ state: "detached", timeout: 60_000 })
    await approve.waitFor({ state: "detached", timeout: 60_000 })
  })

/** Returns the page's width in CSS pixels; wider than the screen means it scrolls sideways. */
export const fits = (page: Visitor["page"]) =>
  Effect.promise(() =>
    page.evaluate(() =>
      (globalThis as unknown as { readonly document: { readonly documentElement: { readonly scrollWidth: number } } })
        .document.documentElement.scrollWidth
    )
  )

/** Signs a manager in and prepares a wallet with gas that trades a vault, with the vault linked to it. */
export const managing = (guest: Visitor, pool: Address, label: string) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const devnet = yield* Devnet
    yield* signIn(guest)
    const { address, apiKey } = yield* createWallet(guest, label)
    yield* closeSecrets(guest)
    yield* Effect.orDie(devnet.faucet({ network: "base", address, amountWei: 10n ** 18n }))
    yield* Effect.orDie(devnet.setTrader({ network: "base", pool, trader: address }))
    const of = (path: string, more: Fields = {}) => ask(path, { json: { apiKey, network: "base", pool, ...more } })
    // The vault's trader is cached for a while; linking succeeds once the new one is read.
    yield* until(
      "the link",
      Effect.map(of("/linkGasWallet"), ({ fields }) => fields["status"] === "success" ? true : undefined)
    )
    return { address, apiKey, of }
  })

/** Waits for pending redraws: a canvas follows its page by a frame or two. */
const drawn = ({ page }: Pick<Visitor, "page">) =>
  act(() =>
    page.evaluate(() => {
      const { requestAnimationFrame } = globalThis as unknown as {
        readonly requestAnimationFrame: (then: () => void) => void
      }
      return new Promise<void>((resolve) =>
        requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      )
    })
  )

/**
 * Checks the open page in both colour schemes and at phone width: saves screenshots, and asserts no accessibility
 * violations and no sideways scrolling. Long pages pass a higher screen.
 */
export const looked = ({ page }: Pick<Visitor, "page">, name: string, heights = { screen: 900, phone: 740 }) =>
  Effect.gen(function*() {
    for (const scheme of ["dark", "light"] as const) {
      yield* act(() => page.emulateMedia({ colorScheme: scheme }))
      yield* act(() => page.setViewportSize({ width: 1280, height: heights.screen }))
      yield* drawn({ page })
      yield* picture(page, `${name}-${scheme}`)
      assert.deepStrictEqual(yield* barriers(page), [], `${name} in ${scheme}`)
    }
    yield* act(() => page.setViewportSize({ width: 360, height: heights.phone }))
    yield* drawn({ page })
    yield* picture(page, `${name}-phone`)
    assert.isAtMost(yield* fits(page), 360, `${name} is wider than a phone`)
    yield* act(() => page.setViewportSize({ width: 1280, height: 900 }))
  })

/** Returns all page state that outlives a dialog: its elements, its storage, its address. */
export const keptBy = ({ page }: Pick<Visitor, "page">) =>
  Effect.promise(() =>
    page.evaluate(() => {
      const { document, localStorage, location, sessionStorage } = globalThis as unknown as {
        readonly document: { readonly documentElement: { readonly outerHTML: string } }
        readonly localStorage: object
        readonly sessionStorage: object
        readonly location: { readonly href: string }
      }
      return document.documentElement.outerHTML + JSON.stringify(localStorage) + JSON.stringify(sessionStorage) +
        location.href
    })
  )
