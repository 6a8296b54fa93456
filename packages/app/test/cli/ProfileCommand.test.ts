import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { inspect } from "node:util"
import { success } from "../../../client/test/FakeService.ts"
import { apiKey, finished } from "./FakeTerminal.ts"

const pool = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"
const otherKey = "99999999-8888-4777-8666-555555555555"
const url = "https://service.example"

let home = ""
beforeEach(() => {
  home = Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-profile-"))
})
afterEach(() => Fs.rmSync(home, { recursive: true }))

const folder = () => Path.join(home, "vault-trader")
const file = () => Path.join(folder(), "profiles.json")
const modeOf = (path: string) => (Fs.statSync(path).mode & 0o777).toString(8)

/** Runs `vault-trader profile …` on the folder of this test. */
const profile = (words: string, situation: Parameters<typeof finished>[1] = {}) =>
  finished(["profile", ...words.split(" ")], { ...situation, env: { XDG_CONFIG_HOME: home, ...situation.env } })

const add = (name = "main", more = "") =>
  profile(`add ${name} --url ${url} --network base --pool ${pool} --api-key-file -${more}`, { input: `${apiKey}\n` })

/** Runs a command of an endpoint with the profiles of this test. */
const balance = (words: ReadonlyArray<string> = [], env: Readonly<Record<string, string>> = {}) =>
  finished(["balance", ...words], { env: { XDG_CONFIG_HOME: home, ...env }, replies: [success({ balance: "1" })] })

const refused = async (ended: ReturnType<typeof finished>, saying: RegExp) => {
  const { code, sent, stderr, stdout } = await ended
  assert.deepStrictEqual([code, stdout, sent], [2, "", []], stderr)
  assert.match(stderr, saying)
  assert.notInclude(stderr, apiKey)
}

