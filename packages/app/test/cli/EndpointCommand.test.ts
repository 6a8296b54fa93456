import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { boxed, flat, pending, success, throttled, unreachable } from "../../../client/test/FakeService.ts"
import * as CommandTable from "../../src/cli/CommandTable.ts"
import { helpOf } from "../../src/cli/endpoint/EndpointHelp.ts"
import { apiKey, finished, ran } from "./FakeTerminal.ts"

const pool = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"
const env = { VAULT_TRADER_API_KEY: apiKey, VAULT_TRADER_URL: "https://service.example" }
const trade = ["trade", "--network", "base", "--pool", pool, "--from", "USDC", "--to", "WETH", "--amount", "1000.10"]
const traded = {
  intent_id: "intent-1",
  tx_hash: "0xhash",
  message: "Sold.",
  sold: { amount: "1000.10", symbol: "USDC" }
}
const intent = (fields: Readonly<Record<string, unknown>>) =>
  success({ intent: { endpoint: "vaultTrade", status: "pending", message: "Sent.", tx_hash: null, ...fields } })

const folders: Array<string> = []
const folder = () => {
  const made = Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-cli-"))
  folders.push(made)
  return made
}
const file = (text: string, mode = 0o600) => {
  const path = Path.join(folder(), "secret")
  Fs.writeFileSync(path, text)
  Fs.chmodSync(path, mode)
  return path
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  for (const each of folders.splice(0)) Fs.rmSync(each, { recursive: true })
})

/** Runs a command line while virtual time passes. */
const passing = async (...[words, situation]: Parameters<typeof ran>) => {
  const { ended } = await ran(words, situation)
  // The modules of the call are loaded in real time.
  await vi.dynamicImportSettled()
  await vi.runAllTimersAsync()
  return ended
}

describe("the request of a command", () => {
  it("has the parameters as they were typed, by their names in the API, and the key in a header only", async () => {
    const { code, sent, stderr } = await passing(
      [...trade, "--valid_for", "300", "--dryRun", "--platform=best"],
      { env, replies: [success({ plan: {}, message: "Plan." })] }
    )
    assert.deepStrictEqual([code, stderr], [0, ""])
    const { idempotency_key, ...body } = sent[0]!.body
    assert.deepStrictEqual(body, {
      ...{ network: "base", pool, from: "USDC", to: "WETH", amount: "1000.10" },
      ...{ valid_for: "300", dryRun: true, platform: "best" }
    })
    assert.match(String(idempotency_key), /^[0-9a-f-]{36}$/)
    assert.strictEqual(sent[0]?.url, "https://service.example/vaultTrade")
    assert.strictEqual(sent[0]?.headers["authorization"], `Bearer ${apiKey}`)
  })

  it("takes lists by commas and repetition, JSON as text or from a file, and flags that are off", async () => {
    const lists = await passing(
      ["mintManagerFeeBatch", "--network", "BASE", "--pools", `${pool},${pool.toUpperCase()}`, "--pools", pool],
      { env, replies: [success(traded)] }
    )
    assert.deepInclude(lists.sent[0]?.body, { network: "base", pools: [pool, pool.toUpperCase(), pool] })
    const targets = [{ asset: "WETH", weight: 60 }, { asset: "USDC", weight: 40 }]
    const path = file(JSON.stringify(targets))
    const bot = ["set-index-bot", "--network", "base", "--pool", pool, "--interval", "3600", "--max-usd", "100"]
    for (const value of [JSON.stringify(targets), `@${path}`]) {
      const { sent } = await passing([...bot, "--targets", value, "--no-enabled"], {
        env,
        replies: [success({ data: {} })]
      })
      assert.deepInclude(sent[0]?.body, { targets, enabled: false, interval: "3600" })
    }
  })

  it("fills the parameters of a path, and sends no key to an endpoint that takes none", async () => {
    const { sent } = await passing(["calculate-fee", "--action", "lenderAV3/lend", "--network", "base"], {
      env,
      replies: [success({})]
    })
    assert.strictEqual(sent[0]?.url, "https://service.example/calculate-fee/lenderAV3%2Flend/base")
    assert.notProperty(sent[0]?.headers, "authorization")
  })
})

