/** The console with many bots and orders, whose service refuses some requests once. */
import * as Effect from "effect/Effect"
import type { Page } from "playwright-core"
import { browser } from "@vault-trader/testing/harness/Browser"
import { type Answers, serve } from "@vault-trader/testing/harness/ConsoleFixture"
import { act } from "@vault-trader/testing/harness/ConsoleSteps"
import { answersOf, type FixtureOptions, manager, orderOf } from "./Fixture.ts"

/** The bot of the fixture that paused itself: the only one of the first twenty. */
export const pausedBot = (answersOf({ bots: 8, vaults: 4 })["manager.getAllBots"] as () => {
  readonly bots: ReadonlyArray<Readonly<Record<string, unknown>>>
})().bots[7]

/** Requests that the page has sent, by call. */
type Sent = Record<"pauseBot" | "deleteBot" | "setBot" | "cancelOrder", Array<Readonly<Record<string, string>>>>

/** The pool and the pair of a bot that is paused alone, or the pool of bots that are paused together. */
const pausedOf = ({ pair, pool = "" }: Readonly<Record<string, string>>) =>
  pair === undefined ? pool : `${pool}/${pair}`

interface Troubles {
  /** Requests that are carried out, but whose answer is lost, once each. */
  readonly lost?: ReadonlyArray<string>
  /** Answers in place of those of the fixture. */
  readonly answers?: Answers
}

/**
 * Opens a page. The service refuses what is in `refused`, once each: by the vault and the pair for pauses, by the order
 * for cancellations.
 */
export const openedFleet = (
  options: FixtureOptions,
  path: string,
  refused: ReadonlyArray<string> = [],
  { answers: others = {}, lost = [] }: Troubles = {}
) =>
  Effect.gen(function*() {
    const sent: Sent = { pauseBot: [], deleteBot: [], setBot: [], cancelOrder: [] }
    const left = [...refused]
    const toLose = [...lost]
    const record =
      (name: keyof Sent, idOf: (payload: Readonly<Record<string, string>>) => string | undefined, answer: unknown) =>
      (payload: Readonly<Record<string, string>>) => {
        sent[name].push(payload)
        const answerAt = toLose.indexOf(idOf(payload) ?? "")
        if (answerAt !== -1) {
          toLose.splice(answerAt, 1)
          throw new Error("The answer is lost.")
        }
        const at = left.indexOf(idOf(payload) ?? "")
        if (at === -1) return answer
        left.splice(at, 1)
        return "The service is busy; try again in a moment. Nothing was changed."
      }
    const answers = {
      ...answersOf(options),
      "wallet.pauseBot": record("pauseBot", pausedOf, {
        ...{ status: "success", message: "Signing is stopped for the bots of this vault.", switches: [] }
      }),
      "wallet.deleteBot": record("deleteBot", ({ pool }) => pool, {
        ...{ status: "success", removed: ["WETH-USDC"], message: "Removed the bot of WETH-USDC." }
      }),
      "wallet.setBot": record("setBot", ({ pool }) => pool, {
        ...{ status: "pending", intent_id: orderOf(0).id, tx_hash: null, message: "A rebalance is in progress." },
        data: pausedBot
      }),
      "wallet.cancelOrder": record("cancelOrder", ({ order }) => order, {
        ...{ status: "success", orders: [], message: "Cancelled 1 order." }
      }),
      ...others
    }
    const { called, url } = yield* serve(manager, answers)
    const chromium = yield* browser
    const page = yield* Effect.promise(() =>
      chromium.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" })
    )
    yield* act(() => page.goto(`${url}/console/${path}`))
    return { called, page, sent, url }
  })

/** Returns the text of the first list or status of the open dialog. */
export const dialogText = (page: Page, role: "status" | "list") =>
  Effect.promise(() => page.getByRole("dialog").getByRole(role).first().innerText())