describe("a profile", () => {
  it("gives a command its URL, key, network and vault; changes say what they use", async () => {
    assert.deepInclude(await add(), {
      code: 0,
      stdout: `Stored the profile 'main' for ${url}, API key: …5555.\n`,
      stderr: ""
    })
    const { code, sent, stderr } = await balance()
    assert.deepStrictEqual([code, sent[0]?.url, sent[0]?.body, stderr], [
      0,
      `${url}/getGasBalance`,
      { network: "base" },
      ""
    ])
    assert.strictEqual(sent[0]?.headers["authorization"], `Bearer ${apiKey}`)
    const change = await finished(["pause-bot"], {
      env: { XDG_CONFIG_HOME: home },
      replies: [success({ message: "Paused." })]
    })
    assert.deepStrictEqual(change.sent[0]?.body, { network: "base", pool })
    assert.strictEqual(change.stderr, `Using network base and pool ${pool} of the profile 'main'.\n`)
    const named = await balance(["--network", "polygon"])
    assert.deepStrictEqual(named.sent[0]?.body, { network: "polygon" })
  })

  it("gives its vault to its own network only", async () => {
    await add()
    const env = { XDG_CONFIG_HOME: home }
    await refused(finished(["composition", "--network", "polygon"], { env }), /^Missing: --pool /)
    await refused(finished(["deposit-to-perpetuals"], { env }), /^Missing: --pool /)
    const { sent } = await finished(["composition", "--network", "BASE"], { env, replies: [success({})] })
    assert.deepStrictEqual(sent[0]?.body, { network: "base", pool })
  })

  it("is in a file that only its owner may read, in such a folder, whatever the umask is", async () => {
    const umask = process.umask(0)
    try {
      await add()
    } finally {
      process.umask(umask)
    }
    assert.deepStrictEqual([modeOf(folder()), modeOf(file())], ["700", "600"])
    assert.deepStrictEqual(Fs.readdirSync(folder()), ["profiles.json"])
    await profile("use main")
    assert.strictEqual(modeOf(file()), "600")
  })

  it("is refused when others can read it, with the chmod; and another file in its place, without a word of it", async () => {
    await add()
    Fs.chmodSync(file(), 0o644)
    for (const ended of [balance(), profile("list"), profile("show main"), profile("use main"), add("other")]) {
      await refused(ended, /profiles\.json is open to other accounts of this machine \(mode 0644\): run chmod 600 /)
    }
    Fs.chmodSync(file(), 0o600)
    Fs.chmodSync(folder(), 0o755)
    await refused(balance(), /The folder .* \(mode 0755\): run chmod 700 /)
    Fs.chmodSync(folder(), 0o700)
    for (const text of [`{"profiles": "${apiKey}`, `{"profiles":{"main":{"url":1,"apiKey":"${apiKey}"}}}`, "[]"]) {
      Fs.writeFileSync(file(), text)
      await refused(balance(), /is not a file of profiles: repair it/)
    }
  })

  it("shows the last four characters of its key, and nothing prints more", async () => {
    await add()
    await add("second", " --keyring").catch(() => {})
    for (
      const words of ["list", "list --json", "list --names", "show", "show main --json", "use main", "add main --url x"]
    ) {
      const { stderr, stdout } = await profile(words, { typed: apiKey })
      assert.notInclude(stdout + stderr, apiKey.slice(0, 13), words)
    }
    assert.include((await profile("show")).stdout, "api_key  …5555")
    const shown = JSON.parse((await profile("show --json")).stdout) as object
    assert.deepStrictEqual(shown, { name: "main", current: true, url, network: "base", pool, api_key: "…5555" })
  })

  it("is chosen by an option, the variable, or as the current one", async () => {
    await add()
    await profile(`add second --url https://other.example --network optimism --api-key-file -`, { input: otherKey })
    const asked = async (...args: Parameters<typeof balance>) => {
      const { sent } = await balance(...args)
      return [sent[0]?.url, sent[0]?.headers["authorization"], sent[0]?.body["network"]]
    }
    const main = [`${url}/getGasBalance`, `Bearer ${apiKey}`, "base"]
    const second = ["https://other.example/getGasBalance", `Bearer ${otherKey}`, "optimism"]
    assert.deepStrictEqual(await asked(), main)
    assert.deepStrictEqual(await asked([], { VAULT_TRADER_PROFILE: "second" }), second)
    assert.deepStrictEqual(await asked(["--profile", "main"], { VAULT_TRADER_PROFILE: "second" }), main)
    await profile("use second")
    assert.deepStrictEqual(await asked(), second)
    const env = { VAULT_TRADER_URL: "https://third.example", VAULT_TRADER_API_KEY: apiKey }
    assert.deepStrictEqual(await asked([], env), [
      "https://third.example/getGasBalance",
      `Bearer ${apiKey}`,
      "optimism"
    ])
    assert.deepStrictEqual(await asked(["--profile", "main"], { ...env, VAULT_TRADER_API_KEY: otherKey }), main)
    await refused(balance(["--profile", "mine"]), /There is no profile 'mine'\. The profiles are main, second\./)
    await profile("remove second")
    await refused(balance(), /Missing: --network \(or a profile with it\)[\s\S]*There is no API key/)
    assert.strictEqual((await profile("list --names")).stdout, "main\n")
  })

  it("does not give its key to another service", async () => {
    await add()
    const saying =
      /The key of the profile 'main' belongs to https:\/\/service\.example and is not sent to https:\/\/evil\.example/
    await refused(balance(["--service-url", "https://evil.example"]), saying)
    await refused(balance([], { VAULT_TRADER_URL: "https://evil.example" }), saying)
  })

  it("is not replaced by accident, and needs a usable name, URL and vault", async () => {
    await add()
    await refused(add(), /The profile 'main' exists: choose another name, or give --replace\./)
    assert.strictEqual((await add("main", " --replace")).code, 0)
    await refused(profile(`add __proto__ --url ${url}`), /A profile's name is 1 to 64 letters/)
    await refused(
      profile("add other --url http://service.example --pool 0x1"),
      /--url must be .*\n--pool must be 0x and 40/
    )
    await refused(profile(`add other --url ${url} --api-key ${apiKey}`), /--api-key is refused/)
    await refused(profile(`add other --url ${url} --api-key-file -`, { input: "no key" }), /holds no API key/)
    await refused(profile("add"), /The profile's name is missing\./)
    await refused(profile("ad"), /There is no command 'profile ad'; did you mean add\?/)
  })
})

describe("the keyring", () => {
  /** Installs a program that records its arguments and keeps what it is given. */
  const program = (name: string) => {
    const path = Path.join(home, name)
    const script = [
      "#!/bin/sh",
      `echo "$@" >> ${home}/arguments`,
      `case "$1" in`,
      `  store|-i) cat > ${home}/kept;;`,
      `  lookup) cat ${home}/kept;;`,
      `  find-generic-password) sed 's/.* -w //' ${home}/kept;;`,
      `  clear|delete-generic-password) rm ${home}/kept;;`,
      "esac"
    ]
    Fs.writeFileSync(path, `${script.join("\n")}\n`, { mode: 0o755 })
  }

  for (const [platform, name] of [["linux", "secret-tool"], ["darwin", "security"]] as const) {
    it(`keeps the key through ${name}, not through arguments, and the file has none`, async () => {
      program(name)
      const env = { XDG_CONFIG_HOME: home, PATH: `${home}:/usr/bin:/bin` }
      const words = `add main --url ${url} --network base --api-key-file - --keyring`
      const added = await profile(words, { env, platform, input: apiKey })
      assert.deepStrictEqual([added.code, added.stderr], [0, ""])
      assert.notInclude(Fs.readFileSync(file(), "utf8"), apiKey)
      const { code, sent } = await finished(["balance"], { env, platform, replies: [success({})] })
      assert.deepStrictEqual([code, sent[0]?.headers["authorization"]], [0, `Bearer ${apiKey}`])
      assert.include((await profile("show", { env, platform })).stdout, "api_key  in the keyring")
      assert.strictEqual((await profile("remove main", { env, platform })).code, 0)
      assert.isFalse(Fs.existsSync(Path.join(home, "kept")))
      const given = Fs.readFileSync(Path.join(home, "arguments"), "utf8")
      assert.lengthOf(given.trim().split("\n"), 3)
      assert.notInclude(given, apiKey)
    })
  }

  it("that is not there is named, and nothing is stored", async () => {
    const words = `add main --url ${url} --api-key-file - --keyring`
    const env = { PATH: home }
    await refused(
      profile(words, { env, input: apiKey }),
      /needs the program secret-tool, which is not on the PATH \(package/
    )
    await refused(profile(words, { env, input: apiKey, platform: "win32" }), /no keyring that vault-trader can use/)
    assert.isFalse(Fs.existsSync(file()))
    assert.notInclude(inspect(await profile("list")), apiKey)
  })
})
