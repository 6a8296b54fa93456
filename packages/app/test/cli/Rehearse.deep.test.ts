import { assert, layer } from "@effect/vitest"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { temporaryFolder } from "@vault-trader/testing/harness/Harness"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import * as NodeFront from "@vault-trader/testing/harness/NodeFront"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Path from "node:path"

/** A second chain in the place of a real one: it knows nothing of the service, which has none running here. */
const TestDevnet = Devnet.layer({ networks: ["base", "polygon", "hyperliquid"], heartbeat: false }).pipe(
  Layer.provide(FetchHttpClient.layer)
)
const slow = 240_000

const encode = Schema.encodeSync(NetworkBook)

/** Runs `rehearse` with these networks configured, beside the devnet's key of the venues' APIs. */
const rehearseWith =
  (env: Readonly<Record<string, string>>) => (books: ReadonlyArray<NetworkBook>, ...words: ReadonlyArray<string>) =>
    Effect.gen(function*() {
      const { path } = yield* Devnet
      const home = yield* temporaryFolder
      const file = Path.join(home, "networks.json")
      Fs.writeFileSync(file, JSON.stringify(books.map((book) => encode(book))))
      Fs.copyFileSync(path, Path.join(home, "devnet.json"))
      return yield* ServiceProcess.toItsEnd(
        { NETWORKS_FILE: file, DATA_DIR: home, ...env },
        ...["vault-trader", "rehearse", ...words]
      )
    })

/** A loaded machine may take long to simulate and to quote, on a fork of a chain above all. */
const rehearse = rehearseWith({ RPC_TIMEOUT_MS: "20000", VENUE_TIMEOUT_MS: "20000" })

type Fields = Readonly<Record<string, unknown>>

interface Step {
  readonly name: string
  readonly status: string
  readonly detail: string
  readonly plan: { readonly details: Fields; readonly gas: string | null } | null
}

/** Returns the steps of an answer to `--json`. */
const stepsOf = (stdout: string) => (JSON.parse(stdout) as { readonly steps: ReadonlyArray<Step> }).steps

const named = (steps: ReadonlyArray<Step>, name: RegExp) => {
  const found = steps.find((step) => name.test(step.name))
  assert.isDefined(found, `no step ${String(name)} in ${steps.map((step) => step.name).join(", ")}`)
  return found
}

/** A vault of the devnet: the first of a network holds tokens only, the last may use every market. */
const vaultOf = (network: "base" | "hyperliquid", which: 0 | 1 = 1) =>
  Effect.map(Devnet, ({ file }) => file.networks[network]!.vaults[which]!.pool)

const bookOf = (network: "base" | "hyperliquid") =>
  Effect.map(Devnet, ({ books }) => books.find((book) => book.network === network)!)

const trader = "0x00000000000000000000000000000000000a11ce"