describe("a command line that cannot be used", () => {
  const refused = async (words: ReadonlyArray<string>, situation: Parameters<typeof ran>[1] = { env }) => {
    const { code, sent, stderr, stdout } = await finished(words, situation)
    assert.deepStrictEqual([code, stdout, sent.length], [2, "", 0], stderr)
    return stderr
  }

  it("reports everything at once: unknown options, values that do not fit, and all that is missing", async () => {
    assert.strictEqual(
      await refused(["trade", "--poool", "x", "--networc", "base", "--slippage", "much", "--dry-run=maybe", "now"], {}),
      [
        "There is no option --poool; did you mean --pool?",
        "There is no option --networc; did you mean --network?",
        "--slippage must be a percentage above 0 and at most 5, not 'much'.",
        "--dry-run is on or off: leave its value out, or give true or false.",
        "'now' is more than this command takes: parameters are options, --name value.",
        "Missing: --pool (or a profile with it), --from, --to.",
        "There is no API key: add a profile with it (vault-trader profile add), set VAULT_TRADER_API_KEY, or give " +
        "--api-key-file.",
        "Nothing was sent. Try vault-trader vault-trade --help.",
        ""
      ].join("\n")
    )
  })

  it("names the accepted values, a value that is missing, one that is given twice, and what is not JSON", async () => {
    assert.match(
      await refused(["balance", "--network", "mars"]),
      /^--network must be all, or one of base, .*, not 'mars'\./
    )
    assert.match(await refused(["balance", "--network"]), /^--network needs a value: all, or one of base, /)
    assert.match(
      await refused(["balance", "--network", "base", "--network", "base"]),
      /^--network is given more than once\./
    )
    assert.match(await refused(["set-index-bot", "--targets", "[{"]), /^--targets is not JSON\./)
    assert.match(await refused([...trade, "--wait-seconds", "0"]), /^--wait-seconds must be a whole number from 1/)
    assert.match(await refused(["pool-compositon"]), /^There is no command 'pool-compositon'; did you mean pool-comp/)
  })

  it("never takes a secret, in whatever spelling, and repeats none", async () => {
    const secret = "ab".repeat(32)
    for (
      const [words, saying] of [
        [
          ["get-new-api-key", "--private-key", secret],
          /^--private-key is refused: .*--private-key-file FILE.*VAULT_TRADER_/
        ],
        [["get-new-api-key", `--privateKey=${secret}`], /^--privateKey is refused/],
        [["register-cex-subaccount", "--cex-secret", secret], /^--cex-secret is refused/],
        [["balance", "--api-key", secret], /^--api-key is refused: .*VAULT_TRADER_API_KEY/],
        [["getCEXSide", "--gas_wallet_api_key", secret], /^--gas_wallet_api_key is refused/],
        [
          ["get-new-api-key", "--private-kee", secret],
          /^There is no option --private-kee; did you mean --private-key-file\?/
        ],
        [["get-new-api-key", secret], /^what was given is more than this command takes/],
        [["balance", "--network", apiKey], /^--network must be .*, not what was given\./]
      ] as const
    ) {
      const stderr = await refused(words)
      assert.match(stderr, saying)
      assert.notInclude(stderr, secret)
      assert.notInclude(stderr, apiKey)
    }
  })
})

describe("the secrets of a command", () => {
  const secret = "ab".repeat(32)
  const renewed = success({ address: "0x", apiKey: "new" })

  it("come from a file of mode 0600, standard input, a variable, or the keyboard", async () => {
    for (
      const [words, situation] of [
        [["--private-key-file", file(`${secret}\n`)], {}],
        [["--private-key-file", "-"], { input: `${secret}\n` }],
        [["--private-key-file", "env"], { env: { ...env, VAULT_TRADER_PRIVATE_KEY: secret } }],
        [[], { env: { ...env, VAULT_TRADER_PRIVATE_KEY: secret } }],
        [[], { typed: secret }]
      ] as const
    ) {
      const { code, sent, stderr, stdout } = await passing(["get-new-api-key", ...words], {
        env,
        ...situation,
        replies: [renewed]
      })
      assert.deepStrictEqual([code, sent[0]?.body], [0, { privateKey: secret }], stderr)
      assert.notInclude(stdout + stderr, secret)
    }
  })

  it("are not read from a file that others can read, and not from a variable that is only optional", async () => {
    const open = await finished(["get-new-api-key", "--private-key-file", file(secret, 0o640)], { env })
    assert.strictEqual(open.code, 2)
    assert.match(
      open.stderr,
      /^--private-key-file: The file .* is open to other accounts .*\(mode 0640\): run chmod 600/
    )
    assert.notInclude(open.stderr, secret)
    const words = ["resume-bot", "--network", "base", "--pool", pool]
    const withKey = await passing(words, {
      env: { ...env, VAULT_TRADER_PRIVATE_KEY: secret },
      replies: [success({ message: "Resumed." })]
    })
    assert.deepStrictEqual(withKey.sent[0]?.body, { network: "base", pool })
    const withSecret = await passing([...words, "--private-key-file", "-"], {
      env,
      input: secret,
      replies: [success({ message: "Resumed." })]
    })
    assert.deepStrictEqual(withSecret.sent[0]?.body, { network: "base", pool, privateKey: secret })
    assert.notProperty(withSecret.sent[0]?.headers, "authorization")
  })

  it("that are malformed or repeated by the service are in no message", async () => {
    const malformed = await finished(["balance", "--network", "base"], {
      env: { ...env, VAULT_TRADER_API_KEY: secret }
    })
    assert.strictEqual(malformed.code, 2)
    assert.match(malformed.stderr, /^VAULT_TRADER_API_KEY holds no API key/)
    assert.notInclude(malformed.stderr, secret)
    const echoed = await passing(["balance", "--network", "base"], {
      env,
      replies: [boxed({ status: "fail", status_code: "1002", message: `The key ${apiKey} is unknown.` })]
    })
    assert.strictEqual(echoed.code, 1)
    assert.notInclude(echoed.stderr + echoed.stdout, apiKey)
  })

  it("over plain HTTP are sent to this machine only", async () => {
    for (const url of ["http://service.example", "https://key@service.example", "ftp://service.example", "nowhere"]) {
      const { code, stderr } = await finished(["balance", "--network", "base"], {
        env: { ...env, VAULT_TRADER_URL: url }
      })
      assert.strictEqual(code, 2)
      assert.match(stderr, /^VAULT_TRADER_URL must be an https URL without a path, or http on this machine\./)
    }
  })
})

