/**
 * `npm run release -- notes [version]`: prints the section of CHANGELOG.md. `npm run release -- pack [--dist folder]
 * [--out folder]`: makes a build, or takes that of a folder, and packs it into an archive with its bill of materials,
 * notes, SHA256SUMS and, with RELEASE_KEY_FILE (an Ed25519 private key as PEM), their signature. `npm run release --
 * verify folder --key public.pem` checks such a folder.
 */
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { parseArgs } from "node:util"
import { fail } from "./install.mjs"
import * as ReleaseNotes from "./release/ReleaseNotes.ts"
import * as Signature from "./release/Signature.ts"
import { root } from "./RepositoryCopy.ts"

const usage = "Use: npm run release -- notes [version] | pack [--dist folder] [--out folder] | verify folder --key file"

const versionOf = (folder: string): string => Fs.readFileSync(Path.join(folder, "VERSION"), "utf8").trim()

const notesOf = (version: string): string =>
  ReleaseNotes.of(Fs.readFileSync(Path.join(root, "CHANGELOG.md"), "utf8"), version) ??
    fail(`CHANGELOG.md has no section about ${version}.`)

/** Packs the folder reproducibly: the same build gives the same archive. */
const archive = (dist: string, file: string, name: string): void => {
  const { status, stderr } = spawnSync("tar", [
    ...["--create", "--gzip", "--file", file, "--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"],
    ...["--transform", `s,^\\.,${name},`, "--directory", dist, "."]
  ], { env: { ...process.env, GZIP: "-n" }, encoding: "utf8" })
  if (status !== 0) fail(`The archive could not be written: ${stderr}`)
}

/** Makes the build of this clone, as `npm run build` does. */
const build = (out: string): void => {
  const words = [Path.join(root, "scripts/run.mjs"), "build", "--out", out]
  const { status } = spawnSync(process.execPath, words, { stdio: ["ignore", "inherit", "inherit"] })
  if (status !== 0) fail("There is no build to pack; see above.")
}

const pack = (dist: string, out: string): void => {
  if (!Fs.existsSync(Path.join(dist, "VERSION"))) fail(`There is no build in ${dist}; npm run build makes one.`)
  const version = versionOf(dist)
  const name = `vault-trader-${version}`
  Fs.rmSync(out, { recursive: true, force: true })
  Fs.mkdirSync(out, { recursive: true })
  archive(dist, Path.join(out, `${name}.tar.gz`), name)
  Fs.copyFileSync(Path.join(dist, "sbom.cdx.json"), Path.join(out, `${name}.cdx.json`))
  Fs.writeFileSync(Path.join(out, `${name}.md`), `${notesOf(version)}\n`)
  Signature.writeSums(out)
  const keyFile = process.env["RELEASE_KEY_FILE"]
  if (keyFile !== undefined) Signature.sign(out, Fs.readFileSync(keyFile, "utf8"))
  const signed = keyFile === undefined ? "not signed: RELEASE_KEY_FILE is not set" : "signed"
  process.stdout.write(`${name} in ${out} (${signed})\n`)
}

const verify = (folder: string, key: string): void => {
  const fault = Signature.faultOf(folder, Fs.readFileSync(key, "utf8"))
  if (fault !== undefined) fail(fault)
  process.stdout.write("The signature and every file are right.\n")
}

const { positionals: [what, word], values } = parseArgs({
  allowPositionals: true,
  options: {
    dist: { type: "string" },
    out: { type: "string", default: Path.join(root, ".cache", "release") },
    key: { type: "string" }
  }
})
const { version } = JSON.parse(Fs.readFileSync(Path.join(root, "package.json"), "utf8")) as { readonly version: string }
if (what === "notes") process.stdout.write(`${notesOf(word ?? version)}\n`)
else if (what === "pack") {
  const dist = Path.resolve(values.dist ?? Path.join(root, "dist"))
  if (values.dist === undefined) build(dist)
  pack(dist, Path.resolve(values.out))
} else if (what === "verify" && word !== undefined && values.key !== undefined) verify(word, values.key)
else fail(usage)
