import { assert, describe, it } from "@effect/vitest"
import * as CommandTable from "@vault-trader/app/cli/CommandTable"
import { overviewOf } from "@vault-trader/app/cli/CommandOverview"
import { version } from "@vault-trader/app/ServiceVersion"
import { spawnSync } from "node:child_process"
import * as Crypto from "node:crypto"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as BuildCommands from "../release/BuildCommands.ts"
import * as Dependencies from "../release/Dependencies.ts"
import { packages } from "../release/Lockfile.ts"
import * as ReleaseNotes from "../release/ReleaseNotes.ts"
import * as Sbom from "../release/Sbom.ts"
import * as Signature from "../release/Signature.ts"
import { root } from "../RepositoryCopy.ts"

const read = (path: string): string => Fs.readFileSync(Path.join(root, path), "utf8")

const inFolder = (use: (folder: string) => void) => {
  const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-release-"))
  try {
    use(folder)
  } finally {
    Fs.rmSync(folder, { recursive: true, force: true })
  }
}

describe("the commands of a build", () => {
  it("are those of a clone without the ones that need the devnet, also in the overview", () => {
    const [whole, ofBuild] = [CommandTable.read(), BuildCommands.ofBuild(CommandTable.read())]
    const names = (table: CommandTable.CommandTable) => CommandTable.operatorCommands(table).map(({ name }) => name)
    const gone = names(whole).filter((name) => !names(ofBuild).includes(name))
    assert.sameMembers(gone, ["devnet", "demo", "market"])
    assert.deepStrictEqual(ofBuild.endpoints, whole.endpoints)
    assert.match(overviewOf(whole), /^  devnet /m)
    assert.notMatch(overviewOf(ofBuild), /^  (devnet|demo|market) /m)
  })
})

describe("the version", () => {
  it("is the same in every package, in the clients and in what the service says", () => {
    const manifests = Fs.readdirSync(Path.join(root, "packages")).map((name) => `packages/${name}/package.json`)
    for (const file of ["package.json", "scripts/package.json", ...manifests]) {
      assert.strictEqual((JSON.parse(read(file)) as { readonly version: string }).version, version.version, file)
    }
    const [release = "", candidate] = version.version.split("-rc.")
    const ofPython = candidate === undefined ? release : `${release}rc${candidate}`
    assert.include(read("clients/python/pyproject.toml"), `version = "${ofPython}"`)
    // R's versions have digits only; 0.99.N is by custom what comes before 1.0.0.
    const ofR = candidate === undefined ? release : `0.99.${candidate}`
    assert.include(read("clients/r/DESCRIPTION"), `Version: ${ofR}\n`)
    assert.include(read("README.md"), `Vault Trader ${version.version} ready in`)
    assert.strictEqual(packages[""]?.version, version.version)
  })

  it("has notes in CHANGELOG.md", () => {
    assert.isAbove(ReleaseNotes.of(read("CHANGELOG.md"), version.version)?.length ?? 0, 1_000)
  })
})

describe("release notes", () => {
  it("are the section of one version", () => {
    const changelog = "# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2027-01-01\n\n- new\n\n## [1.0.0]\n\n- old\n"
    assert.strictEqual(ReleaseNotes.of(changelog, "1.1.0"), "- new")
    assert.strictEqual(ReleaseNotes.of(changelog, "1.0.0"), "- old")
    assert.strictEqual(ReleaseNotes.of(changelog, "Unreleased"), "")
    assert.isUndefined(ReleaseNotes.of(changelog, "1.0"))
  })
})