describe("the answer", () => {
  it("is text for people: the message, aligned fields, and tables; amounts as they are", async () => {
    const { stdout } = await passing(trade, {
      env,
      replies: [success({ ...traded, route: ["USDC", "WETH"], none: null })]
    })
    assert.strictEqual(
      stdout,
      [
        "Sold.",
        "  intent_id  intent-1",
        "  tx_hash    0xhash",
        "  sold       1000.10 USDC",
        "  route      USDC, WETH",
        "  none       -",
        ""
      ].join("\n")
    )
    const composition = [
      { symbol: "USDC", amount: "99000.000001", price: 1 },
      { symbol: "WETH", amount: "10.333118752002446318", price: null }
    ]
    const table = await passing(["composition", "--network", "base", "--pool", pool], {
      env,
      replies: [success({ composition, block: 12 })]
    })
    assert.strictEqual(
      table.stdout,
      [
        "2 composition",
        "  composition",
        "    symbol                amount  price",
        "    USDC            99000.000001      1",
        "    WETH    10.333118752002446318      -",
        "  block        12",
        ""
      ].join("\n").replaceAll("    symbol                amount", "    symbol                 amount")
        .replace("    USDC            99000.000001", "    USDC             99000.000001")
    )
  })

  it("has colors only where they are wanted, and no control characters of strangers", async () => {
    const symbol = "\u001b]0;pwned\u0007\u202eUSDC"
    const replies = () => [success({ message: "Read.", symbol })]
    const words = ["get-symbol", "--contract", pool, "--network", "base"]
    const plain = await passing(words, { env, replies: replies() })
    assert.strictEqual(plain.stdout, "Read.\n  symbol  \\u001b]0;pwned\\u0007\\u202eUSDC\n")
    const colored = await passing(words, { env, replies: replies(), colors: true })
    assert.match(colored.stdout, /^\u001b\[1mRead\.\u001b\[22m\n/)
    assert.notInclude(colored.stdout, "\u0007")
    const json = await passing([...words, "--json"], {
      env,
      replies: [success({ symbol: "\u009b31mUSDC" })],
      colors: true
    })
    assert.strictEqual(json.stdout, `{"status":"success","symbol":"\\u009b31mUSDC"}\n`)
  })

  it("becomes a list of fields where a table is wider than the terminal", async () => {
    const rows = [{ name: "one", url: "u".repeat(60) }, { name: "two", url: "v".repeat(60) }]
    const { stdout } = await passing(["get-webhooks"], { env, replies: [success({ webhooks: rows })], columns: 40 })
    assert.include(stdout, `    name  one\n    url   ${"u".repeat(60)}\n\n    name  two\n`)
  })

  it("with --json is the unboxed JSON on standard output and nothing else", async () => {
    const fields = { balance: "1.50", token: "ETH", balance_usd: 4500.5, list: [["only"]], nothing: null }
    const { code, stderr, stdout } = await passing(["balance", "--network", "base", "--json"], {
      env,
      replies: [success(fields)]
    })
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.strictEqual(stdout, `${JSON.stringify({ status: "success", ...fields })}\n`)
  })
})

describe("the exit code", () => {
  const failure = {
    ...{
      status: "fail",
      status_code: "2002",
      error_type: "insufficient_balance",
      message: "Too little. Nothing was sent."
    },
    ...{ intent_id: "intent-1", tx_hash: null }
  }

  it("is 1 for a refusal and for a failure, with code, message, ids and the next step", async () => {
    const failed = await passing(trade, { env, replies: [flat(400, failure)] })
    assert.deepStrictEqual([failed.code, failed.stdout], [1, ""])
    assert.match(
      failed.stderr,
      /^fail \(2002 insufficient_balance\): Too little\. Nothing was sent\.\n {2}intent_id {8}intent-1\n[\s\S]*Next: Choose a smaller amount: vault-trader composition shows/
    )
    const refused = await passing(["balance", "--network", "base", "--json"], {
      env,
      replies: [boxed({ status: "fail", status_code: "1002", message: "Unknown key." })]
    })
    assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
    assert.deepInclude(JSON.parse(refused.stderr) as object, {
      status: "fail",
      status_code: "1002",
      message: "Unknown key."
    })
  })

  it("is 0 once the outcome that was waited for is success, with the endpoint's own fields", async () => {
    const { code, sent, stdout } = await passing([...trade, "--json"], {
      env,
      replies: [pending(), intent({}), intent({ status: "success" }), success(traded)]
    })
    assert.deepStrictEqual([code, JSON.parse(stdout)], [0, { status: "success", ...traded }])
    assert.deepStrictEqual(sent.map(({ url }) => Path.basename(url)), [
      "vaultTrade",
      "getIntent",
      "getIntent",
      "vaultTrade"
    ])
    assert.strictEqual(sent[3]?.body["idempotency_key"], sent[0]?.body["idempotency_key"])
  })

  it("is 1 when the outcome that was waited for is a failure", async () => {
    const { code, stderr, stdout } = await passing(trade, {
      env,
      replies: [pending(), intent({ status: "fail" }), flat(400, failure)]
    })
    assert.deepStrictEqual([code, stdout], [1, ""])
    assert.match(stderr, /^fail \(2002 /)
  })

  it("is 3 when the outcome of an accepted write cannot be read because the key was replaced", async () => {
    const { code, stderr, stdout } = await passing(trade, {
      env,
      replies: [pending(), boxed({ status: "fail", status_code: "1002", message: "Unknown key." })]
    })
    assert.deepStrictEqual([code, stdout], [3, ""])
    assert.match(stderr, /^unknown \(1002\): Unknown key\. The write was accepted before; its outcome is not known\./)
    assert.match(stderr, /intent_id {8}intent-1\n {2}idempotency_key {2}[0-9a-f-]{36}\n/)
  })

  it("is 3 while a write is pending, with the two ways to ask again", async () => {
    const now = await passing([...trade, "--no-wait", "--idempotency-key", "mine"], { env, replies: [pending()] })
    assert.strictEqual(now.code, 3)
    assert.include(now.stdout, "Accepted.\n  intent_id  intent-1\n")
    assert.include(now.stderr, "vault-trader get-intent --intent-id intent-1 shows its state.")
    assert.include(
      now.stderr,
      `executes nothing twice: vault-trader ${trade.join(" ")} --no-wait --idempotency-key mine\n`
    )
    const late = await passing([...trade, "--wait-seconds", "1", "--json"], {
      env,
      replies: [pending(), ...Array.from({ length: 4 }, () => intent({}))]
    })
    assert.strictEqual(late.code, 3)
    assert.deepInclude(JSON.parse(late.stdout) as object, { status: "pending", intent_id: "intent-1" })
    const { idempotency_key } = late.sent[0]!.body
    assert.deepInclude(JSON.parse(late.stderr) as object, { status: "pending", idempotency_key })
    assert.include(late.stderr, `--idempotency-key ${String(idempotency_key)}`)
  })

  it("is 3 when it is not known if a write was executed, and 4 when the service certainly did nothing", async () => {
    const gone = Array.from({ length: 4 }, unreachable)
    const unknown = await passing(trade, { env, replies: gone })
    assert.strictEqual(unknown.code, 3)
    const keys = new Set(unknown.sent.map(({ body }) => body["idempotency_key"]))
    assert.deepStrictEqual([unknown.sent.length, keys.size], [4, 1])
    assert.include(unknown.stderr, `--idempotency-key ${String([...keys][0])}\n`)
    const read = await passing(["balance", "--network", "base"], { env, replies: gone })
    assert.strictEqual(read.code, 4)
    assert.match(
      read.stderr,
      /^unreachable: getGasBalance: The service could not be reached \(ECONNREFUSED\)\. Nothing was/
    )
    const dryRun = await passing([...trade, "--dry-run"], { env, replies: gone })
    assert.strictEqual(dryRun.code, 4)
    const released = { ...failure, status_code: "2042", error_type: "outcome_unknown" }
    assert.strictEqual((await passing(trade, { env, replies: [flat(400, released)] })).code, 3)
    const busy = await passing(trade, { env, replies: Array.from({ length: 4 }, () => throttled("1")) })
    assert.strictEqual(busy.code, 4)
    assert.match(busy.stderr, /asks to wait 1 seconds/)
  })

  it("is 130 after Ctrl-C, which prints the intent's id, or the key under which to ask again", async () => {
    vi.useRealTimers()
    const open = await ran([...trade, "--idempotency-key", "mine"], { env, replies: [pending(), "silence"] })
    await vi.waitFor(() => assert.lengthOf(open.sent, 2), { timeout: 60_000 })
    open.interrupt()
    const { code, stderr } = await open.ended
    assert.strictEqual(code, 130)
    assert.match(stderr, /^interrupted: [\s\S]*intent_id {8}intent-1\n {2}idempotency_key {2}mine\n/)
    const early = await ran(trade, { env, replies: ["silence"] })
    await vi.waitFor(() => assert.lengthOf(early.sent, 1), { timeout: 60_000 })
    early.interrupt()
    const ended = await early.ended
    assert.strictEqual(ended.code, 130)
    assert.include(ended.stderr, String(early.sent[0]?.body["idempotency_key"]))
    const read = await ran(["balance", "--network", "base"], { env, replies: ["silence"] })
    await vi.waitFor(() => assert.lengthOf(read.sent, 1), { timeout: 60_000 })
    read.interrupt()
    assert.deepInclude(await read.ended, { code: 130, stdout: "", stderr: "" })
  })
})

describe("the help of a command", () => {
  it("is preceded by the list of all commands, which has every endpoint once, and by the version", async () => {
    const { code, stderr, stdout } = await finished([])
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.deepStrictEqual((await finished(["--help"])).stdout, stdout)
    for (const { aliases, name } of CommandTable.read().endpoints) {
      assert.lengthOf(Array.from(stdout.matchAll(new RegExp(`^  ${[name, ...aliases].join(", ")}  `, "gm"))), 1, name)
    }
    assert.match((await finished(["--version"])).stdout, /^\d+\.\d+\.\d+(-[\w.]+)?\n$/)
  })

  it("has the description, every option with its values, an example, and the request as curl sends it", async () => {
    const { code, stdout } = await finished(["help", "set-bot"])
    assert.strictEqual(code, 0)
    assert.deepStrictEqual(await finished(["setBot", "-h"]), { code, stdout, stderr: "", sent: [] })
    for (
      const part of [
        "USAGE\n  vault-trader set-bot --network <text> --pool <text> --pair <text> --side <text> [options]",
        "Required. ",
        "Default: the profile's.",
        "\nEXAMPLE\n  vault-trader set-bot --network base --pool 0x",
        `\nHTTP\n  curl -s "$VAULT_TRADER_URL/setBot"`,
        `-H "X-API-Key: $VAULT_TRADER_API_KEY"`,
        "EXIT CODES"
      ]
    ) assert.include(stdout, part)
  })

  it("fits into 110 columns besides examples, and its example is a command line that can be used", async () => {
    for (const command of CommandTable.read().endpoints) {
      const text = helpOf(command)
      for (const { name, secret } of command.options) {
        assert.include(text, `  --${name}${secret === true ? "-file" : ""}`)
      }
      const long = text.split("\nEXAMPLE")[0]?.split("\n").filter((line) => line.length > 110)
      assert.deepStrictEqual(long, [], command.name)
      const example = /EXAMPLE\n {2}vault-trader (.*)\n/.exec(text)?.[1] ?? ""
      // Secrets and signatures are the user's.
      if (/ FILE| "\$/.test(example)) continue
      const words = Array.from(
        example.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g),
        ([, quoted, bare]) => quoted ?? bare ?? ""
      )
      const { code, stderr } = await passing(words, { env, replies: [success({ message: "Done." })] })
      assert.deepStrictEqual([code, stderr], [0, ""], example)
    }
  })
})
