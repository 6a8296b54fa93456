/** The call that does what a form says, in the language of whoever is to make it. Every value is quoted as its language demands. */

export const languages = ["Webhook URL", "Python", "R", "JavaScript", "curl"] as const
export type Language = typeof languages[number]

/** Stands where the key is to stand. */
export const keyPlaceholder = "YOUR_API_KEY"

export interface Call {
  /** Where the API is, `https://host`. */
  readonly baseUrl: string
  /** The endpoint's name. */
  readonly endpoint: string
  readonly apiKey: string
  readonly params: Readonly<Record<string, Value>>
}

/** What a parameter may be: a word, a number, or a list of objects of them. */
export type Value = Plain | ReadonlyArray<Readonly<Record<string, Plain>>>
type Plain = string | number | boolean

/** A list with its members on lines of their own, further in than its end. */
const listed = <A>(open: string, members: ReadonlyArray<A>, one: (member: A) => string, close: string): string =>
  `${open}\n${members.map((member) => `${close.replace(/\S/g, "")}    ${one(member)}`).join(",\n")}\n${close}`

/** JSON's text is JavaScript's, too. */
const inJavaScriptText = (value: unknown): string => JSON.stringify(value).replace(/\u2028/g, "\\u2028").replace(/\u2029/g, "\\u2029")

const inJavaScript = (value: Value): string => typeof value === "object" ? listed("[", value, inJavaScriptText, "    ]") : inJavaScriptText(value)

/** JSON's escapes are among Python's. */
const inPython = (value: Value): string =>
  typeof value === "boolean"
    ? (value ? "True" : "False")
    : typeof value === "object"
    ? listed("[", value, (each) => `{${Object.entries(each).map(([name, own]) => `${inPython(name)}: ${inPython(own)}`).join(", ")}}`, "        ]")
    : JSON.stringify(value)

/** R has escapes of its own, and no character 0. */
const inR = (value: Value): string => {
  if (typeof value === "object") return listed("list(", value, (each) => `list(${Object.entries(each).map(([name, own]) => `${nameInR(name)} = ${inR(own)}`).join(", ")})`, "    )")
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE"
  if (typeof value === "number") return String(value)
  const text = Array.from(value.replaceAll("\0", ""), (character) => {
    const code = character.codePointAt(0) ?? 0
    if (character === "\\" || character === "\"") return `\\${character}`
    return code >= 32 && code < 127 ? character : `\\U{${code.toString(16)}}`
  })
  return `"${text.join("")}"`
}

/** Between single quotes a shell reads everything as it stands. */
const inShell = (text: string): string => `'${text.replaceAll("\0", "").replaceAll("'", `'\\''`)}'`

/** A name as it may stand before `=` in R. */
const nameInR = (name: string): string => /^[A-Za-z][A-Za-z0-9_.]*$/.test(name) ? name : `\`${name.replace(/[\\`]/g, "\\$&")}\``

const lines = (params: Call["params"], one: (name: string, value: Value) => string) =>
  Object.entries(params).map(([name, value]) => one(name, value)).join(",\n")

const url = ({ baseUrl, endpoint }: Call) => `${baseUrl}/${endpoint}`

const webhook = (call: Call) => {
  const query = new URLSearchParams({ apiKey: call.apiKey, ...Object.fromEntries(Object.entries(call.params).map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : String(value)])) })
  return `${url(call)}?${query.toString()}`
}

const python = (call: Call) =>
  `import json
import urllib.error
import urllib.request

API_KEY = ${inPython(call.apiKey)}

request = urllib.request.Request(
    ${inPython(url(call))},
    data=json.dumps({
${lines(call.params, (name, value) => `        ${inPython(name)}: ${inPython(value)}`)}
    }).encode(),
    headers={"Content-Type": "application/json", "Authorization": "Bearer " + API_KEY},
)
try:
    with urllib.request.urlopen(request) as response:
        print(response.read().decode())
except urllib.error.HTTPError as error:
    print(error.read().decode())
`

const r = (call: Call) =>
  `library(httr2)

api_key <- ${inR(call.apiKey)}

response <- request(${inR(url(call))}) |>
  req_auth_bearer_token(api_key) |>
  req_body_json(list(
${lines(call.params, (name, value) => `    ${nameInR(name)} = ${inR(value)}`)}
  )) |>
  req_error(is_error = function(response) FALSE) |>
  req_perform()
cat(resp_body_string(response), "\\n")
`

const javascript = (call: Call) =>
  `const apiKey = ${inJavaScript(call.apiKey)}

const response = await fetch(${inJavaScript(url(call))}, {
  method: "POST",
  headers: { "Content-Type": "application/json", Authorization: \`Bearer \${apiKey}\` },
  body: JSON.stringify({
${lines(call.params, (name, value) => `    ${inJavaScript(name)}: ${inJavaScript(value)}`)}
  })
})
console.log(await response.text())
`

const curl = (call: Call) =>
  `curl -sS -X POST ${inShell(url(call))} \\
  -H ${inShell(`Authorization: Bearer ${call.apiKey}`)} \\
  -H 'Content-Type: application/json' \\
  --data-raw ${inShell(JSON.stringify(call.params))}
`

const writers: Readonly<Record<Language, (call: Call) => string>> = { "Webhook URL": webhook, Python: python, R: r, JavaScript: javascript, curl }

/** The call as text in a language. */
export const snippetOf = (language: Language, call: Call): string => writers[language](call)