describe("the signature of a release", () => {
  const pair = Crypto.generateKeyPairSync("ed25519")
  const privateKey = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  const publicKey = pair.publicKey.export({ type: "spki", format: "pem" }).toString()

  const signed = (folder: string) => {
    for (const name of ["b", "a"]) Fs.writeFileSync(Path.join(folder, name), name)
    Signature.writeSums(folder)
    Signature.sign(folder, privateKey)
  }

  it("is verified by this program, and by openssl and sha256sum as docs/deploy.md says", () => {
    inFolder((folder) => {
      signed(folder)
      assert.isUndefined(Signature.faultOf(folder, publicKey))
      Fs.writeFileSync(Path.join(folder, "release.pub"), publicKey)
      const [, command = ""] = /^(openssl pkeyutl .*)$/m.exec(read("docs/deploy.md")) ?? []
      const { status, stderr } = spawnSync("sh", ["-c", command], { cwd: folder, encoding: "utf8" })
      assert.strictEqual(status, 0, stderr)
    })
  })

  it("says what is not as it was signed", () => {
    const other = Crypto.generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" }).toString()
    const changes: ReadonlyArray<readonly [RegExp, (folder: string) => void, string?]> = [
      [/^a is not the file that was signed/, (folder) => Fs.writeFileSync(Path.join(folder, "a"), "c")],
      [/^b is missing/, (folder) => Fs.rmSync(Path.join(folder, "b"))],
      [/is not a signature of SHA256SUMS/, (folder) => Fs.appendFileSync(Path.join(folder, "SHA256SUMS"), "\n")],
      [/^SHA256SUMS\.sig is missing/, (folder) => Fs.rmSync(Path.join(folder, "SHA256SUMS.sig"))],
      [/is not a signature of SHA256SUMS/, () => {}, other]
    ]
    for (const [sentence, change, key] of changes) {
      inFolder((folder) => {
        signed(folder)
        change(folder)
        assert.match(Signature.faultOf(folder, key ?? publicKey) ?? "", sentence)
      })
    }
  })

  it("is refused by a key of another kind", () => {
    const { privateKey: rsa } = Crypto.generateKeyPairSync("rsa", { modulusLength: 2048 })
    inFolder((folder) => {
      Signature.writeSums(folder)
      assert.throws(() => Signature.sign(folder, rsa.export({ type: "pkcs8", format: "pem" }).toString()), /Ed25519/)
    })
  })
})

describe("dependencies", () => {
  it("have a reason each, and there is no reason without one", () => {
    assert.deepStrictEqual(Dependencies.faults(), [])
  })

  it("are those that docs/dependencies.md lists", () => {
    const document = read("docs/dependencies.md")
    assert.strictEqual(document, Dependencies.withTables(document), "npm run dependencies writes it")
  })

  it("are replaced by no stranger's package", () => {
    const { overrides } = JSON.parse(read("package.json")) as { readonly overrides: object }
    // Of a package everywhere, or as another package has it.
    const versions = (value: object): ReadonlyArray<readonly [string, unknown]> =>
      Object.entries(value).flatMap(([name, each]: [string, unknown]) =>
        typeof each === "object" && each !== null ? versions(each) : [[name, each] as const]
      )
    for (const [name, value] of versions(overrides)) assert.match(String(value), /^\d+\.\d+\.\d+$/, name)
  })

  it("have versions and digests in package-lock.json", () => {
    for (const [folder, { integrity, link, version: locked }] of Object.entries(packages)) {
      if (!folder.includes("node_modules/") || link === true) continue
      assert.match(`${locked} ${integrity}`, /^\d+\.\d+\.\d+\S* sha512-\S+$/, folder)
    }
  })
})

it("the bill of materials names packages with version, licence and digest", () => {
  const { components } = Sbom.of(["node_modules/secp256k1", "node_modules/@noble/hashes"], {
    license: "Apache-2.0",
    version: "1.0.0"
  })
  assert.deepStrictEqual(components.map(({ name }) => name), ["@noble/hashes", "secp256k1"])
  assert.match(components[0]?.purl ?? "", /^pkg:npm\/%40noble\/hashes@\d/)
  for (const { hashes, licenses } of components) {
    assert.match(hashes?.[0]?.content ?? "", /^[0-9a-f]{128}$/)
    assert.deepStrictEqual(licenses, [{ license: { name: "MIT" } }])
  }
})
