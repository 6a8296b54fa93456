/** Generates code for an API call in several languages. Every value is quoted by the rules of its language. */

export const languages = ["Webhook URL", "Python", "R", "JavaScript", "curl"] as const
export type Language = typeof languages[number]

/** The placeholder for the caller's API key. */
export const keyPlaceholder = "YOUR_API_KEY"

export interface Call {
  /** The API's base URL, `https://host`. */
  readonly baseUrl: string
  /** The endpoint's name. */
  readonly endpoint: string
  readonly apiKey: string
  readonly params: Readonly<Record<string, Value>>
}

/** A parameter's value: a string, number or boolean, or a list of objects of them. */
export type Value = Plain | ReadonlyArray<Readonly<Record<string, Plain>>>
type Plain = string | number | boolean

/** Writes a list with each member on its own line, indented deeper than its closing bracket. */
const writeList = <A>(open: string, members: ReadonlyArray<A>, one: (member: A) => string, close: string): string =>
  `${open}\n${members.map((member) => `${close.replace(/\S/g, "")}    ${one(member)}`).join(",\n")}\n${close}`

/** Writes a value as JSON, which is also JavaScript once U+2028 and U+2029 are escaped. */
const inJavaScriptText = (value: unknown): string =>
  JSON.stringify(value).replace(/\u2028/g, "\\u2028").replace(/\u2029/g, "\\u2029")

const inJavaScript = (value: Value): string =>
  typeof value === "object" ? writeList("[", value, inJavaScriptText, "    ]") : inJavaScriptText(value)

/** Writes a Python literal. Python understands all of JSON's escapes. */
const inPython = (value: Value): string =>
  typeof value === "boolean"
    ? (value ? "True" : "False")
    : typeof value === "object"
    ? writeList("[", value, (each) =>
      `{${
        Object.entries(each).map(([name, own]) => `${inPython(name)}: ${inPython(own)}`).join(", ")
      }}`, "        ]")
    : JSON.stringify(value)

/** Writes an R literal. R has different escapes, and no NUL character. */
const inR = (value: Value): string => {
  if (typeof value === "object") {
    return writeList(
      "list(",
      value,
      (each) => `list(${Object.entries(each).map(([name, own]) => `${nameInR(name)} = ${inR(own)}`).join(", ")})`,
      "    )"
    )
  }
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE"
  if (typeof value === "number") return String(value)
  const text = Array.from(value.replaceAll("\0", ""), (character) => {
    const code = character.codePointAt(0) ?? 0
    if (character === "\\" || character === "\"") return `\\${character}`
    return code >= 32 && code < 127 ? character : `\\U{${code.toString(16)}}`
  })
  return `"${text.join("")}"`
}

/** Quotes a text for a shell, which takes everything between single quotes literally. */
const inShell = (text: string): string => `'${text.replaceAll("\0", "").replaceAll("'", `'\\''`)}'`

/** Writes a name as R allows it before `=`. */
const nameInR = (name: string): string =>
  /^[A-Za-z][A-Za-z0-9_.]*$/.test(name) ? name : `\`${name.replace(/[\\`]/g, "\\$&")}\``

const lines = (params: Call["params"], one: (name: string, value: Value) => string) =>
  Object.entries(params).map(([name, value]) => one(name, value)).join(",\n")

const url = ({ baseUrl, endpoint }: Call) => `${baseUrl}/${endpoint}`

const webhook = (call: Call) => {
  const query = new URLSearchParams({
    apiKey: call.apiKey,
    ...Object.fromEntries(
      Object.entries(call.params).map((
        [name, value]
      ) => [name, typeof value === "object" ? JSON.stringify(value) : String(value)])
    )
  })
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

const writers: Readonly<Record<Language, (call: Call) => string>> = {
  "Webhook URL": webhook,
  Python: python,
  R: r,
  JavaScript: javascript,
  curl
}

/** Returns the call as code in a language. */
export const snippetOf = (language: Language, call: Call): string => writers[language](call)
