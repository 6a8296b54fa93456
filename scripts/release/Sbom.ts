/** The bill of materials of a build, as CycloneDX 1.5: every package that its bundle, its console or its node_modules has. */
import { nameOf, packages } from "./Lockfile.ts"

/** Returns the package's URL: `pkg:npm/%40scope/name@version`. */
const purlOf = (name: string, version: string): string =>
  `pkg:npm/${name.replace("@", "%40")}@${encodeURIComponent(version)}`

const componentOf = (folder: string) => {
  const { integrity = "", license, version = "" } = packages[folder] ?? {}
  const name = nameOf(folder)
  const [, digest] = /^sha512-(.+)$/.exec(integrity) ?? []
  return {
    type: "library",
    "bom-ref": `${folder}@${version}`,
    name,
    version,
    purl: purlOf(name, version),
    ...(license === undefined
      ? {}
      : { licenses: [/[ (]/.test(license) ? { expression: license } : { license: { name: license } }] }),
    ...(digest === undefined
      ? {}
      : { hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }] })
  }
}

/** Returns the document for a build that contains the packages in these folders. It has no time, so builds are equal. */
export const of = (
  folders: ReadonlyArray<string>,
  { license, version }: { readonly license: string; readonly version: string }
) => {
  const main = { type: "application", "bom-ref": `vault-trader@${version}`, name: "vault-trader", version }
  const components = [...new Set(folders)].filter((folder) => packages[folder] !== undefined).sort().map(componentOf)
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: { ...main, licenses: [{ license: { id: license } }] } },
    components,
    dependencies: [{ ref: main["bom-ref"], dependsOn: components.map((each) => each["bom-ref"]) }]
  }
}