layer(TestDevnet, { excludeTestServices: true, timeout: slow })("vault-trader rehearse", (it) => {
  it.effect(
    "simulates each venue, lender, position and bot as the vault's trader, and sends nothing to the node",
    () =>
      Effect.gen(function*() {
        const devnet = yield* Devnet
        const pool = yield* vaultOf("base")
        const rpc = yield* devnet.rpc("base")
        yield* devnet.setTrader({ network: "base", pool, trader })
        yield* devnet.faucet({ network: "base", address: trader, amountWei: 10n ** 18n })
        const [block, nonce] = [yield* rpc.blockNumber, yield* rpc.nonce(trader)]
        const methods = new Set<string>()
        const senders = new Set<unknown>()
        const front = yield* NodeFront.listen(({ calls, forward }) => {
          for (const { method, params } of calls) {
            methods.add(method)
            if (method === "eth_estimateGas") senders.add((params[0] as Fields)["from"])
          }
          return forward()
        })
        const books = front.inFront("rehearse", [yield* bookOf("base")])
        const { code, stderr, stdout } = yield* rehearse(books, "--network", "base", "--vault", pool, "--json")
        assert.strictEqual(code, 0, `${stdout}${stderr}`)
        const printed = JSON.parse(stdout) as Fields
        assert.deepStrictEqual(printed["sender"], { address: trader, role: "trader" })
        assert.strictEqual(printed["works"], true)
        assert.strictEqual((printed["capabilities"] as Fields)["network"], "base")
        const steps = stepsOf(stdout)
        for (const venue of ["1inch", "kyberswap", "odosV3", "uniswapV3"]) {
          const { detail, plan, status } = named(steps, new RegExp(`^trade by ${venue}$`))
          assert.strictEqual(status, "works", detail)
          assert.match(
            detail,
            /^sells 10 USDC for 0\.00\d+ WETH, at least 0\.00\d+ WETH, route .*; gas \d+, at most 0\.000\d+ ETH\.$/
          )
          const raw = (field: string) => BigInt(String((plan?.details[field] as Fields)["raw"]))
          assert.isTrue(raw("amountOut") >= raw("minOut") && raw("minOut") > 0n)
          assert.isAbove(Number(plan?.gas), 100_000)
        }
        for (
          const name of [
            /^lend to lenderA/,
            /^lend to lenderB/,
            /^lend to lenderC/,
            /^add liquidity by uniswapV3/,
            /side=short/
          ]
        ) {
          assert.strictEqual(named(steps, name).status, "works")
        }
        const statuses = Object.fromEntries(steps.map(({ name, status }) => [name, status]))
        assert.deepInclude(statuses, {
          "trade by toros": "not_enabled",
          "add liquidity by velodromeCl": "not_enabled",
          "add liquidity by pancakeCl": "not_enabled",
          "a bot's side=short of WBTC": "not_enabled"
        })
        assert.match(named(steps, /^threshold bot/).detail, /^sells 10 USDC by 1inch, for at least/)
        assert.match(named(steps, /^index bot/).detail, /^sells 10 USDC for at least/)
        assert.match(named(steps, /^L1 data fee/).detail, /^\d+ wei for 1,024 bytes/)
        assert.deepStrictEqual([...senders], [trader])
        assert.deepStrictEqual([...methods].filter((method) => /send|sign|anvil|evm/i.test(method)), [])
        assert.deepStrictEqual([yield* rpc.blockNumber, yield* rpc.nonce(trader)], [block, nonce])
      }).pipe(Effect.scoped),
    slow
  )

  it.effect(
    "exits with 1 and says why and how to go on, where the vault or its trader cannot use what is offered",
    () =>
      Effect.gen(function*() {
        const devnet = yield* Devnet
        const pool = yield* vaultOf("base", 0)
        yield* devnet.setTrader({ network: "base", pool, trader: "0x00000000000000000000000000000000000000b0" })
        const rehearsed = rehearse([yield* bookOf("base")], "--network", "base", "--vault", pool, "--usd", "25")
        const { code, stderr, stdout } = yield* OnChain.whileUnguarded("base", "uniswapV3", rehearsed)
        assert.strictEqual(code, 1)
        assert.match(stdout, /^base \(chain 8453\), vault 0x[0-9a-f]{40}, as its trader 0x0+b0\n/)
        assert.match(stdout, /works {8}trade by 1inch: sells 25 USDC/)
        assert.match(stdout, /not offered {2}trade by uniswapV3: The vault platform does not allow it on base\./)
        assert.match(
          stdout,
          /not enabled {2}lend to lenderB .*: The vault has not enabled this market\. Its manager can/
        )
        assert.match(stdout, /FAILS {8}gas: 0x0+b0 has 0 ETH, .* Send at least the difference to it\./)
        assert.match(
          stderr,
          /^Not everything would work: 14 of 15 steps would work, \d+ not enabled in the vault\. Nothing was sent\./
        )
      }).pipe(Effect.scoped),
    slow
  )

  it.effect(
    "rehearses on a local fork where the node simulates little, and without one says what is limited",
    () =>
      Effect.gen(function*() {
        const pool = yield* vaultOf("base")
        // No state overrides: a call with a third parameter is refused, as eth_simulateV1 is.
        const front = yield* NodeFront.listen(({ calls, forward }) =>
          calls.some(({ method, params }) =>
              method === "eth_simulateV1" || (method === "eth_call" && params.length > 2)
            )
            ? Promise.resolve({
              status: 200,
              text: JSON.stringify(calls.map(({ id }) => ({
                jsonrpc: "2.0",
                id,
                error: { code: -32_602, message: "too many arguments, want at most 2" }
              })))
            })
            : forward()
        )
        const books = front.inFront("rehearse", [yield* bookOf("base")])
        const direct = yield* rehearse(books, "--network", "base", "--vault", pool)
        assert.strictEqual(direct.code, 0, `${direct.stdout}${direct.stderr}`)
        assert.match(
          direct.stdout,
          /limited {6}state overrides: the node does not simulate several calls.* use --fork\./
        )
        assert.match(direct.stdout, /works {8}add liquidity/)
        const { code, stderr, stdout } = yield* rehearse(books, "--network", "base", "--vault", pool, "--fork")
        assert.strictEqual(code, 0, `${stdout}${stderr}`)
        assert.include(stdout, "base (chain 8453, forked)")
        assert.match(stdout, /works {8}state overrides/)
        assert.match(stdout, /works {8}add liquidity/)
      }).pipe(Effect.scoped),
    slow
  )

  it.effect(
    "names a stale feed and the asset of unknown value; no index is sized on it, and what needs no such price still works",
    () =>
      Effect.gen(function*() {
        const pool = yield* vaultOf("base")
        const rehearsed = rehearse([yield* bookOf("base")], "--network", "base", "--vault", pool, "--json")
        const { code, stdout } = yield* OnChain.whileStale("base", "WETH", rehearsed)
        assert.strictEqual(code, 1)
        const steps = stepsOf(stdout)
        const value = named(steps, /^value$/)
        assert.strictEqual(value.status, "fails")
        assert.match(value.detail, /The vault's value is unknown\..*WETH: .*Index bots and limits in USD wait/)
        assert.strictEqual(named(steps, /^index bot/).status, "fails")
        assert.strictEqual(named(steps, /^index bot/).plan, null)
      }).pipe(Effect.scoped),
    slow
  )

  it.effect(
    "stops at a node that no longer answers, and believes no node that returns nonsense",
    () =>
      Effect.gen(function*() {
        const pool = yield* vaultOf("base")
        const book = yield* bookOf("base")
        const hangs = yield* NodeFront.listen(({ calls, forward }) =>
          calls.some(({ method }) => method === "eth_estimateGas") ? new Promise(() => {}) : forward()
        )
        const impatient = rehearseWith({ RPC_TIMEOUT_MS: "2000" })
        const hung = yield* impatient(hangs.inFront("hangs", [book]), "--network", "base", "--vault", pool, "--json")
        assert.strictEqual(hung.code, 1)
        const steps = stepsOf(hung.stdout)
        assert.match(named(steps, /^trade by/).detail, /base.*(cannot be reached|does not answer|answer)/i)
        const later = steps.slice(steps.indexOf(named(steps, /^trade by/)) + 1).filter(({ status }) =>
          status !== "not_offered"
        )
        assert.isTrue(later.some(({ status }) => status === "not_tried"))
        assert.isFalse(later.some(({ plan }) => plan !== null))

        const lies = yield* NodeFront.listen(({ calls, forward }) =>
          calls.some(({ method }) => method === "eth_call")
            ? Promise.resolve({
              status: 200,
              text: JSON.stringify(calls.map(({ id }) => ({ jsonrpc: "2.0", id, result: "0x" })))
            })
            : forward()
        )
        const lied = yield* rehearse(lies.inFront("lies", [book]), "--network", "base", "--vault", pool)
        assert.strictEqual(lied.code, 1)
        assert.match(lied.stdout, /FAILS {8}platform: /)
        assert.notInclude(lied.stdout, "trade by")
      }).pipe(Effect.scoped),
    slow
  )

  it.effect("rehearses the derivatives network: its venue, and a deposit to HyperCore", () =>
    Effect.gen(function*() {
      const pool = yield* vaultOf("hyperliquid")
      const { code, stderr, stdout } = yield* rehearse(
        [yield* bookOf("hyperliquid")],
        ...["--network", "hyperliquid", "--vault", pool]
      )
      assert.strictEqual(code, 0, `${stdout}${stderr}`)
      assert.match(stdout, /works {8}trade by kyberswap/)
      assert.match(stdout, /works {8}deposit to HyperCore: deposits 10 USDC/)
    }), slow)

  it.effect("refuses bad input with the parameter, what is wrong and what is accepted", () =>
    Effect.gen(function*() {
      const { books, file } = yield* Devnet
      const pool = yield* vaultOf("base")
      const refused = (...words: ReadonlyArray<string>) =>
        Effect.map(rehearse(books, ...words), ({ code, stderr, stdout }) => ({ code, text: `${stdout}${stderr}` }))

      const unknown = yield* refused("--network", "solana", "--vault", pool)
      assert.deepStrictEqual([unknown.code, /network.*optimism, base/s.test(unknown.text)], [2, true], unknown.text)

      const stranger = yield* refused("--network", "base", "--vault", file.networks.base!.factory)
      assert.strictEqual(stranger.code, 1)
      assert.match(stranger.text, /pool: 0x[0-9a-f]{40} is not a vault of the platform on base/)

      const other = file.networks.polygon?.rpcUrl ?? ""
      const wrong = yield* refused("--network", "base", "--vault", pool, "--rpc", other)
      assert.strictEqual(wrong.code, 1)
      assert.match(wrong.text, /is no node of base: it serves chain 137, not 8453\. Give a node of base \(chain 8453\)/)

      const silent = yield* refused("--network", "base", "--vault", pool, "--rpc", "http://127.0.0.1:1")
      assert.strictEqual(silent.code, 1)
      assert.match(silent.text, /No node of base answers \(endpoint 127\.0\.0\.1:1\)/)

      const text = yield* refused("--network", "base", "--vault", pool, "--rpc", "base.example")
      assert.deepStrictEqual([text.code, /rpc.*an http or https URL/s.test(text.text)], [2, true], text.text)

      const token = yield* refused("--network", "base", "--vault", pool, "--from", "NOSUCH")
      assert.strictEqual(token.code, 1)
      assert.match(token.text, /--from: 'NOSUCH' is not a token/)

      const usd = yield* refused("--network", "base", "--vault", pool, "--usd", "0")
      assert.deepStrictEqual([usd.code, /usd.*USD from 1/s.test(usd.text)], [2, true], usd.text)

      const home = yield* temporaryFolder
      const none = yield* ServiceProcess.toItsEnd(
        { DATA_DIR: home },
        ...["vault-trader", "rehearse", "--network", "base", "--vault", pool]
      )
      assert.match(none.stderr, /No node of base is known: give one with --rpc URL, or set RPC_URL_BASE\./)
    }).pipe(Effect.scoped), slow)
})
