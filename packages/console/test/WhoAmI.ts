/** Answers `whoAmI` in the page's socket: the harness's answers do not reach calls without a payload. */
import type { browser } from "@vault-trader/testing/harness/Browser"
import type * as Effect from "effect/Effect"
import { answersOf } from "./Fixture.ts"

type Page = Awaited<ReturnType<Effect.Success<typeof browser>["newPage"]>>

/** Call it before the page is opened. */
export const answerWhoAmI = (page: Page) =>
  page.routeWebSocket(/\/console\/rpc$/, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((message) => {
      const [request] = String(message).split("\n").map((line): Readonly<Record<string, unknown>> =>
        line === "" ? {} : JSON.parse(line) as Readonly<Record<string, unknown>>
      )
      if (request?.["tag"] !== "whoAmI") return server.send(message)
      const value = answersOf()["whoAmI"]?.(undefined as never)
      socket.send(
        `${JSON.stringify({ _tag: "Exit", requestId: request["id"], exit: { _tag: "Success", value } })}\n`
      )
    })
  })
