/** Serves the Devnet Wallet over HTTP to pages of this machine that come from the same origin. */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Layer from "effect/Layer"
import { isLoopbackHost } from "../anvil/Loopback.ts"
import type { DevnetFile } from "../devnet/DevnetFile.ts"
import * as DevnetWallet from "./DevnetWallet.ts"
import { walletScript } from "./WalletScript.ts"

/** Path of the page's script. */
export const scriptPath = "/console/devnet-wallet.js"
const requestPath = "/console/devnet-wallet"

const hostOf = (text: string) => URL.canParse(text) ? new URL(text) : undefined

/**
 * Checks the host name the browser used: under another name that resolves here, another site's page could send
 * requests.
 */
const isHere = ({ headers }: HttpServerRequest.HttpServerRequest) => {
  const named = hostOf(`http://${headers["host"] ?? ""}`)
  return named !== undefined && isLoopbackHost(named.hostname)
}

const isOwnPage = (request: HttpServerRequest.HttpServerRequest) =>
  isHere(request) && hostOf(request.headers["origin"] ?? "")?.host === request.headers["host"]

const json = (body: object, status = 200) => HttpServerResponse.jsonUnsafe(body, { status })

const refusal = (code: number, message: string, status = 200) => json({ error: { code, message } }, status)

/** Adds a GET for the script, and a POST for each request of the page. */
export const layer = (file: DevnetFile): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  HttpRouter.use((router) =>
    Effect.gen(function*() {
      const wallet = yield* Effect.orDie(DevnetWallet.make(file))
      const script = walletScript(requestPath, wallet.chainId)
      yield* router.add("GET", scriptPath, (request) =>
        Effect.succeed(
          HttpServerResponse.text(
            isHere(request) ? script : "// The devnet's wallet is for pages of its own machine.\n",
            { contentType: "text/javascript" }
          )
        ))
      yield* router.add("POST", requestPath, (request) =>
        isOwnPage(request)
          ? HttpServerRequest.schemaBodyJson(DevnetWallet.WalletRequest).pipe(
            Effect.flatMap(wallet.request),
            Effect.map((result) => json({ result })),
            Effect.catchTags({
              WalletRefused: ({ code, message }) => Effect.succeed(refusal(code, message)),
              SchemaError: () => Effect.succeed(refusal(-32600, "A request needs chainId, method and params.", 400)),
              HttpServerError: () => Effect.succeed(refusal(-32700, "The body is not JSON.", 400))
            })
          )
          : Effect.succeed(refusal(4100, "The Devnet Wallet serves only the console of its own machine.", 403)))
    })
  )
